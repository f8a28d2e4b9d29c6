"""Words for lexical matching: what counts as the same word in a biomedical sentence."""

from __future__ import annotations

import re
import unicodedata

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
