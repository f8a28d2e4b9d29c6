"""Intervals from resampling papers."""

from __future__ import annotations

import pytest

from core.benchmarks.bootstrap import interval


def test_the_value_is_the_mean_over_items_not_over_papers() -> None:
    found = interval([1.0, 1.0, 1.0, 0.0], ["a", "a", "a", "b"])
    assert found.value == 0.75
    assert (found.low, found.high) == (0.0, 1.0)  # either paper may be drawn twice


def test_items_of_one_paper_are_not_independent() -> None:
    values = [0.0, 1.0] * 50
    together = interval(values, [f"paper {i // 25}" for i in range(100)])  # four papers
    mixed = interval(values, [str(i) for i in range(100)])
    assert mixed.high - mixed.low == pytest.approx(0.2, abs=0.03)  # 1.96 * 2 * 0.5 / sqrt(100)
    assert together.high - together.low < mixed.high - mixed.low  # every paper holds as many of each


def test_equal_values_have_no_width_and_the_same_seed_the_same_interval() -> None:
    assert interval([0.5] * 9, list("abcdefghi")).low == 0.5
    values, papers = [0.1, 0.9, 0.4, 0.2], list("abca")
    assert interval(values, papers) == interval(values, papers)


def test_no_value_has_no_mean() -> None:
    with pytest.raises(ValueError, match="no value"):
        interval([], [])


def test_strata_count_alike_whatever_their_size() -> None:
    values, papers, strata = [1.0, 1.0, 1.0, 0.0], list("abcd"), ["many", "many", "many", "one"]
    found = interval(values, papers, strata)
    assert found.value == 0.5
    assert (found.low, found.high) == (0.5, 1.0)  # a draw without paper d has one stratum only
    assert interval(values, papers, ["all"] * 4) == interval(values, papers)
