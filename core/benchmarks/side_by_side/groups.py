"""Several engines' choices compared with each other and with gold, and the groups and filters for display."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.benchmarks.gold import Gold, covered
from core.benchmarks.side_by_side.model import Side, TopicAnswer

# ---- overlay ----
# Several engines' answers compared with each other, and with gold if there is any: who chose what, and who is wrong.


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """Something that each engine is right or wrong about."""

    wrong: tuple[bool, ...] = ()  # by engine; empty if the gold is unknown

    @property
    def all_wrong(self) -> bool:
        """Whether every engine is wrong about it."""
        return bool(self.wrong) and all(self.wrong)

    @property
    def only_wrong(self) -> int | None:
        """The index of the only engine that is wrong about it; None if none or several are."""
        return self.wrong.index(True) if sum(self.wrong) == 1 else None


@dataclass(frozen=True, slots=True)
class Mark(Rated):
    """A sentence that some engine chose, or that is gold."""

    index: int
    ranks: tuple[int | None, ...]  # from 1, by engine; None: it did not choose the sentence
    gold: bool | None = None  # None: the gold is unknown

    @property
    def chosen_by(self) -> tuple[int, ...]:
        """The indices of the engines that chose it."""
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
        """Whether the engines differ; "could not tell" counts as a label of its own."""
        return len(set(self.given)) > 1


def label_overlay(given: Sequence[str | None], gold: str | None = None) -> Labels:
    """The engines' labels on a topic. If gold is known, an engine with another label or none is wrong."""
    wrong = () if gold is None else tuple(label != gold for label in given)
    return Labels(tuple(given), gold, wrong=wrong)


def overlay(selections: Sequence[Sequence[int]], gold: Gold | None = None) -> tuple[Mark, ...]:
    """Every sentence that is in a selection or in the gold, in the paper's order.

    An engine is wrong about a sentence if it chose it although it covers no aspect, or if it did not choose it although it
    covers an aspect that none of its chosen sentences covers (the extras and misses of `core.benchmarks.gold.compare`). A
    gold sentence may be left out if its aspects are covered by others.
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


# ---- groups ----
# The sentences of a topic, grouped by who chose them, and filters for display: the same on screen and in files.

ALL, NONE, SPARE = "all", "none", "spare"  # group names besides the engines' letters
_GOLD_WORDS = {"hit": "gold", "extra": "not gold", "missed": "gold, missed", "spare": "gold, not needed"}


@dataclass(frozen=True, slots=True)
class GroupedSentence:
    """A sentence with its group and descriptions for display."""

    mark: Mark
    group: str  # `ALL`, letters such as "A" or "AC", `NONE` (gold that an engine misses) or `SPARE` (gold, not needed)
    letters: str  # of the engines that chose it
    ranks: tuple[str, ...]  # in words
    gold: str | None  # "hit", "extra", "missed" or "spare"; None: not known

    @property
    def gold_word(self) -> str | None:
        """Its relation to gold, in words."""
        return _GOLD_WORDS[self.gold] if self.gold else None


@dataclass(frozen=True, slots=True)
class Filter:
    """A named subset of the sentences, by index."""

    id: str
    label: str
    about: str
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Grouped:
    """The sentences of a topic, those with the best ranks first."""

    entries: tuple[GroupedSentence, ...]
    titles: tuple[tuple[str, str], ...]  # (group, its title), in order; `SPARE` has none
    filters: tuple[Filter, ...]


def grouped(answers: Sequence[tuple[Side, TopicAnswer]], gold: Gold | None) -> Grouped:
    """Group the engines' answers on a topic."""
    letters = [side.letter for side, _ in answers]
    marks = overlay([given.sentences for _, given in answers], gold)
    entries = tuple(_entry(mark, letters) for mark in sorted(marks, key=_first_rank))
    titles = {group: _title(group, [side for side, _ in answers]) for group in _in_order(entries)}
    return Grouped(entries, tuple(titles.items()), tuple(_filters(marks, letters)))


def _entry(mark: Mark, letters: Sequence[str]) -> GroupedSentence:
    own = "".join(letters[place] for place in mark.chosen_by)
    missed = any(mark.wrong)
    group = ALL if len(own) == len(letters) else own or (NONE if missed else SPARE)
    ranks = tuple(f"{letter} rank {rank}" for letter, rank in zip(letters, mark.ranks, strict=True) if rank is not None)
    gold = None
    if mark.gold is not None:
        gold = ("hit" if mark.gold else "extra") if own else ("missed" if missed else "spare")
    return GroupedSentence(mark, group, own, ranks, gold)


def _first_rank(mark: Mark) -> tuple[float, int]:
    """Sort key: the best rank that any engine gave the sentence."""
    return min((rank for rank in mark.ranks if rank is not None), default=float("inf")), mark.index


def _in_order(entries: Sequence[GroupedSentence]) -> list[str]:
    """The groups, those chosen by most engines first, and gold that none chose last."""
    groups = {entry.group for entry in entries}
    chosen = sorted(groups - {ALL, NONE, SPARE}, key=lambda group: (-len(group), group))
    return [group for group in (ALL, *chosen, NONE) if group in groups]


def _title(group: str, sides: Sequence[Side]) -> str:
    if group == ALL:
        return f"Chosen by {'both' if len(sides) == 2 else f'all {len(sides)}'}"
    if group == NONE:
        return "In gold, and chosen by none"
    return f"Only {' and '.join(f'{side.letter} ({side.engine})' for side in sides if side.letter in group)}"


def _filters(marks: Sequence[Mark], letters: Sequence[str]) -> list[Filter]:
    everything = Filter(
        "everything", "Everything", "Every sentence that is chosen or gold", tuple(mark.index for mark in marks)
    )
    disputed = tuple(mark.index for mark in marks if mark.disputed)
    filters = [everything, Filter("disagreements", "Disagreements", "Chosen by some and not by all", disputed)]
    if not any(mark.wrong for mark in marks):
        return filters
    wrong = tuple(mark.index for mark in marks if mark.all_wrong)
    filters.append(Filter("all-wrong", all_wrong(letters), "Chosen by all and not gold, or missed by all", wrong))
    for place, letter in enumerate(letters):
        only = tuple(mark.index for mark in marks if mark.only_wrong == place)
        about = f"{letter} is wrong about it, and nobody else"
        filters.append(Filter(f"only-{letter}", f"Only {letter} wrong", about, only))
    return filters


def all_wrong(letters: Sequence[str]) -> str:
    """The name of the filter for what no engine got right."""
    return "Both wrong" if len(letters) == 2 else "All wrong"
