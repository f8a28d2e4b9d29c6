"""What a sentence's words tell of a result, beside the reader: of shipped weights, and of figures worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.findings.question_parts import parts_of
from core.findings.wording import LONGEST, MODEL, PartStarts, Wording, WordRegression, Words, shipped

QUESTION = "magnesium citrate compared with placebo: nocturnal cramps"
PARTS = PartStarts.of(parts_of(QUESTION))
UP, DOWN, SAME = range(3)


def frame(sentence: str) -> str:
    return " ".join(Words.of(PARTS, sentence).frame)


def test_arms_are_known_by_what_they_do_not_share() -> None:
    parts = PartStarts.of(parts_of("high dose statin compared with low dose statin: pain"))
    assert parts == PartStarts(frozenset({"high"}), frozenset({"low"}), frozenset({"pain"}))


def test_arms_outcome_and_figures_are_marked() -> None:
    words = Words.of(PARTS, "Magnesium citrate gave fewer cramps than control (3.1 vs 4.2).")
    assert words.marked == ("_I", "gave", "fewer", "_O", "than", "_C", "(", "0", "vs", "0", ")")
    assert words.frame == ("_I", "DOWN", "_O", "THAN", "_C", "THAN")
    assert frame("The treated had no higher score.") == "_T NO UP"


@pytest.mark.parametrize(
    ("sentence", "there", "absent"),
    [
        ("Cramps fell (P = 0.04).", {"p below": 1, "p first": 1}, {"p above"}),
        ("Cramps fell (P = 0.40).", {"p above": 1, "p first": -1}, {"p below"}),
        ("Cramps (P > 0.05) and sleep (P < 0.001).", {"p below": 1, "p above": 1, "p first": -1}, set()),
        ("Odds ratio 0.5 (95% CI 0.3 to 0.8).", {"interval excludes": 1}, {"interval includes", "p first"}),
        ("Odds ratio 0.9 (95% CI 0.7 to 1.2).", {"interval includes": 1}, {"interval excludes"}),
        ("Mean difference 0.9 (95% CI 0.7 to 1.2).", {"interval excludes": 1}, {"interval includes"}),
        ("Nothing is told.", {"b nothing is": 1}, {"p below", "p above", "p first", "interval excludes"}),
    ],
)
def test_tests_and_intervals_tell_a_difference(sentence: str, there: dict[str, float], absent: set[str]) -> None:
    found = Words.of(PARTS, sentence).of_difference()
    assert there.items() <= found.items()
    assert absent.isdisjoint(found)


@pytest.mark.parametrize(
    ("sentence", "there"),
    [
        ("Odds ratio 0.5 (95% CI 0.3 to 0.8) for magnesium.", {"effect below": 1, "effect below _I": 1, "first _I": 1}),
        ("Magnesium 30% and placebo 20%.", {"first figure": 1, "arm's figure": 1}),
        ("Placebo 30% and magnesium 20%.", {"first figure": 1, "arm's figure": -1, "first _C": 1}),
        ("Magnesium 3.1 ± 9.9 and placebo 4.2 ± 0.1 at 12 weeks.", {"first figure": -1, "arm's figure": -1}),
        ("It was 30% and 20%.", {"first figure": 1, "arm's figure": 0, "first none": 1}),
        ("Nothing.", {"first figure": 0, "first none": 1, "o cramps": 1}),
    ],
)
def test_effects_and_two_figures_tell_which_way(sentence: str, there: dict[str, float]) -> None:
    assert there.items() <= Words.of(PARTS, sentence).of_way().items()


def test_shares_are_worked_out_from_the_two_regressions() -> None:
    same = WordRegression({"b no": math.log(3)}, 0.0)
    wording = Wording(same, WordRegression({"r UP": math.log(4), "never": 9.0}, 0.0))
    assert wording.directions(PARTS, "no higher") == pytest.approx((0.25 * 0.8, 0.25 * 0.2, 0.75))
    assert Wording.from_json(wording.to_json()).directions(PARTS, "no higher") == pytest.approx(
        (0.2, 0.05, 0.75), abs=1e-3
    )


@pytest.mark.parametrize(
    ("sentence", "way"),
    [
        ("Nocturnal cramps were significantly higher with magnesium citrate than with placebo (P = 0.01).", UP),
        ("Magnesium citrate significantly reduced nocturnal cramps compared with placebo (P < 0.001).", DOWN),
        (
            "There was no significant difference in nocturnal cramps between magnesium citrate and placebo (P = 0.40).",
            SAME,
        ),
    ],
)
def test_the_shipped_weights_tell_plain_results(sentence: str, way: int) -> None:
    shares = shipped().directions(PARTS, sentence)
    assert sum(shares) == pytest.approx(1)
    assert int(np.argmax(shares)) == way


@pytest.mark.parametrize("sentence", ["", " ", "12", "\0", "p" * 10 * LONGEST, "± " * LONGEST, "(P < " * LONGEST])
def test_any_sentence_can_be_read(sentence: str) -> None:
    shares = shipped().directions(PARTS, sentence)
    assert sum(shares) == pytest.approx(1)
    assert min(shares) >= 0


def test_what_ships_is_small() -> None:
    assert MODEL.stat().st_size < 20_000
