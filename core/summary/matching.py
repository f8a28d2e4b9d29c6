"""Match sentences that a model copied from a paper to the paper's own sentences (FaReBio, appendix H).

Models omit words with an ellipsis, abbreviate, drop citations, join sentences, or invent quotations (FaReBio, table 5). A
match returns the paper's own sentence, not the quotation's wording. A quotation without a match is never shown as the
paper's.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate, pairwise

from core.paper import Kind, Paper, Sentence
from core.paper.sentences import split_sentences
from core.summary.model import QuoteStatus, Support
from core.text.abbreviations import abbreviations, shortened
from core.text.words import NEGATIVE, letters_and_digits

_ELLIPSIS = re.compile(r"\[\s*(?:\.{3}|…)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.{3,}|…|\. \. \.")
_DRESS = re.compile(r"^\s*(?:[-*•–]+\s+|\(?\d{1,2}[.)]\s+)|\*\*|__")  # list markers, bold type
_CITATION = re.compile(r"\[\d[\d\s,;–-]*\]|\((?:[^()]*\b(?:19|20)\d\d[a-z]?[;,\s]*)+\)")
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W_]+")
_FEWEST_WORDS = 4  # a shorter quotation matches only a whole sentence, because it may occur in any
_FEWEST_ALIKE = 6  # minimum words of a quotation for a match with small differences
_ALIKE = 0.85  # minimum share of its words that the sentence has in the same order

_Found = tuple[int, QuoteStatus] | None  # a sentence's position among those searched; None: not found


@dataclass(frozen=True, slots=True)
class _Text:
    """The letters and digits of all sentences, concatenated, and where each sentence begins."""

    letters: str
    starts: tuple[int, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> _Text:
        plain = [letters_and_digits(text) for text in texts]
        return cls("".join(plain), tuple(accumulate(map(len, plain), initial=0)))

    def holding(self, quotation: str) -> range | None:
        """The positions of the sentences that contain a quotation: one, or several consecutive ones."""
        wanted = letters_and_digits(quotation)
        start = self.letters.find(wanted) if wanted else -1
        while start >= 0:
            first, last = (bisect_right(self.starts, at) - 1 for at in (start, start + len(wanted) - 1))
            whole = self.starts[first] == start and self.starts[last + 1] == start + len(wanted)
            if whole or len(_words(quotation)) >= _FEWEST_WORDS:
                return range(first, last + 1)
            start = self.letters.find(wanted, start + 1)
        return None


class Matcher:
    """Finds quotations among the sentences of a paper, except headings."""

    def __init__(self, paper: Paper, sentences: Sequence[Sentence]) -> None:
        self._sentences = tuple(sentence for sentence in sentences if sentence.kind is not Kind.HEADING)
        self._paper = paper
        texts = [sentence.text for sentence in self._sentences]
        self._long_forms = abbreviations(texts)
        self._verbatim = _Text.of(texts)
        # Each form ignores one kind of difference. It is applied to both the quotation and the sentences.
        forgiving: tuple[Callable[[str], str], ...] = (_uncited, self._short, lambda text: self._short(_uncited(text)))
        self._forgiving = tuple((form, _Text.of([form(text) for text in texts])) for form in forgiving)
        self._words = [_words(text) for text in texts]

    def find(self, quotation: str) -> tuple[Support, ...]:
        """The paper's sentences that a quotation was copied from, in order, or one support marked as not in the paper."""
        plain = _DRESS.sub("", quotation)
        parts = [plain] if self._verbatim.holding(plain) else _ELLIPSIS.split(plain)  # dots may be the paper's own
        pieces = [piece for piece in parts if letters_and_digits(piece)]
        telling = [piece for piece in pieces if len(_words(piece)) >= _FEWEST_WORDS] or pieces
        found = [sentence for piece in telling for sentence in self._piece(piece)]
        if len(pieces) > 1:
            found = self._with_what_was_left_out(found)
        shown: dict[int | None, Support] = {}
        for sentence in found:
            support = self._support(*sentence, quotation) if sentence else _invented(quotation)
            shown.setdefault(support.index, support)
        return tuple(shown.values()) or (_invented(quotation),)

    def _with_what_was_left_out(self, found: Sequence[_Found]) -> list[_Found]:
        """The sentences on both sides of an ellipsis, and those in between if all are in one paragraph."""
        places = [sentence[0] for sentence in found if sentence]
        if len(places) == len(found) and self._in_one_paragraph(places):
            return [(place, QuoteStatus.REPAIRED) for place in range(places[0], places[-1] + 1)]
        return [sentence and (sentence[0], QuoteStatus.REPAIRED) for sentence in found]

    def _support(self, place: int, status: QuoteStatus, quotation: str) -> Support:
        return Support(self._sentences[place].index, status, quoted=quotation)

    def _piece(self, piece: str) -> list[_Found]:
        """The sentences that match a piece without an ellipsis."""
        if exact := self._verbatim.holding(piece):
            return [(place, QuoteStatus.EXACT) for place in exact]
        for form, text in self._forgiving:
            if repaired := text.holding(form(piece)):
                return [(place, QuoteStatus.REPAIRED) for place in repaired]
        parts = [piece[start:end] for start, end in split_sentences(piece)]
        if len(parts) > 1:
            return [found for part in parts for found in self._piece(part)]
        alike = self._most_alike(piece)
        return [None if alike is None else (alike, QuoteStatus.REPAIRED)]

    def _most_alike(self, piece: str) -> int | None:
        """The sentence that differs from a quotation in few words, of which none adds a number or changes a negation."""
        wanted = _words(piece)
        if len(wanted) < _FEWEST_ALIKE:
            return None
        best, place = 0.0, None
        for number, words in enumerate(self._words):
            if len(set(wanted).intersection(words)) < _ALIKE * len(set(wanted)):
                continue
            share = _shared(wanted, words)
            if share > best:
                best, place = share, number
        return place if best >= _ALIKE else None

    def _in_one_paragraph(self, places: Sequence[int]) -> bool:
        """Whether the sentences are in this order, with no line break of the paper between them."""
        first, last = self._sentences[places[0]], self._sentences[places[-1]]
        in_order = all(one <= other for one, other in pairwise(places))
        return in_order and "\n" not in self._paper.text[first.start : last.end]

    def _short(self, text: str) -> str:
        return shortened(text, self._long_forms)


def _invented(quotation: str) -> Support:
    return Support(None, QuoteStatus.NOT_IN_PAPER, quoted=quotation)


def _uncited(text: str) -> str:
    return _CITATION.sub("", text)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _shared(wanted: Sequence[str], words: Sequence[str]) -> float:
    """The share of a quotation's words that a sentence has in the same order.

    0 if the quotation adds a number, or if one of the two has a negation that the other lacks.
    """
    blocks = SequenceMatcher(None, wanted, words, autojunk=False).get_matching_blocks()[:-1]
    if not blocks:
        return 0.0
    own = {place for block in blocks for place in range(block.a, block.a + block.size)}
    theirs = {place for block in blocks for place in range(block.b, block.b + block.size)}
    added = [word for place, word in enumerate(wanted) if place not in own]
    dropped = [words[place] for place in range(min(theirs), max(theirs)) if place not in theirs]
    if NEGATIVE.intersection(added + dropped) or any(map(str.isdigit, "".join(added))):
        return 0.0
    return len(own) / len(wanted)
