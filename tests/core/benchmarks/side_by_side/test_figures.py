"""The figures of a comparison, by hand."""

from __future__ import annotations

import pytest

from core.benchmarks.gold import Gold
from core.benchmarks.side_by_side.figures import engine_figures, pair_figures
from core.benchmarks.side_by_side.model import Comparison, Given, Side, Task, Topic

GOLD = Gold({"a": frozenset({1}), "b": frozenset({2, 3})})


def test_evidence_with_gold_and_repeats() -> None:
    first = Side("A", "model", (Given((1, 5)),), 2.0, 0.5, again=((Given((1, 2)),), (None,)))
    second = Side("B", "bm25", (Given((5, 6, 2)),))
    failed = Side("C", "other", error="no key")
    comparison = Comparison(Task.EVIDENCE, "h", (Topic("h", GOLD),), (first, second, failed), pool=frozenset(range(10)))
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
    topics = (Topic("d1", gold_label="low"), Topic("d2", gold_label="high"), Topic("d3"))
    one = Side("A", "x", (Given((1,), "low"), Given((2,), "low"), Given((), "high")))
    two = Side("B", "y", (Given((1,), "low"), None, Given((), "low")))
    comparison = Comparison(Task.BIAS, "tool", topics, (one, two), ("low", "high"), frozenset(range(5)))
    first, second = engine_figures(comparison)
    assert (first.right, first.labelled) == (1, 2)
    assert (second.right, second.labelled) == (1, 2)
    (pair,) = pair_figures(comparison)
    assert pair.topics == 2
    assert pair.labels is not None
    assert (pair.labels.pairs, pair.labels.agreed.value) == (2, 0.5)
