"""Summaries side by side."""

from __future__ import annotations

from core.summary import FaithfulnessReport, Inconsistency, Label, SentenceCheck, SummarySource
from core.summary.comparing import Counts, changes, counts

YES, NO, UNTOLD = Label.SUPPORTED, Label.NOT_SUPPORTED, Label.NOT_JUDGEABLE


def report(*sentences: tuple[str, Label, Inconsistency | None]) -> FaithfulnessReport:
    checks = [SentenceCheck(text, 0, len(text), label, None, kind=kind) for text, label, kind in sentences]
    return FaithfulnessReport("", "", "demo", SummarySource.FRONT, tuple(checks), 0.0)


FIRST = report(
    ("One.", YES, None),
    ("Two.", NO, Inconsistency.NOT_IN_PAPER),
    ("Three.", NO, Inconsistency.CONTRADICTS),
    ("Four.", NO, None),
    ("Heading", UNTOLD, None),
)
SECOND = report(("One.", YES, None), ("Two, mended.", YES, None), ("four", YES, None), ("Five.", YES, None))


def test_the_counts_of_a_report() -> None:
    assert counts(FIRST) == Counts(1, 3, 1, contradicting=1, not_in_paper=1)


def test_what_stayed_faces_itself_and_the_rest_is_paired_in_order() -> None:
    pairs = [(c.before and c.before.text, c.after and c.after.text, c.kept) for c in changes(FIRST, SECOND)]
    assert pairs == [
        ("One.", "One.", True),
        ("Two.", "Two, mended.", False),
        ("Three.", None, False),
        ("Four.", "four", True),
        ("Heading", "Five.", False),
    ]


def test_a_summary_of_other_sentences_has_nothing_in_common() -> None:
    assert [change.kept for change in changes(FIRST, report())] == [False] * 5
