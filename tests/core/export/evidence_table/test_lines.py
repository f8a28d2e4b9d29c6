"""The evidence table as CSV: a line a paper and hypothesis, numbers as numbers, and a reason for every blank."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from core.export.evidence_table import TableCell, TableRow, as_csv
from core.export.evidence_table.links import doi_link
from core.export.evidence_table.model import NOT_RUN
from core.findings.model import Passage
from tests.core.export.evidence_table.rows import EFFECT, HYPOTHESES, NOT_REPORTED, PAIN, ROWS, SETTLED, SLEEP, SUPPORTS


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
            "study title citation doi screening screening_note hypothesis verdict probability reason check missing "
            "reviewers_verdict reviewers_whose reviewers_given reviewers_sentence reviewers_page reviewers_section "
            "reviewers_index reviewers_effect reviewers_comment for_sentence "
            "for_page for_section for_index against_sentence against_page against_section against_index nearest_sentences nearest_indexes "
            "effect_measure effect_value effect_low effect_high effect_level effect_p effect_text effect_index "
            "bias_overall bias_whose bias_missing engine cost_usd prompts paper_id"
        ).split()
    )


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
