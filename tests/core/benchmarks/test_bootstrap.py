"""Intervals from resampling papers."""

from __future__ import annotations

import numpy as np
import pytest

from core.benchmarks.bootstrap import estimate, interval, mean, whole_papers


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


def test_the_standard_error_is_that_of_a_mean() -> None:
    values = [0.0, 1.0] * 200
    found = interval(values, [str(i) for i in range(400)])
    assert found.standard_error == pytest.approx(0.5 / 400**0.5, rel=0.05)


def test_papers_that_are_alike_have_no_spread() -> None:
    """Every paper holds as many of each value, and is drawn as a whole."""
    values, papers = [0.0, 1.0] * 200, [str(i // 20) for i in range(400)]
    whole = estimate(mean(values), papers)
    assert whole is not None
    assert whole.standard_error == 0.0


def test_a_draw_has_as_many_papers_as_the_data_and_whole_numbers() -> None:
    papers = list("aaabbc") + ["d"] * 6
    weights = np.concatenate(list(whole_papers(papers)))
    assert weights.shape == (2000, 12)
    assert (weights == weights.round()).all()
    of_paper = {name: weights[:, [i for i, other in enumerate(papers) if other == name]] for name in "abcd"}
    times = [rows.sum(axis=1) / rows.shape[1] for rows in of_paper.values()]
    assert sum(times) == pytest.approx(np.full(2000, 4))
    assert np.mean(times[0] == 0) == pytest.approx((3 / 4) ** 4, abs=0.03)  # as often as a paper is not drawn
    assert all((rows == rows[:, :1]).all() for rows in of_paper.values())


def test_draws_do_not_depend_on_how_many_fit_in_memory() -> None:
    papers = [str(i // 2) for i in range(30)]
    at_once = np.concatenate(list(whole_papers(papers)))
    in_blocks = np.concatenate(list(whole_papers(papers, in_hand=7 * 30)))
    assert (in_blocks == at_once).all()


def test_what_is_not_defined_has_no_interval() -> None:
    assert estimate(lambda weights: np.full(len(weights), np.nan), list("ab")) is None
