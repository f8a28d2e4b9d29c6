"""The style of a summary: readability by three published formulas, and novelty (FaReBio, section 4, RQ2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

from pyphen import Pyphen

from core.paper import Kind, Paper
from core.summary.model import Measures, Readability, SummarySource, source_sentences
from core.summary.splitting import split_summary

# ---- readability ----
# How hard a text is to read, by the three measures that FaReBio reports (section 4, RQ2), as first published.
#
# Words, letters and syllables are counted as in textstat 0.7.4, so that figures are comparable with published ones:
# punctuation is removed before the text is split at white space, a digit counts as a letter, and a word has one syllable
# more than places where pyphen would hyphenate it. Sentences come from the summary splitter, which does not end one at
# the point in "1.5". Averages are not rounded along the way.

_PUNCTUATION = re.compile(r"[^\w\s]")
_LISTED_WORD = re.compile(r"[\w='‘’]+")  # words as the list of familiar words spells them: "don't"
_FEW_HARD_WORDS = 5  # per cent: up to here the addend is left out


@dataclass(frozen=True, slots=True)
class TextCounts:
    """The input of the formulas; `words` and `sentences` are at least 1."""

    letters: int
    syllables: int
    words: int
    hard_words: int  # not in the list of familiar words; each counts as often as it occurs
    sentences: int


def readability(text: str) -> Readability | None:
    """The three measures of a text; None if it has no word, because none is then defined."""
    counts = count(text)
    return None if counts is None else by_formula(counts)


def by_formula(counts: TextCounts) -> Readability:
    """The three measures from counts."""
    words_per_sentence = counts.words / counts.sentences
    return Readability(
        flesch_kincaid_grade(words_per_sentence, counts.syllables / counts.words),
        coleman_liau_index(100 * counts.letters / counts.words, 100 * counts.sentences / counts.words),
        dale_chall_score(100 * counts.hard_words / counts.words, words_per_sentence),
    )


def flesch_kincaid_grade(words_per_sentence: float, syllables_per_word: float) -> float:
    """0.39 words per sentence + 11.8 syllables per word - 15.59 (Kincaid, Fishburne, Rogers and Chissom 1975)."""
    return 0.39 * words_per_sentence + 11.8 * syllables_per_word - 15.59


def coleman_liau_index(letters_per_100_words: float, sentences_per_100_words: float) -> float:
    """0.0588 L - 0.296 S - 15.8, by letters and sentences in 100 words (Coleman and Liau 1975)."""
    return 0.0588 * letters_per_100_words - 0.296 * sentences_per_100_words - 15.8


def dale_chall_score(hard_per_cent: float, words_per_sentence: float) -> float:
    """0.1579 x per cent of hard words + 0.0496 x words per sentence, + 3.6365 (Dale and Chall 1948).

    The addend is left out up to 5% of hard words, as is usual. An inflected form that the list lacks counts as hard; Dale
    and Chall counted regular endings as familiar, so their score would be somewhat lower.
    """
    addend = 3.6365 if hard_per_cent > _FEW_HARD_WORDS else 0.0
    return 0.1579 * hard_per_cent + 0.0496 * words_per_sentence + addend


def count(text: str) -> TextCounts | None:
    """Count what the formulas need; None if the text has no word."""
    words = _PUNCTUATION.sub("", text).split()
    if not words:
        return None
    return TextCounts(
        letters=sum(map(len, words)),
        syllables=sum(_syllables(word.lower()) for word in words),
        words=len(words),
        hard_words=len(hard_words(text)),
        sentences=max(1, len(split_summary(text))),
    )


def hard_words(text: str) -> Sequence[str]:
    """The words that are not in the list of 3,000 familiar words, in order, each as often as it occurs."""
    return [word for word in _LISTED_WORD.findall(text.lower()) if word not in familiar_words()]


@cache
def _syllables(word: str) -> int:
    return len(_hyphenation().positions(word)) + 1


@cache
def _hyphenation() -> Pyphen:
    return Pyphen(lang="en_US")


@cache
def familiar_words() -> frozenset[str]:
    """The list of Dale and Chall as shipped with textstat, whose code is not run because it needs an old setuptools."""
    path = Path(str(distribution("textstat").locate_file("textstat/resources/en/easy_words.txt")))
    return frozenset(path.read_text(encoding="utf-8").split("\n")) - {""}


# ---- novelty ----
# Abstractiveness: how much of a summary is worded differently from its source (FaReBio, section 4, RQ2).

SIZES = (1, 2, 3)  # of n-grams, as in FaReBio's figure 3a
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W_]+(?:'[^\W_]+)*")

NGram = tuple[str, ...]


def novelty(summary: Iterable[str], source: Iterable[str], n: int) -> float | None:
    """The share of a summary's n-grams that its source does not have, from 0 to 1 (See, Liu and Manning 2017).

    Both are given as sentences. No n-gram crosses the end of a sentence, so a sentence copied whole has no new n-gram. An
    n-gram counts as often as it occurs; case does not matter. None if the summary has no n-gram of this size.
    """
    known = {ngram for sentence in source for ngram in _ngrams(sentence, n)}
    found = [ngram not in known for sentence in summary for ngram in _ngrams(sentence, n)]
    return sum(found) / len(found) if found else None


def _ngrams(sentence: str, n: int) -> Iterator[NGram]:
    plain = unicodedata.normalize("NFKC", sentence).casefold().replace("’", "'")
    words = _WORD.findall(plain)
    return (tuple(words[place : place + n]) for place in range(len(words) - n + 1))


# ---- measures ----
# Properties of a summary other than faithfulness: the plainer a text, the less faithful it tends to be (FaReBio, table 7).


def measures(summary: str, paper: Paper, source: SummarySource) -> Measures:
    """The measures of a summary against its source."""
    sentences = [sentence.text for sentence in split_summary(summary)]
    wording = [sentence.text for sentence in source_sentences(paper, source) if sentence.kind is not Kind.HEADING]
    return Measures(readability(summary), tuple(novelty(sentences, wording, n) for n in SIZES))
