"""What a comparison is made of: engines side by side, and the topics that each was asked about.

Evidence has one topic, the hypothesis. Risk of bias has one for each domain, and a plain summary one for each of its
sentences; on these an engine gives a label as well.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.benchmarks.gold import Gold
from core.engines import TaskKind

LETTERS = "ABCD"  # an engine's sign, in the order in which they were chosen
MOST_ENGINES = len(LETTERS)


@dataclass(frozen=True, slots=True)
class TopicAnswer:
    """What an engine gave on one topic."""

    sentences: tuple[int, ...]  # indices into the paper's sentences, best first
    label: str | None = None  # None: not asked for, or the engine could not tell


@dataclass(frozen=True, slots=True)
class ComparedTopic:
    """What the engines were asked, and the gold where it is known."""

    title: str
    gold: Gold | None = None  # of sentences
    gold_label: str | None = None
    author: str = ""  # the model that wrote the sentence, where one did


@dataclass(frozen=True, slots=True)
class Side:
    """One engine. With an `error` it failed as a whole, and gave nothing on any topic."""

    letter: str
    engine: str
    given: tuple[TopicAnswer | None, ...] = ()  # by topic; None: it failed on this one
    seconds: float = 0.0
    cost_usd: float | None = 0.0  # None: unknown
    error: str | None = None  # why it failed, or one of its topics did
    again: tuple[tuple[TopicAnswer | None, ...], ...] = ()  # the same questions once more, each time with another seed


@dataclass(frozen=True, slots=True)
class Comparison:
    """The engines' answers to the same questions on the same paper."""

    task: TaskKind
    question: str  # the hypothesis, the tool's name or the summary
    topics: tuple[ComparedTopic, ...]
    sides: tuple[Side, ...]
    scale: tuple[str, ...] = ()  # the labels there are
    pool: frozenset[int] = frozenset()  # the sentences that could be chosen
    notes: tuple[str, ...] = ()  # what went wrong on the way, for people

    @property
    def answered(self) -> tuple[Side, ...]:
        """The engines that gave something."""
        return tuple(side for side in self.sides if any(side.given))

    def on(self, topic: int) -> tuple[tuple[Side, TopicAnswer], ...]:
        """The engines that did not fail on a topic, with what they gave."""
        return tuple((side, given) for side in self.answered if (given := side.given[topic]) is not None)

    def labels(self, topic: int) -> tuple[str | None, ...]:
        """What every engine that answered says of a topic; None: it could not tell, or failed on it."""
        given = [side.given[topic] for side in self.answered]
        return tuple(one.label if one else None for one in given)
