"""What a line of a page is: text with the place, size and font that the layout is read from."""

from __future__ import annotations

from dataclasses import dataclass

from core.paper.pdf.characters import Font


@dataclass(slots=True)
class Line:
    """A line of one column, or one cell of a table row. Points, the origin at the bottom left; y is the baseline."""

    text: str
    page: int  # counted from 1
    x0: float
    x1: float
    y: float
    size: float
    font: Font
    hyphenated: bool  # ends in a hyphen that only the line break asked for
    words: int
    lead: str = ""  # the bold or italic words that the line begins with, where the rest is set otherwise
    angle: int = 0  # quarter turns anticlockwise
    initial: bool = False  # begins with a large initial
    spans: tuple[tuple[float, float], ...] = ()  # where each word of the text begins and ends, if that is known
    at: int = 0  # the index of its first character on the page, as PDFium counts

    @property
    def style(self) -> tuple[str, float]:
        """What tells one kind of text from another: font and size."""
        return self.font.name, self.size

    @property
    def width(self) -> float:
        return self.x1 - self.x0


@dataclass(frozen=True, slots=True)
class PageLines:
    """The lines of one page in the order in which the file draws them."""

    number: int
    width: float
    height: float
    lines: list[Line]
