"""The sentences of a topic by who chose them, and the filters that show some of them: the same on screen and in files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.benchmarks.gold import Gold
from core.benchmarks.side_by_side.model import Given, Side
from core.benchmarks.side_by_side.overlay import Mark, overlay

ALL, NONE, SPARE = "all", "none", "spare"  # besides the engines' letters
_GOLD_WORDS = {"hit": "gold", "extra": "not gold", "missed": "gold, missed", "spare": "gold, not needed"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A sentence with what is said of it."""

    mark: Mark
    group: str  # `ALL`, letters such as "A" or "AC", `NONE` (gold that somebody misses) or `SPARE` (gold, not needed)
    letters: str  # of those that chose it
    ranks: tuple[str, ...]  # in words
    gold: str | None  # "hit", "extra", "missed" or "spare"; None: not known

    @property
    def gold_word(self) -> str | None:
        """What gold says of it, in words."""
        return _GOLD_WORDS[self.gold] if self.gold else None


@dataclass(frozen=True, slots=True)
class Filter:
    """Some of the sentences, by their indices."""

    id: str
    label: str
    about: str
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Grouped:
    """The sentences of a topic, those with the best ranks first."""

    entries: tuple[Entry, ...]
    titles: tuple[tuple[str, str], ...]  # (group, its title) in order; what is not needed has none
    filters: tuple[Filter, ...]


def grouped(answers: Sequence[tuple[Side, Given]], gold: Gold | None) -> Grouped:
    """What engines gave on a topic, laid over each other."""
    letters = [side.letter for side, _ in answers]
    marks = overlay([given.sentences for _, given in answers], gold)
    entries = tuple(_entry(mark, letters) for mark in sorted(marks, key=_first_rank))
    titles = {group: _title(group, [side for side, _ in answers]) for group in _in_order(entries)}
    return Grouped(entries, tuple(titles.items()), tuple(_filters(marks, letters)))


def _entry(mark: Mark, letters: Sequence[str]) -> Entry:
    own = "".join(letters[place] for place in mark.chosen_by)
    missed = any(mark.wrong)
    group = ALL if len(own) == len(letters) else own or (NONE if missed else SPARE)
    ranks = tuple(f"{letter} rank {rank}" for letter, rank in zip(letters, mark.ranks, strict=True) if rank is not None)
    gold = None
    if mark.gold is not None:
        gold = ("hit" if mark.gold else "extra") if own else ("missed" if missed else "spare")
    return Entry(mark, group, own, ranks, gold)


def _first_rank(mark: Mark) -> tuple[float, int]:
    """By the best rank that any engine gave it."""
    return min((rank for rank in mark.ranks if rank is not None), default=float("inf")), mark.index


def _in_order(entries: Sequence[Entry]) -> list[str]:
    """Those of most engines first, gold that none chose last."""
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
    """The name of what nobody got right."""
    return "Both wrong" if len(letters) == 2 else "All wrong"
