"""LitQA2: options in a drawn order, a source that is missing, and how answers count."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.benchmarks.library_tasks import INSUFFICIENT
from core.benchmarks.litqa2 import (
    LITQA2_TASKS,
    REPETITIONS,
    LitQAItem,
    QuestionRecord,
    SourceGold,
    item_of,
    metrics,
    score,
)
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response
from core.benchmarks.samples import SAMPLE_DATA

FILE = next((SAMPLE_DATA / "litqa2").glob("litqa*.jsonl"))
RECORD = QuestionRecord(
    id="q",
    question="How many?",
    ideal="two",
    distractors=["one", "three", "four"],
    sources=["https://doi.org/10.1000/A"],
)


@pytest.fixture(scope="module")
def items() -> list[LitQAItem]:
    return [item for item in LITQA2_TASKS[0].items(FILE) if isinstance(item, Item)]


def test_each_question_is_asked_three_times_with_its_options_in_a_drawn_order(items: list[LitQAItem]) -> None:
    assert len(items) == 4 * REPETITIONS
    orders = [item_of(RECORD, repetition, "library", {}).question.question.options for repetition in range(9)]
    assert all(sorted(order) == ["four", "one", "three", "two"] for order in orders)
    assert len(set(orders)) > 3
    assert {order.index("two") for order in orders} == {0, 1, 2, 3}
    assert orders[0] == item_of(RECORD, 0, "library", {}).question.question.options, "the same order every time"


def test_what_cannot_be_answered_and_what_is_not_there(items: list[LitQAItem]) -> None:
    unanswerable = next(item for item in items if item.group == "sample-3")
    assert unanswerable.labels == (INSUFFICIENT,)
    assert "null" not in unanswerable.question.question.options
    assert [bool(item.gold.papers) for item in items[::REPETITIONS]] == [True, True, True, False]


def test_a_source_is_known_by_its_doi_in_any_case() -> None:
    assert item_of(RECORD, 0, "library", {"10.1000/a": "id"}).gold == SourceGold(frozenset({"id"}))
    assert item_of(RECORD, 0, "library", {"10.1000/b": "id"}).gold == SourceGold(frozenset())


def test_a_broken_line_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "papers").symlink_to(FILE.parent / "papers")
    file = tmp_path / "litqa.jsonl"
    file.write_text('{"id": "x", "question": "", "ideal": "a", "distractors": [], "sources": []}\n' + FILE.read_text())
    broken, *others = LITQA2_TASKS[0].items(file)
    assert isinstance(broken, BrokenRecord)
    assert (broken.id, broken.key) == ("1", "question")
    assert len(others) == 4 * REPETITIONS


def test_figures_by_hand() -> None:
    item = item_of(RECORD, 0, "library", {"10.1000/a": "id"})
    given = [
        (item, Response(labels=("two",), seconds=1.0, papers=("id",))),  # right, from the source
        (item, Response(labels=("one",), seconds=1.0, papers=("other",))),  # wrong
        (item, Response(labels=(INSUFFICIENT,), seconds=1.0, papers=("id",))),  # not answered, the source found
        (item, Response(seconds=1.0, error="It failed.")),
    ]
    found = metrics([ItemResult(one.id, one.group, said, score(one, said), labels=one.labels) for one, said in given])
    assert {name: round(figure.value, 3) for name, figure in found.items()} == {
        "accuracy": 0.25, "precision": 0.5, "recall": 0.5, "source there": 1.0, "insufficient": 0.25,
    }  # fmt: skip


def test_insufficient_is_right_where_nothing_answers() -> None:
    nothing = item_of(replace_ideal(RECORD), 0, "library", {})
    said = Response(labels=(INSUFFICIENT,), seconds=1.0)
    assert score(nothing, said)["accuracy"] == 1.0
    assert score(replace(nothing, labels=("two",)), said)["accuracy"] == 0.0


def replace_ideal(record: QuestionRecord) -> QuestionRecord:
    return record.model_copy(update={"ideal": "null"})
