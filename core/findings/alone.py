"""Sentences read by themselves, for findings and Ask: whether each is on a question, and which way its result goes.

What stands around a sentence helps to tell whether a paper reports on a question, and hurts where it is told which way a result
goes; and of the ways to put a question, the reader knows one template best. Two readers say which way: the network, and the
words (`core.findings.wording`), which know the arms by their marks. docs/reader.md has figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.entailment import Direction, InContext, Reader
from core.findings.question_parts import QuestionParts
from core.findings.wording import Parts, shares_of

_LEAST = 0.01  # of a share: neither reader alone can rule a direction out


@dataclass(frozen=True, slots=True)
class ReadAlone:
    """What is made of each sentence. Rows are the sentences, in the order in which they were given."""

    about: NDArray[np.float64]  # (n,): the probability that it is a result on the question
    told: NDArray[np.float64]  # (n, 3): up, down, same, as both readers have it: shares that add up to 1


def read_alone(parts: QuestionParts, sentences: Sequence[str], reader: Reader) -> ReadAlone:
    """Read each sentence without its surroundings, beside a question's parts in the template."""
    read = reader.directions(parts.template, [InContext(text) for text in sentences])
    by_reader = read[:, Direction.UP :] / read[:, Direction.UP :].sum(axis=1, keepdims=True)
    return ReadAlone(1 - read[:, Direction.NOT_ON_THIS], joined(by_reader, shares_of(Parts.of(parts), sentences)))


def joined(by_reader: NDArray[np.float64], by_words: NDArray[np.float64]) -> NDArray[np.float64]:
    """The geometric mean of both readers' shares, (n, 3), shares again."""
    both: NDArray[np.float64] = np.sqrt(np.maximum(by_reader, _LEAST) * np.maximum(by_words, _LEAST))
    shares: NDArray[np.float64] = both / both.sum(axis=1, keepdims=True)
    return shares
