"""Selected sentences: hits, and precision, recall and F1 over all items."""

from __future__ import annotations

import numpy as np
import pytest

from core.benchmarks.bootstrap import Statistic
from core.benchmarks.metrics.selections import f1, hit, overlap, precision, recall


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
