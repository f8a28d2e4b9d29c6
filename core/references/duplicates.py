"""Which papers and references look like duplicates, and why. Nothing is merged: a person decides."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from rapidfuzz import fuzz

from core.references.matching import (
    Entry,
    blocks_of,
    is_periodic,
    is_same_person,
    names_one_paper,
    nearly_same,
    title_key,
    words_of,
)

Pair = tuple[int, int]
_Key = Callable[[Entry], Iterable[Hashable]]
_NUMBERS: tuple[_Key, ...] = (  # keys that two entries of one paper, or of one trial, share
    lambda entry: filter(None, [entry.doi]),
    lambda entry: filter(None, [entry.pmid]),
    lambda entry: filter(None, [title_key(entry.title)]),
    lambda entry: entry.registrations,
)
_RARE = 40  # entries: a word or key that more of them share says too little
_LEADING = 6  # of a title's rarest words are compared; two titles must share two
_SOME_LIKENESS = 60  # of 100: below it, two titles have little in common


class Strength(StrEnum):
    """How certain it is that two entries are one paper."""

    CERTAIN = "same number"  # the same DOI or PMID, and nothing against it
    LIKELY = "likely"  # the same title, with year and author
    POSSIBLE = "possible"  # the same or nearly the same title, or a number that does not fit the title
    SAME_TRIAL = "same trial"  # no duplicate: another report of one registered trial


@dataclass(frozen=True, slots=True)
class PossibleDuplicate:
    """Two entries, in the order they were given, with what they have in common."""

    first: str
    second: str
    strength: Strength
    reason: str  # one sentence

    @property
    def is_duplicate(self) -> bool:
        """Whether it is a duplicate to look at, not another report of the same trial."""
        return self.strength is not Strength.SAME_TRIAL


def possible_duplicates(entries: Sequence[Entry]) -> tuple[PossibleDuplicate, ...]:
    """All pairs that look like one paper or one trial, the most certain first, then in the order of the entries."""
    pairs = {*_sharing_rare_words(entries)}
    for key in _NUMBERS:
        pairs.update(_sharing(entries, key, chained=True))
    pairs.update(_sharing(entries, lambda entry: blocks_of(entry.title, entry.authors, entry.year)))
    found = [
        PossibleDuplicate(entries[a].id, entries[b].id, *judged)
        for a, b in sorted(pairs)
        if (judged := _judged(entries[a], entries[b]))
    ]
    order = list(Strength)
    return tuple(sorted(found, key=lambda likeness: order.index(likeness.strength)))


def _judged(one: Entry, other: Entry) -> tuple[Strength, str] | None:
    """What two entries have in common; None if they are two papers."""
    titles = _titles(one, other)
    if number := _same_number(one, other):
        against = _against_number(one, other, number, titles)
        return (Strength.POSSIBLE if against else Strength.CERTAIN), f"They have the same {number}{against}."
    if titles and (judged := _by_title(one, other, titles)):
        return judged
    if shared := [number for number in one.registrations if number in other.registrations]:
        return Strength.SAME_TRIAL, f"Both report the trial {shared[0]}; this is no duplicate."
    return None


def _same_number(one: Entry, other: Entry) -> str:
    if one.doi and one.doi == other.doi:
        return "DOI"
    return "PMID" if one.pmid and one.pmid == other.pmid else ""


def _against_number(one: Entry, other: Entry, number: str, titles: str) -> str:
    """Why two entries with the same number may be different papers; empty if nothing says so."""
    if number == "DOI" and one.pmid and other.pmid and one.pmid != other.pmid:
        return ", but different PMIDs"
    if number == "PMID" and one.doi and other.doi and one.doi != other.doi:
        return ", but different DOIs"
    if titles or not one.title or not other.title:
        return ""
    if _far_apart(one.title, other.title):
        return ", but titles that have little in common: one number may be wrong"
    return ", but their titles differ"


def _titles(one: Entry, other: Entry) -> str:
    """How the titles are alike, in words; empty if they are not."""
    if not one.title or not other.title:
        return ""
    if title_key(one.title) == title_key(other.title):
        return "the titles are the same" if title_key(one.title) else ""
    return nearly_same(one.title, other.title) or ""


def _by_title(one: Entry, other: Entry, titles: str) -> tuple[Strength, str] | None:
    same_person = is_same_person(one.authors, other.authors)
    apart = abs(one.year - other.year) if one.year and other.year else None
    periodic = is_periodic(one.title)
    if same_person is False or (apart is not None and apart > (0 if periodic else 1)):
        return None
    other_numbers = [
        name
        for name, a, b in (("DOI", one.doi, other.doi), ("PMID", one.pmid, other.pmid))
        if a and b and a != b
    ]  # fmt: skip
    same = titles == "the titles are the same"
    short = not names_one_paper(one.title)
    if short and not (same_person and apart == 0 and not other_numbers):
        return None
    if other_numbers:
        if apart != 0 or not same or not same_person:
            return None
        numbers = " and ".join(other_numbers)
        return (
            Strength.POSSIBLE,
            f"Title, year and author are the same, but the {numbers} differ: two editions, perhaps.",
        )
    known = [word for word, known in (("year", apart is not None), ("author", same_person)) if known]
    said = titles[0].upper() + titles[1:]
    if not known:
        return Strength.POSSIBLE, f"{said}; year and author are not known of both."
    fitting = " and ".join(known)
    fits = f"{said}, and {fitting} {'fit' if len(known) > 1 else 'fits'}."
    return (Strength.LIKELY if same and len(known) > 1 else Strength.POSSIBLE), fits


def _far_apart(one: str, other: str) -> bool:
    return fuzz.token_set_ratio(" ".join(words_of(one)), " ".join(words_of(other))) < _SOME_LIKENESS


def _sharing(entries: Sequence[Entry], key: _Key, *, chained: bool = False) -> Iterator[Pair]:
    """Pairs with a key in common.

    A key that very many entries share says nothing, or is wrong in all of them. It then gives no pairs or, if
    `chained`, only those of the first entry with each other one, so that there are no more pairs than entries.
    """
    groups: defaultdict[Hashable, list[int]] = defaultdict(list)
    for index, entry in enumerate(entries):
        for value in key(entry):
            groups[value].append(index)
    for group in groups.values():
        if len(group) <= _RARE:
            yield from combinations(group, 2)
        elif chained:
            yield from ((group[0], other) for other in group[1:])


def _sharing_rare_words(entries: Sequence[Entry]) -> Iterator[Pair]:
    """Pairs whose titles share two of their rarest words. They are few enough to compare letter by letter."""
    words = [frozenset(word for word in words_of(entry.title) if len(word) > 3) for entry in entries]
    count = Counter(word for several in words for word in several)
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for index, several in enumerate(words):
        rare = sorted((word for word in several if 1 < count[word] <= _RARE), key=lambda word: (count[word], word))
        for word in rare[:_LEADING]:
            holding[word].append(index)
    shared = Counter(pair for group in holding.values() for pair in combinations(group, 2))
    return (pair for pair, times in shared.items() if times > 1)
