"""Export the evidence table as CSV, JSON, workbook (XLSX) and page (HTML), all from the same rows and columns."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from core import __version__
from core.bias.model import Level, LevelStyle
from core.export.bias_plots import css_class, css_of
from core.export.evidence_table import (
    BLANK_MEANS,
    CHECK_MEANS,
    COLUMNS,
    MEANING,
    PEOPLE_MEANS,
    PROBABILITY_MEANS,
    SIGNS,
    TITLES,
    TableCell,
    TableRow,
    Value,
    doi_link,
    effect_in_words,
    lines_of,
    place_in_words,
    values_of,
)
from core.export.html_page import render
from core.export.table import displayable, table_csv
from core.findings.model import Passage
from core.grounding.model import PaperVerdict
from core.screening.model import ScreeningVerdict
from core.store.review_model import ReviewerVerdict, VerdictConsensus

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

# ---- CSV and JSON ----


def as_csv(rows: Iterable[TableRow], hypotheses: Sequence[str]) -> str:
    """The lines under the columns' names. Unknown values are empty, with the reason in `missing`.

    The file is safe to open in a spreadsheet (`core.export.table`). A paper's sentences are numbered from 0.
    """
    return table_csv([column.name for column in COLUMNS], lines_of(rows, hypotheses))


def row_document(row: TableRow, hypotheses: Sequence[str]) -> dict[str, object]:
    """A paper as JSON: its own columns, and a finding for each hypothesis."""
    paper = values_of(row)
    return {
        "id": paper["paper_id"],
        **{name: paper[name] for name in ("study", "title", "doi", "notice")},
        "risk_of_bias": {name: paper[f"bias_{of}"] for name, of in _BIAS_IN_JSON.items()},
        "risk_of_bias_by_outcome": [
            {"outcome": outcome, "level": cell.level, "by": cell.whose, "missing": cell.missing}
            for outcome, cell in row.bias_by_outcome.items()
        ],
        "findings": [_finding_document(row.cell(hypothesis), values_of(row, hypothesis)) for hypothesis in hypotheses],
    }


_BIAS_IN_JSON = {"level": "overall", "by": "whose", "missing": "missing"}
_EFFECT_IN_JSON = {name: name for name in ("measure", "value", "low", "high", "level", "p", "text")} | {
    "sentence": "index"
}


def _finding_document(cell: TableCell, values: Mapping[str, Value]) -> dict[str, object]:
    """The cell's columns as JSON. Repeated values become lists, and related columns one object."""
    finding, settled = cell.finding, cell.people.consensus
    own = {name: values[name] for name in ("hypothesis", "verdict", "missing")}
    found: dict[str, object] = {}
    if finding is not None:
        found = {
            "probability": values["probability"],
            "reported": finding.reported,
            "reason": finding.reason,
            "check": values["check"],
            "for": _passage_document(finding.strongest_for),
            "against": _passage_document(finding.strongest_against),
            "nearest": [_passage_document(one) for one in finding.nearest],
            "effect": finding.effect and {name: values[f"effect_{of}"] for name, of in _EFFECT_IN_JSON.items()},
            "engine": values["engine"],
        }
    given = [{"who": one.reviewer, **_verdict_document(one), "comment": one.comment} for one in cell.people.given]
    agreed = settled and {**_verdict_document(settled), "why": settled.why, "by": cell.people.settled_by}
    return {**own, **found, "reviewers": given, "settled": agreed}


def _verdict_document(one: ReviewerVerdict | VerdictConsensus) -> dict[str, object]:
    return {"verdict": one.verdict, "sentence": _passage_document(one.sentence), "effect": one.effect}


def _passage_document(one: Passage | None) -> dict[str, object] | None:
    if one is None:
        return None
    return {"index": one.index, "text": one.text, "page": one.page, "section": one.section}


# ---- workbook ----
# One sheet with the lines, and one that explains them.

