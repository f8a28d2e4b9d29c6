"""The groups and filters that a comparison is shown by."""

from __future__ import annotations

from core.benchmarks.gold import Gold
from core.benchmarks.side_by_side.groups import Grouped, grouped
from core.benchmarks.side_by_side.model import Given, Side

A, B, C = Side("A", "bm25"), Side("B", "offline"), Side("C", "embedding")
GOLD = Gold({"a": frozenset({1, 2}), "b": frozenset({3}), "c": frozenset({7})})


def indices(found: Grouped) -> dict[str, tuple[int, ...]]:
    return {one.label: one.indices for one in found.filters}


def test_two_engines_with_gold() -> None:
    found = grouped([(A, Given((1, 5, 6))), (B, Given((6, 3)))], GOLD)
    assert found.titles == (
        ("all", "Chosen by both"),
        ("A", "Only A (bm25)"),
        ("B", "Only B (offline)"),
        ("none", "In gold, and chosen by none"),
    )
    groups = {entry.mark.index: entry.group for entry in found.entries}
    assert groups == {1: "A", 6: "all", 5: "A", 3: "B", 7: "none", 2: "none"}  # B lacks aspect a
    assert indices(found) == {
        "Everything": (1, 2, 3, 5, 6, 7),
        "Disagreements": (1, 3, 5),
        "Both wrong": (6, 7),
        "Only A wrong": (3, 5),
        "Only B wrong": (1, 2),
    }


def test_best_ranks_come_first_and_are_told() -> None:
    found = grouped([(A, Given((9, 4))), (B, Given((8, 7, 4)))], None)
    assert [entry.mark.index for entry in found.entries] == [8, 9, 4, 7]
    assert found.entries[2].ranks == ("A rank 2", "B rank 3")
    assert found.entries[2].gold_word is None
    assert list(indices(found)) == ["Everything", "Disagreements"]


def test_of_three_engines_those_of_most_come_first() -> None:
    found = grouped([(A, Given((1, 2))), (B, Given((1, 3))), (C, Given((1, 2, 3)))], None)
    assert found.titles == (
        ("all", "Chosen by all 3"),
        ("AC", "Only A (bm25) and C (embedding)"),
        ("BC", "Only B (offline) and C (embedding)"),
    )


def test_gold_that_nobody_needs_is_marked_and_not_listed() -> None:
    found = grouped([(A, Given((1, 3, 7))), (B, Given((1, 3, 7)))], GOLD)
    assert {entry.mark.index: entry.gold_word for entry in found.entries}[2] == "gold, not needed"
    assert found.titles == (("all", "Chosen by both"),)
