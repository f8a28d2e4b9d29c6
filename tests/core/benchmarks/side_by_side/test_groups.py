"""Selections laid over each other and over gold, and their groups and filters."""

from __future__ import annotations

from core.benchmarks.gold import Gold
from core.benchmarks.side_by_side.groups import Grouped, grouped, label_overlay, overlay
from core.benchmarks.side_by_side.model import Side, TopicAnswer

# ---- overlay ----
# Selections laid over each other, and over gold.

# Aspect a is covered by 1 and 2, b by 3, c by 7.
GOLD = Gold({"a": frozenset({1, 2}), "b": frozenset({3}), "c": frozenset({7})})


def test_who_chose_what_and_at_which_rank() -> None:
    marks = {mark.index: mark for mark in overlay([[5, 1], [1, 3]])}
    assert list(marks) == [1, 3, 5]
    assert marks[1].ranks == (2, 1)
    assert marks[3].chosen_by == (1,)
    assert marks[5].chosen_by == (0,)
    assert [mark.index for mark in marks.values() if mark.disputed] == [3, 5]
    assert all(mark.gold is None and mark.wrong == () and not mark.all_wrong for mark in marks.values())


def test_wrong_is_an_extra_or_a_miss_that_costs_an_aspect() -> None:
    marks = {mark.index: mark for mark in overlay([[1, 5, 6], [3, 6]], GOLD)}
    assert list(marks) == [1, 2, 3, 5, 6, 7]
    assert marks[1].wrong == (False, True)  # the second misses aspect a altogether
    assert marks[2].wrong == (False, True)  # the first has a from sentence 1
    assert marks[3].wrong == (True, False)
    assert marks[5].wrong == (True, False)  # an extra of the first
    assert marks[6].wrong == (True, True)  # an extra of both
    assert marks[7].wrong == (True, True)  # missed by both
    assert [mark.gold for mark in marks.values()] == [True, True, True, False, False, True]
    assert [index for index, mark in marks.items() if mark.all_wrong] == [6, 7]
    assert marks[1].only_wrong == 1
    assert marks[6].only_wrong is None


def test_a_gold_sentence_that_nobody_needs_is_nobody_s_fault() -> None:
    marks = {mark.index: mark for mark in overlay([[1], [1]], GOLD)}
    assert marks[2].wrong == (False, False)
    assert not marks[2].disputed


def test_of_three_one_alone_may_be_wrong() -> None:
    marks = {mark.index: mark for mark in overlay([[3], [3], [8]], GOLD)}
    assert marks[3].only_wrong == 2
    assert marks[8].only_wrong == 2
    assert marks[7].all_wrong


def test_nothing_chosen_and_no_gold_is_nothing() -> None:
    assert overlay([[], []]) == ()


def test_labels_of_three_engines() -> None:
    known = label_overlay(["low", "high", None], "high")
    assert known.wrong == (True, False, True)
    assert known.disputed
    assert known.only_wrong is None
    assert label_overlay(["low", "high"], "high").only_wrong == 0
    assert label_overlay(["low", "low"], "high").all_wrong
    assert not label_overlay(["low", "low"]).disputed
    assert label_overlay(["low", "low"]).wrong == ()


def test_who_cannot_tell_disagrees_with_who_can() -> None:
    assert label_overlay(["low", None]).disputed
    assert not label_overlay([None, None]).disputed


# ---- groups ----
# The groups and filters that a comparison is shown by.

A, B, C = Side("A", "bm25"), Side("B", "offline"), Side("C", "embedding")


def indices(found: Grouped) -> dict[str, tuple[int, ...]]:
    return {one.label: one.indices for one in found.filters}


def test_two_engines_with_gold() -> None:
    found = grouped([(A, TopicAnswer((1, 5, 6))), (B, TopicAnswer((6, 3)))], GOLD)
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
    found = grouped([(A, TopicAnswer((9, 4))), (B, TopicAnswer((8, 7, 4)))], None)
    assert [entry.mark.index for entry in found.entries] == [8, 9, 4, 7]
    assert found.entries[2].ranks == ("A rank 2", "B rank 3")
    assert found.entries[2].gold_word is None
    assert list(indices(found)) == ["Everything", "Disagreements"]


def test_of_three_engines_those_of_most_come_first() -> None:
    found = grouped([(A, TopicAnswer((1, 2))), (B, TopicAnswer((1, 3))), (C, TopicAnswer((1, 2, 3)))], None)
    assert found.titles == (
        ("all", "Chosen by all 3"),
        ("AC", "Only A (bm25) and C (embedding)"),
        ("BC", "Only B (offline) and C (embedding)"),
    )


def test_gold_that_nobody_needs_is_marked_and_not_listed() -> None:
    found = grouped([(A, TopicAnswer((1, 3, 7))), (B, TopicAnswer((1, 3, 7)))], GOLD)
    assert {entry.mark.index: entry.gold_word for entry in found.entries}[2] == "gold, not needed"
    assert found.titles == (("all", "Chosen by both"),)
