"""Read sentences without context, for findings and Ask: whether each is on the question, and the direction of its result.

Context helps to decide whether a paper reports on a question, but makes the direction of a result less accurate. The reader
works best with one template for questions. The direction combines three readings: the network's, the network's for the
question with its arms exchanged, and that of the words (`core.findings.wording`), in which the arms are marked.
docs/reader.md has figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.entailment import Direction, InContext, Reader
from core.findings.question_parts import QuestionParts
from core.findings.wording import PartStarts, shares_of

_EXCHANGED = [Direction.NOT_ON_THIS, Direction.DOWN, Direction.UP, Direction.SAME]
_LEAST = 0.01  # smallest share, so that no single reading can rule out a direction


@dataclass(frozen=True, slots=True)
class ReadAlone:
    """The readings of sentences without context. There is one row per sentence, in the given order."""

    about: NDArray[np.float64]  # (n,): the probability that it is a result on the question
    told: NDArray[np.float64]  # (n, 3): up, down, same, combined from all readings; each row adds up to 1


def read_alone(parts: QuestionParts, sentences: Sequence[str], reader: Reader) -> ReadAlone:
    """Read each sentence without context, against the question's parts in the template.

    If the comparator is known, read each again with the arms exchanged, and swap up and down in that reading.
    """
    alone = [InContext(text) for text in sentences]
    read = reader.directions(parts.template, alone)
    told = [_shares(read), shares_of(PartStarts.of(parts), sentences)]
    if parts.comparator:
        told.append(_shares(reader.directions(parts.exchanged.template, alone)[:, _EXCHANGED]))
    return ReadAlone(1 - read[:, Direction.NOT_ON_THIS], joined(*told))


def _shares(read: NDArray[np.float64]) -> NDArray[np.float64]:
    """The shares of up, down and same, without "not on this": (n, 4) -> (n, 3)."""
    told = read[:, Direction.UP :]
    shares: NDArray[np.float64] = told / told.sum(axis=1, keepdims=True)
    return shares


def joined(*readings: NDArray[np.float64]) -> NDArray[np.float64]:
    """The normalised geometric mean of several readings' shares, (n, 3) each."""
    together = np.exp(np.mean([np.log(np.maximum(one, _LEAST)) for one in readings], axis=0))
    shares: NDArray[np.float64] = together / together.sum(axis=1, keepdims=True)
    return shares
