"""Runs compared: figures that belong together, tests between two engines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from core.benchmarks.bootstrap import Interval, mean
from core.benchmarks.model import ItemResult, Response, Run
from core.benchmarks.run_comparison import MACRO_F1, OVERALL, compared, holm, mcnemar, paired_bootstrap, parts_of
from core.errors import DatasetError

# ---- parts ----
# Figures that belong together are found by their names.

ANY = Interval(0.5, 0.4, 0.6, 0.1)


def parts(*names: str) -> dict[str, list[str]]:
    return {measure: list(own) for measure, own in parts_of(dict.fromkeys(names, ANY)).items()}


def test_a_part_is_called_by_its_measure_first() -> None:
    assert parts("macro-F1", "macro-F1 selection", "macro-F1 of all", "kappa") == {
        "macro-F1": [OVERALL, "selection", "of all"],
        "kappa": [OVERALL],
    }
    assert parts("two-level macro-F1", "two-level macro-F1 sequence") == {"two-level macro-F1": [OVERALL, "sequence"]}


def test_at_a_depth_the_part_comes_first() -> None:
    assert parts("attrition hit@1", "average hit@1", "attrition hit@3") == {
        "hit@1": ["attrition", "average"],
        "hit@3": ["attrition"],
    }


def test_a_measure_that_is_told_by_parts_alone() -> None:
    assert parts("aspect_recall original", "aspect_recall negation", "change negation") == {
        "aspect_recall": ["original", "negation"],
        "change negation": [OVERALL],
    }


def test_measures_of_one_label_are_no_parts_of_each_other() -> None:
    names = ["recall not supported", "precision not supported", "given not supported"]
    assert parts(*names) == {name: [OVERALL] for name in names}


# ---- comparing ----
# Tests between two engines, and the correction for many of them.

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


# ---- run comparison ----
# Runs beside each other.


def run(engine: str, scores: list[float], *, labels: list[str] | None = None, task: str = "robbr/main") -> Run:
    items = tuple(
        ItemResult(
            id=str(number),
            group=f"paper {number}",
            response=Response(labels=(labels[number],) if labels else ()),
            scores={"correct": score},
            labels=("low" if number % 2 else "high",) if labels else (),
        )
        for number, score in enumerate(scores)
    )
    return Run(task, engine, items, {}, 1.0)


GOOD, BAD, SAME = [1.0] * 38 + [0.0] * 2, [1.0] * 20 + [0.0] * 20, [1.0] * 37 + [0.0] * 3


def test_every_pair_with_its_tests_and_the_correction() -> None:
    good_bad, good_same, bad_same = compared([run("good", GOOD), run("bad", BAD), run("same", SAME)])
    assert [(c.one, c.other) for c in (good_bad, good_same, bad_same)] == [
        ("good", "bad"), ("good", "same"), ("bad", "same"),
    ]  # fmt: skip
    assert good_bad.difference.value == pytest.approx(-18 / 40)
    assert good_bad.mcnemar is not None
    assert (good_bad.mcnemar.only_one, good_bad.mcnemar.only_other) == (18, 0)
    assert good_bad.mcnemar.p == pytest.approx(2 / 2**18)
    assert good_bad.difference.p < 0.001
    assert good_bad.corrected_p == pytest.approx(3 * good_bad.difference.p)
    assert good_same.difference.p > 0.2
    assert good_same.corrected_p == good_same.difference.p  # the largest of three


def test_labels_are_compared_by_macro_f1_too() -> None:
    gold = ["low" if number % 2 else "high" for number in range(40)]
    right = run("right", [1.0] * 40, labels=gold)
    low = run("low", [float(number % 2) for number in range(40)], labels=["low"] * 40)
    found = {c.metric: c for c in compared([right, low])}
    assert found["correct"].difference.value == pytest.approx(-0.5)
    assert found[MACRO_F1].difference.value == pytest.approx((2 / 3 + 0) / 2 - 1)
    assert found[MACRO_F1].mcnemar is None


def test_shares_have_no_mcnemar() -> None:
    (found,) = compared([run("a", [0.5, 1.0]), run("b", [0.25, 1.0])])
    assert found.mcnemar is None
    assert found.difference.value == pytest.approx(-0.125)


def test_what_cannot_be_compared() -> None:
    with pytest.raises(DatasetError, match="same items"):
        compared([run("a", GOOD), run("b", GOOD[:-1])])
    with pytest.raises(DatasetError, match="different tasks"):
        compared([run("a", GOOD), run("b", GOOD, task="robbr/ssr")])
    assert compared([run("a", GOOD)]) == compared([]) == ()


def test_a_failed_item_counts_as_it_does_in_the_run() -> None:
    failed = run("b", [0.0, 1.0])
    first = replace(failed.items[0], response=Response(error="out of order"))
    (found,) = compared([run("a", [1.0, 1.0]), replace(failed, items=(first, failed.items[1]))])
    assert found.difference.value == pytest.approx(-0.5)
