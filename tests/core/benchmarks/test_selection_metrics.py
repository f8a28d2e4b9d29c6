"""Selected sentences, and where the evidence lies."""

from __future__ import annotations

import numpy as np
import pytest

from core.benchmarks.bootstrap import Statistic
from core.benchmarks.gold import Gold
from core.benchmarks.selection_metrics import (
    EvidencePosition,
    evidence_position,
    f1,
    hit,
    overlap,
    precision,
    recall,
    relative_positions,
)

# ---- selections ----
# Selected sentences: hits, and precision, recall and F1 over all items.


def on_data(statistic: Statistic, items: int) -> float:
    return float(statistic(np.ones((1, items)))[0])


def test_hits() -> None:
    assert hit([4, 7, 2], frozenset({7}), 1) == 0.0
    assert hit([4, 7, 2], frozenset({7}), 3) == 1.0
    assert hit([], frozenset({7}), 3) == 0.0


def test_over_all_items_by_hand() -> None:
    items = [overlap([1, 2, 3], frozenset({2})), overlap([4], frozenset({4, 5})), overlap([], frozenset({6}))]
    assert on_data(precision(items), 3) == pytest.approx(2 / 4)
    assert on_data(recall(items), 3) == pytest.approx(2 / 4)
    assert on_data(f1(items), 3) == pytest.approx(4 / 8)


def test_farebios_first_row_is_of_this_kind() -> None:
    """FaReBio, table 10: with one sentence for each of 1,305 items and 1,713 gold sentences, .73 goes with .56 and .63."""
    right = round(0.73 * 1305)
    items = [overlap([0], frozenset({0}) if i < right else frozenset({1})) for i in range(1305)]
    items[:408] = [overlap([0], frozenset({0, 1})) for _ in range(408)]  # 1,305 + 408 = 1,713 gold sentences
    assert on_data(recall(items), 1305) == pytest.approx(0.56, abs=0.005)
    assert on_data(f1(items), 1305) == pytest.approx(0.63, abs=0.005)


def test_who_selects_nothing_has_no_precision_and_no_recall() -> None:
    items = [overlap([], frozenset({1}))]
    assert np.isnan(on_data(precision(items), 1))
    assert on_data(recall(items), 1) == on_data(f1(items), 1) == 0.0


# ---- position ----
# Where the evidence lies.


def gold(*places: int) -> Gold:
    return Gold({str(number): frozenset({place}) for number, place in enumerate(places)})


def test_the_groups_by_hand() -> None:
    # A pool of 100: the first ten are 0 to 9, the last ten 90 to 99.
    assert evidence_position(gold(0, 9, 90, 99, 10), 100) is EvidencePosition.BETWEEN  # 80% is not over 80%
    assert evidence_position(gold(0, 9, 90, 99, 5, 89), 100) is EvidencePosition.EDGES
    assert evidence_position(gold(9, 10, 89, 50, 51), 100) is EvidencePosition.BETWEEN  # 20% is not below 20%
    assert evidence_position(gold(9, 10, 89, 50, 51, 52), 100) is EvidencePosition.MIDDLE


def test_an_aspect_covered_at_both_places_counts_for_the_ends() -> None:
    assert evidence_position(Gold({"a": frozenset({3, 50})}), 100) is EvidencePosition.EDGES
    assert evidence_position(Gold({"a": frozenset()}), 100) is EvidencePosition.MIDDLE  # no sentence covers it anywhere


def test_a_short_paper_is_all_ends() -> None:
    assert evidence_position(gold(*range(15)), 15) is EvidencePosition.EDGES


def test_relative_positions() -> None:
    assert relative_positions([0, 5, 10], 11) == (0.0, 0.5, 1.0)
    assert relative_positions([0], 1) == (0.0,)
