"""Gold as the desk shows it, on numbers worked out by hand."""

from __future__ import annotations

import pytest

from core.benchmarks.gold import Gold
from core.evidence import Evidence, EvidenceQuery, EvidenceSentence
from core.evidence.model import Decision
from pages._ui.paper_view.gold import gold_payload, reviewed

GOLD = Gold(
    aspects={"who": frozenset({1}), "dose": frozenset({2, 3}), "effect": frozenset({4}), "harm": frozenset({5})},
    results=frozenset({"effect", "harm"}),
)


def evidence(*indices: int, results_only: bool = False) -> Evidence:
    sentences = tuple(EvidenceSentence(index, 1.0) for index in indices)
    return Evidence("bm25", EvidenceQuery("Tea helps", k=3, results_only=results_only), sentences, seconds=0.1)


def test_groups_and_scores() -> None:
    shown = gold_payload(GOLD, evidence(3, 4, 9), {}, k=10)
    assert (shown["hits"], shown["extras"], shown["missed"], shown["spares"]) == ((3, 4), (9,), (1, 5), (2,))
    assert shown["k"] == 3
    assert shown["recall"] == 0.5
    assert shown["best"] == 0.75
    assert shown["fewest"] == 4
    assert shown["reviewed"] is None
    aspects = shown["aspects"]
    assert isinstance(aspects, list)
    assert [aspect["covered"] for aspect in aspects] == [False, True, True, False]
    assert aspects[1]["sentences"] == [3, 2]  # the chosen one first
    assert aspects[0]["label"] == "Aspect 1"
    assert shown["named"] is False


def test_a_search_for_results_is_measured_by_results() -> None:
    shown = gold_payload(GOLD, evidence(3, 4, results_only=True), {}, k=10)
    assert shown["recall"] == 0.5
    assert shown["extras"] == (3,)
    assert shown["fewest"] == 2


def test_decisions_have_a_score_of_their_own() -> None:
    decisions = {4: Decision.REJECTED, 1: Decision.ADDED, 5: Decision.ADDED, 3: Decision.ACCEPTED}
    shown = gold_payload(GOLD, evidence(3, 4, 9), decisions, k=10)
    assert shown["recall"] == 0.5
    assert shown["reviewed"] == 0.75
    assert reviewed((3, 4, 9), decisions) == {1, 3, 5, 9}


def test_a_k_that_cannot_be_searched_by_does_no_harm() -> None:
    assert gold_payload(GOLD, None, {}, k=-3)["k"] == 1


@pytest.mark.parametrize("k", [1, 4])
def test_before_a_search_there_is_no_recall(k: int) -> None:
    shown = gold_payload(GOLD, None, {}, k=k)
    assert shown["recall"] is None
    assert shown["best"] == k / 4
    assert shown["missed"] == (1, 2, 3, 4, 5)
