"""Runs beside each other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.benchmarks.model import ItemResult, Response, Run
from core.benchmarks.run_comparison import MACRO_F1, compared
from core.errors import DatasetError


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
