"""A quick look at all sentences of a paper at once, for the few that may speak to a language model.

What is found here is looked at sentence by sentence (`addressed`); all others surely speak to nobody.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from core.paper import addressed_languages as languages
from core.paper import addressed_patterns as patterns

LONGEST = 2000  # characters that are looked at together: what speaks to a machine is shorter
_ALPHABETS = re.compile(f"[{''.join(map(chr, patterns.LOOKALIKES))}]|{languages.OTHER_SCRIPT.pattern}")
_APART = re.compile(r"[\s.*_-](?:\w[\s.*_-]+){4}")  # letters set apart
_DIGIT_INSIDE = re.compile(r"[013457@$](?<=[a-z].)[a-z]")  # a digit, or sign, between letters
_CLAUSE = re.compile(r"[\n.:;!?][^\w\n]*+([^\W\d_]\w{0,4})")  # the first letters of a clause's first word


def fold(sentence: str) -> str:
    """A sentence in small letters, each sign in its plainest form."""
    plain = sentence if sentence.isascii() else unicodedata.normalize("NFKC", sentence).replace("’", "'")
    return plain.casefold()


def worth_a_look(sentences: Sequence[str]) -> set[int]:
    """The indices of the sentences that may speak to a machine."""
    folded = [fold(sentence).replace("\n", " ") for sentence in sentences]
    long = {index for index, text in enumerate(folded) if len(text) > LONGEST}  # each is looked at by itself
    short = ["" if index in long else text for index, text in enumerate(folded)]
    starts = list(accumulate((len(text) + 1 for text in short), initial=1))
    return long | {bisect_right(starts, at) - 1 for at in _signs("\n".join(["", *short, ""]))}


def _signs(text: str) -> Iterator[int]:
    """Where in many sentences, each on a line, something may speak to a machine."""
    for pattern in (_APART, _DIGIT_INSIDE) if text.isascii() else (_APART, _DIGIT_INSIDE, _ALPHABETS):
        yield from (match.end() - 1 for match in pattern.finditer(text))
    yield from (match.start(1) for match in _CLAUSE.finditer(text.replace("_", " ")) if match[1] in patterns.ORDERS)
    for word in _words(text):
        if word in patterns.SIGNALS or languages.may_be_foreign(word):
            yield from _places(word, text)


def _words(text: str) -> set[str]:
    """The words of a text, each once: letters alone are one, in anything else they are looked for."""
    pieces = set(text.split())
    plain = set(filter(str.isalnum, pieces))
    return plain.union(patterns.WORD.findall(" ".join(pieces - plain)))


def _places(word: str, text: str) -> Iterator[int]:
    """Where a word stands in a text that neither begins nor ends with it."""
    at = text.find(word)
    while at >= 0:
        before, after = text[at - 1], text[at + len(word)]
        if not (before.isalnum() or before in "_'" or after.isalnum() or after in "_'"):
            yield at
        at = text.find(word, at + 1)
