"""The figures of a comparison: each engine's results and cost, and the agreement of each pair."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from core.benchmarks.gold import aspect_recall
from core.benchmarks.side_by_side.model import Comparison, Side
from core.bias.agreement import Agreement, agreement
from core.summary.model import Label

# ---- authors ----


@dataclass(frozen=True, slots=True)
class AuthorFigures:
    """An engine's labels for the sentences that one model wrote."""

    author: str
    side: Side
    supported: int
    of: int  # sentences that it could label

    @property
    def own(self) -> bool:
        """Whether the engine checks its own text."""
        return self.side.engine.rpartition("@")[0] == self.author


def author_figures(comparison: Comparison) -> tuple[AuthorFigures, ...]:
    """The figures by author and engine, which show whether a model prefers its own text; empty if no model wrote any."""
    found = []
    for author in dict.fromkeys(topic.author for topic in comparison.topics if topic.author):
        places = [place for place, topic in enumerate(comparison.topics) if topic.author == author]
        for side in comparison.answered:
            labels = [given.label for place in places if (given := side.given[place]) is not None and given.label]
            found.append(AuthorFigures(author, side, labels.count(Label.SUPPORTED), len(labels)))
    return tuple(found)


# ---- agreement ----
# The agreement of engines on sentences and on labels, and with themselves if asked again.

DEPTHS = (1, 3, 5, 10)


@dataclass(frozen=True, slots=True)
class SelectionAgreement:
    """Two engines' selections on the same topics, from the same pool of sentences."""

    shared: int  # sentences, over all topics
    jaccard: float | None  # shared over all that either chose, averaged over the topics on which either chose any
    overlap: Mapping[
        int, float
    ]  # depth k -> share of the first k that both have, averaged over topics on which both chose at least k
    kappa: float | None  # Cohen 1960, chosen or not, over the pool of every topic; None if undefined
    ac1: float | None  # Gwet 2008: stays meaningful if most sentences are chosen by no engine


def selection_agreement(
    topics: Sequence[tuple[Sequence[int], Sequence[int]]], pool: Collection[int]
) -> SelectionAgreement:
    """The agreement of two engines. `topics` has both selections per topic, best first; `pool` has all candidates."""
    sets = [(frozenset(one), frozenset(other)) for one, other in topics]
    on_pool = agreement([(i in one, i in other) for one, other in sets for i in pool], (False, True))
    shares = {
        depth: [
            len(frozenset(one[:depth]) & frozenset(other[:depth])) / depth
            for one, other in topics
            if depth <= min(len(one), len(other))
        ]
        for depth in DEPTHS
    }
    return SelectionAgreement(
        shared=sum(len(one & other) for one, other in sets),
        jaccard=_mean([jaccard(one, other) for one, other in sets]),
        overlap={depth: fmean(found) for depth, found in shares.items() if found},
        kappa=on_pool.kappa.value,
        ac1=on_pool.ac1.value,
    )


def jaccard(one: frozenset[int], other: frozenset[int]) -> float | None:
    """The intersection divided by the union, 0 to 1; None if both sets are empty."""
    return len(one & other) / len(one | other) if one | other else None


def label_agreement(
    one: Sequence[Hashable | None], other: Sequence[Hashable | None], scale: Sequence[Hashable]
) -> Agreement:
    """The agreement on labels, topic by topic; None: the engine gave none. See `core.bias.agreement`."""
    return agreement(list(zip(one, other, strict=True)), tuple(scale))


@dataclass(frozen=True, slots=True)
class Stability:
    """How stable one engine's answers to the same question are."""

    times: int
    jaccard: float | None  # the mean over all pairs of answers of which at least one has a sentence
    always: tuple[int, ...]  # chosen every time, ascending
    sometimes: tuple[int, ...]  # chosen at least once, but not every time


def stability(selections: Sequence[Collection[int]]) -> Stability:
    """How much of an answer stays when it is given again. At least two answers are needed for any figure."""
    sets = [frozenset(chosen) for chosen in selections]
    union = frozenset[int]().union(*sets)
    always = sets[0].intersection(*sets[1:]) if sets else frozenset[int]()
    return Stability(
        times=len(sets),
        jaccard=_mean([jaccard(one, other) for one, other in combinations(sets, 2)]),
        always=tuple(sorted(always)),
        sometimes=tuple(sorted(union - always)),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    """The mean of the values that are defined; None if none is."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


# ---- figures ----
# The figures of a comparison: each engine's results, and the agreement of each pair.


@dataclass(frozen=True, slots=True)
class EngineFigures:
    """The figures of one engine; None if undefined."""

    side: Side
    sentences: int  # chosen, over all topics
    alone: int  # of these, chosen by no other engine on the same topic
    recall: float | None  # aspect recall of its first answer, averaged over topics with gold
    right: int | None  # labels equal to the gold label
    labelled: int  # topics with a gold label, the denominator of `right`
    stability: tuple[Stability, ...]  # by topic, where the engine was asked again


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Two engines on the topics that both answered."""

    one: Side
    other: Side
    topics: int
    selections: SelectionAgreement
    labels: Agreement | None  # None if the comparison has no labels


def engine_figures(comparison: Comparison) -> tuple[EngineFigures, ...]:
    """Every engine's figures, including those that failed."""
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
    return tuple(stability([given.sentences for given in each if given]) for each in answers)


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
