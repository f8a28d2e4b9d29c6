"""`contradetect`: statements made from annotations, and how places count."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering.model import ReportedChange
from core.benchmarks.contradetect import ROC, TRIALS, StatementItem, StatementKind, kind_at, metrics, score, three_of
from core.benchmarks.evidence_tasks import TrialQuestion, read_evidence_inference
from core.benchmarks.model import Item, ItemResult, Response
from core.benchmarks.samples import SAMPLE_DATA
from core.claims.statements import comparison_in

FOLDER = SAMPLE_DATA / "evidence_inference"


@pytest.fixture(scope="module")
def trial() -> TrialQuestion:
    return next(one for one in read_evidence_inference(FOLDER) if isinstance(one, TrialQuestion))


def test_three_statements_a_question(trial: TrialQuestion) -> None:
    items = list(three_of(trial, ReportedChange.INCREASED, "library"))
    assert [item.labels[0] for item in items] == ["supported", "contradicted", "no evidence"]
    told = []
    for item in items:
        found = comparison_in(item.question.statement.text)
        assert found is not None
        assert (found.intervention, found.outcome) == (trial.intervention, trial.outcome)
        told.append(found.told)
    assert told[0] is ReportedChange.INCREASED
    assert told[1] is not ReportedChange.INCREASED
    without = [item.question.statement.without for item in items]
    assert without == [frozenset(), frozenset(), frozenset({trial.paper.id})]
    assert [bool(item.gold.papers) for item in items] == [True, True, False]


def test_contradictions_are_drawn_evenly(trial: TrialQuestion) -> None:
    drawn = [list(three_of(replace(trial, id=str(id)), ReportedChange.INCREASED, "l"))[1] for id in range(200)]
    less = sum("decreases" in item.question.statement.text for item in drawn)
    assert 70 < less < 130


def test_what_a_place_tells() -> None:
    assert [kind_at(place) for place in (0, 4, 5, 6, 7, 8, 10)] == [
        "supported", "supported", "no evidence", None, None, "contradicted", "contradicted",
    ]  # fmt: skip
    assert kind_at(7, threshold=7) == "contradicted"


def result(kind: StatementKind, place: float | None, number: int, error: str | None = None) -> ItemResult:
    item: StatementItem = Item(f"{number}", f"p{number}", None, _GOLD, labels=(kind.value,))  # type: ignore[arg-type]
    given = (kind_at(place),) if place is not None else ()
    response = Response(labels=given, score=place, error=error)
    return ItemResult(item.id, item.group, response, score(item, response), labels=item.labels)


class _Gold:
    papers = frozenset({"a"})


_GOLD = _Gold()


def test_figures_by_hand() -> None:
    kinds = StatementKind
    results = [
        result(kinds.CONTRADICTED, 9, 1),
        result(kinds.CONTRADICTED, 5, 2),
        result(kinds.SUPPORTED, 2, 3),
        result(kinds.SUPPORTED, 8, 4),
        result(kinds.NO_EVIDENCE, 5, 5),
        result(kinds.NO_EVIDENCE, 9, 6),
        result(kinds.NO_EVIDENCE, 5, 7, error="No answer."),
    ]
    found = {name: round(figure.value, 4) for name, figure in metrics(results).items()}
    assert found["auc"] == 0.75  # of four pairs, three are in order
    assert found["precision"] == round(1 / 3, 4)
    assert found["recall"] == 0.5
    assert found["false positives"] == round(2 / 5, 4)
    assert found["no evidence right"] == round(1 / 3, 4)  # a failure is right of nothing
    assert found["accuracy"] == round(3 / 7, 4)
    assert found["precision of two"] == 0.5
    assert found["accuracy of two"] == 0.5


@pytest.mark.slow
def test_statements_of_a_file() -> None:
    items = [
        item for item in ROC.items(SAMPLE_DATA / "contradetect" / "contradetect-sample.jsonl") if isinstance(item, Item)
    ]
    assert [item.labels[0] for item in items] == ["supported", "contradicted", "no evidence"]
    assert [bool(item.gold.papers) for item in items] == [True, True, False]


@pytest.mark.slow
def test_statements_on_trials_are_of_those_that_have_a_direction() -> None:
    items = [item for item in TRIALS.items(FOLDER / "items.json") if isinstance(item, Item)]
    assert items
    assert len(items) % 3 == 0
