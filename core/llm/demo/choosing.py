"""Which sentences the demo server chooses: those that share the hypothesis' rarer words. It understands nothing."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace

from core.llm.demo.faults import Fault
from core.llm.demo.question import Numbered, Question

_WORD = re.compile(r"[a-z]{3,}|\d+")
_COMMON = frozenset(
    "the and for with that this was were are has have had from than not but its their which between".split()
)
_NEGATIVE = re.compile(r"\b(?:no|not|nor|neither|without|failed|did not|unchanged|similar|lack)\b", re.IGNORECASE)
_FIGURES = re.compile(r"\d[\d.]*\s*%|\bp\s*[<=>]|\d+\.\d+")
_WEAK = 0.35  # of the best score: below it a sentence says little either way


@dataclass(frozen=True, slots=True)
class Chosen:
    """A chosen sentence with its stance and the words it shares."""

    sentence: Numbered
    score: float
    stance: str  # supports, refutes or neutral
    shared: tuple[str, ...]

    @property
    def reason(self) -> str:
        """Why it was chosen."""
        return f"It shares “{'”, “'.join(self.shared[:4])}” with the hypothesis."


def choose(question: Question) -> list[Chosen]:
    """At most `question.limit` sentences that share words with the hypothesis, best first."""
    words = [words_of(sentence.text) for sentence in question.pool]
    counts = Counter(word for one in words for word in one)
    wanted = words_of(question.hypothesis)
    found = []
    for sentence, own in zip(question.pool, words, strict=True):
        shared = sorted(wanted & own, key=lambda word: (counts[word], word))
        score = sum(math.log(1 + len(words) / counts[word]) for word in shared)
        if question.results_only and _FIGURES.search(sentence.text):
            score *= 1.5
        if score > 0:
            found.append(Chosen(sentence, score, "neutral", tuple(shared)))
    found.sort(key=lambda chosen: (-chosen.score, chosen.sentence.index))
    return [replace(chosen, stance=_stance(chosen, found[0], question)) for chosen in found[: question.limit]]


def misled(chosen: list[Chosen], question: Question, fault: Fault | None) -> list[Chosen]:
    """The choice as a fault wants it."""
    if fault is Fault.MANY:
        more = [Chosen(sentence, 0.0, "neutral", ("",)) for sentence in question.pool]
        taken = {one.sentence.index for one in chosen}
        return (chosen + [one for one in more if one.sentence.index not in taken])[: question.limit + 3]
    if not chosen:
        return chosen
    first = chosen[0]
    if fault is Fault.WRONG:
        beyond = max(sentence.index for sentence in question.pool) + 1000
        return [replace(first, sentence=replace(first.sentence, index=beyond)), *chosen[1:]]
    if fault is Fault.DUPLICATES:
        return [first, *chosen][: max(2, question.limit)]
    if fault is Fault.INVENTED:
        return [replace(one, sentence=replace(one.sentence, text="Nothing of the kind was written.")) for one in chosen]
    return chosen


def _stance(chosen: Chosen, best: Chosen, question: Question) -> str:
    if chosen.score < _WEAK * best.score:
        return "neutral"
    agree = is_negative(chosen.sentence.text) == is_negative(question.hypothesis)
    return "supports" if agree else "refutes"


def is_negative(text: str) -> bool:
    """Whether a text denies something."""
    return bool(_NEGATIVE.search(text))


def words_of(text: str) -> set[str]:
    """The words that are compared."""
    found: list[str] = _WORD.findall(text.lower())
    return {word.removesuffix("s") for word in found if word not in _COMMON}
