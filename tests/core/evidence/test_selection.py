"""Choosing without repetition."""

from __future__ import annotations

import numpy as np
import pytest

from core.evidence.selection import Redundancy, choose

LIKENESS = np.array([[1.0, 0.95, 0.2], [0.95, 1.0, 0.2], [0.2, 0.2, 1.0]])
FREE = Redundancy(free=0.0, penalty=0.0)


def places(scores: list[float], k: int, redundancy: Redundancy) -> list[int]:
    return [choice.place for choice in choose(np.array(scores), k, lambda i: LIKENESS[i], redundancy)]


def test_without_a_price_the_best_are_taken() -> None:
    assert places([3.0, 2.9, 1.0], 2, FREE) == [0, 1]


def test_a_near_copy_gives_way() -> None:
    assert places([3.0, 2.9, 1.0], 2, Redundancy(free=0.5, penalty=3.0)) == [0, 2]


def test_the_score_is_less_what_is_repeated() -> None:
    chosen = choose(np.array([3.0, 2.9, 1.0]), 3, lambda i: LIKENESS[i], Redundancy(free=0.5, penalty=1.0))
    assert [choice.score for choice in chosen] == pytest.approx([3.0, 2.9 - 0.9**4, 1.0])


def test_likeness_below_the_free_range_costs_nothing() -> None:
    assert Redundancy(free=0.5, penalty=2.0).cost(np.array([0.5, 0.75, 1.0, 0.1])).tolist() == [
        0.0,
        2 * 0.5**4,
        2.0,
        0.0,
    ]


def test_ties_and_ends() -> None:
    assert places([1.0, 1.0, 1.0], 3, FREE) == [0, 1, 2]
    assert places([1.0, 2.0, 3.0], 9, FREE) == [2, 1, 0]
    assert places([100.0, 1.0, 1.0], 3, FREE) == [0, 1, 2]  # never the same one twice
    assert choose(np.array([]), 5, lambda i: LIKENESS[i], FREE) == []


def test_a_long_answer_is_complete_and_its_scores_never_rise() -> None:
    scores = np.random.default_rng(0).normal(size=1000)
    chosen = choose(scores, 900, lambda place: np.zeros(1000), Redundancy(free=0.0, penalty=1.0))
    assert len({choice.place for choice in chosen}) == 900
    assert [choice.score for choice in chosen] == sorted((choice.score for choice in chosen), reverse=True)
