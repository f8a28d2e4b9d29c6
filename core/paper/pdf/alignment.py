"""Letter by letter: which characters of a printed line a stretch of the text read from it stands for."""

from __future__ import annotations

import unicodedata
from difflib import SequenceMatcher

_OPENING = frozenset({"Ps", "Pi", "Sm"})  # what belongs to the word after it, by its Unicode category


def characters_of(printed: str, text: str, start: int, end: int, *, skipped: int) -> range:
    """The indices in `printed`, the characters of a line, of what became `text[start:end]`; empty where there is none.

    `text` was read from the line and follows its first `skipped` letters and digits. Letters and digits are matched;
    what stands between them and next to them, up to a space, belongs to them.
    """
    spelt, page = _letters(text), _letters(printed)
    places = _places([letter for _, letter in spelt], [letter for _, letter in page[skipped:]])
    inside = [
        page[skipped + place][0]
        for (at, _), place in zip(spelt, places, strict=True)
        if start <= at < end and place is not None
    ]
    whole_start, whole_end = start == 0 and not skipped, end == len(text) and skipped + len(spelt) == len(page)
    if not inside:
        return range(len(printed)) if whole_start and whole_end else range(0)
    first, stop = min(inside), max(inside) + 1
    while first and (whole_start or _opens(printed[first - 1])):
        first -= 1
    while stop < len(printed) and (whole_end or _closes(printed[stop])):
        stop += 1
    return range(first, stop)


def _opens(character: str) -> bool:
    return unicodedata.category(character) in _OPENING


def _closes(character: str) -> bool:
    return not (character.isspace() or character.isalnum() or _opens(character))


def _letters(text: str) -> list[tuple[int, str]]:
    """The letters and digits of a text with their places, ligatures spelt out."""
    return [
        (at, letter)
        for at, character in enumerate(text)
        for letter in unicodedata.normalize("NFKC", character)
        if letter.isalnum()
    ]


def _places(letters: list[str], page: list[str]) -> list[int | None]:
    """Where each letter stands among those of the page; None for one that is not found."""
    if page[: len(letters)] == letters:
        return list(range(len(letters)))
    places: list[int | None] = [None] * len(letters)
    for at, place, count in SequenceMatcher(None, letters, page, autojunk=False).get_matching_blocks():
        places[at : at + count] = range(place, place + count)
    return places
