"""The evidence table of papers by hypotheses: its rows, its texts, and the list of its columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from math import isfinite
from types import MappingProxyType
from urllib.parse import quote

from core.bias.model import Level
from core.findings.model import Effect, Finding, Passage
from core.grounding.model import PaperVerdict
from core.screening.model import ScreeningVerdict
from core.store.review_model import CellView, ReviewerVerdict, VerdictConsensus

PEOPLE_MEANS = (
    "What the reviewers say of it themselves, beside the engine: the verdict that they settled or all gave, who gave which, "
    "and the sentence and effect that they name. Empty: nobody has given a verdict yet, or not all have, or they differ."
)
NOT_RUN = "No engine has read this paper for this hypothesis yet."
MEANING: Mapping[PaperVerdict, str] = MappingProxyType(
    {
        PaperVerdict.SUPPORTS: "What the paper reports speaks for the hypothesis.",
        PaperVerdict.REFUTES: "What the paper reports speaks against the hypothesis.",
        PaperVerdict.MIXED: "The paper reports good evidence on both sides.",
        PaperVerdict.NOT_REPORTED: "The paper reports no result on this question. The nearest sentence stands beside it.",
        PaperVerdict.UNCLEAR: "Too little to tell: read the nearest sentences.",
    }
)
BLANK_MEANS = "Not known. The reason stands beside it; it is no verdict, no level and no zero."

PROBABILITY_MEANS = (
    "How likely the engine's verdict is right, from 0 to 1, as measured on papers that it had not seen. Empty: the engine "
    "gives none."
)
CHECK_MEANS = (
    "What to look at before a verdict made on this machine is believed. Empty: nothing, or not known, as with language "
    "models and findings of earlier versions."
)
SIGNS = {
    PaperVerdict.SUPPORTS: "✓",
    PaperVerdict.REFUTES: "✕",
    PaperVerdict.MIXED: "±",
    PaperVerdict.NOT_REPORTED: "∅",
    PaperVerdict.UNCLEAR: "?",
}
_DOI = re.compile(r"10\.\d{4,9}/[!-~]{1,300}")  # the form of a DOI, limited to ASCII without spaces


# ---- rows ----


@dataclass(frozen=True, slots=True)
class TableCell:
    """What is known about a paper and a hypothesis. `error`: why the engine gave no finding."""

    finding: Finding | None = None
    error: str = ""
    people: CellView = field(default_factory=CellView)  # the reviewers' own verdicts, as far as the reader may see them

    @property
    def verdict(self) -> PaperVerdict | None:
        """The engine's verdict; if it is None, `missing` says why."""
        return None if self.finding is None else self.finding.verdict

    @property
    def final(self) -> PaperVerdict | None:
        """The final verdict: the reviewers' once they agree or have settled it, else the engine's."""
        return self.people.final or self.verdict

    @property
    def whose(self) -> str:
        """Who gave the reviewers' verdict, or why there is none yet; empty if nobody has given a verdict."""
        view = self.people
        if view.consensus is not None:
            return f"settled by {view.settled_by}"
        if view.hidden:
            return "Hidden until your own verdict is in."
        if view.differ:
            return "The reviewers differ, and have settled nothing yet."
        if view.final is not None:
            return " and ".join(one.reviewer for one in view.given)
        return "Not given yet by every reviewer." if view.by else ""

    @property
    def deciding(self) -> ReviewerVerdict | VerdictConsensus | None:
        """The verdict with the reviewers' sentence and effect: the settled one, or the first that names any."""
        given = self.people.given
        return self.people.consensus or next((one for one in given if one.sentence or one.effect), None)

    @property
    def given(self) -> str:
        """Which reviewer gave which verdict."""
        return "; ".join(f"{one.reviewer}: {one.verdict}" for one in self.people.given)

    @property
    def comments(self) -> str:
        """The reviewers' reason for the settled verdict, and each reviewer's comment."""
        settled = [self.people.consensus.why] if self.people.consensus else []
        return "; ".join([*settled, *(f"{one.reviewer}: {one.comment}" for one in self.people.given if one.comment)])

    @property
    def missing(self) -> str:
        """Why there is no verdict; empty if there is one."""
        if self.finding is None:
            return self.error or NOT_RUN
        return "" if self.finding.verdict else self.finding.reason or "The engine gave no verdict and no reason."


