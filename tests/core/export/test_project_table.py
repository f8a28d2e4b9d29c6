"""The table of everything."""

from __future__ import annotations

import csv
import io

import pytest

from core.bias import Answer, tool_named
from core.bias.model import HIGH, LOW
from core.export.levels import settled_levels
from core.export.project_table import project_csv
from core.paper import Paper, read_paper
from core.store.model import ProjectState
from tests.core.export.reviews import DATE, judged, paper, small_review, state, suggested

ROB2 = tool_named("rob2")


@pytest.fixture
def tea() -> Paper:
    return read_paper(b"# Tea\n\n## Methods\n\nA coin was tossed. It fell.\n", name="tea.md")


def rows(review: ProjectState, papers: dict[str, Paper]) -> list[dict[str, str]]:
    text = project_csv(review, settled_levels(review, ROB2), papers, date=DATE)
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_a_line_for_each_paper_domain_and_person(tea: Paper) -> None:
    found = rows(small_review(tea.id), {tea.id: tea})
    assert len(found) == 3 * 6 * 2
    ann, ben = found[:2]
    assert (ann["study"], ann["domain"], ann["reviewer"], ben["reviewer"]) == ("Ito et al. 2019", "D1", "Ann", "Ben")
    assert (ann["level"], ben["level"], ann["settled_level"], ann["basis"]) == ("low", "high", "low", "consensus")
    assert ann["answers"] == "1.1: Y; 1.2: PY; 1.3: N"
    assert ann["comment"] == "Drawn by lot"
    assert ann["sentences"] == "[2] A coin was tossed. (Methods)\n[3] It fell. (Methods)"
    assert ann["suggestions_seen"] == "offline"
    assert ann["suggestions"] == ben["suggestions"] == "offline: some concerns"
    assert ann["suggestion_reasons"] == "offline: Because."
    assert ann["suggested_sentences"] == "offline: [2] A coin was tossed. (Methods)"
    assert ann["suggestion_costs_usd"] == "offline: 0.0"
    assert ann["prompts"] == f"offline: bias-judge {'a' * 64}"
    assert (ann["consensus"], ann["consensus_reason"]) == ("low", "We looked again.")
    assert (ann["consensus_by"], ann["consensus_between"]) == ("Ann", "Ann; Ben"), "Ann wrote it down"
    assert ann["judged_at"] == ann["consensus_at"] == DATE.isoformat()


def test_what_is_missing_is_empty_and_says_why(tea: Paper) -> None:
    by_place = {(row["study"], row["domain"], row["reviewer"]): row for row in rows(small_review(tea.id), {})}
    ben = by_place["Müller 2020a", "D3", "Ben"]
    assert (ben["level"], ben["settled_level"], ben["basis"]) == ("", "", "open: Ann: low, Ben: not judged")
    assert by_place["Ito et al. 2019", "D1", "Ann"]["sentences"] == "[2]\n[3]"  # without the paper, its numbers
    assert by_place["Müller 2020a", "D1", "Ann"]["suggestion_costs_usd"] == "openai:m: unknown"
    assert by_place["Müller 2020b", "D1", "Ann"]["suggestions"] == "offline: no judgement"


def test_who_left_the_project_keeps_the_line_and_nobody_is_lost() -> None:
    left = rows(state(paper("x"), judged("Zoe", "x", "D1", HIGH, comment="=1+1")), {})
    assert [(row["reviewer"], row["level"], row["comment"]) for row in left[:3]] == [
        ("Ann", "", ""),
        ("Ben", "", ""),
        ("Zoe", "high", "'=1+1"),
    ]
    alone = rows(state(paper("x"), suggested("x", "D1", HIGH), reviewers=()), {})
    assert len(alone) == 6
    assert (alone[0]["reviewer"], alone[0]["suggestions"]) == ("", "offline: high")


def test_an_answer_that_does_not_apply_is_none() -> None:
    answers = dict.fromkeys(("2.1", "2.2", "2.5"), Answer.NO)
    (row,) = [
        row for row in rows(state(paper("x"), judged("Ann", "x", "D2", LOW, answers=answers)), {}) if row["level"]
    ]
    assert row["answers"] == "2.1: N; 2.2: N"


def test_deleted_records_are_left_out(tea: Paper) -> None:
    text = project_csv(small_review(tea.id), settled_levels(small_review(tea.id), ROB2), {}, date=DATE)
    assert "Gone" not in text
    assert "Zoe" not in text
