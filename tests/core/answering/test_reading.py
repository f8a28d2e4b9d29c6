"""Which way a paper's sentences go, and what ships for it."""

from __future__ import annotations

import numpy as np
import pytest

from core.answering.reading import MODEL, OF_SENTENCE, OwnSentences, ReadSentence, shipped
from core.entailment.regression import Regression

QUESTION = "magnesium citrate compared with placebo: nocturnal cramps"


def test_the_sentence_that_holds_the_answer_counts_most() -> None:
    sentences = [
        ReadSentence(3, "Serum magnesium rose.", 0.9, (0.8, 0.1, 0.1), "results"),
        ReadSentence(9, "Nocturnal cramps fell.", 0.6, (0.1, 0.8, 0.1), "abstract"),
    ]
    size = len(OF_SENTENCE)
    own = OwnSentences.of(QUESTION, sentences)
    assert own.features.shape == (2, size)
    assert own.features[:, OF_SENTENCE.index("shared outcome")].tolist() == [0.0, 1.0]
    assert own.features[:, OF_SENTENCE.index("abstract")].tolist() == [0.0, 1.0]
    weights = np.where(np.array(OF_SENTENCE) == "shared outcome", 20.0, 0.0)
    found = own.directions(Regression(np.zeros(size), np.ones(size), weights, -10.0))
    # Weights of nearly 0 and 1: logarithms of the second sentence's shares, less their mean.
    logs = np.log([0.1, 0.8, 0.1])
    assert found[:3] == pytest.approx(logs - logs.mean(), abs=0.01)


def test_what_ships_is_small_and_fits_the_features() -> None:
    model = shipped()
    assert MODEL.stat().st_size < 20_000
    assert len(model.sentence.weights) == len(OF_SENTENCE)
