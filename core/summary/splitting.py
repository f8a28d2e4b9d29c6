"""Splits a summary, as people write and paste it, into sentences, and says which of them cannot be judged and why."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from core.paper.sentences import split_sentences

# ---- splitting ----
# Summaries as people write and paste them: paragraphs, wrapped lines, bullets, headings, any script.


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence of a summary, without its bullet. `summary[start:end] == text` always holds."""

    text: str
    start: int
    end: int
    heading: bool = False  # announces what follows, and asserts nothing


@dataclass(frozen=True, slots=True)
class _Block:
    """A range of the summary that no sentence extends beyond."""

    start: int
    end: int
    heading: bool = False


_LINE = re.compile(r"[^\n]*\S[^\n]*")
BULLET = re.compile(r"\s*(?:[-*+•–—·▪●◦‣]|\(?(?:\d{1,2}|[a-zA-Z])[.)])\s+")
_HASHES = re.compile(r"\s{0,3}#{1,6}\s+")
_BOLD = re.compile(r"\s*(?:\*\*|__)[^*_]+(?:\*\*|__):?\s*")
_ENDED = re.compile(r"[.!?…。！？।۔؟][\"'”’»)\]」』）*_]*\s*$")
# Ends of sentences that the paper's splitter misses, in scripts with their own stops or without capitals.
_OTHER_STOPS = re.compile(
    r"(?<=[。！？｡।۔؟])[」』）”’\"')]*\s*"
    r"|(?<=[.!?])\s+(?=[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0eff\u3040-\u9fff\uac00-\ud7af])"
)
_LOWER_START = re.compile(
    r"(?<=[\w)\]%][a-z)\]%\d][.!?] )[a-z]|(?<= [.!?] )[a-z]"
)  # the start of a sentence in a text without capitals
_NARROWEST = 60  # characters: if all lines are shorter, each is on its own, not wrapped from a paragraph
_HEADING_WORDS = 8


def split_summary(summary: str) -> tuple[SummarySentence, ...]:
    """The sentences of a summary in order, without those that have no letter or digit.

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
    """Bullets, headings and paragraphs, which may span several lines."""
    lines = [(match.start(), match.end()) for match in _LINE.finditer(summary)]
    width = max((end - start for start, end in lines), default=0)
    blocks: list[_Block] = []
    for number, (start, end) in enumerate(lines):
        before = lines[number - 1] if number else None
        hashes = _HASHES.match(summary, start, end)
        if hashes or _BOLD.fullmatch(summary, start, end):
            blocks.append(_Block(hashes.end() if hashes else start, end, heading=True))
        elif bullet := BULLET.match(summary, start, end):
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
    """Whether a line continues the previous one: it starts in lower case, or its first word did not fit there."""
    if summary.count("\n", before[1], line[0]) > 1:
        return False
    text = summary[line[0] : line[1]].strip()
    if text[0].islower():
        return True
    first_word = text.split(maxsplit=1)[0]
    return width >= _NARROWEST and before[1] - before[0] + 1 + len(first_word) > width


def _announces(summary: str, block: _Block, following: _Block | None) -> bool:
    """Whether a short line without a full stop is a heading: it ends with a colon, or a longer text follows."""
    text = summary[block.start : block.end].strip()
    if following is None or _ENDED.search(text) or len(text.split()) > _HEADING_WORDS:
        return False
    below = summary[following.start : following.end].strip()
    return text.endswith(":") or (
        not any(map(str.isdigit, text)) and bool(_ENDED.search(below)) and len(below) > len(text)
    )


# ---- judgeable ----
# Which sentences of a summary cannot be judged, and why.

HEADING = "A heading: it says nothing that could be checked."
QUESTION = "A question: it says nothing that could be checked."
FRAGMENT = "One word alone says nothing that could be checked."
OTHER_LANGUAGE = "It seems to be in another language than the paper, so its words cannot be compared."

_WORD = re.compile(r"[^\W\d_]+")
_MOST_FREQUENT = 60  # short words of the paper that count as its function words ("the", "of"), in any language
_SHORT = 5  # maximum letters of such words
_FEW_WORDS = 8  # a shorter sentence is taken to be in the language of the whole summary
_USUAL_SHARE = 0.12  # minimum share of such words in a sentence; English prose has about 0.4
_WORDS_IN_COMMON = 0.5  # or minimum share of words known from the paper, for sentences full of names and figures


@dataclass(frozen=True)
class LanguageProfile:
    """What identifies the language of a paper: its scripts, its words, and its function words."""

    scripts: frozenset[str]
    small_words: frozenset[str]
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> LanguageProfile:
        """The profile of a text's language."""
        counts = Counter(word.lower() for word in _WORD.findall(text))
        short = [word for word, _ in counts.most_common() if len(word) <= _SHORT and len(word) > 1]
        scripts = Counter(script for word in counts if (script := script_of(word)))
        main = frozenset(script for script, count in scripts.items() if count >= 0.02 * sum(scripts.values()))
        return cls(main, frozenset(short[:_MOST_FREQUENT]), frozenset(counts))

    def is_of(self, text: str) -> bool:
        """Whether a text is in this language; always true for a text without letters."""
        words = [word.lower() for word in _WORD.findall(text)]
        if not words:
            return True
        if not any(script_of(word) in self.scripts for word in words):
            return False
        small = sum(word in self.small_words for word in words) / len(words)
        known = sum(word in self.words for word in words) / len(words)
        return small >= _USUAL_SHARE or known >= _WORDS_IN_COMMON or len(words) < _FEW_WORDS


def script_of(word: str) -> str | None:
    """The script of a word's first letter, such as "LATIN"; None if it is no letter of a named script."""
    return unicodedata.name(word[0], "").partition(" ")[0] or None


def reasons_against(sentences: Sequence[SummarySentence], paper_text: str) -> list[str | None]:
    """Why each sentence cannot be judged; None if it can."""
    language = LanguageProfile.of(paper_text)
    foreign = not language.is_of(" ".join(sentence.text for sentence in sentences))
    return [_reason(sentence, language, foreign=foreign) for sentence in sentences]


def _reason(sentence: SummarySentence, language: LanguageProfile, *, foreign: bool) -> str | None:
    words = _WORD.findall(sentence.text)
    if not language.is_of(sentence.text) or (foreign and len(words) < _FEW_WORDS):
        return OTHER_LANGUAGE
    if sentence.heading:
        return HEADING
    if sentence.text.rstrip("\"'”’)»").endswith(("?", "？", "؟")):
        return QUESTION
    return FRAGMENT if len(sentence.text.split()) < 2 and script_of(sentence.text) in ("LATIN", None) else None
