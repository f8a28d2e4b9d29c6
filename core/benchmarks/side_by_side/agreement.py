"""How far engines agree: on the sentences they chose, on the labels they gave, and with themselves when asked again."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from core.bias.agreement import Agreement, agreement

DEPTHS = (1, 3, 5, 10)


@dataclass(frozen=True, slots=True)
class SelectionAgreement:
    """Two engines' selections on the same topics, from the same pool of sentences."""

    shared: int  # sentences, all topics together
    jaccard: float | None  # shared over all that either chose, the mean of the topics on which one chose any
    overlap: Mapping[
        int, float
    ]  # depth k -> share of the first k that both have, the mean of the topics they reach it on
    kappa: float | None  # Cohen 1960, chosen or not, over the pool of every topic; None where it is not defined
    ac1: float | None  # Gwet 2008: stays meaningful where most sentences are chosen by nobody


def selection_agreement(
    topics: Sequence[tuple[Sequence[int], Sequence[int]]], pool: Collection[int]
) -> SelectionAgreement:
    """The agreement of two engines; both selections of each topic, best first. `pool` holds all that may be chosen."""
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
    """Shared over all, 0 to 1; None where both are empty."""
    return len(one & other) / len(one | other) if one | other else None


def label_agreement(
    one: Sequence[Hashable | None], other: Sequence[Hashable | None], scale: Sequence[Hashable]
) -> Agreement:
    """The agreement on labels, topic by topic; None: the engine gave none. See `core.bias.agreement`."""
    return agreement(list(zip(one, other, strict=True)), tuple(scale))


@dataclass(frozen=True, slots=True)
class Stability:
    """One engine's answers to the same question, asked several times."""

    times: int
    jaccard: float | None  # the mean over all pairs of answers in which one chose any sentence
    always: tuple[int, ...]  # chosen every time, ascending
    sometimes: tuple[int, ...]  # chosen at least once, but not every time
    same_label: float | None = None  # the share of pairs with the same label; None without labels


def stability(selections: Sequence[Collection[int]], labels: Sequence[Hashable | None] = ()) -> Stability:
    """How much of an answer stays when it is given again. At least two answers are needed for any figure."""
    sets = [frozenset(chosen) for chosen in selections]
    union = frozenset[int]().union(*sets)
    always = sets[0].intersection(*sets[1:]) if sets else frozenset[int]()
    pairs = [one == other for one, other in combinations(labels, 2)]
    return Stability(
        times=len(sets),
        jaccard=_mean([jaccard(one, other) for one, other in combinations(sets, 2)]),
        always=tuple(sorted(always)),
        sometimes=tuple(sorted(union - always)),
        same_label=fmean(pairs) if pairs else None,
    )


def _mean(values: Sequence[float | None]) -> float | None:
    """Of those that are defined."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
