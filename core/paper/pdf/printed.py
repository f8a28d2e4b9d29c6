"""Text that knows which lines of which pages it was made from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.paper.draft import Block
from core.paper.model import Kind, PrintedLine, SectionKind
from core.paper.pdf.lines import count_letters


@dataclass(frozen=True, slots=True)
class PrintedText:
    """A text, and the lines that stretches of it were printed on, in order; what joins them was printed nowhere."""

    text: str = ""
    lines: tuple[PrintedLine, ...] = ()

    def __add__(self, other: PrintedText | str) -> PrintedText:
        if isinstance(other, str):
            return PrintedText(self.text + other, self.lines)
        return PrintedText(
            self.text + other.text, self.lines + tuple(line.moved(len(self.text)) for line in other.lines)
        )

    def cut(self, start: int, end: int | None = None) -> PrintedText:
        """The text from `start` up to `end`, both from 0 up to its length."""
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
        """The end of this text, written as `text`, which is the same but for its spaces."""
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
