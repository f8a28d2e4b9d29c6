"""Prompt injection: sentences addressed to a language model ("ignore previous instructions ...")."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice, pairwise

from core.paper import prompt_injection_patterns as patterns

# ---- All sentences of a paper at once ----
# A cheap test finds the few sentences that may be addressed to a model; only these get the full test below.

LONGEST = 2000  # characters tested at once; orders to a machine are shorter
_ALPHABETS = re.compile(f"[{''.join(map(chr, patterns.LOOKALIKES))}]|{patterns.OTHER_SCRIPT.pattern}")
_APART = re.compile(r"[\s.*_-](?:\w[\s.*_-]+){4}")  # letters spaced out
_DIGIT_INSIDE = re.compile(r"[013457@$](?<=[a-z].)[a-z]")  # a digit, or sign, between letters
_CLAUSE = re.compile(r"[\n.:;!?][^\w\n]*+([^\W\d_]\w{0,4})")  # the first letters of a clause's first word


def fold(sentence: str) -> str:
    """A sentence in lower case, with compatibility characters and apostrophes made plain."""
    plain = sentence if sentence.isascii() else unicodedata.normalize("NFKC", sentence).replace("’", "'")
    return plain.casefold()


def suspicious(sentences: Sequence[str]) -> set[int]:
    """The indices of the sentences that deserve the full test."""
    folded = [fold(sentence).replace("\n", " ") for sentence in sentences]
    long = {index for index, text in enumerate(folded) if len(text) > LONGEST}  # each is tested by itself
    short = ["" if index in long else text for index, text in enumerate(folded)]
    starts = list(accumulate((len(text) + 1 for text in short), initial=1))
    return long | {bisect_right(starts, at) - 1 for at in _signs("\n".join(["", *short, ""]))}


def _signs(text: str) -> Iterator[int]:
    """The offsets of signs of an order in a text that holds one sentence on each line."""
    for pattern in (_APART, _DIGIT_INSIDE) if text.isascii() else (_APART, _DIGIT_INSIDE, _ALPHABETS):
        yield from (match.end() - 1 for match in pattern.finditer(text))
    yield from (match.start(1) for match in _CLAUSE.finditer(text.replace("_", " ")) if match[1] in patterns.ORDERS)
    for word in _words(text):
        if word in patterns.SIGNALS or patterns.may_be_foreign(word):
            yield from _places(word, text)


def _words(text: str) -> set[str]:
    """The distinct words of a text."""
    pieces = set(text.split())
    plain = set(filter(str.isalnum, pieces))
    return plain.union(patterns.WORD.findall(" ".join(pieces - plain)))


def _places(word: str, text: str) -> Iterator[int]:
    """The offsets of a whole word in a text that neither begins nor ends with it."""
    at = text.find(word)
    while at >= 0:
        before, after = text[at - 1], text[at + len(word)]
        if not (before.isalnum() or before in "_'" or after.isalnum() or after in "_'"):
            yield at
        at = text.find(word, at + 1)


# ---- One sentence ----
# The test looks at what a sentence does; there is no list of known sentences. A sentence is found if it gives an order
# (an imperative, "you must") that only a machine reading papers could follow: drop its instructions, answer in given
# words, praise, keep quiet about limitations. Papers describe and report, and the orders in them (to patients, in
# checklists) are about other things. A paper about language models may quote such sentences. They are found too, and a
# reviewer can have them back (`read_paper(..., keep_set_aside=True)`).

_ENOUGH = 3
_BETWEEN = 4  # if two injections are at most this many sentences apart, what is between belongs to the message
_MILD = frozenset({"note", "consider", "see"})  # orders that papers give their readers
_CELLS = " | "  # in table rows, whose cells may begin with any word
_DIGIT_FOR_LETTER = re.compile(r"[a-z][013457@$][a-z]")
_DIGITS_AS_LETTERS = str.maketrans("013457@$", "oieastas")


def flag_injections(sentences: Sequence[str]) -> list[bool]:
    """Which sentences of one paragraph are addressed to a language model.

    The few sentences between two such sentences count too, and so do neighbours that also give orders.
    """
    return flag_injections_in([sentences])[0]


def flag_injections_in(paragraphs: Sequence[Sequence[str]]) -> list[list[bool]]:
    """`flag_injections` for many paragraphs at once, which is faster."""
    sentences = [sentence for paragraph in paragraphs for sentence in paragraph]
    scores = [0] * len(sentences)
    for index in suspicious(sentences):
        scores[index] = _score(sentences[index])
    each = iter(scores)
    return [_addressed(list(islice(each, len(paragraph)))) for paragraph in paragraphs]


def _addressed(scores: list[int]) -> list[bool]:
    """Which sentences of a paragraph are addressed to a machine, by their scores."""
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
    """Score a sentence: 0 if it gives no orders, 1 or more if it does, `_ENOUGH` or more if they are for a machine."""
    folded = " ".join(fold(sentence).split())
    if len(folded) <= LONGEST:
        return _score_of(folded)
    return max(_score_of(folded[at : at + LONGEST]) for at in range(0, len(folded), LONGEST))


def _score_of(folded: str) -> int:
    text = folded if folded.isascii() else folded.translate(patterns.LOOKALIKES)
    if _is_disguised(text):
        return _ENOUGH
    # Test single words first, because they settle most sentences.
    found = patterns.WORD.findall(folded)
    foreign = _may_be_foreign(folded, found)
    if foreign and any(pattern.search(folded) for pattern in patterns.OTHER_LANGUAGES):
        return _ENOUGH
    if not foreign and not _may_speak(text, found):
        return 0
    if patterns.STRONG_OPENING.search(text) or patterns.STRONG_ORDER.search(text) or patterns.STRONG.search(text):
        return _ENOUGH
    order = patterns.IMPERATIVE.search(text)
    forbids, you = bool(patterns.PROHIBITION.search(text)), bool(patterns.YOU.search(text))
    if not (order or forbids or you):
        return 0
    rest = text[: order.start("verb")] + text[order.end("verb") :] if order else text
    topics = (
        *(patterns.MACHINE, patterns.REPLY, patterns.WORK),
        *(patterns.BIAS, patterns.VALUE, patterns.UNCONDITIONAL),
    )
    machine, reply, work, bias, value, unconditional = (bool(pattern.search(rest)) for pattern in topics)
    about = machine + reply + bias + (work and (forbids or (order is not None and order["verb"] not in _MILD)))
    if not (about or value) or (_CELLS in text and not value):
        return int(forbids or you or (order is not None and order["verb"] not in _MILD))
    return 1 + forbids + you + 2 * value + about + unconditional


def _may_be_foreign(folded: str, found: list[str]) -> bool:
    """Whether the patterns of other languages are worth trying."""
    if any(map(patterns.may_be_foreign, found)):
        return True
    return not folded.isascii() and patterns.OTHER_SCRIPT.search(folded) is not None


def _may_speak(text: str, found: list[str]) -> bool:
    """Whether the English patterns are worth trying."""
    if not patterns.SIGNALS.isdisjoint(found):
        return True
    return not patterns.ORDERS.isdisjoint(word[:5] for word in patterns.CLAUSE.findall(text))


def _is_disguised(text: str) -> bool:
    """Whether the text holds the best-known order, with its letters spaced out or replaced by digits."""
    if not patterns.LETTERS_APART.search(text) and not _DIGIT_FOR_LETTER.search(text):
        return False
    letters = re.sub(r"[^a-z]", "", text.translate(_DIGITS_AS_LETTERS))
    return patterns.COMPACT.search(letters) is not None
