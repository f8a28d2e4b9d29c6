"""Sentences that speak to a language model instead of a reader ("ignore previous instructions ...").

A sentence is told by what it does, not by a list of known sentences: it orders somebody about (an imperative, "you
must"), and what it orders only a machine that reads papers could do: drop its instructions, answer in given words,
praise, keep limitations to itself. Papers describe and report; where they give orders (to patients, in checklists),
those are about other things. A paper about language models may quote such sentences: they are found too, and a
reviewer can have them back (`read_paper(..., keep_set_aside=True)`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from core.paper.addressed_words import (
    ALWAYS_STRONG,
    BIAS,
    COMPACT,
    IMPERATIVE,
    LETTERS_APART,
    LOOKALIKES,
    MACHINE,
    OTHER_LANGUAGES,
    PROHIBITION,
    REPLY,
    STEMS,
    SIGNALS,
    ORDERS,
    CLAUSE,
    OTHER_SCRIPT,
    WORD,
    UNCONDITIONAL,
    VALUE,
    WORK,
    YOU,
)

_ENOUGH = 4
_LONGEST = 2000  # characters of a sentence that are looked at from its start; the rest is looked at in further windows
_DIGITS_AS_LETTERS = str.maketrans("013457@$", "oieastas")


def addressed_to_machine(sentences: Sequence[str]) -> list[bool]:
    """Which sentences of one paragraph speak to a language model.

    Those between two that do, and those beside one that go on giving orders, do as well.
    """
    scores = [_score(sentence) for sentence in sentences]
    found = [score >= _ENOUGH for score in scores]
    if not any(found):
        return found
    first, last = found.index(True), len(found) - 1 - found[::-1].index(True)
    found[first:last] = [True] * (last - first)
    for step, index in ((-1, first - 1), (1, last + 1)):
        while 0 <= index < len(found) and scores[index] >= 1:
            found[index] = True
            index += step
    return found


def _score(sentence: str) -> int:
    """How much a sentence speaks to a machine; from `_ENOUGH` on it does."""
    folded = _folded(sentence)
    return max(_score_of(folded[at : at + _LONGEST]) for at in range(0, max(len(folded), 1), _LONGEST))


def _score_of(folded: str) -> int:
    text = folded.translate(LOOKALIKES)
    if _is_disguised(text):
        return _ENOUGH
    words = WORD.findall(folded)
    if (
        SIGNALS.isdisjoint(words)
        and STEMS.isdisjoint(word[:5] for word in words)
        and ORDERS.isdisjoint(word[:5] for word in CLAUSE.findall(text))
        and not OTHER_SCRIPT.search(folded)
        and "<|" not in text
    ):
        return 0
    if any(pattern.search(folded) for pattern in OTHER_LANGUAGES):
        return _ENOUGH
    if any(pattern.search(text) for pattern in ALWAYS_STRONG):
        return _ENOUGH
    forbids = bool(PROHIBITION.search(text))
    if not (forbids or IMPERATIVE.search(text) or YOU.search(text)):
        return 0
    value = bool(VALUE.search(text))
    about = sum(bool(pattern.search(text)) for pattern in (MACHINE, REPLY, WORK, BIAS))
    if not about or not (value or forbids or MACHINE.search(text)):
        return 1
    return 1 + forbids + 2 * value + about + bool(UNCONDITIONAL.search(text))


def _folded(text: str) -> str:
    """The text in lower case, on one line."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("’", "'").split())


def _is_disguised(text: str) -> bool:
    """Whether the best known order stands there with its letters set apart, or written with digits."""
    if not LETTERS_APART.search(text) and not re.search(r"[a-z][013457@$][a-z]", text):
        return False
    letters = re.sub(r"[^a-z]", "", text.translate(_DIGITS_AS_LETTERS))
    return COMPACT.search(letters) is not None
