"""How what was read becomes a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.entailment.regression import Regression
from core.evidence.model import Stance
from core.findings.alone import ReadAlone
from core.findings.verdict import (
    OF_REPORTED,
    OF_SENTENCE,
    SentenceReadings,
    VerdictModel,
    of_alone,
    of_reported,
    of_sentences,
    reading_order,
    shipped,
    stances,
    strongest,
    weigh,
    weights_of,
)
from core.grounding.model import PaperVerdict
from core.paper import Kind, Sentence

CLAIMS_LESS = (0.0, 0.0, 1.0, 0.0)


def reading_of(
    *rows: tuple[float, Sequence[float]], claimed: Sequence[float] = CLAIMS_LESS, alone: ReadAlone | None = None
) -> SentenceReadings:
    """A reading of sentences, each with how likely it is about the question, and its three directions.

    Each supports or contradicts the hypothesis as typed as surely as its direction does.
    """
    about = np.array([row[0] for row in rows])
    told = np.array([row[1] for row in rows])
    as_claimed, count = told @ np.array(claimed[1:]), len(rows)
    return SentenceReadings(
        "Naps reduce stings",
        tuple(Sentence(n, f"Stings, sentence {n}.", 0, 0, Kind.BODY, 0, None) for n in range(count)),
        ("results",) * count,
        about,
        np.ones(count),
        np.column_stack([1 - about, told * about[:, None]]),
        alone or ReadAlone(about, told),
        np.column_stack([0.7 * as_claimed, 0.7 * (1 - as_claimed), np.full(count, 0.3)]),
        np.full(count, 0.5),
        np.full(count, 0.9),
        np.array(claimed),
        title=0.5,
        named=0.5,
        named_best=0.5,
    )


def only(names: Sequence[str], name: str, *, times: float = 1.0) -> Regression:
    """A regression that looks at one feature alone."""
    weights = np.array([times if one == name else 0.0 for one in names])
    return Regression(np.zeros(len(names)), np.ones(len(names)), weights, 0.0)


MODEL = VerdictModel(only(OF_REPORTED, "first"), only(OF_SENTENCE, "alone"), firm=0.8, not_reported=0.2)
LESS, MORE, NONE = (0.02, 0.96, 0.02), (0.96, 0.02, 0.02), (0.02, 0.02, 0.96)


@pytest.mark.parametrize(
    ("told", "verdict", "sure"),
    [
        (LESS, PaperVerdict.SUPPORTS, 0.96),
        (MORE, PaperVerdict.REFUTES, 0.98),
        (NONE, PaperVerdict.REFUTES, 0.98),
    ],
)
def test_a_sure_result_decides(told: Sequence[float], verdict: PaperVerdict, sure: float) -> None:
    weighed = weigh(reading_of((0.97, told)), MODEL)
    assert weighed.verdict is verdict
    assert weighed.probability == pytest.approx(0.97 * sure, abs=0.001)


def test_a_sentence_that_contradicts_the_hypothesis_as_typed_makes_the_verdict_less_sure() -> None:
    reading = reading_of((0.97, LESS))
    against = replace(reading, support=reading.support[:, [1, 0, 2]])
    # 0.3 of the weight goes from 0.96 to 0.04
    assert weigh(against, MODEL).supports == pytest.approx(weigh(reading, MODEL).supports - 0.3 * 0.92, abs=0.001)
    assert weigh(against, MODEL).verdict is PaperVerdict.UNCLEAR


def test_what_is_hardly_about_the_question_is_not_reported() -> None:
    weighed = weigh(reading_of((0.05, LESS)), MODEL)
    assert weighed.verdict is PaperVerdict.NOT_REPORTED
    assert weighed.probability == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize("rows", [[(0.6, LESS)], [(0.97, (0.45, 0.5, 0.05))]])
def test_what_is_not_sure_enough_is_unclear(rows: list[tuple[float, Sequence[float]]]) -> None:
    weighed = weigh(reading_of(*rows), MODEL)
    assert weighed.verdict is PaperVerdict.UNCLEAR
    assert weighed.probability is None


def test_no_verdict_without_a_sentence_that_says_so() -> None:
    """The features alone may be sure: a reviewer is shown a sentence, so that there must be one."""
    sure = VerdictModel(Regression(*(np.ones(len(OF_REPORTED)),) * 3, 99.0), MODEL.order, firm=0.8, not_reported=0.0)
    assert weigh(reading_of((0.3, LESS)), sure).verdict is PaperVerdict.UNCLEAR
    assert weigh(reading_of((0.6, LESS)), sure).verdict is PaperVerdict.SUPPORTS


def test_no_firm_verdict_on_a_result_that_does_not_name_the_outcome() -> None:
    reading = reading_of((0.97, LESS))
    assert weigh(reading, MODEL).verdict is PaperVerdict.SUPPORTS
    assert weigh(replace(reading, hypothesis="Naps reduce errors"), MODEL).verdict is PaperVerdict.UNCLEAR


def test_sentences_are_shown_in_the_order_that_was_learned() -> None:
    reading = reading_of((0.9, LESS), (0.8, NONE), (0.3, LESS))
    rows = of_sentences(reading)
    assert rows.shape == (3, len(OF_SENTENCE))
    assert rows[:, OF_SENTENCE.index("to the most about")].max() == 0.0
    by_words = np.argsort(-rows[:, OF_SENTENCE.index("shared")], kind="stable")
    assert reading_order(reading, only(OF_SENTENCE, "shared")) == by_words.tolist()
    assert reading_order(reading, only(OF_SENTENCE, "about")) == [0, 1, 2]


def test_how_each_sentence_bears_on_the_hypothesis() -> None:
    found = stances(reading_of((0.9, LESS), (0.8, NONE), (0.3, LESS)))
    assert found == (Stance.SUPPORTS, Stance.REFUTES, Stance.NEUTRAL)
    claims_none = reading_of((0.9, LESS), (0.8, NONE), claimed=(0.0, 0.0, 0.0, 1.0))
    assert stances(claims_none) == (Stance.REFUTES, Stance.SUPPORTS)


def test_a_sentence_goes_the_way_that_it_reads_alone() -> None:
    """What stands around a sentence tells whether it is on the question, and not which way it goes."""
    alone = ReadAlone(np.array([0.9, 0.2]), np.array([MORE, LESS]))
    reading = reading_of((0.9, LESS), (0.8, LESS), (0.7, LESS), alone=alone)
    assert stances(reading) == (Stance.REFUTES, Stance.SUPPORTS, Stance.SUPPORTS), "the third was not read alone"
    told = of_alone(reading, weights_of(reading, only(OF_SENTENCE, "alone", times=2.0)))
    assert (told.row, told.best) == (0, pytest.approx(MORE))
    assert told.together == pytest.approx(MORE, abs=0.02), "what likely decides counts far more"


def test_features_have_the_names_that_the_model_was_fitted_with() -> None:
    reading = reading_of((0.9, LESS))
    model = shipped()
    assert of_reported(reading).shape == (len(OF_REPORTED),) == model.reported.weights.shape
    assert model.firm > 0.5 > model.not_reported


def test_a_sentence_against_the_verdict_must_be_sure_and_name_the_outcome() -> None:
    unsure = (0.45, 0.5, 0.05)
    reading = reading_of((0.9, LESS), (0.9, unsure), (0.7, MORE), (0.95, MORE), (0.9, LESS))
    elsewhere = [replace(one, text="Nobody fell.") if one.index in (0, 3) else one for one in reading.sentences]
    rows = range(5)
    assert strongest(reading, rows, Stance.REFUTES, MODEL, against_verdict=True) == 3, "1 and 2 are not sure enough"
    reading = replace(reading, sentences=tuple(elsewhere))
    assert strongest(reading, rows, Stance.REFUTES, MODEL, against_verdict=True) is None, "3 is about something else"
    assert strongest(reading, rows, Stance.SUPPORTS, MODEL, against_verdict=False) == 4, (
        "4 names the outcome, 0 does not"
    )
    assert strongest(reading, [0], Stance.SUPPORTS, MODEL, against_verdict=False) == 0
    assert strongest(reading, rows, Stance.NEUTRAL, MODEL, against_verdict=False) is None