@dataclass(frozen=True, slots=True)
class BiasCell:
    """The overall risk of bias of a paper, settled by the reviewers unless `suggested_by` or `given_by` is set."""

    level: Level | None = None
    suggested_by: str | None = None  # the engine that suggests it
    why: str = ""  # why there is no level
    given_by: tuple[str, ...] = ()  # the reviewers who gave it, if it is not settled

    @property
    def whose(self) -> str:
        """Who gave the level, as a text; empty if there is no level."""
        if self.level is None:
            return ""
        if self.given_by:
            return given_in_words(self.given_by)
        return "reviewers" if self.suggested_by is None else f"suggested by {self.suggested_by}"

    @property
    def missing(self) -> str:
        """Why there is no level; empty if there is one."""
        return "" if self.level else self.why or "Not judged yet."


def bias_in_words(by_outcome: Mapping[str, BiasCell]) -> str:
    """The levels by outcome, such as "pain: high (reviewers); sleep: not judged"; empty if there is no outcome."""
    said = {
        outcome: f"{cell.level} ({cell.whose})" if cell.level else "not judged" for outcome, cell in by_outcome.items()
    }
    return "; ".join(f"{outcome or 'no outcome named'}: {words}" for outcome, words in said.items())


def given_in_words(reviewers: Sequence[str]) -> str:
    """A text on who gave a level that is not settled."""
    *first, last = reviewers
    return f"judged by {', '.join(first)}{' and ' if first else ''}{last}, not settled"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A paper. `cells` are by hypothesis; a hypothesis without a cell has not been run."""

    paper: str  # `Paper.id`
    study: str  # short and unique
    title: str = ""
    citation: str = ""
    doi: str | None = None
    screening: ScreeningVerdict | None = None  # the verdict that the reviewers agree on or settled
    screening_note: str = ""  # the reason for an exclusion, or why there is no verdict
    bias: BiasCell = BiasCell()  # if results were judged: that of the only outcome
    cells: Mapping[str, TableCell] = field(default_factory=dict)
    bias_by_outcome: Mapping[str, BiasCell] = field(default_factory=dict)  # if the review lists several outcomes
    notice: str = ""  # a retraction, correction or expression of concern, and which service reports it

    def cell(self, hypothesis: str) -> TableCell:
        """The cell of a hypothesis."""
        return self.cells.get(hypothesis, TableCell())


# ---- columns ----
# The only list of columns. The CSV file and the workbook have a line with all columns for each paper and hypothesis.
# The page, the JSON document and the screen (pages/_ui/review/tables.py) arrange the same rows by paper.

Value = str | float | None


class ColumnSubject(IntEnum):
    """What a column is about. Values are written in this order, which determines how a workbook numbers its texts."""

    PAPER = 0
    CELL = 1
    FINDING = 2


@dataclass(frozen=True, slots=True)
class TableLine:
    """The source of one line: a paper and a hypothesis."""

    row: TableRow
    hypothesis: str

    @property
    def cell(self) -> TableCell:
        """The cell of the paper and the hypothesis."""
        return self.row.cell(self.hypothesis)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its stable name, its title for readers, its width in characters, and its value on a line."""

    name: str
    title: str
    width: int
    subject: ColumnSubject
    value: Callable[[TableLine], Value]


def _of_paper(name: str, title: str, width: int, value: Callable[[TableRow], Value]) -> Column:
    return Column(name, title, width, ColumnSubject.PAPER, lambda line: value(line.row))


