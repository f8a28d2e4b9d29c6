"""Words and stems: which words of a sentence count, and which are the same word in another form."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from core.text.medical_terms import PLAIN_WORDS

# ---- words ----
# Words for lexical matching: what counts as the same word in a biomedical sentence.

# Letters and digits, with the decimals of a number kept in one piece: "IL-6" is two words, "0.05" is one.
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")

# Words that carry no topic. Negations and comparisons are left in: they do.
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
    """Each of `content_words`, in order, and the word as the text first writes it: what is shown to a reader."""
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


# ---- words ----
# The words of a sentence, with their places, and which of them are the same word in another form.

# Letters and digits with inner hyphens, apostrophes and decimals: "IL-6", "don't" and "0.05" are one word each.
_WORDS_WORD = re.compile(r"\d+(?:[.,·]\d+)+|[^\W_]+(?:[-‐'’][^\W_]+)*")
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
    for match in _WORDS_WORD.finditer(sentence):
        while clause < len(breaks) and breaks[clause] <= match.start():
            clause += 1
        words.append(Word(match.group().lower().replace("’", "'"), match.start(), match.end(), clause))
    return tuple(words)


@lru_cache(maxsize=65536)
def light_stem(word: str) -> str:
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
    stems = {light_stem(word) for word in content_words(sentence) if word not in _NUMBERS and not word[0].isdigit()}
    for phrase, key in folded:
        if re.search(rf"\b{re.escape(phrase)}", lowered):
            stems -= {light_stem(word) for word in content_words(phrase)}
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


# ---- stems ----
# Stems of words: what a criterion and a paper may write differently and mean alike.

_SPELLINGS = (("isation", "ization"), ("ise", "ize"), ("aemi", "emi"), ("oea", "ea"), ("paed", "ped"), ("oed", "ed"))
_STEMS_ENDINGS = re.compile(
    r"(?:izations?|ations?|ements?|ments?|ities|ity|ically|ical|ics?|ions?|ing|ed|ers?|ors?|ies|es|al|ia|ive|ant|ent|y|e|s)$"
)
_SHORTEST = 4  # letters that stay


def broad_stems(text: str) -> frozenset[str]:
    """The stems of a text's content words."""
    return frozenset(broad_stem(word) for word in content_words(text))


@lru_cache(maxsize=50_000)
def broad_stem(word: str) -> str:
    """A word in lower case without its ending: "hypertensive" and "hypertension" are one."""
    for british, american in _SPELLINGS:
        word = word.replace(british, american)
    cut = _STEMS_ENDINGS.sub("", word)
    return cut if len(cut) >= _SHORTEST else word


def is_quoted_from(quotation: str, sentence: str) -> bool:
    """Whether a quotation agrees with a sentence, or with a part of it."""
    return letters_and_digits(quotation) in letters_and_digits(sentence)


def letters_and_digits(text: str) -> str:
    """What of a text is compared: its letters and digits, whatever the case."""
    return "".join(filter(str.isalnum, text.casefold()))
