"""What the reader reads: what is asked, and one sentence with its paper's title, its part and the sentence before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.evidence.ranker.pairs import Pair
from core.paper import Kind, Paper, Sentence

LONGEST = 128  # word pieces of a pair, its marks included
LONGEST_OF_SEVERAL = 200  # of a text beside several sentences
_ASKED, _TITLE, _BEFORE = 44, 20, 16  # word pieces at most: of what is asked, of the title, of the sentence before
_LEAST_OF_EACH, _FRAME = 20, 4  # word pieces: of each of several sentences, and of them what stands around its text
_CHARACTERS = 900  # of a text: no more fit into the pieces
_WITHOUT_PROSE = frozenset({Kind.TITLE, Kind.HEADING})

Pieces = Callable[[Sequence[str]], list[list[int]]]  # texts -> their word pieces, a mark at both ends of each


@dataclass(frozen=True, slots=True)
class InContext:
    """A sentence with what a reader sees around it; an empty string is left out."""

    text: str
    title: str = ""
    part: str = ""
    before: str = ""


def readable(paper: Paper) -> list[Sentence]:
    """The sentences that may say something: all but titles and headings."""
    return [sentence for sentence in paper.pool if sentence.kind not in _WITHOUT_PROSE]


def part_of(paper: Paper, sentence: Sentence) -> str:
    """ "table" or "caption", or else the kind of the section that a sentence stands in."""
    if sentence.kind in (Kind.TABLE, Kind.CAPTION, Kind.TITLE):
        return sentence.kind.value
    return paper.section_of(sentence).kind.value


def in_context(paper: Paper, sentence: Sentence) -> InContext:
    """A sentence as the reader sees it."""
    before = paper.sentences[sentence.index - 1] if sentence.index else None
    follows = before is not None and before.section == sentence.section and before.kind is sentence.kind
    return InContext(
        sentence.text,
        title=paper.title or "",
        part=part_of(paper, sentence),
        before=before.text if before and follows else "",
    )


class Writer:
    """Turns texts into pairs of word pieces. Holds no state between calls, so threads may share it."""

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._start, self._hash, self._stop = pieces(["#"])[0]
        self._colon = pieces([":"])[0][1]

    def pairs(self, asked: str, sentences: Sequence[InContext]) -> list[Pair]:
        """One pair a sentence, in their order."""
        known = self._known(text for one in sentences for text in (one.text, one.title, one.part, one.before))
        left = self._left(asked)
        return [_pair(left, self._right(one, known), self._stop, LONGEST) for one in sentences]

    def of_several(self, asked: str, sentences: Sequence[InContext]) -> Pair:
        """What is asked beside several sentences at once, each after its part."""
        known = self._known(text for one in sentences for text in (one.text, one.part))
        left = self._left(asked)
        room = max(_LEAST_OF_EACH, (LONGEST_OF_SEVERAL - len(left) - 1) // max(1, len(sentences))) - _FRAME
        right: list[int] = []
        for one in sentences:
            right += [*known[one.part], self._colon, *known[one.text][:room], self._hash]
        return _pair(left, right, self._stop, LONGEST_OF_SEVERAL)

    def _left(self, asked: str) -> list[int]:
        return [self._start, *self._known([asked])[asked][:_ASKED], self._stop]

    def _right(self, one: InContext, known: Mapping[str, Sequence[int]]) -> list[int]:
        right: list[int] = []
        if one.title:
            right += [*known[one.title][:_TITLE], self._hash]
        if one.part:
            right += [*known[one.part], self._colon]
        if one.before:
            right += [*known[one.before][-_BEFORE:], self._hash]
        return [*right, *known[one.text]]

    def _known(self, texts: Iterable[str]) -> dict[str, list[int]]:
        """The word pieces of each text, without marks; texts that come up again are taken apart once."""
        unique = list(dict.fromkeys(texts))
        found = self._pieces([text[:_CHARACTERS] for text in unique])
        return {text: pieces[1:-1] for text, pieces in zip(unique, found, strict=True)}


def _pair(left: Sequence[int], right: Sequence[int], stop: int, longest: int) -> Pair:
    return Pair((*left, *right[: longest - len(left) - 1], stop), len(left))
