"""Export a comparison of engines as tables and as one HTML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from statistics import fmean

from core.benchmarks.side_by_side.figures import DEPTHS, EngineFigures, PairFigures, engine_figures, pair_figures
from core.benchmarks.side_by_side.groups import grouped
from core.benchmarks.side_by_side.model import Comparison
from core.engines import TaskKind
from core.export.html_page import place_in_words, render
from core.export.table import table_csv, table_latex, table_markdown
from core.paper import Paper, cite

# ---- Tables: figures, pairs, labels by topic, chosen sentences ----

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """Columns and rows; undefined values are empty."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def filled(self) -> tuple[str, ...]:
        """The columns that have a value in at least one row, for readers."""
        return tuple(name for name in self.columns if any(row[name] is not None for row in self.rows))

    def csv(self) -> str:
        """The table as CSV that is safe to open in a spreadsheet."""
        return table_csv(self.columns, self.rows)

    def markdown(self) -> str:
        """The table as Markdown."""
        return table_markdown(self.columns, self.rows)

    def latex(self) -> str:
        """The table as LaTeX."""
        return table_latex(self.columns, self.rows, caption=self.caption)


def figures_table(comparison: Comparison) -> ComparisonTable:
    """One row per engine."""
    rows = [_engine(figures, comparison) for figures in engine_figures(comparison)]
    return _table("What each engine found, took and cost", rows)


def pairs_table(comparison: Comparison) -> ComparisonTable:
    """One row per pair of engines that answered."""
    return _table("How far the engines agree", [_pair(pair) for pair in pair_figures(comparison)])


def topics_table(comparison: Comparison) -> ComparisonTable:
    """One row per topic, with every engine's label."""
    rows = []
    for place, topic in enumerate(comparison.topics):
        row: dict[str, object] = {"topic": topic.title}
        for side, label in zip(comparison.answered, comparison.labels(place), strict=True):
            row[f"{side.letter} {side.engine}"] = label
        row["gold"] = topic.gold_label
        rows.append(row)
    return _table("The engines' labels", rows)


def sentences_table(comparison: Comparison, paper: Paper) -> ComparisonTable:
    """One row per topic and sentence that an engine chose or that is gold. `sentence` counts from 0."""
    rows = []
    for place, topic in enumerate(comparison.topics):
        answers = comparison.on(place)
        for entry in grouped(answers, topic.gold).entries:
            sentence = paper.sentences[entry.mark.index]
            row: dict[str, object] = {
                "topic": topic.title,
                "sentence": sentence.index,
                "text": sentence.text,
                "section": paper.section_of(sentence).title,
                "page": sentence.page,
                "chosen by": entry.letters,
            }
            ranks = dict(zip((side.letter for side, _ in answers), entry.mark.ranks, strict=True))
            row |= {f"rank {side.letter}": ranks.get(side.letter) for side in comparison.answered}
            row["gold"] = entry.gold_word
            rows.append(row)
    return _table("Who chose which sentence", rows)


def _table(caption: str, rows: Sequence[Row]) -> ComparisonTable:
    columns = dict.fromkeys(name for row in rows for name in row)
    return ComparisonTable(caption, tuple(columns), tuple({name: row.get(name) for name in columns} for row in rows))


def _engine(figures: EngineFigures, comparison: Comparison) -> Row:
    side = figures.side
    if not side.given:  # it failed completely, so it has no figures
        return {"": side.letter, "engine": side.engine, "cost in $": side.cost_usd, "failed": side.error}
    stays = [one.jaccard for one in figures.stability if one.jaccard is not None]
    row: dict[str, object] = {
        "": side.letter,
        "engine": side.engine,
        "sentences": figures.sentences,
        "by it alone": figures.alone,
    }
    if any(topic.gold for topic in comparison.topics):
        row["aspect recall"] = _rounded(figures.recall)
    if figures.labelled:
        row["like gold"] = f"{figures.right} of {figures.labelled}"
    return row | {
        "asked": 1 + len(side.again),
        "stays (Jaccard)": _rounded(fmean(stays) if stays else None),
        "seconds": round(side.seconds, 2),
        "cost in $": side.cost_usd,
        "failed": side.error,
    }


def _pair(pair: PairFigures) -> Row:
    found, labels = pair.selections, pair.labels
    row: dict[str, object] = {
        "": f"{pair.one.letter} and {pair.other.letter}",
        "shared": found.shared,
        "Jaccard": _rounded(found.jaccard),
    }
    row |= {f"overlap@{depth}": _rounded(found.overlap[depth]) for depth in DEPTHS if depth in found.overlap}
    row |= {"kappa": _rounded(found.kappa), "AC1": _rounded(found.ac1)}
    if labels is not None:
        row["topics with both labels"] = labels.pairs
        row |= {
            "same label": _rounded(labels.agreed.value),
            "kappa of labels": _rounded(labels.kappa.value),
            "AC1 of labels": _rounded(labels.ac1.value),
        }
    return row


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


# ---- The page, with filters that need no script ----

_HEADS = {
    TaskKind.EVIDENCE: "Evidence",
    TaskKind.BIAS: "Risk of bias",
    TaskKind.SUMMARY: "Plain summary",
}


def comparison_page(comparison: Comparison, paper: Paper, *, date: datetime) -> str:
    """The self-contained page."""
    topics = [
        (topic, comparison.labels(place), grouped(comparison.on(place), topic.gold))
        for place, topic in enumerate(comparison.topics)
    ]
    return render(
        "side_by_side",
        filters={"place": partial(place_in_words, paper)},
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
