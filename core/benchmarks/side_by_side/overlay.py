"""Several engines' answers laid over each other, and over gold where there is any: who chose what, and who is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.benchmarks.aspect_recall import covered
from core.benchmarks.gold import Gold


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """Something that every engine is right or wrong about."""

    wrong: tuple[bool, ...] = ()  # by engine; empty where the gold is not known

    @property
    def all_wrong(self) -> bool:
        """Whether every engine is wrong about it."""
        return bool(self.wrong) and all(self.wrong)

    @property
    def only_wrong(self) -> int | None:
        """The place of the one engine that is wrong about it; None if none or several are."""
        return self.wrong.index(True) if sum(self.wrong) == 1 else None


@dataclass(frozen=True, slots=True)
class Mark(Rated):
    """A sentence that some engine chose, or that is gold."""

    index: int
    ranks: tuple[int | None, ...]  # from 1, by engine; None: it did not choose the sentence
    gold: bool | None = None  # None: the gold is not known

    @property
    def chosen_by(self) -> tuple[int, ...]:
        """The places of the engines that chose it."""
        return tuple(place for place, rank in enumerate(self.ranks) if rank is not None)

    @property
    def disputed(self) -> bool:
        """Whether some engines chose it and some did not."""
        return 0 < len(self.chosen_by) < len(self.ranks)


@dataclass(frozen=True, slots=True)
class Labels(Rated):
    """A topic's labels."""

    given: tuple[str | None, ...]  # by engine; None: it could not tell, or failed
    gold: str | None = None  # None: not known

    @property
    def disputed(self) -> bool:
        """Whether not all say the same; one that could not tell says something else than the others."""
        return len(set(self.given)) > 1


def label_overlay(given: Sequence[str | None], gold: str | None = None) -> Labels:
    """The engines' labels on a topic. Where gold is known, whoever gave another label or none is wrong."""
    wrong = () if gold is None else tuple(label != gold for label in given)
    return Labels(tuple(given), gold, wrong=wrong)


def overlay(selections: Sequence[Sequence[int]], gold: Gold | None = None) -> tuple[Mark, ...]:
    """Every sentence that is in a selection or in the gold, in the paper's order.

    An engine is wrong about a sentence if it chose it and it covers no aspect, or if it did not choose it and it covers
    an aspect that none of its choice covers (the extras and misses of `aspect_recall.compare`). A gold sentence whose
    aspects are covered by others may be left out.
    """
    places = [{index: rank for rank, index in enumerate(chosen, 1)} for chosen in selections]
    by_sentence = gold.by_sentence if gold else {}
    done = [covered(chosen, gold.aspects) if gold else frozenset() for chosen in selections]
    return tuple(
        Mark(
            index,
            tuple(ranks.get(index) for ranks in places),
            index in by_sentence if gold else None,
            wrong=tuple(
                _wrong(index in ranks, by_sentence.get(index, ()), done_here)
                for ranks, done_here in zip(places, done, strict=True)
            )
            if gold
            else (),
        )
        for index in sorted({*by_sentence, *(index for chosen in selections for index in chosen)})
    )


def _wrong(chosen: bool, aspects: Sequence[str], done: frozenset[str]) -> bool:
    return not aspects if chosen else not done.issuperset(aspects)
