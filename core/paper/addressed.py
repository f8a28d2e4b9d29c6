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

from core.paper import addressed_languages as languages
from core.paper import addressed_words as words

_ENOUGH = 4
_LONGEST = 2000  # characters that are looked at together: what speaks to a machine is shorter
_DIGIT_FOR_LETTER = re.compile(r"[a-z][013457@$][a-z]")
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
    while first > 0 and scores[first - 1] >= 1:
        first -= 1
        found[first] = True
    while last + 1 < len(found) and scores[last + 1] >= 1:
        last += 1
        found[last] = True
    return found


def _score(sentence: str) -> int:
    """How much a sentence speaks to a machine: 0 gives no orders, from 1 on it does, from `_ENOUGH` on to a machine."""
    folded = sentence if sentence.isascii() else unicodedata.normalize("NFKC", sentence).replace("’", "'")
    folded = " ".join(folded.casefold().split())
    return max(_score_of(folded[at : at + _LONGEST]) for at in range(0, max(len(folded), 1), _LONGEST))


def _score_of(folded: str) -> int:
    text = folded.translate(words.LOOKALIKES)
    if _is_disguised(text):
        return _ENOUGH
    if not _may_speak(folded, text):
        return 0
    if any(pattern.search(folded) for pattern in languages.OTHER_LANGUAGES):
        return _ENOUGH
    if words.STRONG_OPENING.search(text) or words.STRONG_ORDER.search(text) or words.STRONG.search(text):
        return _ENOUGH
    forbids = words.PROHIBITION.search(text) is not None
    if not (forbids or words.IMPERATIVE.search(text) or words.YOU.search(text)):
        return 0
    machine, value = bool(words.MACHINE.search(text)), bool(words.VALUE.search(text))
    about = machine + sum(bool(pattern.search(text)) for pattern in (words.REPLY, words.WORK, words.BIAS))
    if not about or not (value or forbids or machine):
        return 1
    return 1 + forbids + 2 * value + about + bool(words.UNCONDITIONAL.search(text))


def _may_speak(folded: str, text: str) -> bool:
    """Whether a closer look is worth it."""
    found = words.WORD.findall(folded)
    return not (
        words.SIGNALS.isdisjoint(found)
        and languages.STEMS.isdisjoint(word[:5] for word in found)
        and words.ORDERS.isdisjoint(word[:5] for word in words.CLAUSE.findall(text))
        and languages.OTHER_SCRIPT.search(folded) is None
    )


def _is_disguised(text: str) -> bool:
    """Whether the best known order stands there with its letters set apart, or written with digits."""
    if not words.LETTERS_APART.search(text) and not _DIGIT_FOR_LETTER.search(text):
        return False
    letters = re.sub(r"[^a-z]", "", text.translate(_DIGITS_AS_LETTERS))
    return words.COMPACT.search(letters) is not None
