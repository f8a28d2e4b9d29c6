"""Agreement of engines and the figures of a comparison, by hand."""

from __future__ import annotations

import pytest

from core.benchmarks.gold import Gold
from core.benchmarks.side_by_side.figures import (
    engine_figures,
    label_agreement,
    pair_figures,
    selection_agreement,
    stability,
)
from core.benchmarks.side_by_side.model import ComparedTopic, Comparison, Side, TopicAnswer
from core.engines import TaskKind

# ---- agreement ----
# Agreement of engines, by hand-computed cases.


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
    found = stability([[1, 2], [3, 1], [2, 1]])
    assert found.times == 3
    assert found.jaccard == pytest.approx((1 / 3 + 1 + 1 / 3) / 3)
    assert found.always == (1,)
    assert found.sometimes == (2, 3)


def test_one_answer_says_nothing_of_stability() -> None:
    found = stability([[1, 2]])
    assert found.jaccard is None
    assert found.always == (1, 2)


# ---- figures ----
# The figures of a comparison, by hand.

GOLD = Gold({"a": frozenset({1}), "b": frozenset({2, 3})})


def test_evidence_with_gold_and_repeats() -> None:
    first = Side("A", "model", (TopicAnswer((1, 5)),), 2.0, 0.5, again=((TopicAnswer((1, 2)),), (None,)))
    second = Side("B", "bm25", (TopicAnswer((5, 6, 2)),))
    failed = Side("C", "other", error="no key")
    comparison = Comparison(
        TaskKind.EVIDENCE, "h", (ComparedTopic("h", GOLD),), (first, second, failed), pool=frozenset(range(10))
    )
    one, two, three = engine_figures(comparison)
    assert (one.sentences, one.alone, one.recall) == (2, 1, 1 / 2)
    assert (two.sentences, two.alone, two.recall) == (3, 2, 1 / 2)
    assert (three.sentences, three.recall, three.stability) == (0, 0.0, ())  # a failure counts as nothing found
    (stable,) = one.stability
    assert (stable.times, stable.jaccard, stable.always) == (2, pytest.approx(1 / 3), (1,))
    assert two.stability == ()
    (pair,) = pair_figures(comparison)  # the one that failed agrees with nobody
    assert (pair.one.letter, pair.other.letter, pair.labels) == ("A", "B", None)
    assert pair.selections.jaccard == pytest.approx(1 / 4)


def test_labels_with_gold_and_a_topic_that_failed() -> None:
    topics = (ComparedTopic("d1", gold_label="low"), ComparedTopic("d2", gold_label="high"), ComparedTopic("d3"))
    one = Side("A", "x", (TopicAnswer((1,), "low"), TopicAnswer((2,), "low"), TopicAnswer((), "high")))
    two = Side("B", "y", (TopicAnswer((1,), "low"), None, TopicAnswer((), "low")))
    comparison = Comparison(TaskKind.BIAS, "tool", topics, (one, two), ("low", "high"), frozenset(range(5)))
    first, second = engine_figures(comparison)
    assert (first.right, first.labelled) == (1, 2)
    assert (second.right, second.labelled) == (1, 2)
    (pair,) = pair_figures(comparison)
    assert pair.topics == 2
    assert pair.labels is not None
    assert (pair.labels.pairs, pair.labels.agreed.value) == (2, 0.5)