def _of_cell(name: str, title: str, width: int, value: Callable[[TableCell], Value]) -> Column:
    return Column(name, title, width, ColumnSubject.CELL, lambda line: value(line.cell))


def _of_finding(name: str, title: str, width: int, value: Callable[[Finding], Value]) -> Column:
    def of_line(line: TableLine) -> Value:
        finding = line.cell.finding
        return None if finding is None else value(finding)

    return Column(name, title, width, ColumnSubject.FINDING, of_line)


def _of_effect(name: str, title: str, width: int, value: Callable[[Effect], Value]) -> Column:
    return _of_finding(f"effect_{name}", title, width, lambda found: value(found.effect) if found.effect else None)


def _of_passage(
    side: str,
    title: str,
    subject: ColumnSubject,
    passage: Callable[[TableCell], Passage | None],
    *,
    page_width: int = 9,
) -> tuple[Column, ...]:
    """The columns of a quoted sentence and its place."""

    def column(name: str, title: str, width: int, value: Callable[[Passage], Value]) -> Column:
        def of_line(line: TableLine) -> Value:
            found = passage(line.cell)
            return None if found is None else value(found)

        return Column(f"{side}_{name}", title, width, subject, of_line)

    return (
        column("sentence", title, 60, lambda one: one.text),
        column("page", f"Page ({side})", page_width, lambda one: one.page),
        column("section", f"Section ({side})", 18, lambda one: one.section),
        column("index", f"Sentence no. ({side})", 10, lambda one: one.index),
    )


COLUMNS = (
    _of_paper("study", "Study", 22, lambda row: row.study),
    _of_paper("title", "Title", 40, lambda row: row.title),
    _of_paper("citation", "Citation", 30, lambda row: row.citation),
    _of_paper("doi", "DOI", 24, lambda row: row.doi),
    _of_paper("notice", "Retraction or correction", 24, lambda row: row.notice),
    _of_paper("screening", "Screening", 11, lambda row: _word(row.screening)),
    _of_paper("screening_note", "Screening note", 24, lambda row: row.screening_note),
    Column("hypothesis", "Hypothesis", 40, ColumnSubject.CELL, lambda line: line.hypothesis),
    _of_finding("verdict", "Verdict", 11, lambda found: _word(found.verdict)),
    _of_finding("probability", "Probability", 9, lambda found: number(found.probability)),
    _of_finding("reason", "Reason", 44, lambda found: found.reason if found.verdict else None),
    _of_finding("check", "Check", 24, lambda found: found.check),
    _of_cell("missing", "Why blank", 30, lambda cell: cell.missing),
    _of_cell("reviewers_verdict", "Reviewers' verdict", 11, lambda cell: _word(cell.people.final)),
    _of_cell("reviewers_whose", "Whose (verdict)", 20, lambda cell: cell.whose),
    _of_cell("reviewers_given", "Given by", 24, lambda cell: cell.given),
    *_of_passage(
        "reviewers",
        "Reviewers' sentence",
        ColumnSubject.CELL,
        lambda cell: cell.deciding.sentence if cell.deciding else None,
    ),
    _of_cell("reviewers_effect", "Reviewers' effect", 24, lambda cell: cell.deciding.effect if cell.deciding else None),
    _of_cell("reviewers_comment", "Reviewers' comments", 40, lambda cell: cell.comments),
    *_of_passage(
        "for",
        "Strongest for",
        ColumnSubject.FINDING,
        lambda cell: cell.finding.strongest_for if cell.finding else None,
        page_width=8,
    ),
    *_of_passage(
        "against",
        "Strongest against",
        ColumnSubject.FINDING,
        lambda cell: cell.finding.strongest_against if cell.finding else None,
    ),
    _of_finding(
        "nearest_sentences",
        "Nearest, where none decides",
        60,
        lambda found: "\n".join(one.text for one in found.nearest) or None,
    ),
    _of_finding(
        "nearest_indexes",
        "Sentence nos. (nearest)",
        12,
        lambda found: "; ".join(str(one.index) for one in found.nearest) or None,
    ),
    _of_effect("measure", "Effect measure", 12, lambda effect: effect.measure),
    _of_effect("value", "Effect", 9, lambda effect: number(effect.value)),
    _of_effect("low", "Lower limit", 9, lambda effect: number(effect.low)),
    _of_effect("high", "Upper limit", 9, lambda effect: number(effect.high)),
    _of_effect("level", "Interval, %", 9, lambda effect: number(effect.level)),
    _of_effect("p", "P as printed", 12, lambda effect: effect.p),
    _of_effect("text", "Effect as printed", 30, lambda effect: effect.text),
    _of_effect("index", "Sentence no. (effect)", 10, lambda effect: effect.sentence),
    _of_paper("bias_overall", "Risk of bias", 14, lambda row: _word(row.bias.level)),
    _of_paper("bias_whose", "Risk of bias by", 20, lambda row: row.bias.whose),
    _of_paper("bias_missing", "Why blank (risk of bias)", 30, lambda row: row.bias.missing),
    _of_paper("bias_outcomes", "Risk of bias by outcome", 30, lambda row: bias_in_words(row.bias_by_outcome)),
    _of_finding("engine", "Engine", 22, lambda found: found.engine),
    _of_finding("cost_usd", "Cost, USD", 9, lambda found: number(found.cost_usd)),
    _of_finding(
        "prompts", "Prompts (hash)", 30, lambda found: ", ".join(f"{name} {digest}" for name, digest in found.prompts)
    ),
    _of_paper("paper_id", "Paper id", 18, lambda row: row.paper),
)
_AS_WRITTEN = sorted(COLUMNS, key=lambda column: column.subject)
TITLES: Mapping[str, str] = MappingProxyType({column.name: column.title for column in COLUMNS})


