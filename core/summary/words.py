"""The words of a sentence, with their places, and which of them are the same word in another form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.evidence.words import content_words
from core.summary.plain_words import PLAIN_WORDS

# Letters and digits with inner hyphens, apostrophes and decimals: "IL-6", "don't" and "0.05" are one word each.
_WORD = re.compile(r"\d+(?:[.,·]\d+)+|[^\W_]+(?:[-‐'’][^\W_]+)*")
_CLAUSE = re.compile(r"[;:,()]|\b(?:and|but|whereas|while|although|though|because|which|who|however)\b", re.IGNORECASE)
_SHORTEST_STEM = 4


@dataclass(frozen=True, slots=True)
class Word:
    """`sentence[start:end]`, lower-cased."""

    text: str
    start: int
    end: int
    clause: int  # counted from 0: what stands between two commas or conjunctions


@lru_cache(maxsize=8192)
def words_of(sentence: str) -> tuple[Word, ...]:
    """Every word of a sentence, in order."""
    breaks = [match.start() for match in _CLAUSE.finditer(sentence)]
    words, clause = [], 0
    for match in _WORD.finditer(sentence):
        while clause < len(breaks) and breaks[clause] <= match.start():
            clause += 1
        words.append(Word(match.group().lower().replace("’", "'"), match.start(), match.end(), clause))
    return tuple(words)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without the ending that its form in the sentence gives it: a light cut, for comparison only."""
    word = word.removesuffix("'s")
    if len(word) <= _SHORTEST_STEM or any(map(str.isdigit, word)):
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) + len(instead) >= _SHORTEST_STEM:
            return word[: -len(ending)] + instead
    return word


_ENDINGS = tuple(
    (ending, instead)
    for ending, instead in [
        ("ational", "at"), ("isation", "is"), ("ization", "is"), ("iveness", "iv"), ("fulness", "ful"), ("ations", "at"),
        ("ation", "at"), ("ements", ""), ("ement", ""), ("ments", ""), ("ment", ""), ("ically", "ic"), ("ingly", ""),
        ("edly", ""), ("ities", ""), ("ity", ""), ("ions", ""), ("ion", ""), ("ants", ""), ("ant", ""), ("ances", ""),
        ("ance", ""), ("ives", ""), ("ive", ""), ("ises", "is"), ("ised", "is"), ("ising", "is"), ("izes", "is"),
        ("ized", "is"), ("izing", "is"), ("ize", "is"), ("ise", "is"), ("ated", "at"), ("ating", "at"), ("ates", "at"),
        ("ate", "at"), ("ally", ""), ("al", ""), ("ies", ""), ("ied", ""), ("ying", ""), ("ing", ""), ("ers", ""),
        ("er", ""), ("ors", ""), ("or", ""), ("ed", ""), ("es", ""), ("ly", ""), ("s", ""), ("e", ""), ("y", ""),
    ]
)  # fmt: skip


@lru_cache(maxsize=8192)
def topic(sentence: str) -> frozenset[str]:
    """The stems of the words that carry a topic, plain words and terms of medicine folded into one; no numbers."""
    lowered = sentence.lower().replace("’", "'")
    folded = [(phrase, key) for phrase, key in _FOLDED if phrase in lowered]
    stems = {stem(word) for word in content_words(sentence) if word not in _NUMBERS and not word[0].isdigit()}
    for phrase, key in folded:
        if re.search(rf"\b{re.escape(phrase)}", lowered):
            stems -= {stem(word) for word in content_words(phrase)}
            stems.add(key)
    return frozenset(stems)


def is_of_medicine(word: str) -> bool:
    """Whether a word is a term of medicine, or a plain word for one."""
    return any(stemmed.startswith("=") for stemmed in topic(word))


_NUMBERS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    " twenty thirty forty fifty sixty seventy eighty ninety hundred thousand half third quarter fifth percent".split()
)
_FOLDED = sorted(((form, f"={group[0]}") for group in PLAIN_WORDS for form in group), key=lambda pair: -len(pair[0]))
