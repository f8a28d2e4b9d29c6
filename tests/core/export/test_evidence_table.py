"""The evidence table as CSV, as a page and as a workbook."""

from __future__ import annotations

import base64
import csv
import html
import io
import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from html.parser import HTMLParser

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from core.bias import tool_named
from core.bias.tools.rob2 import SOME_CONCERNS
from core.export.evidence_table import (
    COLUMNS,
    NOT_RUN,
    TITLES,
    BiasCell,
    TableCell,
    TableRow,
    doi_link,
    effect_in_words,
    lines_of,
    place_in_words,
    values_of,
)
from core.export.evidence_table_files import as_csv, as_html, as_xlsx, row_document
from core.export.table import displayable
from core.findings.model import Effect, Passage
from core.grounding.model import PaperVerdict
from core.screening.model import ScreeningVerdict
from pages._ui.review.tables import evidence_payload
from tests.core.export.evidence_rows import EFFECT, HYPOTHESES, NOT_REPORTED, PAIN, ROWS, SETTLED, SLEEP, SUPPORTS
from tests.core.export.reviews import DATE, HOSTILE

LEVELS = tool_named("rob2").levels

# ---- every form against the one list of columns ----

FULL = TableRow(
    "f" * 64,
    "Ito 2019",
    "Tea and sleep",
    "Sleep 2019;1:2",
    "10.1000/tea.1",
    ScreeningVerdict.EXCLUDE,
    "Wrong design",
    BiasCell(SOME_CONCERNS, given_by=("Ann", "Ben")),
    {
        PAIN: TableCell(
            replace(
                SUPPORTS,
                strongest_for=Passage(7001, "It helped.", 31, "Results of Tea"),
                strongest_against=Passage(7002, "It was no use.", 32, "Discussion of Tea"),
                effect=Effect("MD", 2.5, 1.25, 3.75, 97.5, "p = 0.013", "2.5 (1.25 to 3.75)", 7003),
                nearest=(Passage(7004, "Pain is common.", 33, "Background"),),
                cost_usd=0.0625,
            ),
            people=replace(SETTLED, consensus=replace(SETTLED.consensus, sentence=Passage(7005, "Less.", 34, "Box 1"))),
        )
    },
    notice="Retracted 2024-05-01 (Crossref)",
)
BLANK_HERE = {"missing", "bias_missing", "bias_outcomes"}  # the reason for a blank; levels of several outcomes
_PASSAGES = ("reviewers", "for", "against")
LEFT_OUT = {
    "page": {*(f"{side}_index" for side in (*_PASSAGES, "effect")), "nearest_indexes"}
    | {"effect_text", "cost_usd", "prompts", "paper_id"},
    # The reviewers' own sentence, effect and reasons are in the dialog of a cell.
    "screen": {f"reviewers_{name}" for name in ("sentence", "page", "section", "index", "effect", "comment")}
    | {"doi", "cost_usd", "prompts"},
    # Who settled a verdict is a field of its own, and no phrase.
    "document": {"citation", "screening", "screening_note", "reviewers_whose", "cost_usd", "prompts"},
}


def forms() -> dict[str, str]:
    """What a reader of each form of the table can find in it."""
    page = re.sub(r"<(style|script)>.*?</\1>", "", as_html([FULL], [PAIN], LEVELS, date=DATE), flags=re.DOTALL)
    return {
        "page": html.unescape(page),
        "screen": json.dumps(
            evidence_payload([FULL], [PAIN], tool_named("rob2"), project="p", stamp="1"), ensure_ascii=False
        ),
        "document": json.dumps(row_document(FULL, [PAIN])),
    }


def test_the_tables_have_every_column_of_the_list() -> None:
    values = values_of(FULL, PAIN)
    assert {name for name, value in values.items() if value in (None, "")} == BLANK_HERE
    (line,) = read(as_csv([FULL], [PAIN]))
    assert line == {column.name: str(values[column.name]) for column in COLUMNS}
    head, cells = openpyxl.load_workbook(io.BytesIO(as_xlsx([FULL], [PAIN], date=DATE)))["Evidence"].iter_rows(
        values_only=True
    )
    assert head == tuple(TITLES.values())
    assert cells == tuple(values[name] or None for name in TITLES)


