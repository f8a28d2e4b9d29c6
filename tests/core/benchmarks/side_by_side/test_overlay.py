"""Selections laid over each other, and over gold."""

from __future__ import annotations

from core.benchmarks.gold import Gold
from core.benchmarks.side_by_side.overlay import label_overlay, overlay

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
