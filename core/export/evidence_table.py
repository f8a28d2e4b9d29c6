"""The evidence table, papers by hypotheses: its rows and columns, and the table as CSV, workbook and page."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from core import __version__
from core.bias.model import Level, LevelStyle
from core.export.bias_plots import css_class, css_of
from core.export.html_page import render
from core.export.table import displayable, table_csv
from core.findings.model import Effect, Finding, Passage
from core.grounding.model import PaperVerdict
from core.screening.model import ScreeningVerdict
from core.store.review_model import CellView, ReviewerVerdict, VerdictConsensus

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet


# ---- links ----
# Where a DOI leads.

_DOI = re.compile(r"10\.\d{4,9}/[!-~]{1,300}")  # the form of every DOI; no spaces, no letters beyond ASCII


def doi_link(doi: str | None) -> str | None:
    """The address of a DOI; None for what is none, which is shown and never linked."""
    if doi is None or not _DOI.fullmatch(doi):
        return None
    return f"https://doi.org/{quote(doi, safe='/:;().-_')}"


# ---- model ----
# The rows of the evidence table, and what its words mean.

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


@dataclass(frozen=True, slots=True)
class TableCell:
    """What is known of a paper and a hypothesis. `error`: why the engine gave no finding."""

    finding: Finding | None = None
    error: str = ""
    people: CellView = field(default_factory=CellView)  # what the reviewers say of it themselves, as far as one may see

    @property
    def verdict(self) -> PaperVerdict | None:
        """What the paper says of the hypothesis, by the engine; None: see `missing`."""
        return None if self.finding is None else self.finding.verdict

    @property
    def final(self) -> PaperVerdict | None:
        """What counts: the reviewers' verdict once they have one together, or else the engine's."""
        return self.people.final or self.verdict

    @property
    def whose(self) -> str:
        """Whose the reviewers' verdict is, in words; where there is none yet why, once anybody has given one."""
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
        """Where the reviewers' sentence and effect stand: what they settled, or else the first verdict that names one."""
        given = self.people.given
        return self.people.consensus or next((one for one in given if one.sentence or one.effect), None)

    @property
    def missing(self) -> str:
        """Why there is no verdict; empty where there is one."""
        if self.finding is None:
            return self.error or NOT_RUN
        return "" if self.finding.verdict else self.finding.reason or "The engine gave no verdict and no reason."


@dataclass(frozen=True, slots=True)
class BiasCell:
    """The overall risk of bias of a paper: settled by the reviewers, unless somebody else is named."""

    level: Level | None = None
    suggested_by: str | None = None  # the engine whose it is
    why: str = ""  # there is no level
    given_by: tuple[str, ...] = ()  # the reviewers whose it is, while nothing is settled

    @property
    def whose(self) -> str:
        """In words; empty where there is no level."""
        if self.level is None:
            return ""
        if self.given_by:
            return given_in_words(self.given_by)
        return "reviewers" if self.suggested_by is None else f"suggested by {self.suggested_by}"

    @property
    def missing(self) -> str:
        """Why there is no level; empty where there is one."""
        return "" if self.level else self.why or "Not judged yet."


def given_in_words(reviewers: Sequence[str]) -> str:
    """Whose a level is that these gave, and that is not settled."""
    *first, last = reviewers
    return f"judged by {', '.join(first)}{' and ' if first else ''}{last}, not settled"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A paper. `cells` by hypothesis; one that is not in it has not been run."""

    paper: str  # `Paper.id`
    study: str  # short, unlike any other row's
    title: str = ""
    citation: str = ""
    doi: str | None = None
    screening: ScreeningVerdict | None = None  # what the reviewers agree on, or settled
    screening_note: str = ""  # the reason of an exclusion, or why there is no verdict
    bias: BiasCell = BiasCell()
    cells: Mapping[str, TableCell] = field(default_factory=dict)

    def cell(self, hypothesis: str) -> TableCell:
        """The cell of a hypothesis."""
        return self.cells.get(hypothesis, TableCell())


# ---- lines ----
# The evidence table with a line for each paper and hypothesis, as spreadsheets want it.


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its stable name, its title for readers, and its width in letters."""

    name: str
    title: str
    width: int


