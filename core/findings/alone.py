"""Sentences read by themselves, for findings and Ask: whether each is on a question, and which way its result goes.

What stands around a sentence helps to tell whether a paper reports on a question, and hurts where it is told which way a
result goes; and of the ways to put a question, the reader knows one template best. Three readings say which way: the
network's, the network's of the question with its arms exchanged, and that of the words (`core.findings.wording`), which know the
arms by their marks. docs/reader.md has figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.entailment import Direction, InContext, Reader
from core.findings.question_parts import QuestionParts
from core.findings.wording import Parts, shares_of

_EXCHANGED = [Direction.NOT_ON_THIS, Direction.DOWN, Direction.UP, Direction.SAME]
_LEAST = 0.01  # of a share: no reading alone can rule a direction out


@dataclass(frozen=True, slots=True)
class ReadAlone:
    """What is made of each sentence. Rows are the sentences, in the order in which they were given."""

    about: NDArray[np.float64]  # (n,): the probability that it is a result on the question
    told: NDArray[np.float64]  # (n, 3): up, down, same, as all readings have it: shares that add up to 1


def read_alone(parts: QuestionParts, sentences: Sequence[str], reader: Reader) -> ReadAlone:
    """Read each sentence without its surroundings, beside a question's parts in the template.

    Where both arms are known, it is read a second time with them exchanged, and what is up is down.
    """
    alone = [InContext(text) for text in sentences]
    read = reader.directions(parts.template, alone)
    told = [_shares(read), shares_of(Parts.of(parts), sentences)]
    if parts.comparator:
        told.append(_shares(reader.directions(parts.exchanged.template, alone)[:, _EXCHANGED]))
    return ReadAlone(1 - read[:, Direction.NOT_ON_THIS], joined(*told))


def _shares(read: NDArray[np.float64]) -> NDArray[np.float64]:
    """Up, down and same among themselves: (n, 4) -> (n, 3)."""
    told = read[:, Direction.UP :]
    shares: NDArray[np.float64] = told / told.sum(axis=1, keepdims=True)
    return shares


def joined(*readings: NDArray[np.float64]) -> NDArray[np.float64]:
    """The geometric mean of several readings' shares, (n, 3) each: shares again."""
    together = np.exp(np.mean([np.log(np.maximum(one, _LEAST)) for one in readings], axis=0))
    shares: NDArray[np.float64] = together / together.sum(axis=1, keepdims=True)
    return shares
