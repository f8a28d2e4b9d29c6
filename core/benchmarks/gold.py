"""Gold evidence, aspect recall (EvidenceBench, section 2.3), and the best recall that k sentences could reach."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from math import comb

from core.errors import DatasetError
from core.paper import Paper

# ---- gold ----
# Gold evidence: which sentences cover which study aspects.


@dataclass(frozen=True, slots=True)
class Gold:
    """The evidence set of one hypothesis (EvidenceBench, section 2.1).

    `aspects` maps each study aspect to the indices, into `paper.sentences`, of the sentences that cover it.
    """

    aspects: Mapping[str, frozenset[int]]
    results: frozenset[str] = frozenset()  # the aspects that are results or analyses (Result-ER, section 2.2)
    labels: Mapping[str, str] | None = None  # an aspect's wording, if the file has one

    @property
    def results_only(self) -> Gold:
        """The gold of Result-ER: without the aspects on background and methods (EvidenceBench, section 2.2)."""
        return replace(
            self, aspects={aspect: self.aspects[aspect] for aspect in self.aspects if aspect in self.results}
        )

    @property
    def by_sentence(self) -> dict[int, tuple[str, ...]]:
        """Each gold sentence's index, ascending, and the aspects that it covers."""
        indices = sorted({index for covering in self.aspects.values() for index in covering})
        return {i: tuple(aspect for aspect, covering in self.aspects.items() if i in covering) for i in indices}

    def label(self, aspect: str) -> str:
        """The aspect's wording, or its id if the file has no wording."""
        return (self.labels or {}).get(aspect, aspect)


@dataclass(frozen=True, slots=True)
class Instance:
    """One task instance: a hypothesis, its paper and its gold."""

    id: str
    hypothesis: str
    paper: Paper
    gold: Gold
    paraphrases: tuple[str, ...] = ()  # the same hypothesis in other words, if the file has any


# ---- max coverage ----
# The best coverage that k sentences can reach: maximum coverage, by branch and bound.
#
# The problem is NP-hard, but evidence sets are small and clustered: every EvidenceBench record takes about a
# millisecond. Only a deliberately hard file can exhaust the search, and its answer is then marked as unproven.

_MAX_WORK = 1_000_000  # masks examined: about half a second


@dataclass(frozen=True, slots=True)
class Cover:
    """Sentences, in ascending order, and the aspects that they cover together.

    `proven` is False if the search was cut off, so that a better choice may exist.
    """

    sentences: tuple[int, ...]
    aspects: frozenset[str]
    proven: bool = True


def best_cover(aspects: Mapping[str, frozenset[int]], k: int, max_work: int = _MAX_WORK) -> Cover:
    """Find at most `k` sentences that cover as many aspects as any `k` sentences can, without redundant ones.

    Raises `ValueError` if `k` is negative.
    """
    if k < 0:
        raise ValueError(f"k is {k}: a number of sentences cannot be negative")
    sentence_of = _sentences_by_aspects(aspects)
    search = _Search(sum(map(bool, aspects.values())), max_work)
    search.extend((), tuple(sentence_of), covered=0, k=k)
    covered = 0
    for mask in search.best:
        covered |= mask
    return Cover(
        tuple(sorted(sentence_of[mask] for mask in search.best)),
        frozenset(name for bit, name in enumerate(aspects) if covered >> bit & 1),
        proven=search.work < max_work,
    )


def optimal(aspects: Mapping[str, frozenset[int]]) -> int:
    """The fewest sentences that cover every aspect that can be covered (EvidenceBench, Table 1).

    If a search is cut off (see `Cover.proven`), the number may be too high.
    """
    coverable = sum(map(bool, aspects.values()))
    sizes = Counter(chain.from_iterable(aspects.values()))  # sentence -> how many aspects it covers
    most = list(accumulate((size for _, size in sizes.most_common()), initial=0))
    for k in range(bisect_left(most, coverable), coverable):
        cover = best_cover(aspects, k)
        if len(cover.aspects) == coverable:
            return k
        if not cover.proven:
            break
    return len(best_cover(aspects, coverable).sentences)


def _sentences_by_aspects(aspects: Mapping[str, frozenset[int]]) -> dict[int, int]:
    """A bit mask of covered aspects -> the first sentence that covers exactly these; most aspects first."""
    masks: dict[int, int] = {}
    for bit, covering in enumerate(aspects.values()):
        for sentence in covering:
            masks[sentence] = masks.get(sentence, 0) | 1 << bit
    by_size = sorted(masks.items(), key=lambda item: (-item[1].bit_count(), item[0]))
    first: dict[int, int] = {}
    for sentence, mask in by_size:
        first.setdefault(mask, sentence)
    return first