@pytest.mark.parametrize("form", LEFT_OUT)
def test_the_other_forms_show_every_column_or_are_known_to_leave_it_out(form: str) -> None:
    text = forms()[form].replace("\N{NO-BREAK SPACE}", " ")
    shown = {
        name
        for name, value in values_of(FULL, PAIN).items()
        if all(piece in text for piece in re.split(r"; |: |\n", str(value)))
    }
    assert set(TITLES) - shown - BLANK_HERE == LEFT_OUT[form]


# ---- The evidence table as CSV: a line a paper and hypothesis, numbers as numbers, and a reason for every blank ----


def read(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_a_line_for_each_paper_and_hypothesis() -> None:
    lines = read(as_csv(ROWS, HYPOTHESES))
    assert [(line["paper_id"][0], line["hypothesis"]) for line in lines] == [
        (paper, hypothesis) for paper in "abc" for hypothesis in HYPOTHESES
    ]
    assert (
        list(lines[0])
        == (
            "study title citation doi notice screening screening_note hypothesis verdict probability reason check missing "
            "reviewers_verdict reviewers_whose reviewers_given reviewers_sentence reviewers_page reviewers_section "
            "reviewers_index reviewers_effect reviewers_comment for_sentence "
            "for_page for_section for_index against_sentence against_page against_section against_index nearest_sentences nearest_indexes "
            "effect_measure effect_value effect_low effect_high effect_level effect_p effect_text effect_index "
            "bias_overall bias_whose bias_missing bias_outcomes engine cost_usd prompts paper_id"
        ).split()
    )


def test_several_outcomes_have_a_level_each() -> None:
    by_outcome = {"pain": BiasCell(SOME_CONCERNS), "sleep": BiasCell()}
    row = TableRow("x", "Ito", bias=BiasCell(why="By outcome."), bias_by_outcome=by_outcome)
    (line,) = read(as_csv([row], [PAIN]))
    assert line["bias_outcomes"] == "pain: some concerns (reviewers); sleep: not judged"
    said = row_document(row, [PAIN])["risk_of_bias_by_outcome"]
    assert said == [
        {"outcome": "pain", "level": "some concerns", "by": "reviewers", "missing": ""},
        {"outcome": "sleep", "level": None, "by": "", "missing": "Not judged yet."},
    ]


def test_a_finding_is_on_its_line_with_numbers_as_numbers() -> None:
    line = read(as_csv(ROWS, HYPOTHESES))[0]
    assert (line["study"], line["doi"], line["screening"]) == ("Ito 2019", "10.1000/tea.1", "include")
    assert (line["verdict"], line["reason"], line["missing"]) == ("supports", SUPPORTS.reason, "")
    assert (line["probability"], line["nearest_sentences"]) == ("0.87", "")
    assert line["check"] == "The sentence does not name the outcome: check."
    assert (line["for_page"], line["for_section"], line["for_index"]) == ("4", "Results", "7")
    assert (line["against_sentence"], line["against_page"]) == ("It was the same at 24 weeks.", "")
    numbers = [line[f"effect_{name}"] for name in ("value", "low", "high", "level", "index")]
    assert numbers == ["-2.5", "-3.75", "-1.0", "95.0", "7"]
    assert (line["effect_measure"], line["effect_p"]) == ("MD", "p = 0.01")
    assert (line["bias_overall"], line["bias_whose"], line["bias_missing"]) == ("some concerns", "reviewers", "")
    assert (line["engine"], line["cost_usd"], line["prompts"]) == ("offline", "0.25", f"finding {'a' * 64}")


def test_where_nothing_decides_the_nearest_sentences_stand_there() -> None:
    nearest = (*NOT_REPORTED.nearest, Passage(12, "Pain is common.", None, "Background"))
    cells = {PAIN: TableCell(replace(NOT_REPORTED, nearest=nearest))}
    (line,) = read(as_csv([TableRow("x", "Ito", cells=cells)], [PAIN]))
    assert (line["verdict"], line["probability"], line["reason"]) == ("not reported", "0.96", "No result is on pain.")
    assert line["nearest_sentences"] == "Pain was asked about at the start.\nPain is common."
    assert (line["nearest_indexes"], line["for_sentence"]) == ("3; 12", "")


def test_what_the_reviewers_gave_stands_beside_the_engines() -> None:
    (line,) = read(as_csv([TableRow("x", "Ito", cells={PAIN: TableCell(NOT_REPORTED, people=SETTLED)})], [PAIN]))
    assert (line["verdict"], line["reviewers_verdict"], line["reviewers_whose"]) == (
        "not reported",
        "mixed",
        "settled by Ben",
    )
    assert line["reviewers_given"] == "Ann: supports; Ben: refutes"
    assert (line["reviewers_sentence"], line["reviewers_page"], line["reviewers_index"]) == ("It hurt less.", "5", "11")
    assert (line["reviewers_effect"], line["reviewers_comment"]) == (
        "p = 0.04",
        "Two scales disagree.; Ann: Plain enough.",
    )
    differ = replace(SETTLED, consensus=None)
    (line,) = read(as_csv([TableRow("x", "Ito", cells={PAIN: TableCell(people=differ)})], [PAIN]))
    assert (line["reviewers_verdict"], line["reviewers_whose"]) == (
        "",
        "The reviewers differ, and have settled nothing yet.",
    )
    assert (line["verdict"], line["reviewers_sentence"]) == ("", "Pain fell.")


def test_what_is_missing_is_blank_with_its_reason() -> None:
    _, not_judged, failed, not_run, *_, last = read(as_csv(ROWS, HYPOTHESES))
    blank = ["verdict", "reason", "check", "for_sentence", "for_page", "effect_value", "cost_usd"]
    for line in (not_judged, failed, not_run):
        assert [line[name] for name in blank] == [""] * len(blank)
    assert not_judged["missing"] == "No sentence comes close to the hypothesis."
    assert not_judged["engine"] == "bm25"
    assert failed["missing"] == "The model did not answer in time."
    assert not_run["missing"] == NOT_RUN
    assert (last["screening"], last["screening_note"]) == ("", "Ann and Ben differ")
    assert (last["bias_overall"], last["bias_whose"], last["bias_missing"]) == ("", "", "Ann and Ben differ.")


def test_no_text_is_a_formula() -> None:
    lines = read(as_csv(ROWS, HYPOTHESES))
    assert lines[0]["for_sentence"].startswith("'=Sleep")
    assert lines[0]["effect_text"].startswith("'-2.5")
    assert lines[2]["title"] == "'=1+1"
    assert lines[2]["screening_note"] == "'+Wrong design"


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_none_is_blank(odd: float) -> None:
    finding = replace(SUPPORTS, effect=replace(EFFECT, value=odd, low=odd), cost_usd=odd)
    line = read(as_csv([TableRow("x", "x", cells={SLEEP: TableCell(finding)})], [SLEEP]))[0]
    assert (line["effect_value"], line["effect_low"], line["effect_high"], line["cost_usd"]) == ("", "", "-1.0", "")


def test_only_a_doi_becomes_a_link() -> None:
    assert doi_link("10.1000/a<b>'c") == "https://doi.org/10.1000/a%3Cb%3E%27c"
    for other in (
        None,
        "",
        "javascript:alert(1)",
        "10.1/x",
        "10.1000/a b",
        "10.1000/\u202ex",
        "https://doi.org/10.1000/x",
    ):
        assert doi_link(other) is None


# ---- The evidence table as a page: all of it there without the script, and nothing of a paper's in the markup ----


class Page(HTMLParser):
    """Tags with their attributes, and the text of every cell of the table's rows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.cells: list[list[str]] = []
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "tr":
            self.cells.append([])
        self._inside = self._inside or tag in ("td", "th")
        if tag in ("td", "th"):
            self.cells[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.cells[-1][-1] = " ".join(f"{self.cells[-1][-1]} {data}".split())


def page(rows: tuple[TableRow, ...] = ROWS, **rest: str) -> Page:
    return Page(as_html(rows, HYPOTHESES, LEVELS, date=DATE, **rest))


def test_every_cell_says_what_is_known_or_why_it_is_not() -> None:
    head, first, second, third = page().cells
    assert head == ["Study", "Screening", "Risk of bias", "H1", "H2"]
    assert first[:3] == ["Ito 2019 Tea and sleep Sleep 2019;1:2 10.1000/tea.1", "include", "! Some concerns reviewers"]
    assert first[3] == (
        "✓ supports likely, 0.87 MD −2.5 (95% CI −3.75 to −1), p = 0.01 "
        "! The sentence does not name the outcome: check. Two sentences of the results say so. Sentences "
        "For =Sleep improved by -2.5 (95% CI -3.75 to -1.0; p = 0.01). p. 4, Results "
        "Against It was the same at 24 weeks. Discussion"
    )
    assert first[4] == "– No sentence comes close to the hypothesis."
    assert second[1:] == [
        "exclude +Wrong design",
        "+ Low suggested by offline",
        "– The model did not answer in time.",
        "– No engine has read this paper for this hypothesis yet.",
    ]
    assert third[1:3] == ["– Ann and Ben differ", "– Ann and Ben differ."]


def test_not_reported_is_a_verdict_with_its_sign_and_the_nearest_sentence() -> None:
    made = page((TableRow("x", "Ito", cells={PAIN: TableCell(NOT_REPORTED)}),))
    assert made.cells[1][4] == (
        "∅ not reported very likely, 0.96 No result is on pain. Sentences "
        "Nearest Pain was asked about at the start. p. 2, Methods"
    )
    assert any(attributes.get("class") == "chip not-reported" for _, attributes in made.tags)
    options = [attributes["value"] for tag, attributes in made.tags if tag == "option"]
    assert options.count("not reported") == len(HYPOTHESES)


def test_the_reviewers_verdict_comes_first_and_the_engines_stays() -> None:
    made = page((TableRow("x", "Ito", cells={PAIN: TableCell(NOT_REPORTED, people=SETTLED)}),))
    said = made.cells[1][4]
    assert said.startswith("± mixed settled by Ben offline: ∅ not reported very likely, 0.96")
    assert "Ann: ✓ supports Plain enough. Ben: ✕ refutes" in said
    assert "Reviewers It hurt less. p. 5, Results" in said
    (row,) = [attributes for tag, attributes in made.tags if tag == "tr" and "data-screening" in attributes]
    assert row["data-h2"] == "mixed", "it is filtered and sorted by what counts"


def test_rows_carry_what_they_are_filtered_and_sorted_by() -> None:
    rows = [attributes for tag, attributes in page().tags if tag == "tr" and "data-screening" in attributes]
    assert rows[0] == {"data-screening": "include", "data-bias": "some concerns", "data-h1": "supports", "data-h2": ""}
    assert rows[2] == {"data-screening": "", "data-bias": "", "data-h1": "", "data-h2": ""}
    filters = [attributes["data-filter"] for _, attributes in page().tags if "data-filter" in attributes]
    assert filters == ["words", "h1", "h2", "screening", "bias"]
    assert next(attributes for tag, attributes in page().tags if tag == "form").keys() >= {"hidden"}


def test_nothing_of_a_paper_is_markup() -> None:
    hostile = replace(SUPPORTS, reason=HOSTILE, engine=HOSTILE, strongest_for=Passage(1, HOSTILE, 1, HOSTILE))
    rows = (*ROWS, TableRow("x", HOSTILE, HOSTILE, HOSTILE, HOSTILE, cells={SLEEP: TableCell(hostile)}))
    text = as_html(rows, (SLEEP, HOSTILE), LEVELS, date=DATE, name=HOSTILE)
    plain = page()
    assert sorted({tag for tag, _ in Page(text).tags}) == sorted({tag for tag, _ in plain.tags})
    assert text.count("<script>") == 1
    assert "\u202e" not in text
    assert "{{ 7*7 }}" in text  # a template in a name is not run
    assert not [name for _, attributes in Page(text).tags for name in attributes if name.startswith("on")]
    addresses = [attributes["href"] for _, attributes in Page(text).tags if "href" in attributes]
    assert addresses == ["https://doi.org/10.1000/tea.1"]


def test_only_our_own_style_and_script_may_run() -> None:
    text = as_html(ROWS, HYPOTHESES, LEVELS, date=DATE)
    policy = next(attributes["content"] or "" for tag, attributes in Page(text).tags if "http-equiv" in attributes)
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        inside = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert inside
        digest = base64.b64encode(sha256(inside[1].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|fetch|eval", text)


def test_an_empty_table_says_so() -> None:
    assert page(()).cells[1] == ["There is no paper in the table."]
    assert as_html(ROWS, HYPOTHESES, LEVELS, date=DATE) == as_html(ROWS, HYPOTHESES, LEVELS, date=DATE)


def test_effects_and_places_in_words() -> None:
    assert effect_in_words(replace(EFFECT, level=None, p="")) == "MD −2.5 (interval −3.75 to −1)"
    assert effect_in_words(replace(EFFECT, measure="", low=None, p="")) == "−2.5"
    assert effect_in_words(replace(EFFECT, value=0.123456789, high=None, p="")) == "MD 0.123457"
    assert place_in_words(Passage(0, "x", None, "")) == ""
    assert place_in_words(Passage(0, "x", 3, "")) == "p. 3"


# ---- The evidence table as a workbook, read back with another library ----


@pytest.fixture(scope="module")
def book() -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(as_xlsx(ROWS, HYPOTHESES, date=DATE, name="=Tea")))


def place(name: str) -> int:
    return [column.name for column in COLUMNS].index(name) + 1


def test_every_cell_says_what_the_line_says(book: openpyxl.Workbook) -> None:
    sheet: Worksheet = book["Evidence"]
    assert [cell.value for cell in sheet[1]] == [column.title for column in COLUMNS]
    lines = list(lines_of(ROWS, HYPOTHESES))
    assert sheet.max_row == len(lines) + 1
    for number, line in enumerate(lines, 2):
        for column in COLUMNS:
            wanted = line[column.name]
            wanted = (displayable(wanted) or None) if isinstance(wanted, str) else wanted
            assert sheet.cell(number, place(column.name)).value == wanted


def test_numbers_are_numbers_and_text_is_never_a_formula(book: openpyxl.Workbook) -> None:
    sheet: Worksheet = book["Evidence"]
    assert sheet.cell(2, place("effect_value")).data_type == "n"
    assert sheet.cell(2, place("for_page")).value == 4
    assert sheet.cell(2, place("for_sentence")).value.startswith("=Sleep")
    assert {cell.data_type for row in sheet.iter_rows() for cell in row if cell.value is not None} == {"s", "n"}
    assert book["About"].cell(1, 2).data_type == "s"


def test_the_head_stays_and_filters_and_only_dois_are_links(book: openpyxl.Workbook) -> None:
    sheet: Worksheet = book["Evidence"]
    assert sheet.freeze_panes == "B2"
    assert sheet.auto_filter.ref == "A1:AV7"
    assert sheet.cell(2, place("for_sentence")).alignment.wrap_text
    links = {cell.coordinate: cell.hyperlink.target for row in sheet.iter_rows() for cell in row if cell.hyperlink}
    assert links == {"D2": "https://doi.org/10.1000/tea.1", "D3": "https://doi.org/10.1000/tea.1"}
    fills = {sheet.cell(row, place("verdict")).fill.fgColor.rgb for row in (2, 3)}
    assert fills == {"FFD8EFDC", "00000000"}


def test_the_second_sheet_says_what_the_first_is(book: openpyxl.Workbook) -> None:
    said = [(term.value, words.value) for term, words in book["About"].iter_rows(max_col=2)]
    assert said[0] == ("Review", "=Tea")
    assert ("Papers", "3") in said
    assert ("Hypothesis 2", PAIN) in said
    assert ("Engine", "offline: 1 finding") in said
    assert ("Prompt (with hash)", f"finding {'a' * 64}") in said
    assert any(term == "Written by" and words.endswith("2026-11-20 09:30 UTC") for term, words in said)
    terms = [term for term, _ in said]
    assert [f"Verdict: {word}" for word in PaperVerdict] == terms[-9:-4]
    assert book.properties.created == datetime(2026, 11, 20, 9, 30)


def test_the_same_table_is_the_same_bytes() -> None:
    elsewhere = DATE.astimezone(timezone(timedelta(hours=9)))
    one, other = (as_xlsx(ROWS, HYPOTHESES, date=date.astimezone(UTC)) for date in (DATE, elsewhere))
    assert one == other
    assert as_xlsx(ROWS, HYPOTHESES, date=DATE + timedelta(days=1)) != one


def test_texts_that_no_cell_holds_are_cut_and_others_kept() -> None:
    long = TableRow("x", "a" * 40_000, title="_x0041_ \ud800\x01")
    sheet = openpyxl.load_workbook(io.BytesIO(as_xlsx([long], [SLEEP], date=DATE)))["Evidence"]
    value = sheet.cell(2, 1).value
    assert (len(value), value[-1]) == (32_767, "…")
    empty = openpyxl.load_workbook(io.BytesIO(as_xlsx([], [SLEEP], date=DATE)))["Evidence"]
    assert empty.max_row == 1
