"""What a statement says: intervention, comparator and outcome, and which way it claims the outcome to go."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from core.answering.model import MOST_WORDS, Told
from core.entailment import Direction, Reader

_LONGEST = 1500  # characters looked at
_AGAINST = r"(?:(?:when\s|as\s)?(?:compared|relative)\s(?:with|to)|versus|vs\.?)"
_SURELY = r"(?:(?:was|were|is|are|has|have|had|been|be|led\sto|leads\sto|resulted\sin|results\sin)\s)*(?:an?\s|the\s)?(?:statistically\s)?(?:significantly\s|markedly\s|greatly\s|clearly\s)?(?:more\s)?"
_UP = r"increase[sd]?|raise[sd]?|elevate[sd]?|prolong(?:s|ed)?|enhance[sd]?|higher|greater|longer|increase\s(?:in|of)"
_DOWN = r"decrease[sd]?|reduce[sd]?|lower(?:s|ed)?|shorten(?:s|ed)?|diminish(?:es|ed)?|prevent(?:s|ed)?|(?:decrease|reduction)\s(?:in|of)"
_SAME = (
    r"(?:do(?:es)?\snot|did\snot)\s(?:significantly\s)?(?:change|affect|alter|influence|improve|increase|decrease|reduce)"
    r"|ma(?:kes?|de)\sno\s(?:significant\s)?difference\s(?:to|in)|ha(?:s|ve|d)\sno\s(?:significant\s)?effect\son"
    r"|no\s(?:significant\s)?(?:difference|effect|change)\s(?:in|on)"
)
_VERB = rf"(?P<same>{_SAME})|{_SURELY}(?:(?P<up>{_UP})|(?P<down>{_DOWN}))"
_SIDES = (
    rf"(?P<i>.+?),?\s{_AGAINST}\s(?P<c>.+?),?\s(?:{_VERB})\s(?P<o>.+)",  # A, compared with B, reduced C
    rf"(?P<i>.+?),?\s(?:{_VERB})\s(?P<o>.+?),?\s(?:{_AGAINST}|than)\s(?P<c>.+)",  # A reduced C compared with B
)
_FORMS = tuple(re.compile(one, re.IGNORECASE | re.DOTALL) for one in _SIDES)
_TOLD = {"up": Told.INCREASED, "down": Told.DECREASED, "same": Told.NO_DIFFERENCE}


@dataclass(frozen=True, slots=True)
class Claimed:
    """A statement as the reader is asked about it."""

    question: str  # “A compared with B: outcome” where its parts could be told, else its own words
    intervention: str  # empty: not told apart
    comparator: str
    outcome: str
    shares: tuple[float, float, float]  # how likely it claims more, less, no difference; together 1

    @property
    def told(self) -> Told:
        """The likeliest of them."""
        return tuple(Told)[int(np.argmax(self.shares))]


def claimed_by(text: str, reader: Reader) -> Claimed:
    """What a statement claims: by its form where it has one that is known, else by the reader."""
    words = " ".join(text[:_LONGEST].split()).rstrip(". ")
    for form in _FORMS:
        if (found := form.fullmatch(words)) is not None:
            way = next(name for name in _TOLD if found[name])
            shares = tuple(float(told is _TOLD[way]) for told in Told)
            arms = found["i"].strip(), found["c"].strip(), found["o"].strip()
            question = " ".join(f"{arms[0]} compared with {arms[1]}: {arms[2]}".split()[:MOST_WORDS])
            return Claimed(question, *arms, shares=(shares[0], shares[1], shares[2]))
    read = reader.claimed(words)[Direction.UP :]
    return Claimed(" ".join(words.split()[:MOST_WORDS]), "", "", "", (float(read[0]), float(read[1]), float(read[2])))


def stated(intervention: str, comparator: str, outcome: str, told: Told) -> str:
    """A statement in the form that `claimed_by` knows best."""
    verb = {
        Told.INCREASED: "increases",
        Told.DECREASED: "decreases",
        Told.NO_DIFFERENCE: "makes no significant difference to",
    }[told]
    return f"{intervention}, compared with {comparator}, {verb} {outcome}."
