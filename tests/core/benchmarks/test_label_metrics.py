"""Measures of labels and correlations: by hand, and as scikit-learn and SciPy have them."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as reference

from core.benchmarks.bootstrap import Floats, Statistic, estimate, mean_of_parts, of_members
from core.benchmarks.label_metrics import (
    Labelled,
    Measure,
    accuracy,
    auroc,
    f1,
    kappa,
    macro_f1,
    pearson,
    precision,
    recall,
    share_given,
    spearman,
)

# ---- labels ----
# Measures of labels: by hand, and as scikit-learn has them.

SCALE = ("low", "unclear", "high")
# Ten items. low: 4 of 5 right, 5 given; unclear: 1 of 2 right, 2 given; high: 2 of 3 right, 2 given; one given none.
BY_HAND = Labelled(
    ["low"] * 5 + ["unclear"] * 2 + ["high"] * 3,
    ["low", "low", "low", "low", "unclear", "unclear", "low", "high", "high", None],
    SCALE,
)


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        (accuracy, 7 / 10),
        (precision(0), 4 / 5),
        (recall(0), 4 / 5),
        (f1(0), 8 / 10),
        (f1(1), 2 / 4),
        (f1(2), 4 / 5),
        (precision(2), 1.0),
        (recall(2), 2 / 3),
        (macro_f1, (0.8 + 0.5 + 0.8) / 3),
        (share_given(1), 2 / 10),
        # Chance: low .5 * .5, unclear .2 * .2, high .3 * .2 and none 0 * .1 = .35.
        (kappa, (0.7 - 0.35) / (1 - 0.35)),
    ],
)
def test_labels_by_hand(measure: Measure, value: float) -> None:
    assert BY_HAND.value(measure) == pytest.approx(value)


def test_as_scikit_learn_has_them() -> None:
    chance = random.Random(3)
    for _ in range(30):
        gold, given = ([chance.choice(SCALE) for _ in range(chance.randint(2, 40))] for _ in range(2))
        given = (given * 40)[: len(gold)]
        mine = Labelled(gold, given, SCALE)
        assert mine.value(accuracy) == pytest.approx(reference.accuracy_score(gold, given))
        assert mine.value(macro_f1) == pytest.approx(reference.f1_score(gold, given, average="macro"))
        expected = reference.cohen_kappa_score(gold, given)
        assert mine.value(kappa) == (None if np.isnan(expected) else pytest.approx(expected))


def test_every_draw_is_the_measure_of_the_items_drawn() -> None:
    """Weights stand for copies: the measure of a draw is that of a list with as many copies of each item."""
    chance = np.random.default_rng(1)
    weights = chance.integers(0, 4, size=(20, 10)).astype(np.float64)
    for measure in (accuracy, macro_f1, kappa, f1(0)):
        found = BY_HAND.statistic(measure)(weights)
        for value, row in zip(found, weights, strict=True):
            places = np.repeat(np.arange(10), row.astype(int))
            copies = Labelled([BY_HAND.gold[i] for i in places], [BY_HAND.given[i] for i in places], SCALE)
            assert value == pytest.approx(copies.value(measure), nan_ok=True)


def test_what_is_nowhere_is_undefined_and_never_zero() -> None:
    low = Labelled(["low"] * 3, ["low"] * 3, SCALE)
    assert low.value(precision(2)) is low.value(recall(2)) is low.value(f1(2)) is low.value(kappa) is None
    assert low.value(macro_f1) == 1.0  # a label that is nowhere has no F1
    assert estimate(low.statistic(f1(2)), ["a", "b", "c"]) is None


def test_an_answer_that_is_missing_is_wrong() -> None:
    silent = Labelled(["low", "high"], [None, None], SCALE)
    assert silent.value(accuracy) == silent.value(macro_f1) == silent.value(kappa) == 0.0


def test_a_label_off_the_scale_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="some concerns"):
        Labelled(["low"], ["some concerns"], SCALE)
    with pytest.raises(ValueError, match="2 answers"):
        Labelled(["low"], ["low", "low"], SCALE)


def test_an_average_counts_overlapping_groups_alike() -> None:
    items = Labelled(["low", "high", "low", "high"], ["low", "high", "high", "high"], SCALE).statistic(macro_f1)
    first, second = [True, True, False, False], [False, True, True, True]
    # The first group: all right, 1. The second: low 0, high 2 * 2 / (2 + 3).
    average = mean_of_parts([of_members(items, first), of_members(items, second)])
    assert average(np.ones((1, 4)))[0] == pytest.approx((1 + (0 + 0.8) / 2) / 2)


def test_always_faithful_gets_what_farebio_says() -> None:
    """FaReBio, table 2: who calls all faithful has an agreement of .89 and a kappa of 0; all non-faithful: .11, 1."""
    gold = ["faithful"] * 89 + ["non-faithful"] * 11
    scale = ("faithful", "non-faithful")
    faithful, opposite = (Labelled(gold, [label] * 100, scale) for label in scale)
    assert (faithful.value(accuracy), faithful.value(kappa), faithful.value(share_given(1))) == (0.89, 0.0, 0.0)
    assert (opposite.value(accuracy), opposite.value(kappa), opposite.value(recall(1))) == (0.11, 0.0, 1.0)


def test_always_low_gets_what_it_deserves() -> None:
    """On RoBBR's Cochrane test set (its table 11): one F1 of three, and no agreement beyond chance."""
    gold = ["low"] * 562 + ["unclear"] * 195 + ["high"] * 149
    always = Labelled(gold, ["low"] * len(gold), SCALE)
    assert always.value(macro_f1) == pytest.approx((2 * 562 / (562 + 906)) / 3)
    assert always.value(accuracy) == pytest.approx(562 / 906)
    assert always.value(kappa) == 0.0


def test_a_measure_takes_many_tables_at_once() -> None:
    tables: Floats = np.zeros((2, 4, 4))
    tables[0, 0, 0] = 1
    assert np.isnan(accuracy(tables)[1])
    assert np.isnan(kappa(tables)).all()


# ---- correlation ----
# Correlations: by hand, and as scipy has them.


def value(statistic: Statistic, items: int) -> float | None:
    found = float(statistic(np.ones((1, items)))[0])
    return None if np.isnan(found) else found


def test_correlation_by_hand() -> None:
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
