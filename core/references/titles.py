"""Titles and names compared: what makes two titles the same, and which small differences make two papers of them."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

_MARKUP = re.compile(r"<[^<>]{0,80}>")
_WORD = re.compile(r"[^\W_]+")
_GREEK = {
    ord(letter): f" {name} "
    for letter, name in zip(
        "αβγδεζηθικλμνξοπρστυφχψω",
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi "
        "chi psi omega".split(),
        strict=True,
    )
} | {ord("ς"): " sigma "}
# Words that carry nothing; two titles may differ in them.
_EMPTY = frozenset("a an the of and in on for to with by from at as is are its s".split())
# Words that tell one report of a study from another, or something about a paper from the paper.
_TELLING = frozenset(
    """
    abridged abstract addendum author authors baseline chapter comment commentary comments corrected correction
    corrections corrigendum cost costs design editorial errata erratum extended extension follow followup interim
    introduction invited letter letters long longterm methods part phase pilot posthoc preliminary protocol protocols
    rationale rejoinder replies reply report reports response responses retracted retraction secondary series stage
    subgroup substudy supplement supplementary term update updated volume withdrawn
    """.split()
)
# Titles that come again every year or issue.
_PERIODIC = re.compile(r"\b(?:annual|registr(?:y|ies)|surveillance|statistics|yearbook|proceedings|weekly|monthly)\b")
_ROMAN = re.compile(r"[ivx]{1,5}")
_BRITISH = (("isation", "ization"), ("ising", "izing"), ("ised", "ized"), ("ise", "ize"), ("our", "or"))
_FEWEST_WORDS = 4  # of a title that names one paper: "Editorial" and "Authors' reply" do not


@lru_cache(maxsize=20_000)
def words_of(title: str) -> tuple[str, ...]:
    """The words of a title without marks, accents and case: British spelling made American, Greek letters named."""
    text = html.unescape(_MARKUP.sub("", title)).casefold()
    text = unicodedata.normalize("NFKD", text).casefold().translate(_GREEK)
    text = "".join(letter for letter in text if not unicodedata.combining(letter))
    return tuple(_american(word) for word in _WORD.findall(text))


def title_key(title: str) -> str:
    """What two copies of a title share: its letters and digits."""
    return "".join(words_of(title))


def names_one_paper(title: str) -> bool:
    """Whether a title is more than a heading that many papers have."""
    return len(words_of(title)) >= _FEWEST_WORDS


def is_periodic(title: str) -> bool:
    """Whether a title is one that a report of every year may have."""
    return bool(_PERIODIC.search(title.casefold()))


def nearly_same(first: str, second: str) -> str | None:
    """How two titles that are not the same still may be of one paper, in words; None if they are of two.

    They may differ by one letter in a long word, by words that carry nothing, or one has a subtitle that the other
    lacks. A number, "Part II", "protocol", "erratum" and the like make two papers of them.
    """
    one, two = words_of(first), words_of(second)
    longer, shorter = (one, two) if len(one) >= len(two) else (two, one)
    if len(shorter) < _FEWEST_WORDS:
        return None
    if _key_without_small_words(one) == _key_without_small_words(two):
        return "the titles differ by small words"
    if longer[: len(shorter)] == shorter:
        rest = longer[len(shorter) :]
        return None if _tells_apart(rest) else "one title is the beginning of the other"
    left, right = _differences(longer, shorter)
    if _tells_apart(left) or _tells_apart(right):
        return None
    left, right = [w for w in left if w not in _EMPTY], [w for w in right if w not in _EMPTY]
    if len(left) != len(right) or not 0 < len(left) <= 2:
        return None
    if all(len(a) > 4 and Levenshtein.distance(a, b, score_cutoff=1) <= 1 for a, b in zip(left, right, strict=True)):
        return "the titles differ by single letters"
    return None


def is_same_person(one: Sequence[str], other: Sequence[str]) -> bool | None:
    """Whether the first author of one can be among those of the other; None if either has no authors.

    Names are written in many ways ("Rossi A", "Rossi, Ada", "Ada Rossi"), so one family name in common will do.
    """
    if not one or not other:
        return None
    return bool(
        _name_words(one[:1]) & _name_words(other) or _name_words(other[:1]) & _name_words(one),
    )


def _name_words(names: Iterable[str]) -> frozenset[str]:
    """The words of names, without initials where a name has more."""
    found: set[str] = set()
    for name in names:
        plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
        every = _WORD.findall(plain)
        long = [word for word in every if len(word) > 2 or not word.isupper()] or every
        found.update(word.casefold() for word in long if len(word) > 1 or len(long) == 1)
    return frozenset(found)


def _key_without_small_words(words: Iterable[str]) -> str:
    return "".join(word for word in words if word not in _EMPTY)


def _differences(longer: Sequence[str], shorter: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words that only one of two titles has, in order."""
    left, right = list(longer), list(shorter)
    for word in shorter:
        if word in left:
            left.remove(word)
            right.remove(word)
    return left, right


def _tells_apart(words: Iterable[str]) -> bool:
    return any(word in _TELLING or word[0].isdigit() or _ROMAN.fullmatch(word) or len(word) == 1 for word in words)


def _american(word: str) -> str:
    if len(word) > 5:
        for british, american in _BRITISH:
            if word.endswith(british):
                word = word.removesuffix(british) + american
                break
        word = word.replace("ae", "e").replace("oe", "e")
    return word
