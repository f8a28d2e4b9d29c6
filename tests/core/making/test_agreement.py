"""Agreement of people and models: cases by hand, SciPy and statsmodels, and simulated annotators of known quality."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import spearmanr, ttest_1samp
from sklearn.metrics import cohen_kappa_score, f1_score
from statsmodels.stats.weightstats import ttost_paired

from core.errors import DatasetError, QueryError
from core.making.agreement import (
    MEASURES,
    Judged,
    agreements,
    difference_of,
    drawn_items,
    drawn_papers,
    equivalent,
    paired_p,
    power,
)
from core.making.agreement_report import as_table, in_words, read_labels

# Ten items: the people share 2 of 3 positives each, the model says what the first one says, but for one more yes.
ONE = [True, True, True, False, False, False, False, False, False, False]
OTHER = [True, True, False, True, False, False, False, False, False, False]
MODEL = [True, True, True, False, True, False, False, False, False, False]


def simulated(
    generator: np.random.Generator, sizes: list[int], rate: float, right: Mapping[str, tuple[float, float]]
) -> NDArray[np.int64]:
    """Cells of papers whose annotators find the truth independently: (share of yes found, share of no left alone)."""
    cell = np.zeros(8)
    for truth, chance in ((1, rate), (0, 1 - rate)):
        yes = [found if truth else 1 - left for found, left in (right["one"], right["other"], right["model"])]
        for place in range(8):
            bits = [(place >> 2) & 1, (place >> 1) & 1, place & 1]
            cell[place] += chance * np.prod([p if bit else 1 - p for bit, p in zip(bits, yes, strict=True)])
    return np.stack([generator.multinomial(size, cell) for size in sizes])


def test_ten_items_by_hand() -> None:
    found = {one.measure: one for one in agreements(Judged(["p"] * 10, ONE, OTHER, MODEL), resamples=200)}
    # People: 8 of 10 alike; F1 4/6; kappa (0.8 - 0.58) / 0.42. One and model 9 of 10; F1 6/7; kappa (0.9 - 0.54) / 0.46.
    # Other and model 7 of 10; F1 4/7; kappa (0.7 - 0.54) / 0.46.
    assert found["accuracy"].pairs == pytest.approx({"people": 0.8, "one and model": 0.9, "other and model": 0.7})
    assert found["F1"].pairs == pytest.approx({"people": 2 / 3, "one and model": 6 / 7, "other and model": 4 / 7})
    assert found["kappa"].pairs == pytest.approx(
        {"people": 0.22 / 0.42, "one and model": 0.36 / 0.46, "other and model": 0.16 / 0.46}
    )
    # (2*6 - 1*1) / sqrt(3*7*3*7) = 11/21
    assert found["Spearman"].pairs["people"] == pytest.approx(11 / 21)
    assert found["accuracy"].by_items.difference is not None
    assert found["accuracy"].by_items.difference.value == pytest.approx(0.0)
    assert found["accuracy"].by_items.difference.p == 1.0
    assert found["accuracy"].by_papers is None


@pytest.mark.parametrize("seed", range(5))
def test_measures_are_those_of_scipy_and_scikit_learn(seed: int) -> None:
    generator = np.random.default_rng(seed)
    one, other = generator.random((2, 60)) < 0.3
    table = np.zeros((2, 2))
    np.add.at(table, (one.astype(int), other.astype(int)), 1)
    assert MEASURES["accuracy"](table) == pytest.approx((one == other).mean())
    assert MEASURES["F1"](table) == pytest.approx(f1_score(one, other))
    assert MEASURES["kappa"](table) == pytest.approx(cohen_kappa_score(one, other))
    assert MEASURES["Spearman"](table) == pytest.approx(spearmanr(one, other).statistic)


def test_equivalence_of_accuracy_is_the_paired_test_of_statsmodels() -> None:
    generator = np.random.default_rng(3)
    right = {"one": (0.8, 0.99), "other": (0.8, 0.99), "model": (0.7, 0.98)}
    cells = simulated(generator, [100] * 12, 0.05, right)
    cube = cells.reshape(-1, 2, 2, 2)
    people = np.trace(cube.sum(axis=3), axis1=1, axis2=2) / 100
    model = (np.trace(cube.sum(axis=2), axis1=1, axis2=2) + np.trace(cube.sum(axis=1), axis1=1, axis2=2)) / 200
    found = equivalent(MEASURES["accuracy"], cells, 0.02)
    assert found is not None
    assert found.p == pytest.approx(ttost_paired(model, people, -0.02, 0.02)[0])
    assert found.units == 12
    # The same by SciPy: the larger of the two one-sided p-values.
    sides = (
        ttest_1samp(model - people, bound, alternative=side).pvalue
        for bound, side in ((-0.02, "greater"), (0.02, "less"))
    )
    assert found.p == pytest.approx(max(sides))


def test_resampled_papers_keep_their_sizes_and_spread_more_where_papers_differ() -> None:
    cells = np.zeros((10, 8), dtype=np.int64)
    cells[:5, 0], cells[5:, 6] = 100, 100  # half of the papers all no, half all yes by the people alone
    items, papers = drawn_items(cells, 500), drawn_papers(cells, 500)
    assert set(items.sum(axis=1)) == {1000} == set(papers.sum(axis=1))
    assert papers[:, 0].std() > 3 * items[:, 0].std()


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURES)
def test_level_and_power_by_items(name: str) -> None:
    """1,000 and 400 simulations: annotators alike, and a model that is worse by a known difference."""
    measure, generator = MEASURES[name], np.random.default_rng(11)
    good = (0.8, 0.97)
    for model, wanted in ((good, None), ((0.68, 0.955), "power")):
        right = {"one": good, "other": good, "model": model}
        truth = float(difference_of(measure, simulated(np.random.default_rng(0), [2_000_000], 0.15, right).sum(axis=0)))
        p_values, told = [], []
        for _ in range(400 if wanted else 1000):
            cells = simulated(generator, [400], 0.15, right)
            drawn = drawn_items(cells, 200)
            p_values.append(paired_p(measure, cells, drawn))
            if wanted:
                told.append(power(truth, float(np.nanstd(difference_of(measure, drawn), ddof=1))))
        found = float((np.array(p_values) < 0.05).mean())
        if wanted:
            assert 0.2 < found < 0.99  # neither hopeless nor sure, so that there is something to tell
            assert found == pytest.approx(np.mean(told), abs=0.06)
        else:
            assert 0.03 <= found <= 0.07  # 5% in 1,000 simulations: 3.6 to 6.4 by chance alone


@pytest.mark.slow
def test_level_of_papers_first_where_papers_differ() -> None:
    """Papers of different difficulty: drawing items alone cries wolf no more often than told, and papers first less."""
    generator, measure = np.random.default_rng(5), MEASURES["accuracy"]
    alarms = 0
    for _ in range(1000):
        cells = np.concatenate(
            [
                simulated(
                    generator, [40], 0.1 + 0.2 * hard, dict.fromkeys(("one", "other", "model"), (0.95 - hard, 0.98))
                )
                for hard in generator.random(12) * 0.5
            ]
        )
        alarms += paired_p(measure, cells, drawn_papers(cells, 200)) < 0.05
    assert alarms <= 65


def test_what_is_settled_and_what_more_items_would_settle() -> None:
    generator, good = np.random.default_rng(2), (0.8, 0.97)
    alike = simulated(generator, [20] * 30, 0.15, {"one": good, "other": good, "model": good})
    found = {one.measure: one for one in agreements(_judged(alike), resamples=500)}
    assert found["kappa"].more_items is not None
    assert found["kappa"].more_items > 0
    assert any("would settle it" in said for said in in_words(found["kappa"], items=600, papers=30))
    wide = agreements(_judged(alike), dict.fromkeys(MEASURES, 0.4), resamples=500)
    assert [one.more_items for one in wide] == [0, 0, 0, 0]
    assert all(any("equivalent" in said for said in in_words(one, items=6000, papers=30)) for one in wide)
    worse = simulated(generator, [200] * 30, 0.15, {"one": good, "other": good, "model": (0.3, 0.9)})
    for one in agreements(_judged(worse), resamples=500):
        assert one.more_items == 0
        assert any("otherwise than they agree" in said for said in in_words(one, items=6000, papers=30))


def test_the_number_of_further_items_settles_it_four_times_in_five() -> None:
    """With as many items as it says, equivalence is shown in about 80% of simulations."""
    generator, good, measure = np.random.default_rng(8), (0.85, 0.97), MEASURES["kappa"]
    right = {"one": good, "other": good, "model": good}
    told = next(
        one
        for one in agreements(_judged(simulated(generator, [50] * 20, 0.2, right)), resamples=300)
        if one.measure == "kappa"
    )
    assert told.by_papers is not None
    assert told.by_papers.difference is not None
    assert told.more_items
    assert abs(told.by_papers.difference.value) < 0.02  # nearly what it is in truth: nothing
    wanted = 1000 + told.more_items
    shown = [equivalent(measure, simulated(generator, [wanted // 20] * 20, 0.2, right), 0.05) for _ in range(200)]
    share = np.mean([one is not None and one.p < 0.05 for one in shown])
    assert 0.6 < share < 0.95


def test_tables_wide_and_long_are_the_same() -> None:
    wide = read_labels(b"paper,item,ann,bob,model\np,1,yes,no,1\np,2,no,,0\n", name="t.csv")
    long = as_table(
        [
            ("p", "1", "ann", True),
            ("p", "1", "bob", False),
            ("p", "1", "model", True),
            ("p", "2", "ann", False),
            ("p", "2", "model", False),
        ]
    )
    assert read_labels(long.encode(), name="t.csv") == wide
    judged, left_out = wide.judged(["ann", "bob"], "model")
    assert (judged.papers, judged.one, judged.other, judged.model, left_out) == (["p"], [True], [False], [True], 1)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (b"", "holds no row"),
        (b"paper,ann\np,yes\n", "no column item"),
        (b"paper,item,ann\np,1,perhaps\n", "neither yes nor no"),
        (b"paper,item,ann\np,1,yes\np,1,no\n", "labelled before"),
        (b"paper,item,ann\n,1,yes\n", "no paper or no item"),
        (b"paper,item,ann\np,1,yes,no\n", "more cells than columns"),
        (b"\xff\xfe\xff", "no table in UTF-8"),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_used_is_told(table: bytes, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        read_labels(table, name="t.csv")


def test_wrong_names_and_empty_tables() -> None:
    table = read_labels(b"paper,item,ann,bob\np,1,faithful,other\n", name="t.csv", positive="Faithful")
    assert table.labels == {"ann": (True,), "bob": (False,)}
    with pytest.raises(QueryError, match="no annotator"):
        table.judged(["ann", "carl"], None)
    with pytest.raises(QueryError, match="two different people"):
        table.judged(["ann", "ann"], None)
    with pytest.raises(DatasetError, match="labelled by all"):
        agreements(Judged([], [], []))


def _judged(cells: NDArray[np.int64]) -> Judged:
    """Items of these cells."""
    papers, sides = [], ([], [], [])  # type: tuple[list[str], tuple[list[bool], list[bool], list[bool]]]
    for paper, row in enumerate(cells):
        for place, times in enumerate(row):
            papers += [str(paper)] * int(times)
            for side, bit in zip(sides, (4, 2, 1), strict=True):
                side.extend([bool(place & bit)] * int(times))
    return Judged(papers, *sides)
