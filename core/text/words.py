"""Words and stems: which words of a sentence count, and which are forms of the same word."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Letters and digits, with the decimals of a number kept in one piece: "IL-6" is two words, "0.05" is one.
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")

NEGATIVE = frozenset("no not nor neither never without cannot none".split())

# Words that say nothing about the topic. "No", "not" and "less" are not among them.
_STOP = frozenset(
    """
    a about after all also although an and any are as at be because been before being between both but by can could
    did do does during each either for from further had has have having he her here his how however i if in into is it
    its itself may might more most must my nor of on one only or other our out over own per s same she should so some
    such than that the their them then there these they this those through thus to too under until up upon us very was
    we were what when where whether which while who whom whose why will with within would yet you your t
    """.split()
)
_SUFFIXES = (("sses", "ss"), ("ies", "y"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"))


def content_words(text: str) -> list[str]:
    """The words of `text` in order, lower-cased, without stop words, plurals folded into singulars."""
    plain = unicodedata.normalize("NFKC", text).lower()
    return [_singular(word) for word in _WORD.findall(plain) if word not in _STOP]


def as_written(text: str) -> dict[str, str]:
    """Map each of `content_words`, in order, to the word as the text first writes it, for display."""
    written: dict[str, str] = {}
    for word in _WORD.findall(unicodedata.normalize("NFKC", text)):
        if word.lower() not in _STOP:
            written.setdefault(_singular(word.lower()), word)
    return written


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    for suffix, replacement in _SUFFIXES:
        if word.endswith(suffix):
            return word[: -len(suffix)] + replacement
    return word[:-1]


# Letters and digits with inner hyphens, apostrophes and decimals: "IL-6", "don't" and "0.05" are one word each.
_HYPHENATED = re.compile(r"\d+(?:[.,·]\d+)+|[^\W_]+(?:[-‐'’][^\W_]+)*")


def word_after(text: str, place: int) -> str | None:
    """The first word that begins at a place or after it, in lower case; None if there is none."""
    found = next((match for match in _HYPHENATED.finditer(text) if match.start() >= place), None)
    return found and found.group().lower().replace("’", "'")


# ---- stems ----
# Three ways to recognise forms of the same word. Weights were fitted and figures measured with each: light stems for
# the numbers of summaries (docs/summary-offline.md), broad stems for criteria and definitions (docs/screening.md), and
# first letters for what the reader reads and the verdicts on it (docs/reader.md). One cannot replace the others: of 465
# pairs of words in the annotated results of 320 trials that light or broad stems take for one word, they agree on 330,
# and broad stems separate "case" from "cases".

_SHORTEST_STEM = 4  # letters


@lru_cache(maxsize=65536)
def light_stem(word: str) -> str:
    """A word without the ending of its form in the sentence: a light cut, for comparison only."""
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


_SPELLINGS = (("isation", "ization"), ("ise", "ize"), ("aemi", "emi"), ("oea", "ea"), ("paed", "ped"), ("oed", "ed"))
_BROAD_ENDINGS = re.compile(
    r"(?:izations?|ations?|ements?|ments?|ities|ity|ically|ical|ics?|ions?|ing|ed|ers?|ors?|ies|es|al|ia|ive|ant|ent|y|e|s)$"
)
_START = 6  # letters by which a word is identified
_PLAIN = re.compile(r"[a-z0-9]{3,}")


def broad_stems(text: str) -> frozenset[str]:
    """The stems of a text's content words."""
    return frozenset(broad_stem(word) for word in content_words(text))


@lru_cache(maxsize=50_000)
def broad_stem(word: str) -> str:
    """A word in lower case without its ending: "hypertensive" and "hypertension" are one."""
    for british, american in _SPELLINGS:
        word = word.replace(british, american)
    cut = _BROAD_ENDINGS.sub("", word)
    return cut if len(cut) >= _SHORTEST_STEM else word


def word_starts(text: str) -> frozenset[str]:
    """The words of a text, each by its first letters."""
    return frozenset(word[:_START] for word in _PLAIN.findall(text.lower()))


def share_of_words(wanted: frozenset[str], words: frozenset[str]) -> float:
    """The share of the wanted words that are there, 0 to 1."""
    return len(wanted & words) / len(wanted) if wanted else 0.0


# ---- quotations ----


def is_quoted_from(quotation: str, sentence: str) -> bool:
    """Whether a quotation agrees with a sentence, or with a part of it."""
    return letters_and_digits(quotation) in letters_and_digits(sentence)


def letters_and_digits(text: str) -> str:
    """The part of a text that is compared: its letters and digits, whatever the case."""
    return "".join(filter(str.isalnum, text.casefold()))


def as_copied(text: str) -> list[str]:
    """The words by which a text is known as a copy: as written, signs and case included (5 mM is not 5 mm), without the last stop."""
    return text.rstrip(" .").split()


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 paper, 1,200 papers."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