class _Search:
    """Depth-first search, most new aspects first: the first answer is the greedy one, and later ones improve on it."""

    def __init__(self, coverable: int, max_work: int) -> None:
        self.coverable = coverable  # no answer can cover more
        self.max_work = max_work
        self.best: tuple[int, ...] = ()
        self.best_size = 0
        self.work = 0

    def extend(self, chosen: tuple[int, ...], masks: Sequence[int], *, covered: int, k: int) -> None:
        """Try every way to add `k` of `masks` to the chosen ones that could still beat the best answer."""
        self.work += len(masks)
        size = covered.bit_count()
        if size > self.best_size:
            self.best, self.best_size = chosen, size
        if k == 0:
            return
        by_gain = {mask & ~covered: mask for mask in reversed(masks)}  # of equal gains, keep the first mask
        gains = sorted(by_gain, key=int.bit_count, reverse=True)
        for i, gain in enumerate(gains):
            # Even if the next k gains did not overlap, they would not be enough.
            bound = size + sum(map(int.bit_count, gains[i : i + k]))
            if min(bound, self.coverable) <= self.best_size or (i and self.work >= self.max_work):
                return
            rest = [by_gain[later] for later in gains[i + 1 :]]
            self.extend((*chosen, by_gain[gain]), rest, covered=covered | gain, k=k - 1)


# ---- aspect recall ----
# Aspect recall, and the contribution of each chosen or unchosen sentence (EvidenceBench, section 2.3).


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
    """Aspect recall of at most k sentences; for a larger selection, the expected recall of k of them drawn at random.

    A model that selects more than k is asked to choose again (EvidenceBench, appendix D.5; RoBBR, figure 16), as our engines
    do. If the selection is still too large, the evaluation code of both benchmarks scores it by the mean of many draws; this
    is the limit of that mean. Raises `DatasetError` as `aspect_recall` does.
    """
    chosen = frozenset(selected)
    if len(chosen) <= k:
        return aspect_recall(chosen, aspects)
    aspect_recall((), aspects)  # undefined without aspects, for any selection
    draws = comb(len(chosen), k)
    missed = sum(comb(len(chosen - covering), k) / draws for covering in aspects.values())
    return 1 - missed / len(aspects)


@dataclass(frozen=True, slots=True)
class GoldComparison:
    """A selection compared with the gold. Every selected or gold sentence is in exactly one of the four groups.

    hits       selected, and a source of information for at least one aspect
    extras     selected, but a source for none
    misses     not selected, although it covers an aspect that no selected sentence covers
    spares     not selected, but all its aspects are covered by selected sentences

    Indices are ascending.
    """

    hits: tuple[int, ...]
    extras: tuple[int, ...]
    misses: tuple[int, ...]
    spares: tuple[int, ...]
    covered_by: Mapping[str, tuple[int, ...]]  # every aspect -> the hits that cover it; () if it was missed
    recall: float  # aspect recall, 0 to 1
    best: Cover  # the best choice of the same number of sentences
    best_recall: float  # its aspect recall


def compare(selected: Iterable[int], gold: Gold, *, k: int | None = None) -> GoldComparison:
    """Compare a selection with the gold. `k` is the number of sentences asked for; by default, the number selected.

    Raises `DatasetError` if the gold has no aspect.
    """
    chosen = frozenset(selected)
    recall = aspect_recall(chosen, gold.aspects)
    done = covered(chosen, gold.aspects)
    by_sentence = gold.by_sentence
    unchosen = [index for index in by_sentence if index not in chosen]
    best = best_cover(gold.aspects, len(chosen) if k is None else k)
    return GoldComparison(
        hits=tuple(sorted(chosen & by_sentence.keys())),
        extras=tuple(sorted(chosen - by_sentence.keys())),
        misses=tuple(index for index in unchosen if not done.issuperset(by_sentence[index])),
        spares=tuple(index for index in unchosen if done.issuperset(by_sentence[index])),
        covered_by={aspect: tuple(sorted(covering & chosen)) for aspect, covering in gold.aspects.items()},
        recall=recall,
        best=best,
        best_recall=len(best.aspects) / len(gold.aspects),
    )
