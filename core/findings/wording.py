"""The direction of a result by a sentence's words, to supplement the reader: a difference or none, and more or less.

Two regressions use words and figures, with the arms and the outcome marked if the question names them. They are fitted to
annotated spans of trials (`python -m core.training wording`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.entailment.regression import probability_of
from core.findings.question_parts import QuestionParts
from core.findings.stated_effects import effects, no_effect
from core.text.numbers import Number, Quantity, numbers_in
from core.text.words import word_starts

MODEL = Path(__file__).parent / "wording.json"
Terms = Mapping[str, float]  # features of a sentence, by name

LONGEST = 1500  # characters examined: a table row may run on for pages
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?|\d[\d.,·]*|[<>=≤≥±%;:()]")
_START = 6  # letters that `word_starts` keeps of a word
_ARM, _OTHER, _TREATED, _OUTCOME = "_I", "_C", "_T", "_O"
_NAMED = dict.fromkeys(("control", "controls", "placebo"), _OTHER) | dict.fromkeys(
    ("intervention", "treatment", "treated", "experimental"), _TREATED
)
_UP = (
    "higher highest increased increase increases increasing greater more larger longer improved improvement improvements elevated "
    "better raised superior rose faster gain"
)
_DOWN = (
    "lower lowest decreased decrease decreases decreasing reduced reduction reductions smaller less fewer shorter worse fell "
    "declined decline slower inferior loss"
)
_FRAME = {
    word: name
    for name, words in (
        ("UP", _UP), ("DOWN", _DOWN), ("NO", "no not nor neither without similar comparable"), ("THAN", "than versus vs compared"),
        ("EACH", "respectively"),
    )
    for word in words.split()
}  # fmt: skip
_LONGEST_FRAME = 4  # words in an n-gram of the frame, at most
_SIGNIFICANT = 0.05
_LEVELS = (90, 95, 99)  # of confidence intervals, so not results
_SPREAD = re.compile(r"(?:±|\+/-|SD|SE)\s*=?\s*$")
_TIMES = frozenset({"hour", "hours", "h", "day", "days", "week", "weeks", "month", "months", "year", "years"})


@dataclass(frozen=True, slots=True)
class PartStarts:
    """The word starts of a question's parts."""

    intervention: frozenset[str]  # without those that the comparator shares
    comparator: frozenset[str]
    outcome: frozenset[str]

    @classmethod
    def of(cls, parts: QuestionParts) -> PartStarts:
        """The word starts that identify the arms and the outcome in a sentence."""
        one, other = word_starts(parts.intervention), word_starts(parts.comparator)
        return cls(one - other, other - one, word_starts(parts.outcome))


@dataclass(frozen=True, slots=True)
class WordRegression:
    """A logistic regression on terms; unknown terms count as nothing."""

    weights: Terms
    constant: float

    def probability(self, terms: Terms) -> float:
        """The probability for the terms of one sentence."""
        odds = self.constant + sum(self.weights.get(term, 0.0) * size for term, size in terms.items())
        return probability_of(odds)

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> WordRegression:
        """Read what `to_json` returned."""
        return cls(found["weights"], found["constant"])

    def to_json(self) -> dict[str, Any]:
        """The regression as JSON, rounded to the digits that matter."""
        weights = {term: round(weight, 3) for term, weight in sorted(self.weights.items())}
        return {"constant": round(self.constant, 4), "weights": weights}


