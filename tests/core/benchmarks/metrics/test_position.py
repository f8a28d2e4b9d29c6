"""Where the evidence lies."""

from __future__ import annotations

from core.benchmarks.gold import Gold
from core.benchmarks.metrics.position import Place, place_of, relative_positions


def gold(*places: int) -> Gold:
    return Gold({str(number): frozenset({place}) for number, place in enumerate(places)})


def test_the_groups_by_hand() -> None:
    # A pool of 100: the first ten are 0 to 9, the last ten 90 to 99.
    assert place_of(gold(0, 9, 90, 99, 10), 100) is Place.BETWEEN  # 80% is not over 80%
    assert place_of(gold(0, 9, 90, 99, 5, 89), 100) is Place.EDGES
    assert place_of(gold(9, 10, 89, 50, 51), 100) is Place.BETWEEN  # 20% is not below 20%
    assert place_of(gold(9, 10, 89, 50, 51, 52), 100) is Place.MIDDLE


def test_an_aspect_covered_at_both_places_counts_for_the_ends() -> None:
    assert place_of(Gold({"a": frozenset({3, 50})}), 100) is Place.EDGES
    assert place_of(Gold({"a": frozenset()}), 100) is Place.MIDDLE  # no sentence covers it anywhere


def test_a_short_paper_is_all_ends() -> None:
    assert place_of(gold(*range(15)), 15) is Place.EDGES


def test_relative_positions() -> None:
    assert relative_positions([0, 5, 10], 11) == (0.0, 0.5, 1.0)
    assert relative_positions([0], 1) == (0.0,)
