"""Agreement of engines, by hand-computed cases."""

from __future__ import annotations

import pytest

from core.benchmarks.side_by_side.agreement import label_agreement, selection_agreement, stability


def test_two_selections_from_a_pool_of_ten() -> None:
    # Both 2, only one 2, only the other 1, neither 5: observed 7/10, by chance .4 * .3 + .6 * .7 = .54.
    found = selection_agreement([([0, 1, 2, 3], [3, 2, 9])], range(10))
    assert found.shared == 2
    assert found.jaccard == pytest.approx(2 / 5)
    assert found.kappa == pytest.approx((0.7 - 0.54) / (1 - 0.54))
    # Gwet: the mean share of "chosen" is .35; chance is 2 * .35 * .65 = .455.
    assert found.ac1 == pytest.approx((0.7 - 0.455) / (1 - 0.455))
    assert found.overlap == {1: 0.0, 3: pytest.approx(1 / 3)}  # the second does not reach 5


def test_equal_selections_agree_wholly_whatever_their_order() -> None:
    found = selection_agreement([([4, 2], [2, 4])], range(6))
    assert (found.jaccard, found.kappa, found.ac1) == (1.0, 1.0, 1.0)
    assert found.overlap == {1: 0.0}


def test_two_empty_selections_have_no_overlap_to_speak_of() -> None:
    found = selection_agreement([([], [])], range(5))
    assert found.jaccard is None
    assert found.kappa is None
    assert found.overlap == {}


def test_over_topics_shares_are_means_and_sentences_are_counted_together() -> None:
    found = selection_agreement([([0], [0]), ([1], [2]), ([], [])], range(4))
    assert found.shared == 1
    assert found.jaccard == pytest.approx(1 / 2)  # the third topic has none
    assert found.overlap == {1: pytest.approx(1 / 2)}
    # Of 12: both 1, each alone 1. Observed 10/12, by chance (2/12)^2 + (10/12)^2 = 104/144.
    assert found.kappa == pytest.approx((10 / 12 - 104 / 144) / (1 - 104 / 144))


def test_labels_topic_by_topic() -> None:
    found = label_agreement(["low", "high", "low", None], ["low", "low", "low", "high"], ("low", "high"))
    assert (found.pairs, found.unpaired) == (3, 1)
    assert found.agreed.value == pytest.approx(2 / 3)


def test_repeats_of_one_engine() -> None:
    # Pairs: {1,2} {1,3} -> 1/3, {1,2} {1,2} -> 1, {1,3} {1,2} -> 1/3.
    found = stability([[1, 2], [3, 1], [2, 1]], ["low", "low", "high"])
    assert found.times == 3
    assert found.jaccard == pytest.approx((1 / 3 + 1 + 1 / 3) / 3)
    assert found.always == (1,)
    assert found.sometimes == (2, 3)
    assert found.same_label == pytest.approx(1 / 3)


def test_one_answer_says_nothing_of_stability() -> None:
    found = stability([[1, 2]])
    assert found.jaccard is None
    assert found.same_label is None
    assert found.always == (1, 2)
