"""From what was read and how numbers agree to a label."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from core.entailment.regression import Regression
from core.summary import Label, Span
from core.summary.numbers import NumberAgreement, PairedNumber
from core.summary.score import FEATURES, LabelModel, SourcesRead, decide, features, how_often_right, shipped

TEXT = "Eight in ten women slept well."


def number(agreement: NumberAgreement) -> PairedNumber:
    return PairedNumber(Span(0, 1), agreement)


def read(together: Sequence[float], *alone: Sequence[float]) -> SourcesRead:
    rows = np.array(alone or [together])
    return SourcesRead(rows, np.array(together), np.array(together), np.full(len(rows), 0.6))


def by(feature: str) -> LabelModel:
    """A model that looks at one feature alone."""
    weights = np.array([1.0 if name == feature else 0.0 for name in FEATURES])
    only = Regression(np.zeros(len(FEATURES)), np.ones(len(FEATURES)), weights, 0.0)
    return LabelModel(only, supported_from=0.8, wrong_below=0.2, contradicts_from=0.9, right_flagged=9, wrong_found=41)


@pytest.mark.parametrize(
    ("together", "label"),
    [
        ((0.9, 0.05, 0.05), Label.SUPPORTED),
        ((0.05, 0.92, 0.03), Label.CONTRADICTS),
        ((0.05, 0.85, 0.1), Label.NOT_IN_PAPER),
        ((0.1, 0.1, 0.8), Label.NOT_IN_PAPER),
        ((0.5, 0.3, 0.2), Label.CANNOT_TELL),
    ],
)
def test_the_label_follows_the_probability_and_what_the_best_sources_say(
    together: tuple[float, ...], label: Label
) -> None:
    found = decide(TEXT, [], read(together), (), by("best supported"))
    assert found.label is label
    assert found.probability == pytest.approx(together[0], abs=1e-6)


def test_the_reader_may_ask_for_more() -> None:
    sure = read((0.9, 0.05, 0.05))
    assert decide(TEXT, [], sure, (), by("best supported"), supported_from=0.95).label is Label.CANNOT_TELL


def test_one_sentence_that_supports_is_enough() -> None:
    one, two = features(TEXT, read((0.5, 0.2, 0.3), (0.02, 0.03, 0.95), (0.96, 0.01, 0.03)), ())[:2]
    assert one > 3 > -3 > two


def test_numbers_count_by_how_many_agree_and_differ() -> None:
    place = {name: FEATURES.index(name) for name in ("numbers", "agree", "differ")}
    none = features(TEXT, read((0.5, 0.2, 0.3)), ())
    assert [none[place[name]] for name in place] == [0.0, 1.0, 0.0]
    some = features(
        TEXT,
        read((0.5, 0.2, 0.3)),
        [number(one) for one in (NumberAgreement.AGREES, NumberAgreement.DIFFERS, NumberAgreement.DIFFERS)],
    )
    assert [some[place[name]] for name in place] == [1.0, pytest.approx(1 / 3), pytest.approx(2 / 3)]


def test_what_ships_flags_less_than_it_leaves_and_says_how_often_it_is_right() -> None:
    model = shipped()
    assert model.supported.weights.shape == (len(FEATURES),)
    assert model.wrong_below < 0.5 < model.supported_from
    told = how_often_right()
    assert f"{model.right_flagged} in 100 right sentences are flagged" in told
    assert f"{model.wrong_found} in 100 wrong ones are found" in told
