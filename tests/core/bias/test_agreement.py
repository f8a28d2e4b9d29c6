"""Two reviewers' agreement, against figures worked out by hand."""

from __future__ import annotations

import pytest
from sklearn.metrics import cohen_kappa_score

from core.bias import Level, tool_named
from core.bias.agreement import agreement
from core.bias.tools.rob2 import SOME_CONCERNS

LOW, UNCLEAR, HIGH = scale = tool_named("rob1").scale


def pairs(**counts: int) -> list[tuple[Level | None, Level | None]]:
    """Pairs by their first letters, as `lh=3`: three studies that are low for one and high for the other."""
    levels = {"l": LOW, "u": UNCLEAR, "h": HIGH, "n": None}
    return [(levels[name[0]], levels[name[1]]) for name, count in counts.items() for _ in range(count)]


def test_the_figures_of_a_table_worked_by_hand() -> None:
    # Agreed 7 of 10. Shares of the first: l .5 u .2 h .3; of the second: l .4 u .3 h .3.
    # Chance .20 + .06 + .09 = .35, so kappa = .35/.65. Mean shares .45 .25 .30: AC1's chance (.2475+.1875+.21)/2.
    found = agreement(pairs(ll=4, uu=1, hh=2, lu=1, uh=1, hu=1), scale)
    assert found.agreed.value == pytest.approx(0.7)
    assert found.kappa.value == pytest.approx(0.35 / 0.65)
    assert found.ac1.value == pytest.approx((0.7 - 0.3225) / (1 - 0.3225))
    # Linear weights: three neighbours disagree by 1 of 2; by chance (.5*.3+.2*.4+.2*.3+.3*.3)/2 + (.5*.3+.3*.4) = .46.
    assert found.weighted_kappa.value == pytest.approx(1 - 0.15 / 0.46)


def test_missing_judgements_are_left_out_and_counted() -> None:
    whole = agreement(pairs(ll=4, uu=1, lu=2), scale)
    holes = agreement(pairs(ll=4, uu=1, lu=2, ln=3, nu=1, nn=5), scale)
    assert (holes.pairs, holes.unpaired) == (7, 4)
    assert holes.kappa == whole.kappa
    assert holes.ac1 == whole.ac1


def test_where_all_are_alike_kappa_is_not_defined_and_ac1_is() -> None:
    found = agreement(pairs(ll=8), scale)
    assert found.kappa.value is None
    assert found.kappa.low is None
    assert found.agreed.value == found.ac1.value == 1.0


def test_nothing_judged_is_nothing_known() -> None:
    found = agreement(pairs(ln=2), scale)
    assert (found.pairs, found.agreed.value, found.kappa.value, found.ac1.value) == (0, None, None, None)


def test_intervals_hold_the_value_and_are_the_same_every_time() -> None:
    data = pairs(ll=14, uu=6, hh=5, lu=4, uh=3, lh=1)
    found = agreement(data, scale)
    for estimate in (found.agreed, found.kappa, found.weighted_kappa, found.ac1):
        assert estimate.value is not None
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low < estimate.value < estimate.high
    assert agreement(data, scale) == found


def test_few_studies_give_a_value_without_an_interval() -> None:
    few = agreement(pairs(ll=2, hh=1, lh=1), scale)
    for estimate in (few.agreed, few.kappa, few.weighted_kappa, few.ac1):
        assert estimate.value is not None
        assert (estimate.low, estimate.high) == (None, None)
    enough = agreement(pairs(ll=2, hh=2, lh=1), scale)
    assert enough.agreed.low is not None


def test_a_level_of_another_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="tuple"):
        agreement([(SOME_CONCERNS, LOW)], scale)


def test_cohens_kappa_is_that_of_scikit_learn() -> None:
    data = pairs(ll=14, uu=6, hh=5, lu=4, uh=3, lh=1)
    one, other = zip(*data, strict=True)
    found = agreement(data, scale)
    assert found.kappa.value == pytest.approx(cohen_kappa_score(one, other))
    order = [[scale.index(level) for level in side if level] for side in (one, other)]
    assert found.weighted_kappa.value == pytest.approx(cohen_kappa_score(*order, weights="linear"))
