"""Summaries side by side."""

from __future__ import annotations

from core.summary import FaithfulnessReport, Label, SentenceCheck, SummarySource
from core.summary.model import changes

YES, NO, UNTOLD = Label.SUPPORTED, Label.NOT_IN_PAPER, Label.NOT_JUDGED


def report(*sentences: tuple[str, Label]) -> FaithfulnessReport:
    checks = [SentenceCheck(text, 0, len(text), label, None) for text, label in sentences]
    return FaithfulnessReport("", "", "demo", SummarySource.FRONT, tuple(checks), 0.0)


FIRST = report(
    ("One.", YES),
    ("Two.", NO),
    ("Three.", Label.CONTRADICTS),
    ("Four.", NO),
    ("Heading", UNTOLD),
)
SECOND = report(("One.", YES), ("Two, mended.", YES), ("four", YES), ("Five.", YES))


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
