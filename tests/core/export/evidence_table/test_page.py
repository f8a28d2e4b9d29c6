"""The evidence table as a page: all of it there without the script, and nothing of a paper's in the markup."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

from core.export.evidence_table import TableCell, TableRow, as_html
from core.export.evidence_table.page import effect_in_words, place_in_words
from core.findings.model import Passage
from tests.core.export.evidence_table.rows import EFFECT, HYPOTHESES, NOT_REPORTED, PAIN, ROWS, SETTLED, SLEEP, SUPPORTS
from tests.core.export.reviews import DATE, HOSTILE


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
    return Page(as_html(rows, HYPOTHESES, date=DATE, **rest))


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
    text = as_html(rows, (SLEEP, HOSTILE), date=DATE, name=HOSTILE)
    plain = page()
    assert sorted({tag for tag, _ in Page(text).tags}) == sorted({tag for tag, _ in plain.tags})
    assert text.count("<script>") == 1
    assert "\u202e" not in text
    assert "{{ 7*7 }}" in text  # a template in a name is not run
    assert not [name for _, attributes in Page(text).tags for name in attributes if name.startswith("on")]
    addresses = [attributes["href"] for _, attributes in Page(text).tags if "href" in attributes]
    assert addresses == ["https://doi.org/10.1000/tea.1"]


def test_only_our_own_style_and_script_may_run() -> None:
    text = as_html(ROWS, HYPOTHESES, date=DATE)
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
    assert as_html(ROWS, HYPOTHESES, date=DATE) == as_html(ROWS, HYPOTHESES, date=DATE)


def test_effects_and_places_in_words() -> None:
    assert effect_in_words(replace(EFFECT, level=None, p="")) == "MD −2.5 (interval −3.75 to −1)"
    assert effect_in_words(replace(EFFECT, measure="", low=None, p="")) == "−2.5"
    assert effect_in_words(replace(EFFECT, value=0.123456789, high=None, p="")) == "MD 0.123457"
    assert place_in_words(Passage(0, "x", None, "")) == ""
    assert place_in_words(Passage(0, "x", 3, "")) == "p. 3"
