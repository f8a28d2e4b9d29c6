"""The words of a page, each with its place: PDFium is asked about all of them in one go."""

from __future__ import annotations

import re
from itertools import repeat
from operator import add, sub

from core.paper.pdf.characters import Characters, Type

_WORD = re.compile(r"[^\s\ufffe\x02]+")  # without PDFium's own signs for a hyphen that ends a line


class Words:
    """The words of a page in the order of its characters, as lists with one entry for each word."""

    def __init__(self, characters: Characters) -> None:
        self.characters = characters
        self.texts: list[str] = _WORD.findall(characters.text)
        self.lengths = list(map(len, self.texts))
        self.firsts = list(map(re.Match.start, _WORD.finditer(characters.text)))  # their first characters ...
        self.stops = list(map(add, self.firsts, self.lengths))  # ... and where they end, by index
        self.x0 = characters.left_sides(self.firsts)  # where they begin and end, in upright text
        self.x1 = characters.right_sides(list(map(sub, self.stops, repeat(1))))
        self.gaps = list(map(sub, self.x0[1:], self.x1))  # from each word to the next
        self._types: dict[int, Type] = {}

    def type(self, word: int) -> Type:
        """What a word is set in, by its first character."""
        owner = self.characters.owner(self.firsts[word])
        if owner is None:
            return self.characters.type(self.firsts[word])
        if (known := self._types.get(owner)) is None:
            known = self._types[owner] = self.characters.type(self.firsts[word])
        return known

    def longest(self, first: int, stop: int) -> int:
        """The longest of some words: what it is set in, the line is. Numbers may be raised, so a word of letters is better."""
        lengths = self.lengths[first:stop]
        longest = first + lengths.index(max(lengths))
        if not self.texts[longest][0].isdigit():
            return longest
        of_letters = (word for word in range(first, stop) if self.texts[word][0].isalpha())
        return max(of_letters, key=self.lengths.__getitem__, default=longest)

    def places(self, first: int, stop: int, angle: int) -> tuple[list[float], list[float], list[float]]:
        """Where some words begin and end along a line that is written at an angle, and the gaps between them."""
        if not angle:
            return self.x0[first:stop], self.x1[first:stop], self.gaps[first : stop - 1]
        extents = [self.characters.extent(self.firsts[word], self.stops[word], angle) for word in range(first, stop)]
        x0, x1 = [start for start, _ in extents], [end for _, end in extents]
        return x0, x1, list(map(sub, x0[1:], x1))
