"""Split a summary as people write and paste it: paragraphs, wrapped lines, bullets, headings, any script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from core.paper.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence of a summary. `summary[start:end] == text`, always; a bullet's mark is outside."""

    text: str
    start: int
    end: int
    heading: bool = False  # announces what follows, and asserts nothing


@dataclass(frozen=True, slots=True)
class _Block:
    """A stretch of the summary within which sentences are told apart."""

    start: int
    end: int
    heading: bool = False


_LINE = re.compile(r"[^\n]*\S[^\n]*")
_BULLET = re.compile(r"\s*(?:[-*+•–—·▪●◦‣]|\(?(?:\d{1,2}|[a-zA-Z])[.)])\s+")
_HASHES = re.compile(r"\s{0,3}#{1,6}\s+")
_BOLD = re.compile(r"\s*(?:\*\*|__)[^*_]+(?:\*\*|__):?\s*")
_ENDED = re.compile(r"[.!?…。！？।۔؟][\"'”’»)\]」』）*_]*\s*$")
# Ends of sentences that the paper's splitter does not look for: scripts with stops of their own, or without capitals.
_OTHER_STOPS = re.compile(
    r"(?<=[。！？｡।۔؟])[」』）”’\"')]*\s*"
    r"|(?<=[.!?])\s+(?=[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0eff\u3040-\u9fff\uac00-\ud7af])"
)
_LOWER_START = re.compile(
    r"(?<=[\w)\]%][a-z)\]%\d][.!?] )[a-z]|(?<= [.!?] )[a-z]"
)  # of a sentence, where nothing has a capital
_NARROWEST = 60  # characters: lines that break earlier are lines of their own, not a paragraph's
_HEADING_WORDS = 8


def split_summary(summary: str) -> tuple[SummarySentence, ...]:
    """The sentences of a summary in order; what holds no letter or digit is none.

    >>> [sentence.text for sentence in split_summary("Findings\\n\\n- Pain fell.\\n- Sleep did not change. Why?")]
    ['Findings', 'Pain fell.', 'Sleep did not change.', 'Why?']
    """
    with_capitals = _LOWER_START.sub(lambda match: match.group().upper(), summary) if summary.islower() else summary
    return tuple(
        SummarySentence(summary[start:end], start, end, block.heading)
        for block in _blocks(summary)
        for start, end in _sentences(with_capitals, block)
        if any(map(str.isalnum, summary[start:end]))
    )


def _sentences(summary: str, block: _Block) -> Iterator[tuple[int, int]]:
    for first, last in split_sentences(summary[block.start : block.end]):
        start, end = block.start + first, block.start + last
        for stop in _OTHER_STOPS.finditer(summary, start, end):
            if start < stop.start() and stop.end() < end:
                yield start, start + len(summary[start : stop.end()].rstrip())
                start = stop.end()
        yield start, end


def _blocks(summary: str) -> list[_Block]:
    """Bullets, headings, and runs of lines that belong together."""
    lines = [(match.start(), match.end()) for match in _LINE.finditer(summary)]
    width = max((end - start for start, end in lines), default=0)
    blocks: list[_Block] = []
    for number, (start, end) in enumerate(lines):
        before = lines[number - 1] if number else None
        hashes = _HASHES.match(summary, start, end)
        if hashes or _BOLD.fullmatch(summary, start, end):
            blocks.append(_Block(hashes.end() if hashes else start, end, heading=True))
        elif bullet := _BULLET.match(summary, start, end):
            blocks.append(_Block(bullet.end(), end))
        elif before and blocks and not blocks[-1].heading and _goes_on(summary, before, (start, end), width):
            blocks[-1] = _Block(blocks[-1].start, end)
        else:
            blocks.append(_Block(start, end))
    return [
        _Block(block.start, block.end, heading=block.heading or _announces(summary, block, following))
        for block, following in zip_longest(blocks, blocks[1:])
    ]


def _goes_on(summary: str, before: tuple[int, int], line: tuple[int, int], width: int) -> bool:
    """Whether a line goes on with the paragraph of the line before, because there was no room for its first word."""
    if summary.count("\n", before[1], line[0]) > 1:
        return False
    text = summary[line[0] : line[1]].strip()
    if text[0].islower():
        return True
    first_word = text.split(maxsplit=1)[0]
    return width >= _NARROWEST and before[1] - before[0] + 1 + len(first_word) > width


def _announces(summary: str, block: _Block, following: _Block | None) -> bool:
    """Whether a short line without a full stop is a heading: a longer text stands below it."""
    text = summary[block.start : block.end].strip()
    if following is None or _ENDED.search(text) or len(text.split()) > _HEADING_WORDS:
        return False
    below = summary[following.start : following.end].strip()
    return text.endswith(":") or (
        not any(map(str.isdigit, text)) and bool(_ENDED.search(below)) and len(below) > len(text)
    )