@dataclass(frozen=True, slots=True)
class Wording:
    """Regressions for whether words say "no difference" and, if they say one, whether it is more of the outcome."""

    same: WordRegression
    up: WordRegression

    def directions(self, parts: PartStarts, sentence: str) -> tuple[float, float, float]:
        """Shares of up, down and same; they add up to 1."""
        words = Words.of(parts, sentence)
        same, up = self.same.probability(words.of_difference()), self.up.probability(words.of_way())
        return (1 - same) * up, (1 - same) * (1 - up), same

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Wording:
        """Read what `to_json` returned."""
        return cls(WordRegression.from_json(found["same"]), WordRegression.from_json(found["up"]))

    def to_json(self) -> dict[str, Any]:
        """Both regressions as JSON."""
        return {"same": self.same.to_json(), "up": self.up.to_json()}


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence as the regressions see it."""

    text: str
    parts: PartStarts
    marked: tuple[str, ...]  # its words, with marks for the arms and the outcome, and 0 for each figure
    frame: tuple[str, ...]  # of these, only the marks and the words that tell a direction

    @classmethod
    def of(cls, parts: PartStarts, sentence: str) -> Words:
        """Mark the words of a sentence."""
        text = sentence[:LONGEST]
        marked = tuple(_marked(parts, text))
        frame = (word if word.startswith("_") else _FRAME.get(word) for word in marked)
        return cls(text, parts, marked, tuple(word for word in frame if word))

    def of_difference(self) -> dict[str, float]:
        """Features for whether there is a difference: words, pairs of words, p-values and intervals."""
        below = [_is_below(one) for one in numbers_in(self.text) if one.quantity is Quantity.P_VALUE]
        excluded = [way != 0 for way in self._ways()]
        figures = {
            "p below": any(below), "p above": not all(below), "p first": (1 if below[0] else -1) if below else 0,
            "interval excludes": any(excluded), "interval includes": not all(excluded),
        }  # fmt: skip
        terms = dict.fromkeys((f"b {run}" for run in runs(self.marked, 2)), 1.0)
        return terms | {name: float(value) for name, value in figures.items() if value}

    def of_way(self) -> dict[str, float]:
        """Features for whether there is more or less of the outcome: the frame, two figures and their arms, effects."""
        first = next((mark for mark in self.frame if mark in (_ARM, _OTHER)), "none")
        terms = dict.fromkeys((f"r {run}" for run in runs(self.frame, _LONGEST_FRAME)), 1.0)
        terms |= dict.fromkeys((f"o {word}" for word in self.parts.outcome), 1.0)
        for way in self._ways():
            if way:
                name = "effect above" if way > 0 else "effect below"
                terms |= {name: 1.0, f"{name} {first}": 1.0}
        more = self._first_is_more()
        ordered = more * {_ARM: 1, _OTHER: -1}.get(first, 0)
        return terms | {f"first {first}": 1.0, "first figure": more, "arm's figure": ordered}

    def _ways(self) -> list[int]:
        """For each effect with an interval: 1 if above no effect, -1 if below, 0 if the interval includes no effect."""
        found = []
        for effect in effects(self.text):
            none = no_effect(effect.measure)
            if none is not None and effect.low is not None and effect.high is not None:
                found.append(0 if effect.low <= none <= effect.high else 1 if effect.value > none else -1)
        return found

    def _first_is_more(self) -> float:
        """1 if the first of two figures of the same kind is greater than the second, -1 if it is less, else 0."""
        numbers = [one for one in numbers_in(self.text) if _is_result(one)]
        shares = [one for one in numbers if one.quantity is Quantity.PERCENT and one.value not in _LEVELS]
        plain = [one for one in numbers if one.quantity is Quantity.PLAIN and not self._is_spread(one)]
        decimals = [one for one in plain if one.decimals]
        for pair in (shares[:2], (decimals if len(decimals) > 1 else plain)[:2]):
            if len(pair) == 2:
                return float(np.sign(pair[0].value - pair[1].value))
        return 0.0

    def _is_spread(self, number: Number) -> bool:
        return _SPREAD.search(self.text[max(0, number.start - 6) : number.start]) is not None


def _is_below(p: Number) -> bool:
    return p.bound != ">" and p.value <= _SIGNIFICANT


def _is_result(number: Number) -> bool:
    return number.quantity is not Quantity.P_VALUE and number.unit not in _TIMES


def _marked(parts: PartStarts, text: str) -> Iterator[str]:
    last = ""
    for match in _WORD.finditer(text.lower()):
        word = _mark(parts, match.group())
        if not word.startswith("_") or word != last:
            yield word
        last = word


def _mark(parts: PartStarts, word: str) -> str:
    if word[0].isdigit():
        return "0"
    start = word[:_START]
    for mark, starts in ((_ARM, parts.intervention), (_OTHER, parts.comparator), (_OUTCOME, parts.outcome)):
        if start in starts:
            return mark
    return _NAMED.get(word, word)


def runs(words: Sequence[str], longest: int) -> Iterator[str]:
    """The n-grams of the words, from 1 to `longest` words."""
    for length in range(1, longest + 1):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def shares_of(parts: PartStarts, sentences: Sequence[str], wording: Wording | None = None) -> NDArray[np.float64]:
    """Shares of up, down and same by the words of each sentence. Shape: (len(sentences), 3)."""
    told = wording or shipped()
    return np.array([told.directions(parts, sentence) for sentence in sentences]).reshape(-1, 3)


@cache
def shipped() -> Wording:
    """The weights that come with the product, loaded once per process."""
    return Wording.from_json(json.loads(MODEL.read_text(encoding="utf-8")))
