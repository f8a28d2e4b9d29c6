"""The figures of a comparison: what each engine found, took and cost, and how far any two agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from core.benchmarks.aspect_recall import aspect_recall
from core.benchmarks.side_by_side.agreement import (
    SelectionAgreement,
    Stability,
    label_agreement,
    selection_agreement,
    stability,
)
from core.benchmarks.side_by_side.model import Comparison, Side
from core.bias.agreement import Agreement


@dataclass(frozen=True, slots=True)
class EngineFigures:
    """One engine. What is not defined is None."""

    side: Side
    sentences: int  # chosen, all topics together
    alone: int  # of these, chosen by no other engine on the same topic
    recall: float | None  # aspect recall of its first answer, the mean over topics with gold
    right: int | None  # labels like the gold's
    labelled: int  # topics with a gold label: what `right` is out of
    stability: tuple[Stability, ...]  # by topic, where the engine was asked again


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Two engines on the topics that both answered."""

    one: Side
    other: Side
    topics: int
    selections: SelectionAgreement
    labels: Agreement | None  # None where none are given


def engine_figures(comparison: Comparison) -> tuple[EngineFigures, ...]:
    """Every engine's figures, those that failed too."""
    return tuple(_engine(side, comparison) for side in comparison.sides)


def pair_figures(comparison: Comparison) -> tuple[PairFigures, ...]:
    """Every pair of engines that answered."""
    return tuple(_pair(one, other, comparison) for one, other in combinations(comparison.answered, 2))


def _engine(side: Side, comparison: Comparison) -> EngineFigures:
    recalls, sentences, alone, right, labelled = [], 0, 0, 0, 0
    for place, topic in enumerate(comparison.topics):
        given = side.given[place] if side.given else None
        chosen = frozenset(given.sentences) if given else frozenset[int]()
        others = [other.sentences for one, other in comparison.on(place) if one is not side]
        sentences += len(chosen)
        alone += len(chosen.difference(*others))
        if topic.gold is not None and topic.gold.aspects:
            recalls.append(aspect_recall(chosen, topic.gold.aspects))
        if topic.gold_label is not None:
            labelled += 1
            right += given is not None and given.label == topic.gold_label
    return EngineFigures(
        side,
        sentences,
        alone,
        sum(recalls) / len(recalls) if recalls else None,
        right if labelled else None,
        labelled,
        _stability(side, len(comparison.topics)),
    )


def _stability(side: Side, topics: int) -> tuple[Stability, ...]:
    if not side.again:
        return ()
    answers = [[times[place] for times in (side.given, *side.again)] for place in range(topics)]
    return tuple(
        stability([given.sentences for given in each if given], [given.label for given in each if given])
        for each in answers
    )


def _pair(one: Side, other: Side, comparison: Comparison) -> PairFigures:
    both = [(a, b) for a, b in zip(one.given, other.given, strict=True) if a is not None and b is not None]
    return PairFigures(
        one,
        other,
        len(both),
        selection_agreement([(a.sentences, b.sentences) for a, b in both], comparison.pool),
        _labels([a.label for a, _ in both], [b.label for _, b in both], comparison.scale),
    )


def _labels(one: Sequence[str | None], other: Sequence[str | None], scale: Sequence[str]) -> Agreement | None:
    return label_agreement(one, other, scale) if scale else None
