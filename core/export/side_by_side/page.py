"""The comparison as a page: the figures, and the sentences by who chose them, with filters that need no script."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from core.benchmarks.side_by_side.groups import grouped
from core.benchmarks.side_by_side.model import Comparison, Task
from core.export.html_page import render
from core.export.side_by_side.tables import figures_table, pairs_table, topics_table
from core.paper import Paper, cite

_FOLDER = Path(__file__).parent
_HEADS = {Task.EVIDENCE: "Evidence", Task.BIAS: "Risk of bias", Task.SUMMARY: "Plain summary"}


def comparison_page(comparison: Comparison, paper: Paper, *, date: datetime) -> str:
    """The page as HTML text, complete in itself."""
    topics = [
        (topic, comparison.labels(place), grouped(comparison.on(place), topic.gold))
        for place, topic in enumerate(comparison.topics)
    ]
    return render(
        _FOLDER / "page.html",
        _FOLDER / "page.css",
        filters={"place": lambda index: _place(paper, index)},
        head=_HEADS[comparison.task],
        comparison=comparison,
        paper=paper,
        citation=" · ".join(cite(paper)),
        topics=topics,
        tables=[
            figures_table(comparison),
            pairs_table(comparison),
            *([topics_table(comparison)] if comparison.scale else []),
        ],
        judged=any(len(found.filters) > 2 for _, _, found in topics),
        date=date,
    )


def _place(paper: Paper, index: int) -> str:
    sentence = paper.sentences[index]
    page = "" if sentence.page is None else f"p. {sentence.page}"
    return ", ".join(filter(None, (paper.section_of(sentence).title, page)))