COLUMNS = (
    Column("study", "Study", 22),
    Column("title", "Title", 40),
    Column("citation", "Citation", 30),
    Column("doi", "DOI", 24),
    Column("screening", "Screening", 11),
    Column("screening_note", "Screening note", 24),
    Column("hypothesis", "Hypothesis", 40),
    Column("verdict", "Verdict", 11),
    Column("probability", "Probability", 9),
    Column("reason", "Reason", 44),
    Column("check", "Check", 24),
    Column("missing", "Why blank", 30),
    Column("reviewers_verdict", "Reviewers' verdict", 11),
    Column("reviewers_whose", "Whose (verdict)", 20),
    Column("reviewers_given", "Given by", 24),
    Column("reviewers_sentence", "Reviewers' sentence", 60),
    Column("reviewers_page", "Page (reviewers)", 9),
    Column("reviewers_section", "Section (reviewers)", 18),
    Column("reviewers_index", "Sentence no. (reviewers)", 10),
    Column("reviewers_effect", "Reviewers' effect", 24),
    Column("reviewers_comment", "Reviewers' comments", 40),
    Column("for_sentence", "Strongest for", 60),
    Column("for_page", "Page (for)", 8),
    Column("for_section", "Section (for)", 18),
    Column("for_index", "Sentence no. (for)", 10),
    Column("against_sentence", "Strongest against", 60),
    Column("against_page", "Page (against)", 9),
    Column("against_section", "Section (against)", 18),
    Column("against_index", "Sentence no. (against)", 10),
    Column("nearest_sentences", "Nearest, where none decides", 60),
    Column("nearest_indexes", "Sentence nos. (nearest)", 12),
    Column("effect_measure", "Effect measure", 12),
    Column("effect_value", "Effect", 9),
    Column("effect_low", "Lower limit", 9),
    Column("effect_high", "Upper limit", 9),
    Column("effect_level", "Interval, %", 9),
    Column("effect_p", "P as printed", 12),
    Column("effect_text", "Effect as printed", 30),
    Column("effect_index", "Sentence no. (effect)", 10),
    Column("bias_overall", "Risk of bias", 14),
    Column("bias_whose", "Risk of bias by", 20),
    Column("bias_missing", "Why blank (risk of bias)", 30),
    Column("engine", "Engine", 22),
    Column("cost_usd", "Cost, USD", 9),
    Column("prompts", "Prompts (hash)", 30),
    Column("paper_id", "Paper id", 18),
)
TableLine = dict[str, Any]


def as_csv(rows: Iterable[TableRow], hypotheses: Sequence[str]) -> str:
    """The lines under the columns' stable names; what is not known is empty, with its reason in `missing`.

    Safe to open in a spreadsheet (`core.export.table`). A sentence's number counts the paper's sentences from 0.
    """
    return table_csv([column.name for column in COLUMNS], lines_of(rows, hypotheses))


def lines_of(rows: Iterable[TableRow], hypotheses: Sequence[str]) -> Iterator[TableLine]:
    """A line for each paper and hypothesis, in their order; a number that is none is left blank."""
    for row in rows:
        paper = {
            "study": row.study,
            "title": row.title,
            "citation": row.citation,
            "doi": row.doi,
            "screening": _word(row.screening),
            "screening_note": row.screening_note,
            "bias_overall": _word(row.bias.level),
            "bias_whose": row.bias.whose,
            "bias_missing": row.bias.missing,
            "paper_id": row.paper,
        }
        for hypothesis in hypotheses:
            cell = row.cell(hypothesis)
            said = {"hypothesis": hypothesis, "missing": cell.missing}
            yield {**paper, **said, **_people(cell), **_finding(cell.finding)}


def _people(cell: TableCell) -> TableLine:
    view, deciding = cell.people, cell.deciding
    comments = [f"{one.reviewer}: {one.comment}" for one in view.given if one.comment]
    return {
        "reviewers_verdict": _word(view.final),
        "reviewers_whose": cell.whose,
        "reviewers_given": "; ".join(f"{one.reviewer}: {one.verdict}" for one in view.given),
        **_passage("reviewers", deciding.sentence if deciding else None),
        "reviewers_effect": deciding.effect if deciding else None,
        "reviewers_comment": "; ".join([*([view.consensus.why] if view.consensus else []), *comments]),
    }


_OF_ENGINE = (
    *("verdict", "probability", "reason", "check", "nearest_sentences", "nearest_indexes"),
    *("engine", "cost_usd", "prompts"),
)


def _finding(finding: Finding | None) -> TableLine:
    if finding is None:
        return {**dict.fromkeys(_OF_ENGINE), **_passage("for", None), **_passage("against", None), **_effect(None)}
    return {
        "verdict": _word(finding.verdict),
        "probability": number(finding.probability),
        "reason": finding.reason if finding.verdict else None,
        "check": finding.check,
        **_passage("for", finding.strongest_for),
        **_passage("against", finding.strongest_against),
        "nearest_sentences": "\n".join(one.text for one in finding.nearest) or None,
        "nearest_indexes": "; ".join(str(one.index) for one in finding.nearest) or None,
        **_effect(finding.effect),
        "engine": finding.engine,
        "cost_usd": number(finding.cost_usd),
        "prompts": ", ".join(f"{name} {digest}" for name, digest in finding.prompts),
    }


