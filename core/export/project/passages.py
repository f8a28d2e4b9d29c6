"""Support sentences where they stand: quoted in their paragraph, with section and page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.paper import Paper, Sentence

_WHOLE = 1_200  # letters: a paragraph that is longer is shown around the chosen sentences only
_AROUND = 2  # sentences before and after


@dataclass(frozen=True, slots=True)
class Choice:
    """Who chose a sentence: people, and engines that suggested it."""

    people: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of a passage; without a choice it only stands beside."""

    text: str
    choice: Choice | None


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, or the part of it around the chosen sentences."""

    section: str
    page: int | None
    pieces: tuple[Piece, ...]
    begins: bool  # whether it starts where the paragraph does
    ends: bool

    @property
    def place(self) -> str:
        """Section and page in words."""
        page = "" if self.page is None else f"p. {self.page}"
        return ", ".join(filter(None, (self.section, page)))


def passages(paper: Paper, chosen: Mapping[int, Choice]) -> Iterator[Passage]:
    """The passages around chosen sentences by index, in reading order. Unknown indices are left out."""
    wanted = {index for index in chosen if 0 <= index < len(paper.sentences)}
    for section in sorted({paper.sentences[index].section for index in wanted}):
        for paragraph in paper.paragraphs_of(paper.sections[section]):
            here = [place for place, sentence in enumerate(paragraph) if sentence.index in wanted]
            for first, last in _parts(paragraph, here):
                shown = paragraph[first : last + 1]
                yield Passage(
                    section=paper.sections[section].title,
                    page=next(sentence.page for sentence in shown if sentence.index in wanted),
                    pieces=tuple(Piece(each.text, chosen.get(each.index)) for each in shown),
                    begins=first == 0,
                    ends=last == len(paragraph) - 1,
                )


def _parts(paragraph: Sequence[Sentence], chosen: Sequence[int]) -> list[tuple[int, int]]:
    """The first and last place of each part that is shown."""
    end = len(paragraph) - 1
    if chosen and sum(len(sentence.text) for sentence in paragraph) <= _WHOLE:
        return [(0, end)]
    parts: list[tuple[int, int]] = []
    for place in chosen:
        first, last = max(0, place - _AROUND), min(end, place + _AROUND)
        if parts and first <= parts[-1][1] + 1:
            parts[-1] = parts[-1][0], last
        else:
            parts.append((first, last))
    return parts