def lines_of(rows: Iterable[TableRow], hypotheses: Sequence[str]) -> Iterator[dict[str, Value]]:
    """The values by column for each paper and hypothesis, in order; unknown values are None or empty."""
    for row in rows:
        for hypothesis in hypotheses:
            yield values_of(row, hypothesis)


def values_of(row: TableRow, hypothesis: str = "") -> dict[str, Value]:
    """The values by column for a paper and a hypothesis; without a hypothesis, those of the paper only."""
    line = TableLine(row, hypothesis)
    return {column.name: column.value(line) for column in _AS_WRITTEN}


def number(value: float | None) -> float | None:
    """The value, or None if it is not finite, because a spreadsheet cannot hold it then."""
    return value if value is not None and isfinite(value) else None


def _word(value: str | None) -> str | None:
    return None if value is None else str(value)


# ---- in words ----


def doi_link(doi: str | None) -> str | None:
    """The URL of a DOI; None for a text that is not a DOI, which is shown but never linked."""
    if doi is None or not _DOI.fullmatch(doi):
        return None
    return f"https://doi.org/{quote(doi, safe='/:;().-_')}"


def place_in_words(passage: Passage) -> str:
    """The page and section, as far as known."""
    page = "" if passage.page is None else f"p. {passage.page}"
    return ", ".join(filter(None, (page, " ".join(passage.section.split()))))


def effect_in_words(effect: Effect) -> str:
    """An effect as text, such as "HR 0.72 (95% CI 0.6 to 0.86), p = 0.001"."""
    said = f"{effect.measure} {_short(effect.value)}".strip()
    if effect.low is not None and effect.high is not None:
        kind = "interval" if effect.level is None else f"{_short(effect.level)}% CI"
        said += f" ({kind} {_short(effect.low)} to {_short(effect.high)})"
    p = effect.p.replace(" ", "\N{NO-BREAK SPACE}")
    return f"{said}, {p}" if p else said


def _short(value: float) -> str:
    return f"{value:.6g}".replace("-", "−")
