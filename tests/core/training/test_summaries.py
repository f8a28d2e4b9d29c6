"""From which probability on a plain sentence is said to contradict, by sentences made for the purpose."""

from __future__ import annotations

import numpy as np

from core.entailment.regression import log_odds
from core.summary.score import FEATURES
from core.training.summaries import LabelledSentence, SentenceKind, sure_contradiction


def right(contradicted: float) -> LabelledSentence:
    features = np.zeros(len(FEATURES))
    features[FEATURES.index("best contradicted")] = log_odds(contradicted)
    return LabelledSentence("P", True, None, 2.0, features, SentenceKind.PLAIN)


def test_one_right_sentence_in_a_hundred_may_read_as_contradicted() -> None:
    sentences = [right(0.97), right(0.8), *[right(0.1)] * 98]
    assert sure_contradiction(sentences) == 0.81
    assert sure_contradiction(sentences[1:]) == 0.81  # one of 99 is too many
    assert sure_contradiction([right(0.1)] * 5) == 0.5
    assert sure_contradiction([right(0.99)] * 5) == 1.0
