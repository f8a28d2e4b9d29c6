"""A line of a page, and text that keeps track of the lines it was made from."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from core.paper.draft import Block
from core.paper.model import Account, Kind, PrintedLine, SectionKind, printed_line
from core.paper.pdf.pdfium import Font

_HEIGHT, _LEFT = attrgetter("y"), attrgetter("x0")


@dataclass(slots=True)
class Line:
    """A line of one column, or one cell of a table row. In points from the page's bottom left; `y` is the baseline."""

    text: str
    page: int  # counted from 1
    x0: float
    x1: float
    y: float
    size: float
    font: Font
    hyphenated: bool  # ends in a hyphen that only the line break put there
    words: int
    lead: str = ""  # bold or italic words at the start, where the rest is not
    angle: int = 0  # quarter turns anticlockwise
    initial: bool = False  # begins with a drop cap
    outlined: bool = False  # a title in the file's outline
    starts: Sequence[float] = ()  # where each word of the text begins, if that is known ...
    ends: Sequence[float] = ()  # ... and where it ends
    at: int = 0  # its characters on the page, by PDFium's index: from this one ...
    stop: int = 0  # ... up to this one; the same where they are not known
    skipped: int = 0  # the number of the line's letters and digits before `text`
    cap: int | None = None  # the index of a drop cap that was put before the text
    account: Account | None = None  # why it is left out, if a step of the reading has decided so

    @property
    def style(self) -> tuple[str, float]:
        """Font and size, by which kinds of text are told apart."""
        return self.font.name, self.size

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def spans(self) -> list[tuple[float, float]]:
        """Where each word of the text begins and ends; empty if unknown."""
        return list(zip(self.starts, self.ends, strict=True))

    def without(self, text: str, rest: str) -> Line:
        """The line without `text` at its start, so that `rest` remains."""
        skipped = self.skipped + count_letters(text) - (self.cap is not None)
        return replace(self, text=rest, skipped=skipped, cap=None)

    def printed(self, start: int, end: int) -> tuple[PrintedLine, ...]:
        """Where this line is printed, given that its text is `start` up to `end` of a longer text."""
        if self.cap is None:
            return (printed_line((start, end, self.page, self.at, self.stop, self.skipped)),)
        cap = PrintedLine(start, start + 1, self.page, self.cap, self.cap + 1)
        return cap, PrintedLine(start + 1, end, self.page, self.at, self.stop, self.skipped)


@dataclass(frozen=True, slots=True)
class PageLines:
    """The lines of one page in the order in which the file draws them."""

    number: int
    width: float
    height: float
    lines: list[Line]


def leave_out(lines: Iterable[Line], account: Account) -> None:
    """Record why lines are left out, in case no later step reads them."""
    for line in lines:
        line.account = account


def count_letters(text: str) -> int:
    """The number of letters and digits of a text, ligatures spelt out."""
    return sum(map(str.isalnum, unicodedata.normalize("NFKC", text)))


def from_top(lines: Iterable[Line]) -> list[Line]:
    """The lines from top to bottom."""
    return sorted(lines, key=_HEIGHT, reverse=True)


def from_left(lines: Iterable[Line]) -> list[Line]:
    """The lines from left to right."""
    return sorted(lines, key=_LEFT)


# ---- Text that knows the lines it was made from ----


@dataclass(frozen=True, slots=True)
class PrintedText:
    """A text, and where its stretches are printed, in order. What joins the stretches is printed nowhere."""

    text: str = ""
    lines: tuple[PrintedLine, ...] = ()

    def __add__(self, other: PrintedText | str) -> PrintedText:
        if isinstance(other, str):
            return PrintedText(self.text + other, self.lines)
        return PrintedText(
            self.text + other.text, self.lines + tuple(line.moved(len(self.text)) for line in other.lines)
        )

    def cut(self, start: int, end: int | None = None) -> PrintedText:
        """The text from `start` up to `end`."""
        end = len(self.text) if end is None else end
        lines = []
        for line in self.lines:
            if line.start < end and line.end > start:
                if start <= line.start and line.end <= end:
                    lines.append(line.moved(-start))
                    continue
                skipped = count_letters(self.text[line.start : start])
                first, last = max(line.start, start), min(line.end, end)
                lines.append(line._replace(start=first - start, end=last - start, skipped=line.skipped + skipped))
        return PrintedText(self.text[start:end], tuple(lines))

    def stripped(self) -> PrintedText:
        """The text without white space at its ends."""
        if self.text == self.text.strip():
            return self
        start = len(self.text) - len(self.text.lstrip())
        return self.cut(start, max(start, len(self.text.rstrip())))

    def closed_up(self, text: str) -> PrintedText:
        """The end of this text with the white space of `text`, which otherwise has the same characters."""
        places = [at for at, character in enumerate(text) if not character.isspace()]
        old_places = [at for at, character in enumerate(self.text) if not character.isspace()][-len(places) :]
        rest = self.cut(old_places[0])
        at = {old - old_places[0]: new for old, new in zip(old_places, places, strict=True)}
        lines = []
        for line in rest.lines:
            inside = [new for old, new in at.items() if line.start <= old < line.end]
            if inside:
                lines.append(line._replace(start=inside[0], end=inside[-1] + 1))
        return PrintedText(text, tuple(lines))

    def block(self, kind: Kind, level: int = 0, section_kind: SectionKind | None = None) -> Block:
        return Block(kind, self.text, level, section_kind, self.lines)


def join(parts: Iterable[PrintedText], separator: str) -> PrintedText:
    """The parts with a separator between them."""
    texts: list[str] = []
    lines: list[PrintedLine] = []
    length = 0
    for part in parts:
        lines += [line.moved(length) for line in part.lines]
        texts.append(part.text)
        length += len(part.text) + len(separator)
    return PrintedText(separator.join(texts), tuple(lines))