def _passage(side: str, passage: Passage | None) -> TableLine:
    names = (f"{side}_{name}" for name in ("sentence", "page", "section", "index"))
    values = (None,) * 4 if passage is None else (passage.text, passage.page, passage.section, passage.index)
    return dict(zip(names, values, strict=True))


def _effect(effect: Effect | None) -> TableLine:
    names = (f"effect_{name}" for name in ("measure", "value", "low", "high", "level", "p", "text", "index"))
    if effect is None:
        return dict.fromkeys(names)
    numbers = (number(value) for value in (effect.value, effect.low, effect.high, effect.level))
    return dict(zip(names, (effect.measure, *numbers, effect.p, effect.text, effect.sentence), strict=True))


def number(value: float | None) -> float | None:
    """The value, or None where it is no number that a spreadsheet has."""
    return value if value is not None and isfinite(value) else None


def _word(value: str | None) -> str | None:
    return None if value is None else str(value)


# ---- workbook ----
# The evidence table as a workbook: the lines, and a sheet that says what they are.

_LONGEST = 32_767  # letters that a cell of a workbook holds
_PLACES = {column.name: place for place, column in enumerate(COLUMNS)}
_VERDICTS = ("verdict", "reviewers_verdict")
_FILLS = {
    PaperVerdict.SUPPORTS: "#D8EFDC",
    PaperVerdict.REFUTES: "#F6D9D7",
    PaperVerdict.MIXED: "#FBEFC6",
    PaperVerdict.NOT_REPORTED: "#E3EAF4",
    PaperVerdict.UNCLEAR: "#E8EBEE",
}


def as_xlsx(rows: Sequence[TableRow], hypotheses: Sequence[str], *, date: datetime, name: str = "") -> bytes:
    """The workbook; the same rows and date give the same bytes. `name`: the review's; `date` has a time zone.

    Text is text, whatever it begins with: nothing in it is run or becomes a link, DOIs apart.
    """
    from xlsxwriter.workbook import Workbook  # noqa: PLC0415 - only who asks for one needs it

    buffer = io.BytesIO()
    book = Workbook(buffer, {"in_memory": True})  # no temporary files, and no time of day in the bytes
    book.set_properties({"title": _cell(f"Evidence table {name}".strip()), "created": date.astimezone(UTC)})
    _evidence(book, rows, hypotheses)
    _about(book, list(_contents(rows, hypotheses, date, name)))
    book.close()
    return buffer.getvalue()


def _evidence(book: Workbook, rows: Sequence[TableRow], hypotheses: Sequence[str]) -> None:
    sheet = book.add_worksheet("Evidence")
    look = {"text_wrap": True, "valign": "top"}
    plain, link = book.add_format(look), book.add_format({**look, "font_color": "#1155CC", "underline": 1})
    verdicts = {verdict.value: book.add_format({**look, "bg_color": fill}) for verdict, fill in _FILLS.items()}
    head = book.add_format({**look, "bold": True, "bottom": 1, "bg_color": "#F1F3F5"})
    for place, column in enumerate(COLUMNS):
        sheet.set_column(place, place, column.width, plain)  # the cells left out have its look
        sheet.write_string(0, place, column.title, head)
    last = 0
    for last, line in enumerate(lines_of(rows, hypotheses), 1):
        for name, value in line.items():
            place = _PLACES[name]
            address = doi_link(value) if name == "doi" else None
            if address:
                sheet.write_url(last, place, address, link, string=_cell(value))
            else:
                _write(sheet, last, place, value, verdicts.get(value, plain) if name in _VERDICTS else plain)
    sheet.freeze_panes(1, 1)
    sheet.autofilter(0, 0, last, len(COLUMNS) - 1)
    sheet.repeat_rows(0)
    sheet.set_landscape()


def _about(book: Workbook, contents: Sequence[tuple[str, str]]) -> None:
    sheet = book.add_worksheet("About")
    bold, plain = (book.add_format({"text_wrap": True, "valign": "top", "bold": bold}) for bold in (True, False))
    sheet.set_column(0, 0, 26)
    sheet.set_column(1, 1, 100)
    for place, (term, words) in enumerate(contents):
        sheet.write_string(place, 0, _cell(term), bold)
        sheet.write_string(place, 1, _cell(words), plain)


