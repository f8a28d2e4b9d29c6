"""Summary sentences whose labels a person has checked, as gold in the layout of docs/summary.md (after FaReBio)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.export.summary import words_at
from core.paper import Kind, Paper, Sentence
from core.summary.model import FaithfulnessReport, Label, SummarySource
from core.summary.source import first_section, in_abstract


@dataclass(frozen=True, slots=True)
class SummaryGold:
    """A checked summary, and a person's word on some of its sentences, by their number from 0."""

    name: str  # among the summaries of the paper, such as who wrote it
    paper: Paper
    report: FaithfulnessReport
    own: Mapping[int, Label]


def farebio_json(summaries: Sequence[SummaryGold]) -> str:
    """A row for each sentence with a person's label; the others are not gold, and left out.

    The source goes along: what the summary was held against, in the first row of each paper.
    """
    rows: list[dict[str, Any]] = []
    for summary in summaries:
        for row in _rows(summary):
            first = all(other["paper"] != row["paper"] for other in rows)
            whole = row | (_source(summary.paper, summary.report.source) if first else {})
            rows.append({key: value for key, value in whole.items() if value})
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


def _rows(summary: SummaryGold) -> Iterator[dict[str, Any]]:
    for number, label in sorted(summary.own.items()):
        check = summary.report.sentences[number]
        agreed = label is check.label  # support, part and reason are the engine's, and go with its label alone
        yield {
            "paper": summary.paper.doi or summary.paper.id,
            "summary": summary.name,
            "text": check.text,
            "label": label.value,
            "part": words_at(check.part, check.text) if agreed else None,
            "support": [summary.paper.sentences[one.index].text for one in check.support if one.index is not None]
            if agreed
            else [],
            "rationale": check.reason if agreed else "",
        }


def _source(paper: Paper, source: SummarySource) -> dict[str, Any]:
    """Title, authors, abstract and first section, or all that follows the abstract; a paragraph a line."""
    first = first_section(paper)
    abstract = [one for one in paper.pool if in_abstract(paper, one) and one.kind is not Kind.HEADING]
    body = [
        sentence
        for sentence in paper.pool
        if not in_abstract(paper, sentence)
        and sentence.kind not in {Kind.TITLE, Kind.HEADING}
        and (source is SummarySource.WHOLE or sentence.section in first)
    ]
    return {
        "title": paper.title,
        "authors": list(paper.authors),
        "abstract": _lines(paper, abstract),
        "section": paper.sections[first.start].title if first else "",
        "section_text": _lines(paper, body),
    }


def _lines(paper: Paper, sentences: Sequence[Sentence]) -> str:
    """The sentences, those of one paragraph on one line."""
    lines: list[str] = []
    end = None
    for sentence in sentences:
        text = " ".join(sentence.text.split())
        if end is None or "\n" in paper.text[end : sentence.start]:
            lines.append(text)
        else:
            lines[-1] += f" {text}"
        end = sentence.end
    return "\n".join(lines)
