"""Gold laid over a checked summary."""

from __future__ import annotations

import pytest

from core.benchmarks.farebio import GoldSentence, GoldSummary, read_farebio
from core.benchmarks.samples import SAMPLE_DATA
from core.benchmarks.summary_gold import gold_for_paper, overlay
from core.paper import read_paper
from core.summary import FaithfulnessReport, Label, SentenceCheck, SummarySource

PAPER = read_paper((SAMPLE_DATA / "leg-cramps.xml").read_bytes(), name="leg-cramps.xml")
FILE = read_farebio((SAMPLE_DATA / "farebio" / "farebio_sample.csv").read_bytes(), name="sample.csv")
YES, NO, UNTOLD = Label.SUPPORTED, Label.NOT_IN_PAPER, Label.NOT_JUDGED


def gold(*sentences: tuple[str, Label]) -> GoldSummary:
    return GoldSummary(
        "p/s", "p", PAPER, tuple(GoldSentence(text, (label,), None, (), "") for text, label in sentences), False
    )


def report(*sentences: tuple[str, Label]) -> FaithfulnessReport:
    checks = tuple(SentenceCheck(text, 0, len(text), label, None) for text, label in sentences)
    return FaithfulnessReport("", "", "demo", SummarySource.FRONT, checks, 0.0)


def test_the_samples_gold_is_known_by_the_papers_title() -> None:
    assert [summary.id for summary in gold_for_paper(FILE, PAPER)] == ["leg-cramps/plain", "leg-cramps/close"]


def test_missed_and_false_alarms() -> None:
    labels = (("One.", YES), ("Two.", NO), ("Three.", NO), ("Four.", YES), ("Five.", UNTOLD), ("Six.", YES))
    given = (("One", YES), ("“Two.”", NO), ("Three.", YES), ("Four.", NO), ("Five.", NO), ("Seven.", YES))
    found = overlay(report(*given), gold(*labels))
    assert [one and one.text for one in found.gold] == ["One.", "Two.", "Three.", "Four.", "Five.", None]
    assert [one.text for one in found.unmatched] == ["Six."]
    assert (found.missed, found.false_alarms) == ((2,), (3,))
    assert found.agreement == 0.5  # of four; chance is 1/2 too
    assert found.kappa == pytest.approx(0.0)


def test_a_sentence_without_a_label_is_missed_and_disagrees() -> None:
    found = overlay(report(("One.", UNTOLD)), gold(("One.", NO)))
    assert (found.missed, found.false_alarms, found.agreement) == ((0,), (), 0.0)


def test_sentences_that_the_file_splits_otherwise() -> None:
    labels = (("It rose", YES), ("by 3 vs. 4 points.", NO), ("Both fell. Both slept.", YES))
    given = (("It rose by 3 vs. 4 points.", NO), ("Both fell.", YES), ("Both slept.", YES))
    found = overlay(report(*given), gold(*labels))
    assert [one and one.labels for one in found.gold] == [(NO,), (YES,), (YES,)]
    assert found.unmatched == ()


def test_nothing_to_agree_on() -> None:
    found = overlay(report(("One.", YES)), gold(("Two.", YES)))
    assert (found.agreement, found.kappa, found.gold) == (None, None, (None,))
