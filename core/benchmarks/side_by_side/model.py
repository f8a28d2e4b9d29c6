"""The data of a comparison: engines side by side, and the topics that each was asked about.

Evidence has one topic, the hypothesis. Risk of bias has one topic per domain, and a plain summary one per sentence; for
these, an engine also gives a label.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.benchmarks.gold import Gold
from core.engines import TaskKind

LETTERS = "ABCD"  # the engines' letters, in the order in which the engines were chosen
MOST_ENGINES = len(LETTERS)


@dataclass(frozen=True, slots=True)
class TopicAnswer:
    """An engine's answer on one topic."""

    sentences: tuple[int, ...]  # indices into the paper's sentences, best first
    label: str | None = None  # None: not asked for, or the engine could not tell


@dataclass(frozen=True, slots=True)
class ComparedTopic:
    """A topic that the engines were asked about, and the gold if known."""

    title: str
    gold: Gold | None = None  # of sentences
    gold_label: str | None = None
    author: str = ""  # the model that wrote the sentence, if one did


@dataclass(frozen=True, slots=True)
class Side:
    """One engine and its answers."""

    letter: str
    engine: str
    given: tuple[TopicAnswer | None, ...] = ()  # by topic; None: it failed on this one
    seconds: float = 0.0
    cost_usd: float | None = 0.0  # None: unknown
    error: str | None = None  # why it failed as a whole, or on one of its topics
    again: tuple[tuple[TopicAnswer | None, ...], ...] = ()  # answers to repetitions, each with another seed


@dataclass(frozen=True, slots=True)
class Comparison:
    """The engines' answers to the same questions on the same paper."""

    task: TaskKind
    question: str  # the hypothesis, the tool's name or the summary
    topics: tuple[ComparedTopic, ...]
    sides: tuple[Side, ...]
    scale: tuple[str, ...] = ()  # the possible labels
    pool: frozenset[int] = frozenset()  # the sentences that could be chosen
    notes: tuple[str, ...] = ()  # problems on the way, in words

    @property
    def answered(self) -> tuple[Side, ...]:
        """The engines that answered on at least one topic."""
        return tuple(side for side in self.sides if any(side.given))

    def on(self, topic: int) -> tuple[tuple[Side, TopicAnswer], ...]:
        """The engines that did not fail on a topic, with their answers."""
        return tuple((side, given) for side in self.answered if (given := side.given[topic]) is not None)

    def labels(self, topic: int) -> tuple[str | None, ...]:
        """The label of every engine in `answered` on a topic; None: it could not tell, or failed on it."""
        given = [side.given[topic] for side in self.answered]
        return tuple(one.label if one else None for one in given)
