"""Tests between two engines, and the correction for many of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.benchmarks.bootstrap import mean
from core.benchmarks.metrics.comparing import holm, mcnemar, paired_bootstrap

PAPERS = [str(i) for i in range(40)]


def test_a_difference_that_is_the_same_on_every_paper_is_certain() -> None:
    low = [i / 100 for i in range(40)]
    found = paired_bootstrap(mean(low), mean([value + 0.1 for value in low]), PAPERS)
    assert found is not None
    assert (found.value, found.low, found.high) == (pytest.approx(0.1), pytest.approx(0.1), pytest.approx(0.1))
    assert found.p == pytest.approx(1 / 2001)


def test_no_difference_has_a_p_value_of_one() -> None:
    same = [0.0, 1.0] * 20
    found = paired_bootstrap(mean(same), mean(same), PAPERS)
    assert found is not None
    assert (found.value, found.p) == (0.0, 1.0)


def test_the_p_value_is_near_that_of_a_paired_t_test() -> None:
    chance = np.random.default_rng(2)
    one = chance.normal(0.5, 0.2, 40)
    other = one + chance.normal(0.05, 0.15, 40)
    found = paired_bootstrap(mean(list(one)), mean(list(other)), PAPERS)
    assert found is not None
    assert found.p == pytest.approx(stats.ttest_rel(one, other).pvalue, abs=0.02)
    assert found.low < found.value < found.high


def test_items_of_one_paper_weigh_as_one() -> None:
    """Forty items that differ alike are strong evidence from forty papers, and none from two."""
    one, other = [0.0] * 40, [1.0] * 20 + [-0.5] * 20
    many = paired_bootstrap(mean(one), mean(other), PAPERS)
    few = paired_bootstrap(mean(one), mean(other), ["a"] * 20 + ["b"] * 20)
    assert many is not None
    assert few is not None
    assert many.p < 0.05 < few.p


def test_mcnemar_is_the_exact_binomial_test() -> None:
    one = [True] * 9 + [False] * 2 + [True] * 30 + [False] * 5
    other = [False] * 9 + [True] * 2 + [True] * 30 + [False] * 5
    found = mcnemar(one, other)
    assert (found.only_one, found.only_other) == (9, 2)
    # Two-sided: twice the chance of at most 2 heads in 11 throws, (1 + 11 + 55) / 2048.
    assert found.p == pytest.approx(2 * 67 / 2048)
    assert found.p == pytest.approx(stats.binomtest(2, 11).pvalue)
    assert mcnemar([True], [True]).p == 1.0
    with pytest.raises(ValueError, match="shorter"):
        mcnemar([True, False], [True])


def test_holm_by_hand() -> None:
    corrected = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    # 0.005 * 4, 0.01 * 3, 0.03 * 2, and 0.04 * 1, which may not fall below the one before it.
    assert corrected == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})
    assert list(corrected) == list("abcd")
    assert holm({"a": 0.7, "b": 0.9}) == {"a": 1.0, "b": 1.0}
    assert holm({}) == {}
