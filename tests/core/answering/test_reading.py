"""Which way a paper's sentences go, and what ships for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from core.answering.reading import ALONE, MODEL, OF_SENTENCE, OwnSentences, ReadSentence, shipped
from core.entailment import InContext, Reader
from core.entailment.reader import Probabilities
from core.entailment.regression import Regression

QUESTION = "magnesium citrate compared with placebo: nocturnal cramps"


class Alone(Reader):
    """Reads by what it is told, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[InContext] = []

    def directions(self, question: str, sentences: Sequence[InContext]) -> Probabilities:
        self.asked += sentences
        return np.array([[0.4, 0.1, 0.4, 0.1] if "fell" in one.text else [0.1, 0.7, 0.1, 0.1] for one in sentences])


def test_the_sentence_that_holds_the_answer_counts_most() -> None:
    sentences = [
        ReadSentence(3, "Serum magnesium rose.", 0.9, (0.8, 0.1, 0.1), "results"),
        ReadSentence(9, "Nocturnal cramps fell.", 0.6, (0.8, 0.1, 0.1), "abstract"),
    ]
    size, reader = len(OF_SENTENCE), Alone()
    own = OwnSentences.of(QUESTION, sentences, reader)
    assert own.features.shape == (2, size)
    assert own.features[:, OF_SENTENCE.index("shared outcome")].tolist() == [0.0, 1.0]
    assert own.features[:, OF_SENTENCE.index("abstract")].tolist() == [0.0, 1.0]
    weights = np.where(np.array(OF_SENTENCE) == "shared outcome", 20.0, 0.0)
    found = own.parts(Regression(np.zeros(size), np.ones(size), weights, -10.0)).sum(axis=0)
    # Weights of nearly 0 and 1: the second sentence's shares, read by itself: down.
    assert found == pytest.approx(own.told[1], abs=0.01)
    assert int(found.argmax()) == 1
    assert [one.title + one.part + one.before for one in reader.asked] == [""] * 4, "nothing stands around it"


def test_only_the_first_sentences_are_read_by_themselves() -> None:
    sentences = [ReadSentence(n, f"Cramps fell {n}.", 0.5, (0.1, 0.8, 0.1), "results") for n in range(ALONE + 5)]
    reader = Alone()
    told = OwnSentences.of(QUESTION, sentences, reader).told
    assert len(told) == ALONE
    assert len(reader.asked) == 2 * ALONE, "once more with the arms exchanged"


def test_what_ships_is_small_and_fits_the_features() -> None:
    model = shipped()
    assert MODEL.stat().st_size < 20_000
    assert len(model.sentence.weights) == len(OF_SENTENCE)
