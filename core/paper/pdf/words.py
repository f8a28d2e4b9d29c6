"""The words of a page, each with its place: PDFium is asked about all of them in one go."""

from __future__ import annotations

from collections.abc import Sequence
from operator import sub

import numpy as np
import numpy.typing as npt

from core.paper.pdf.characters import Characters, Type

_HYPHENS = "\ufffe\x02"  # PDFium's own signs for a hyphen that ends a line: no part of a word
_BETWEEN_WORDS = np.array([chr(code).isspace() or chr(code) in _HYPHENS for code in range(0x10000)])


class Words:
    """The words of a page in the order of its characters, as lists with one entry for each word."""

    def __init__(self, characters: Characters) -> None:
        self.characters = characters
        text = characters.text
        for hyphen in _HYPHENS:
            text = text.replace(hyphen, " ")
        self.texts: list[str] = text.split()
        firsts, stops = _edges(text)
        self.firsts: list[int] = firsts.tolist()  # their first characters ...
        self.stops: list[int] = stops.tolist()  # ... and where they end, by index
        self.lengths: list[int] = (stops - firsts).tolist()
        self.x0 = characters.left_sides(self.firsts)  # where they begin and end, in upright text
        self.x1 = characters.right_sides((stops - 1).tolist())
        self.gaps = list(map(sub, self.x0[1:], self.x1))  # from each word to the next
        self._types: dict[int, Type] = {}  # by the address of the text object

    def types(self, words: Sequence[int]) -> list[Type]:
        """What words are set in, by their first characters."""
        firsts = list(map(self.firsts.__getitem__, words))
        owners = self.characters.owners(firsts)
        new = {owner: first for owner, first in zip(owners, firsts, strict=True) if owner and owner not in self._types}
        self._types.update(zip(new, self.characters.types(new), strict=True))
        return [
            self._types[owner] if owner else self.characters.type(first)
            for owner, first in zip(owners, firsts, strict=True)
        ]

    def longest(self, first: int, stop: int) -> int:
        """The longest of some words: what it is set in, the line is. Numbers may be raised, so a word of letters is better."""
        lengths = self.lengths[first:stop]
        longest = first + lengths.index(max(lengths))
        if not self.texts[longest][0].isdigit():
            return longest
        of_letters = (word for word in range(first, stop) if self.texts[word][0].isalpha())
        return max(of_letters, key=self.lengths.__getitem__, default=longest)

    def turn(self, first: int, stop: int, angle: int) -> None:
        """Take the places of some words along a line that is written at an angle."""
        for word in range(first, stop):
            self.x0[word], self.x1[word] = self.characters.extent(self.firsts[word], self.stops[word], angle)
        self.gaps[first : stop - 1] = map(sub, self.x0[first + 1 : stop], self.x1[first : stop - 1])


def _edges(text: str) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Where words begin, and where they end."""
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32)
    between = np.ones(len(codes) + 2, np.bool_)
    np.take(_BETWEEN_WORDS, codes, out=between[1:-1], mode="clip")
    edges = np.flatnonzero(between[1:] != between[:-1])
    return edges[::2], edges[1::2]
