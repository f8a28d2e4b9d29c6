"""Shapes of a drawing, in pixels from the top left corner. Writers for SVG and PNG draw the same ones."""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import east_asian_width

from core.export.shown import shown

INK = "currentColor"  # of text and lines: black, or what surrounds the drawing has
_WIDE, _NARROW = 1.0, 0.56  # widths of letters as shares of their size, on the safe side
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Rectangle:
    """`fill` None: an outline only, dashed, for what is missing."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None


@dataclass(frozen=True, slots=True)
class Circle:
    """`fill` None: as for a rectangle."""

    x: float
    y: float
    radius: float
    fill: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """A faint line."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Frame:
    """An outline in ink. `fill` None: what is behind it stays in view."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line in ink from point to point, straight up, down or sideways, with a head at the last one."""

    points: tuple[tuple[float, float], ...]

    @property
    def head(self) -> tuple[tuple[float, float], ...]:
        """The corners of its head: the tip, and the two behind it."""
        (x0, y0), (x, y) = self.points[-2:]
        long, half = 9.0, 4.0
        if x0 == x:
            back = y - (long if y > y0 else -long)
            return (x, y), (x - half, back), (x + half, back)
        back = x - (long if x > x0 else -long)
        return (x, y), (back, y - half), (back, y + half)


@dataclass(frozen=True, slots=True)
class Text:
    """Words whose middle in height is at `y`; `anchor` says what is at `x`: start, middle or end.

    `turned`: from the bottom to the top, with their middle at `x` and `y`.
    """

    x: float
    y: float
    words: str
    size: float = 14
    anchor: str = "start"
    bold: bool = False
    ink: str = INK
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that mean one thing, and what they mean in words."""

    label: str
    shapes: tuple[Part, ...]


Part = Rectangle | Circle | Line | Frame | Arrow | Text
Shape = Part | Group


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture with its alternative in text: a title, and a description that says all that the picture does."""

    width: float
    height: float
    title: str
    description: str
    shapes: tuple[Shape, ...]


def width_of(words: str, size: float) -> float:
    """About how wide words are; fonts differ, so it is rather too much."""
    return size * sum(_WIDE if east_asian_width(letter) in "WF" else _NARROW for letter in words)


def fitted(words: str, size: float, width: float) -> str:
    """The words on one line of at most this width, cut with an ellipsis where they are longer."""
    line = " ".join(shown(words).split())
    if width_of(line, size) <= width:
        return line
    while line and width_of(line + _ELLIPSIS, size) > width:
        line = line[:-1]
    return line.rstrip() + _ELLIPSIS
