"""Aspect recall, and what each chosen or unchosen sentence did for it (EvidenceBench, section 2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb

from core.benchmarks.gold import Gold
from core.benchmarks.max_coverage import Cover, best_cover
from core.errors import DatasetError


def covered(selected: Iterable[int], aspects: Mapping[str, frozenset[int]]) -> frozenset[str]:
    """The aspects for which at least one selected sentence is a source of information."""
    chosen = frozenset(selected)
    return frozenset(aspect for aspect, covering in aspects.items() if covering & chosen)


def aspect_recall(selected: Iterable[int], aspects: Mapping[str, frozenset[int]]) -> float:
    """The share, 0 to 1, of all aspects that the selected sentences cover (EvidenceBench, section 2.3).

    An aspect that no sentence of the paper covers counts as missed. Raises `DatasetError` if there is no
    aspect at all: the share is then undefined, not 0.
    """
    if not aspects:
        raise DatasetError("Aspect recall is undefined: the gold holds no study aspect of this kind.")
    return len(covered(selected, aspects)) / len(aspects)


def recall_at(selected: Sequence[int], aspects: Mapping[str, frozenset[int]], k: int) -> float:
    """Aspect recall of at most k sentences; of a selection with more, what k of them drawn at random can expect.

    A model that selects more than k is asked to choose again (EvidenceBench, appendix D.5; RoBBR, figure 16), as our
    engines do. The evaluation code of both benchmarks scores what is still too much by the mean of many draws; this is
    the limit of that mean. Raises `DatasetError` as `aspect_recall` does.
    """
    chosen = frozenset(selected)
    if len(chosen) <= k:
        return aspect_recall(chosen, aspects)
    aspect_recall((), aspects)  # undefined without aspects, for any selection
    draws = comb(len(chosen), k)
    missed = sum(comb(len(chosen - covering), k) / draws for covering in aspects.values())
    return 1 - missed / len(aspects)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A selection beside the gold. Every selected or gold sentence is in exactly one of the four groups.

    hits       selected, and a source of information for at least one aspect
    extras     selected, but a source for none
    misses     not selected, although it covers an aspect that no selected sentence covers: reading it adds something
    spares     not selected, and all its aspects are covered by selected sentences already: nothing was lost

    Indices are ascending.
    """

    hits: tuple[int, ...]
    extras: tuple[int, ...]
    misses: tuple[int, ...]
    spares: tuple[int, ...]
    covered_by: Mapping[str, tuple[int, ...]]  # every aspect -> the hits that cover it; () where it was missed
    recall: float  # aspect recall, 0 to 1
    best: Cover  # the best that the same number of sentences could do
    best_recall: float  # its aspect recall


def compare(selected: Iterable[int], gold: Gold, *, k: int | None = None) -> Comparison:
    """Set a selection beside the gold; `k` is how many sentences were asked for, if not as many as were selected.

    Raises `DatasetError` if the gold holds no aspect.
    """
    chosen = frozenset(selected)
    recall = aspect_recall(chosen, gold.aspects)
    done = covered(chosen, gold.aspects)
    by_sentence = gold.by_sentence
    unchosen = [index for index in by_sentence if index not in chosen]
    best = best_cover(gold.aspects, len(chosen) if k is None else k)
    return Comparison(
        hits=tuple(sorted(chosen & by_sentence.keys())),
        extras=tuple(sorted(chosen - by_sentence.keys())),
        misses=tuple(index for index in unchosen if not done.issuperset(by_sentence[index])),
        spares=tuple(index for index in unchosen if done.issuperset(by_sentence[index])),
        covered_by={aspect: tuple(sorted(covering & chosen)) for aspect, covering in gold.aspects.items()},
        recall=recall,
        best=best,
        best_recall=len(best.aspects) / len(gold.aspects),
    )