def _contents(
    rows: Sequence[TableRow], hypotheses: Sequence[str], date: datetime, name: str
) -> Iterator[tuple[str, str]]:
    cells = [row.cell(hypothesis) for row in rows for hypothesis in hypotheses]
    findings = [cell.finding for cell in cells if cell.finding is not None]
    if name:
        yield "Review", name
    yield (
        "What this is",
        (
            "A line for each paper and hypothesis. Every quotation is a sentence of the paper, letter for letter; "
            "its number counts the paper's sentences from 0."
        ),
    )
    yield (
        "Whose it is",
        (
            "Verdicts, sentences and effects are suggestions of the engine that is named on the line, and no person's "
            "judgement, but for the columns that say that they are the reviewers'. Screening is the reviewers'. Risk of bias says whose it is."
        ),
    )
    yield "Written by", f"Vouch {__version__}, {date:%Y-%m-%d %H:%M %Z}".strip()
    yield "Papers", str(len(rows))
    for place, hypothesis in enumerate(hypotheses, 1):
        yield f"Hypothesis {place}", hypothesis
    for engine, count in sorted(Counter(finding.engine for finding in findings).items()):
        yield "Engine", f"{engine}: {count} {'finding' if count == 1 else 'findings'}"
    for prompt, digest in sorted({prompt for finding in findings for prompt in finding.prompts}):
        yield "Prompt (with hash)", f"{prompt} {digest}"
    for verdict, meaning in MEANING.items():
        yield f"Verdict: {verdict}", meaning
    yield "Reviewers", PEOPLE_MEANS
    yield "Probability", PROBABILITY_MEANS
    yield "Check", CHECK_MEANS
    yield "An empty cell", BLANK_MEANS


def _write(sheet: Worksheet, row: int, place: int, value: Any, look: Format) -> None:
    if isinstance(value, str):
        if value:
            sheet.write_string(row, place, _cell(value), look)
    elif value is not None:
        sheet.write_number(row, place, value, look)


def _cell(text: str) -> str:
    text = displayable(text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


# ---- page ----
# The evidence table as a page: a row for each paper, a column for each hypothesis, to sort and to filter.

SIGNS = {
    PaperVerdict.SUPPORTS: "✓",
    PaperVerdict.REFUTES: "✕",
    PaperVerdict.MIXED: "±",
    PaperVerdict.NOT_REPORTED: "∅",
    PaperVerdict.UNCLEAR: "?",
}


def as_html(
    rows: Sequence[TableRow],
    hypotheses: Sequence[str],
    levels: Mapping[Level, LevelStyle],
    *,
    date: datetime,
    name: str = "",
) -> str:
    """The page as HTML text, complete in itself; it says everything without its script.

    `levels`: those of the review's tool for risk of bias. `name`: the review's.
    """
    shown = {level: style for level, style in levels.items() if any(row.bias.level == level for row in rows)}
    engines = sorted({cell.finding.engine for row in rows for cell in row.cells.values() if cell.finding})
    return render(
        "evidence_table",
        filters={
            "doi_link": doi_link,
            "place": place_in_words,
            "effect": effect_in_words,
            "css_class": css_class,
            "slug": lambda word: "" if word is None else str(word).replace(" ", "-"),
        },
        rows=rows,
        hypotheses=hypotheses,
        name=name,
        date=date,
        engines=engines,
        signs=SIGNS,
        meanings=MEANING,
        blank_means=BLANK_MEANS,
        screenings=list(ScreeningVerdict),
        levels=shown,
        more_css=css_of(shown.values()),
    )


def place_in_words(passage: Passage) -> str:
    """Page and section, as far as they are known."""
    page = "" if passage.page is None else f"p. {passage.page}"
    return ", ".join(filter(None, (page, " ".join(passage.section.split()))))


def effect_in_words(effect: Effect) -> str:
    """Such as "HR 0.72 (95% CI 0.6 to 0.86), p = 0.001"."""
    said = f"{effect.measure} {_short(effect.value)}".strip()
    if effect.low is not None and effect.high is not None:
        kind = "interval" if effect.level is None else f"{_short(effect.level)}% CI"
        said += f" ({kind} {_short(effect.low)} to {_short(effect.high)})"
    p = effect.p.replace(" ", "\N{NO-BREAK SPACE}")
    return f"{said}, {p}" if p else said


def _short(value: float) -> str:
    return f"{value:.6g}".replace("-", "−")
