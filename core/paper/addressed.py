"""Sentences that speak to a language model instead of a reader ("ignore previous instructions ...").

A sentence is told by what it does, not by a list of known sentences: it orders somebody about (an imperative, "you
must"), and what it orders only a machine that reads papers could do: drop its instructions, answer in given words,
praise, keep limitations to itself. Papers describe and report; where they give orders (to patients, in checklists),
those are about other things. A paper about language models may quote such sentences: they are found too, and a
reviewer can have them back (`read_paper(..., keep_set_aside=True)`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, pairwise

from core.paper import addressed_languages as languages
from core.paper import addressed_patterns as patterns
from core.paper import addressed_words as words
from core.paper.addressed_quick import LONGEST, fold, worth_a_look

_ENOUGH = 3
_BETWEEN = 4  # sentences from one to the next: what stands between them is part of the same message
_MILD = frozenset({"note", "consider", "see"})  # orders that papers give their readers
_CELLS = " | "  # a row of a table: its cells begin with any word
_DIGIT_FOR_LETTER = re.compile(r"[a-z][013457@$][a-z]")
_DIGITS_AS_LETTERS = str.maketrans("013457@$", "oieastas")


def addressed_to_machine(sentences: Sequence[str]) -> list[bool]:
    """Which sentences of one paragraph speak to a language model.

    A few between two that do, and those beside one that go on giving orders, do as well.
    """
    return addressed_in([sentences])[0]


def addressed_in(paragraphs: Sequence[Sequence[str]]) -> list[list[bool]]:
    """Which sentences of each paragraph do: `addressed_to_machine` for many at once."""
    sentences = [sentence for paragraph in paragraphs for sentence in paragraph]
    scores = [0] * len(sentences)
    for index in worth_a_look(sentences):
        scores[index] = _score(sentences[index])
    each = iter(scores)
    return [_addressed(list(islice(each, len(paragraph)))) for paragraph in paragraphs]


def _addressed(scores: list[int]) -> list[bool]:
    """Which sentences of a paragraph speak to a machine, by their scores."""
    certain = [index for index, score in enumerate(scores) if score >= _ENOUGH]
    found = set(certain)
    for before, after in pairwise(certain):
        if after - before <= _BETWEEN:
            found.update(range(before, after))
    for index in certain:
        for step in (-1, 1):
            neighbour = index + step
            while 0 <= neighbour < len(scores) and scores[neighbour] >= 1:
                found.add(neighbour)
                neighbour += step
    return [index in found for index in range(len(scores))]


def _score(sentence: str) -> int:
    """How much a sentence speaks to a machine: 0 gives no orders, from 1 on it does, from `_ENOUGH` on to a machine."""
    folded = " ".join(fold(sentence).split())
    if len(folded) <= LONGEST:
        return _score_of(folded)
    return max(_score_of(folded[at : at + LONGEST]) for at in range(0, len(folded), LONGEST))


def _score_of(folded: str) -> int:
    text = folded if folded.isascii() else folded.translate(patterns.LOOKALIKES)
    if _is_disguised(text):
        return _ENOUGH
    # Quick looks at single words first: most sentences need no closer one.
    found = patterns.WORD.findall(folded)
    foreign = _may_be_foreign(folded, found)
    if foreign and any(pattern.search(folded) for pattern in languages.OTHER_LANGUAGES):
        return _ENOUGH
    if not foreign and not _may_speak(text, found):
        return 0
    if patterns.STRONG_OPENING.search(text) or patterns.STRONG_ORDER.search(text) or patterns.STRONG.search(text):
        return _ENOUGH
    order = words.IMPERATIVE.search(text)
    forbids, you = bool(words.PROHIBITION.search(text)), bool(words.YOU.search(text))
    if not (order or forbids or you):
        return 0
    rest = text[: order.start("verb")] + text[order.end("verb") :] if order else text
    machine, reply, work, bias, value, unconditional = (
        bool(pattern.search(rest))
        for pattern in (words.MACHINE, words.REPLY, words.WORK, words.BIAS, words.VALUE, words.UNCONDITIONAL)
    )
    about = machine + reply + bias + (work and (forbids or (order is not None and order["verb"] not in _MILD)))
    if not (about or value) or (_CELLS in text and not value):
        return int(forbids or you or (order is not None and order["verb"] not in _MILD))
    return 1 + forbids + you + 2 * value + about + unconditional


def _may_be_foreign(folded: str, found: list[str]) -> bool:
    """Whether a sentence may speak to a machine in another language than English."""
    if any(map(languages.may_be_foreign, found)):
        return True
    return not folded.isascii() and languages.OTHER_SCRIPT.search(folded) is not None


def _may_speak(text: str, found: list[str]) -> bool:
    """Whether a sentence may speak to a machine in English."""
    if not patterns.SIGNALS.isdisjoint(found):
        return True
    return not patterns.ORDERS.isdisjoint(word[:5] for word in patterns.CLAUSE.findall(text))


def _is_disguised(text: str) -> bool:
    """Whether the best known order stands there with its letters set apart, or written with digits."""
    if not patterns.LETTERS_APART.search(text) and not _DIGIT_FOR_LETTER.search(text):
        return False
    letters = re.sub(r"[^a-z]", "", text.translate(_DIGITS_AS_LETTERS))
    return patterns.COMPACT.search(letters) is not None
