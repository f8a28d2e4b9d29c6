"""What a page draws, in order: its text, and the filled areas and pictures that may lie under or over it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

Box = tuple[float, float, float, float]  # left, bottom, right, top, in points of the page
Colour = tuple[int, int, int]


class DrawnText(NamedTuple):
    """A piece of text, as the file shows it in one go."""

    address: int  # PDFium's own
    order: int
    box: Box
    colour: Colour
    alpha: int  # 0 to 255
    invisible: bool  # by its mode: neither filled nor stroked
    optional: bool  # in a layer that can be switched off
    tiny: bool  # too small to be read as printed
    placed: bool  # part of a picture, or of another page, that was placed on this one


class Area(NamedTuple):
    """A filled shape, or a picture (no colour). It fills its box where it is a plain rectangle."""

    order: int
    box: Box
    colour: Colour | None
    plain: bool


@dataclass(frozen=True, slots=True)
class Texts:
    """The pieces of text of a page in the order in which they are drawn: one entry of each list, or a member of a set.

    A page has hundreds of them, and hardly any is ever looked at: those are put together when they are.
    """

    addresses: list[int]
    orders: list[int]
    boxes: list[Box]
    colours: list[tuple[int, int, int, int]]  # red, green, blue, alpha
    invisible: set[int]
    optional: set[int]
    tiny: set[int]
    placed: set[int]

    def __len__(self) -> int:
        return len(self.addresses)

    def __getitem__(self, at: int) -> DrawnText:
        red, green, blue, alpha = self.colours[at]
        return DrawnText(
            self.addresses[at],
            self.orders[at],
            self.boxes[at],
            (red, green, blue),
            alpha,
            invisible=at in self.invisible,
            optional=at in self.optional,
            tiny=at in self.tiny,
            placed=at in self.placed,
        )


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything of a page that matters for whether its text can be seen."""

    texts: Texts
    areas: list[Area]
    without_size: list[int]  # text that takes no room on the page
    work: Callable[[], float]  # what its shapes and pictures take to draw, in whole pages filled once
