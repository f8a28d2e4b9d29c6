"""From readings and numbers to a label."""

from __future__ import annotations

import numpy as np
import pytest

from core.summary import Label, Span, score
from core.summary.agreement import Agreement, PairedNumber
from core.summary.score import decide, how_often_right


def number(agreement: Agreement) -> PairedNumber:
    return PairedNumber(Span(0, 1), agreement)


def test_one_sentence_that_supports_is_enough() -> None:
    readings = np.array([[0.02, 0.03, 0.95], [0.96, 0.01, 0.03]])
    found = decide(readings, ())
    assert found.label is Label.SUPPORTED
    assert found.probability == pytest.approx(0.96 / 1.02)


def test_the_surest_of_the_others_tells_what_is_wrong() -> None:
    far, against = [0.005, 0.005, 0.99], [0.005, 0.99, 0.005]
    assert decide(np.array([far, far]), ()).label is Label.NOT_IN_PAPER
    assert decide(np.array([far, against]), ()).label is Label.CONTRADICTS
    assert decide(np.empty((0, 3)), ()).label is Label.NOT_IN_PAPER


def test_what_is_neither_clear_is_not_told() -> None:
    assert decide(np.array([[0.3, 0.3, 0.4]]), ()).label is Label.CANNOT_TELL


def test_numbers_that_differ_weigh_against_it() -> None:
    readings = np.array([[0.9, 0.05, 0.05]])
    plain, agreeing, absent, differing = (
        decide(readings, [number(one)] if one else []).probability
        for one in (None, Agreement.AGREES, Agreement.NOT_FOUND, Agreement.DIFFERS)
    )
    assert plain == agreeing > absent > differing
    assert decide(np.array([[0.06, 0.04, 0.9]]), [number(Agreement.DIFFERS)]).label is Label.CONTRADICTS


def test_how_often_it_is_right_is_told_once_it_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score, "RIGHT_FLAGGED", None)
    assert "has not been measured" in how_often_right()
    monkeypatch.setattr(score, "RIGHT_FLAGGED", 8)
    monkeypatch.setattr(score, "WRONG_FOUND", 41)
    assert "8 in 100 right sentences are flagged, and 41 in 100 wrong ones are found" in how_often_right()