_LONGEST = 32_767  # the most characters in a cell of a workbook
_PLACES = {column.name: place for place, column in enumerate(COLUMNS)}
_VERDICTS = ("verdict", "reviewers_verdict")
_FILLS = {
    PaperVerdict.SUPPORTS: "#D8EFDC",
    PaperVerdict.REFUTES: "#F6D9D7",
    PaperVerdict.MIXED: "#FBEFC6",
    PaperVerdict.NOT_REPORTED: "#E3EAF4",
    PaperVerdict.UNCLEAR: "#E8EBEE",
}


def as_xlsx(
    rows: Sequence[TableRow], hypotheses: Sequence[str], *, date: datetime, name: str = "", checked: str = ""
) -> bytes:
    """The workbook. The same rows and date give the same bytes. `name` is the review's; `date` must have a time zone.

    `checked` is a text on when papers were last checked for retractions.

    Texts are never run as formulas, and only DOIs become links.
    """
    from xlsxwriter.workbook import Workbook  # noqa: PLC0415 - only who asks for one needs it

    buffer = io.BytesIO()
    book = Workbook(buffer, {"in_memory": True})  # no temporary files, and no time stamps in the bytes
    book.set_properties({"title": _cell(f"Evidence table {name}".strip()), "created": date.astimezone(UTC)})
    _evidence(book, rows, hypotheses)
    _about(book, list(_contents(rows, hypotheses, date, name, checked)))
    book.close()
    return buffer.getvalue()


def _evidence(book: Workbook, rows: Sequence[TableRow], hypotheses: Sequence[str]) -> None:
    sheet = book.add_worksheet("Evidence")
    look = {"text_wrap": True, "valign": "top"}
    plain, link = book.add_format(look), book.add_format({**look, "font_color": "#1155CC", "underline": 1})
    verdicts = {verdict.value: book.add_format({**look, "bg_color": fill}) for verdict, fill in _FILLS.items()}
    head = book.add_format({**look, "bold": True, "bottom": 1, "bg_color": "#F1F3F5"})
    for place, column in enumerate(COLUMNS):
        sheet.set_column(place, place, column.width, plain)  # the format of empty cells
        sheet.write_string(0, place, column.title, head)
    last = 0
    for last, line in enumerate(lines_of(rows, hypotheses), 1):
        for name, value in line.items():
            place = _PLACES[name]
            if name == "doi" and (address := doi_link(str(value))):
                sheet.write_url(last, place, address, link, string=_cell(str(value)))
            else:
                _write(sheet, last, place, value, verdicts.get(str(value), plain) if name in _VERDICTS else plain)
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
    rows: Sequence[TableRow], hypotheses: Sequence[str], date: datetime, name: str, checked: str
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
    if checked:
        yield "Retractions", checked
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


def _write(sheet: Worksheet, row: int, place: int, value: Value, look: Format) -> None:
    if isinstance(value, str):
        if value:
            sheet.write_string(row, place, _cell(value), look)
    elif value is not None:
        sheet.write_number(row, place, value, look)


def _cell(text: str) -> str:
    text = displayable(text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


# ---- page ----
# A row for each paper and a column for each hypothesis, which can be sorted and filtered.


def as_html(
    rows: Sequence[TableRow],
    hypotheses: Sequence[str],
    levels: Mapping[Level, LevelStyle],
    *,
    date: datetime,
    name: str = "",
    checked: str = "",
) -> str:
    """The page as self-contained HTML, which shows everything even without its script.

    `levels` are those of the review's tool for risk of bias, and `name` is the review's. `checked`: see `as_xlsx`.
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
        titles=TITLES,
        name=name,
        checked=checked,
        date=date,
        engines=engines,
        signs=SIGNS,
        meanings=MEANING,
        blank_means=BLANK_MEANS,
        screenings=list(ScreeningVerdict),
        levels=shown,
        more_css=css_of(shown.values()),
    )
