"""The direction that a hypothesis claims for its outcome, for findings and claims: the reader and a word model, half each.

The word model is two regressions. Their features are n-grams in which the arms and the outcome are marked, and pairs of a
word and a word of the outcome, because “improves” means more of a function but less of a pain. `python -m core.training
wording` fits them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.entailment import Direction, Reader
from core.findings.alone import joined
from core.findings.question_parts import parts_of
from core.findings.wording import PartStarts, Terms, WordRegression, Words, runs

MODEL = Path(__file__).parent / "claimed.json"
_LONGEST_RUN = 3  # words

Shares = NDArray[np.float64]


def claimed_direction(hypothesis: str, reader: Reader) -> Shares:
    """Probabilities by `Direction`, (4,); the first is always 0."""
    read = reader.claimed(hypothesis)[None, Direction.UP :]
    return np.array([0.0, *joined(read, by_words(hypothesis)[None])[0]])


def by_words(hypothesis: str) -> Shares:
    """The word model's shares of up, down and no difference, (3,); they add up to 1."""
    same, up = _shipped()
    terms = terms_of(hypothesis)
    no_difference, more = same.probability(terms), up.probability(terms)
    return np.array([(1 - no_difference) * more, (1 - no_difference) * (1 - more), no_difference])


def terms_of(hypothesis: str) -> Terms:
    """The features of a hypothesis for the regressions."""
    parts = PartStarts.of(parts_of(hypothesis))
    marked = Words.of(parts, hypothesis).marked
    plain = [word for word in marked if not word.startswith("_")]
    return dict.fromkeys(
        (
            *(f"r {run}" for run in runs(marked, _LONGEST_RUN)),
            *(f"o {word}" for word in parts.outcome),
            *(f"x {word} {of_outcome}" for word in plain for of_outcome in parts.outcome),
        ),
        1.0,
    )


@cache
def _shipped() -> tuple[WordRegression, WordRegression]:
    """The regressions for "no difference" and, if there is one, for "more of the outcome"; loaded once per process."""
    found = json.loads(MODEL.read_text(encoding="utf-8"))
    return WordRegression.from_json(found["same"]), WordRegression.from_json(found["up"])
