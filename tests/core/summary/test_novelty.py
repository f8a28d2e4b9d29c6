"""Novelty by hand."""

from __future__ import annotations

import pytest

from core.summary.novelty import novelty

SOURCE = ["Exercise improved sleep in older adults.", "Pain did not change."]


@pytest.mark.parametrize(
    ("summary", "n", "share"),
    [
        ("Exercise improved sleep.", 1, 0.0),
        ("Exercise improved sleep.", 3, 0.0),
        ("Exercise eased pain.", 1, 1 / 3),  # eased
        ("Exercise eased pain.", 2, 1.0),  # "exercise eased", "eased pain"
        ("Sleep in older adults improved.", 2, 1 / 4),  # "adults improved"
        ("Sleep in older adults improved.", 3, 1 / 3),  # "older adults improved"
        ("Adults pain", 2, 1.0),  # both words are there, and a sentence ends between them
        ("new new sleep", 1, 2 / 3),  # each counts as often as it occurs
        ("EXERCISE", 1, 0.0),
    ],
)
def test_shares_by_hand(summary: str, n: int, share: float) -> None:
    assert novelty([summary], SOURCE, n) == pytest.approx(share)


def test_a_summary_that_is_too_short_has_none() -> None:
    assert novelty(["Sleep."], SOURCE, 2) is None
    assert novelty([], SOURCE, 1) is None


def test_ngrams_end_with_their_sentence() -> None:
    assert novelty(["Exercise.", "Sleep."], SOURCE, 2) is None


def test_figures_stay_whole() -> None:
    assert novelty(["It fell by 1.5"], ["It fell by 5 or 1"], 1) == pytest.approx(1 / 4)


def test_contractions_do_not_depend_on_the_apostrophe() -> None:
    assert novelty(["It didn’t."], ["It didn't."], 1) == 0.0
