"""The level of each heading: by its number, or by the type it is set in among the headings above it."""

from __future__ import annotations

from core.paper.model import PARTS_IN_ORDER, SectionKind
from core.paper.pdf.headings import LETTER, NUMBERING, heading_title, level_of, rank
from core.paper.pdf.paragraphs import Paragraph
from core.paper.pdf.printed import PrintedText
from core.paper.sections import main_kind

_DEEPEST = 4
_LESSER = 0.05  # by how much a heading of lesser type ranks lower, at least


class Ladder:
    """The headings that the text being read stands under."""

    def __init__(self) -> None:
        self._reached = 0  # how many of a paper's main parts are over, or have begun
        self._main_rank = 0.0  # of the section of the first level
        self._ranks: list[float] = []  # of the headings below the first level
        self._has_romans = False  # “II. METHODS” stands above “B. Participants”, and that above “1. Exclusions”

    @property
    def is_in_last_part(self) -> bool:
        """Whether the discussion has begun."""
        return self._reached == len(PARTS_IN_ORDER)

    @property
    def _is_in_the_middle(self) -> bool:
        """Whether the text stands under the methods or the results."""
        return PARTS_IN_ORDER.index(SectionKind.METHODS) < self._reached < len(PARTS_IN_ORDER)

    def kind_of(self, heading: Paragraph) -> SectionKind | None:
        """The kind that a heading names; None for a lesser one like “Objectives” that stands below “Methods”."""
        kind = main_kind(heading_title(heading.text))
        if self._number_level(heading.text) > 1:
            return None
        lesser = rank(heading) < self._main_rank - _LESSER
        return None if lesser and kind in PARTS_IN_ORDER[: self._reached] else kind

    def is_inside(self, heading: Paragraph) -> bool:
        """Whether a heading is no higher than one below the first level that the text stands under.

        The first one below “Methods” or “Results” is told by its lesser type.
        """
        if self._ranks:
            return rank(heading) <= self._ranks[-1]
        return self._is_in_the_middle and rank(heading) < self._main_rank - _LESSER

    def climb(self, heading: Paragraph, kind: SectionKind | None) -> int:
        """The level of a heading that opens a section, which the text then stands under."""
        number = NUMBERING.match(heading.text)
        self._has_romans |= number is not None and number["roman"] is not None
        if kind is not None:
            self._reached = PARTS_IN_ORDER.index(kind) + 1 if kind in PARTS_IN_ORDER else 0
            self._main_rank, self._ranks = rank(heading), []
            return 1
        if level := self._number_level(heading.text):
            return level
        while self._ranks and self._ranks[-1] <= rank(heading):
            self._ranks.pop()
        self._ranks.append(rank(heading))
        return min(len(self._ranks) + 1, _DEEPEST)

    def without_letter(self, title: PrintedText) -> PrintedText:
        """A title without the letter that numbers it, in a paper whose parts have Roman numbers."""
        letter = LETTER.match(title.text) if self._has_romans else None
        return title.cut(letter.end()) if letter else title

    def _number_level(self, text: str) -> int:
        """The level that a heading's number or letter speaks of; 0 where it has none."""
        if number := NUMBERING.match(text):
            return 3 if self._has_romans and number["number"] else level_of(number)
        return 2 if self._has_romans and LETTER.match(text) else 0
