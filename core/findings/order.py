"""In which order a reviewer reads the sentences of a paper that come nearest to a hypothesis.

A small regression tells how likely each is one that decides, fitted by `python -m core.training.fit_verdicts` to the deciding
sentences of papers that the reader was not trained on; docs/findings.md has figures.
"""

from __future__ import annotations

import re

import numpy as np

from core.entailment import Direction, Entailment
from core.entailment.nearest import share, stems
from core.entailment.regression import Features, Regression, log_odds
from core.findings.reading import RESULT, Reading

PARTS = ("abstract", "results", "table", "discussion", "caption", "introduction", "methods", "other")
OF_SENTENCE = (
    "about", "placed", "to the most about", "cosine", "to the nearest", "shared", "to the most shared", "result", "claim told",
    "to the most told", "certain", "words", "tested", "number", "neighbour", "place", *PARTS,
)  # fmt: skip
_TESTED, _NUMBER = re.compile(r"\bp\s*[<=>]|\bCI\b", re.IGNORECASE), re.compile(r"\d")
_FAR = log_odds(0.0)  # of a neighbour that was not read


def to_be_read(reading: Reading, model: Regression) -> list[int]:
    """Rows of the reading in the order in which they should be read."""
    worth = [model.probability(row) for row in of_sentences(reading)]
    return [int(row) for row in np.argsort(-np.round(worth, 6), kind="stable")]


def of_sentences(reading: Reading) -> Features:
    """What tells whether a sentence decides. Shape: (len(reading.sentences), len(OF_SENTENCE))."""
    texts, asked = [one.text for one in reading.sentences], stems(reading.hypothesis)
    places = np.array([one.index for one in reading.sentences])
    about = np.array([log_odds(one) for one in 1 - reading.directions[:, Direction.NOT_ON_THIS]])
    told = np.array([log_odds(one) for one in 1 - reading.support[:, Entailment.NOT_THERE]])
    shared = np.array([share(asked, stems(text)) for text in texts])
    directions = reading.directions[:, Direction.UP :]
    beside = dict(zip(places.tolist(), about.tolist(), strict=True))
    columns = [
        about,
        [log_odds(one) for one in reading.about],
        about - about.max(),
        reading.cosines,
        reading.cosines - reading.cosines.max(),
        shared,
        shared - shared.max(),
        [bool(RESULT.search(text)) for text in texts],
        told,
        told - told.max(),
        (directions / directions.sum(axis=1, keepdims=True)).max(axis=1),
        [np.log1p(len(text.split())) for text in texts],
        [bool(_TESTED.search(text)) for text in texts],
        [bool(_NUMBER.search(text)) for text in texts],
        [max(beside.get(at - 1, _FAR), beside.get(at + 1, _FAR)) for at in places.tolist()],
        places / max(1, places.max()),
        *([part == name for part in reading.parts] for name in PARTS),
    ]
    return np.array(columns, dtype=np.float64).T
