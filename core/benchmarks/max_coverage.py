"""The best that k sentences could do: maximum coverage, by branch and bound.

The problem is NP-hard, but evidence sets are small and clustered: every EvidenceBench record takes about a
millisecond. Only a file made to be hard can exhaust the search, and its answer is then marked as unproven.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

_MAX_WORK = 1_000_000  # masks looked at: about half a second


@dataclass(frozen=True, slots=True)
class Cover:
    """Sentences, in ascending order, and the aspects that they cover together.

    `proven` is False where the search was cut off: a better choice may exist.
    """

    sentences: tuple[int, ...]
    aspects: frozenset[str]
    proven: bool = True


def best_cover(aspects: Mapping[str, frozenset[int]], k: int) -> Cover:
    """At most `k` sentences that cover as many aspects as any `k` sentences can, and none that adds nothing.

    Raises `ValueError` if `k` is negative.
    """
    if k < 0:
        raise ValueError(f"k is {k}: a number of sentences cannot be negative")
    sentence_of = _sentences_by_aspects(aspects)
    search = _Search(coverable=sum(map(bool, aspects.values())))
    search.extend((), tuple(sentence_of), covered=0, k=k)
    covered = 0
    for mask in search.best:
        covered |= mask
    return Cover(
        tuple(sorted(sentence_of[mask] for mask in search.best)),
        frozenset(name for bit, name in enumerate(aspects) if covered >> bit & 1),
        proven=search.work < _MAX_WORK,
    )


def optimal(aspects: Mapping[str, frozenset[int]]) -> int:
    """The fewest sentences that cover every aspect which any sentence covers (EvidenceBench, Table 1).

    Where a search is cut off (see `Cover.proven`), it may be too many.
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
    """Aspects covered, as a bit mask -> the first sentence that covers exactly these; most aspects first."""
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
    """Depth first, most new aspects first: the first answer is the greedy one, and later ones only improve on it."""

    def __init__(self, coverable: int) -> None:
        self.coverable = coverable  # no answer can be larger
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
            if min(bound, self.coverable) <= self.best_size or (i and self.work >= _MAX_WORK):
                return
            rest = [by_gain[later] for later in gains[i + 1 :]]
            self.extend((*chosen, by_gain[gain]), rest, covered=covered | gain, k=k - 1)
