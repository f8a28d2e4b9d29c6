"""Correlations: by hand, and as scipy has them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.benchmarks.bootstrap import Statistic
from core.benchmarks.metrics.correlation import auroc, pearson, spearman


def value(statistic: Statistic, items: int) -> float | None:
    found = float(statistic(np.ones((1, items)))[0])
    return None if np.isnan(found) else found


def test_by_hand() -> None:
    # Deviations (-1.5, -.5, .5, 1.5) and (-1.25, -.25, -.25, 1.75): 4.5 / sqrt(5 * 4.75).
    assert value(pearson([1, 2, 3, 4], [1, 2, 2, 4]), 4) == pytest.approx(4.5 / np.sqrt(5 * 4.75))
    # Ranks (1, 2, 3, 4) and (1, 2.5, 2.5, 4): 4.5 / sqrt(5 * 4.5).
    assert value(spearman([1, 2, 3, 4], [1, 5, 5, 99]), 4) == pytest.approx(4.5 / np.sqrt(5 * 4.5))
    assert value(spearman([1, 2, 3], [9, 4, 1]), 3) == pytest.approx(-1)


def test_every_draw_is_the_correlation_of_the_items_drawn() -> None:
    chance = np.random.default_rng(5)
    one, other = chance.integers(0, 6, size=(2, 12)).astype(np.float64)
    weights = chance.integers(0, 4, size=(40, 12)).astype(np.float64)
    found = zip(pearson(one, other)(weights), spearman(one, other)(weights), weights, strict=True)
    for r, rho, row in found:
        copies = np.repeat(np.arange(12), row.astype(int))
        assert r == pytest.approx(stats.pearsonr(one[copies], other[copies])[0])
        assert rho == pytest.approx(stats.spearmanr(one[copies], other[copies])[0])


def test_one_value_throughout_correlates_with_nothing() -> None:
    assert value(pearson([1, 2, 3], [0.1, 0.1, 0.1]), 3) is None
    assert value(spearman([1, 1, 1], [1, 2, 3]), 3) is None


def test_auroc_by_hand_and_of_every_draw() -> None:
    assert value(auroc([True, True, False, False], [3, 2, 2, 1]), 4) == pytest.approx(3.5 / 4)
    assert value(auroc([True, False], [-np.inf, np.inf]), 2) == 0.0
    assert value(auroc([True, True], [1, 2]), 2) is None
    weights = np.array([[2.0, 0, 1, 3], [1, 1, 0, 2]])
    assert auroc([True, True, False, False], [3, 2, 2, 4])(weights) == pytest.approx([1 / 4, 0])
