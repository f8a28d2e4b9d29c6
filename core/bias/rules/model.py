"""A rule, what it finds, and the order in which a domain's rules are asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from core.bias.model import Level
from core.bias.rules.reading import is_denied, passages

_LONGEST = 110  # characters of the paper that a reason quotes


@dataclass(frozen=True, slots=True)
class Finding:
    """What decided: the words of one sentence, and what they mean for the level."""

    level: Level
    words: str
    reason: str
    sentence: int  # its place among the sentences that were read
    decides: bool = True  # False: the words only touch on the domain

    @property
    def rationale(self) -> str:
        """The words, their meaning and the level, in one sentence."""
        return f"“{self.words}”: {self.reason}: {self.level.value}."


@dataclass(frozen=True, slots=True)
class Rule:
    """A level, the wording that makes it, and why.

    A rule that can be `denied` does not hold where a negation or a doubt stands before the words ("not", "whether").
    `unless_before` and `unless_after` look at what stands around the words in the same clause: "not blinded" said of
    the assessors is nothing about the patients.
    """

    level: Level
    pattern: re.Pattern[str]
    reason: str
    denied: bool = True
    unless_before: re.Pattern[str] | None = None
    unless_after: re.Pattern[str] | None = None

    def find(self, sentences: Sequence[str]) -> Finding | None:
        """The first place where the rule holds."""
        for number, sentence in enumerate(sentences):
            for passage in passages(sentence):
                for match in self.pattern.finditer(passage):
                    if self._holds(passage, match):
                        return Finding(self.level, shortened(_to_words_end(passage, match)), self.reason, number)
        return None

    def _holds(self, passage: str, match: re.Match[str]) -> bool:
        before, after = passage[: match.start()][-60:], passage[match.end() :][:60]
        return not (
            (self.denied and is_denied(before))
            or (self.unless_before is not None and self.unless_before.search(before))
            or (self.unless_after is not None and self.unless_after.match(after))
        )


Decide = Callable[[Sequence[str]], Finding | None]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A domain's rules, asked in order: the first that holds decides, then what a reviewer says of it.

    `topic` is the wording that touches on the domain without deciding; `undecided` says what is missing then.
    """

    steps: tuple[Decide, ...]
    topic: re.Pattern[str]
    undecided: str
    silent: str  # what is missing where nothing touches on the domain
    verdict: Decide | None = None

    def decide(self, sentences: Sequence[str], *, of_paper: bool = False) -> Finding | None:
        """What decides, or touches on the domain; None where nothing does. A paper holds no reviewer's comments."""
        for step in self.steps if of_paper or self.verdict is None else (*self.steps, self.verdict):
            finding = step(sentences)
            if finding is not None:
                return finding
        touched = Rule(Level.UNCLEAR, self.topic, self.undecided, denied=False).find(sentences)
        return None if touched is None else replace(touched, decides=False)


def first_of(rules: Iterable[Rule]) -> Decide:
    """The first rule that holds, whichever sentence it is in."""
    rules = tuple(rules)

    def decide(sentences: Sequence[str]) -> Finding | None:
        return next((finding for rule in rules if (finding := rule.find(sentences)) is not None), None)

    return decide


def _to_words_end(passage: str, match: re.Match[str]) -> str:
    rest = re.match(r"[\w-]*", passage[match.end() :])
    return match[0] + (rest[0] if rest and match[0][-1:].isalnum() else "")


def shortened(words: str) -> str:
    """Words of a paper for a reason: one line, cut at a word."""
    words = " ".join(words.split()).strip(" ,;:")
    return words if len(words) <= _LONGEST else words[:_LONGEST].rsplit(" ", 1)[0] + " …"
