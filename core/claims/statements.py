"""Parse a statement into intervention, comparator, outcome, and the direction that it claims or reports.

A few common forms of comparisons in trials are recognized by their words. Other statements are left to the reader.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from core.answering.model import MOST_WORDS, ReportedChange
from core.entailment import Direction, Reader
from core.findings.claimed import claimed_direction
from core.text.words import share_of_words, word_starts

_LONGEST = 1500  # characters that are parsed
_AGAINST = r"(?:(?:when |as )?(?:compared|relative) (?:with|to)|in comparison (?:with|to)|versus|vs\.?)"
_SURELY = (
    r"(?:(?:was|were|is|are|has|have|had|been|be|led to|leads to|resulted in|results in|showed|caused|produced) )*"
    r"(?:an? |the )?(?:statistically )?(?:significantly |markedly |greatly |clearly |slightly )?(?:more )?"
)
_UP = r"increase[sd]?|raise[sd]?|elevate[sd]?|prolong(?:s|ed)?|enhance[sd]?|higher|greater|longer|increase (?:in|of)"
_DOWN = (
    r"decrease[sd]?|reduce[sd]?|lower(?:s|ed)?|shorten(?:s|ed)?|diminish(?:es|ed)?|prevent(?:s|ed)?|fewer|less"
    r"|(?:decrease|reduction) (?:in|of)"
)
_SAME = (
    r"(?:(?:do(?:es)?|did) not|fail(?:s|ed)? to) (?:significantly )?(?:change|affect|alter|influence|improve|increase|decrease|reduce|lower)"
    r"|ma(?:kes?|de) no (?:significant )?difference (?:to|in)|ha(?:s|ve|d) no (?:significant )?effect on"
)
_VERB = rf"(?P<same>{_SAME})|{_SURELY}(?:(?P<up>{_UP})|(?P<down>{_DOWN}))"
_MORE = r"higher|greater|more (?:frequent|common|likely)|longer|larger|increased|elevated"
_LESS = r"lower|smaller|less (?:frequent|common|likely)|shorter|reduced|decreased|fewer"
_IN = r"(?:in|with|for|among|after|under|on) (?:the |patients (?:receiving|on|given) )?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE | re.DOTALL)
    for form in (
        rf"(?P<i>.+?),? {_AGAINST} (?P<c>.+?),? (?:{_VERB}) (?P<o>.+)",  # A, compared with B, reduced C
        # C was lower with A than with B
        rf"(?P<o>.+?) (?:was|were|is|are) (?P<no>not )?(?:statistically )?(?:significantly |slightly )?(?:(?P<up>{_MORE})|(?P<down>{_LESS}))"
        rf" {_IN}(?P<i>.+?),? (?:than|{_AGAINST}) (?:{_IN})?(?P<c>.+)",
        # C did not differ between A and B
        r"(?P<o>.+?) (?:did not (?:significantly )?differ|(?:was|were) (?P<same>similar|comparable)|(?:was|were) not (?:significantly )?different)"
        r"(?: significantly)? (?:between|in|with) (?:the )?(?P<i>.+?) (?:and|than) (?P<c>.+)",
        # no difference in C between A and B
        r"(?:there (?:was|were) )?(?P<same>no) (?:statistically )?(?:significant )?differences? (?:was |were )?(?:found |seen |observed |noted )?"
        r"in (?P<o>.+?) between (?:the )?(?P<i>.+?) and (?P<c>.+)",
        # C was 12% with A and 7% with B
        rf"(?P<o>.+?) (?:was|were|averaged) (?P<x>\d+(?:\.\d+)?)\S*(?: \w+)? {_IN}(?P<i>.+?),? (?:and|but|{_AGAINST}|than) (?P<y>\d+(?:\.\d+)?)\S*"
        rf"(?: \w+)? {_IN}(?P<c>.+)",
        rf"(?P<i>.+?),? (?:{_VERB}) (?P<o>.+?),? (?:{_AGAINST}|than) (?P<c>.+)",  # A reduced C compared with B
    )
)
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_STATISTICS = re.compile(
    r"\s*[(\[](?=[^()\[\]]*(?:\bp ?[<=>]|\bvs\b|versus|%|\bCI\b|±|=))[^()\[\]]*[)\]]", re.IGNORECASE
)
_LEAD = re.compile(
    r"^(?:based on [^,]+|at [^,]{1,40}|in [^,]{1,60}|after [^,]{1,60}|overall|however),\s+", re.IGNORECASE
)
_P = re.compile(r"\bp\s*(?P<sign>[<>=≤≥])\s*(?P<p>0?\.\d+)", re.IGNORECASE)
# Words that may reverse a result. An arm called “no treatment” is an arm, and reverses nothing.
_NEGATION = re.compile(
    r"\b(?:no|not|nor|none|neither|never|without|cannot|fail(?:s|ed|ure)? to|unable to|lack(?:s|ed)?|absence of)\b|n[’']t\b",
    re.IGNORECASE,
)
_NO_TREATMENT = re.compile(
    r"^no (?:\w+ )?(?:treatment|intervention|therapy|prophylaxis|supplement\w*|medication|drug|vaccin\w+)\b",
    re.IGNORECASE,
)
_FIRST_WORDS = 3  # a negation in the first words of an outcome belongs to the verb before it: “reduced neither pain”
_SIGNIFICANT = 0.05
_CLOSE = 0.05  # figures that differ by at most this share of the greater one count as no difference
_SAME_PART = 0.6  # the least share of common words of each part at which two comparisons certainly are the same
_LEAST_SHARED = 0.3  # the least share of common words at which two arms, or two outcomes, count as the same


@dataclass(frozen=True, slots=True)
class Comparison:
    """The intervention, comparator and outcome as a sentence names them, and the direction of the outcome."""

    intervention: str
    comparator: str
    outcome: str
    told: ReportedChange

    @property
    def question(self) -> str:
        """The question to the reader."""
        words = f"{self.intervention} compared with {self.comparator}: {self.outcome}".split()
        return " ".join(words[:MOST_WORDS])


@dataclass(frozen=True, slots=True)
class Claimed:
    """A statement, with the question to the reader and the direction that it claims."""

    question: str  # “A compared with B: outcome” if it could be parsed, else its own words
    shares: tuple[float, float, float]  # the probabilities that it claims more, less, no difference
    comparison: Comparison | None = None  # None: it could not be parsed

    @property
    def told(self) -> ReportedChange:
        """The likeliest direction."""
        return tuple(ReportedChange)[int(np.argmax(self.shares))]


def claimed_by(text: str, reader: Reader) -> Claimed:
    """What a statement claims, from its form if that is known, else from the reader."""
    words = " ".join(text[:_LONGEST].split()).rstrip(". ")
    if (found := comparison_in(words)) is not None:
        one, two, three = (float(told is found.told) for told in ReportedChange)
        return Claimed(found.question, (one, two, three), found)
    read = claimed_direction(words, reader)[Direction.UP :]
    return Claimed(" ".join(words.split()[:MOST_WORDS]), (float(read[0]), float(read[1]), float(read[2])))


def comparison_in(sentence: str) -> Comparison | None:
    """The comparison that a sentence makes, if it has one of the known forms.

    A sentence with a negation that is not part of the form is not parsed, because its direction might be reversed.
    """
    whole = " ".join(sentence[:_LONGEST].split()).rstrip(". ")
    lead = _LEAD.match(whole)
    if lead is not None and _NEGATION.search(lead.group()):
        return None
    text = whole[lead.end() :] if lead is not None else whole
    tested = _P.search(sentence)
    for plain in dict.fromkeys((_STATISTICS.sub("", text), _BRACKETS.sub("", text))):
        for form in _FORMS:
            if (found := form.fullmatch(plain)) is not None:
                arms = (found["i"].strip(" ,"), found["c"].strip(" ,"), found["o"].strip(" ,"))
                if (
                    all(arms)
                    and max(len(arm.split()) for arm in arms[:2]) <= _ARM
                    and not _turned_round(*arms, leads=found.start("o") < found.start("i"))
                ):
                    return Comparison(*arms, told=_told(found, tested))
    return None


def _turned_round(intervention: str, comparator: str, outcome: str, *, leads: bool) -> bool:
    """Whether one of the parts has a negation that may reverse the verb. `leads`: the outcome is before the verb."""
    shown = outcome if leads else " ".join(outcome.split()[:_FIRST_WORDS])
    parts = (*(_NO_TREATMENT.sub("", arm) for arm in (intervention, comparator)), shown)
    return any(_NEGATION.search(part) for part in parts)


_ARM = 25  # the most words of an arm; a longer one means that the sentence was misparsed


def _told(found: re.Match[str], tested: re.Match[str] | None) -> ReportedChange:
    parts = found.groupdict()
    if parts.get("no") or not any(parts.get(name) for name in ("up", "down", "x")):
        return ReportedChange.NO_DIFFERENCE
    if tested is not None and tested["sign"] in "=>≥" and float(tested["p"]) > _SIGNIFICANT:
        return ReportedChange.NO_DIFFERENCE
    if parts.get("x"):
        one, other = float(found["x"]), float(found["y"])
        if abs(one - other) <= _CLOSE * max(one, other):
            return ReportedChange.NO_DIFFERENCE
        return ReportedChange.INCREASED if one > other else ReportedChange.DECREASED
    return ReportedChange.INCREASED if parts.get("up") else ReportedChange.DECREASED


def aligned(claim: Comparison, sentence: Comparison) -> ReportedChange | None:
    """The direction of the claim's outcome with its intervention in a sentence; None if the comparisons differ."""
    if share_of_words(_outcome(claim), _outcome(sentence)) < _LEAST_SHARED:
        return None
    same = _alike(claim.intervention, sentence.intervention) + _alike(claim.comparator, sentence.comparator)
    swapped = _alike(claim.intervention, sentence.comparator) + _alike(claim.comparator, sentence.intervention)
    if max(same, swapped) < _LEAST_SHARED or same == swapped:
        return None
    return sentence.told if same > swapped else _OPPOSITE[sentence.told]


def same_parts(one: Comparison, other: Comparison) -> bool:
    """Whether both name the same two arms, in any order, and the same outcome."""
    arms = (other.intervention, other.comparator)
    orders = (arms, arms[::-1])
    same = max(min(_alike(one.intervention, i), _alike(one.comparator, c)) for i, c in orders)
    return same >= _SAME_PART and share_of_words(_outcome(one), _outcome(other)) >= _SAME_PART


_OPPOSITE = {
    ReportedChange.INCREASED: ReportedChange.DECREASED,
    ReportedChange.DECREASED: ReportedChange.INCREASED,
    ReportedChange.NO_DIFFERENCE: ReportedChange.NO_DIFFERENCE,
}
_PLAIN = frozenset({"group", "groups", "arm", "patien", "the", "and", "with", "receiv", "treate", "treatm"})


def _alike(one: str, other: str) -> float:
    words, others = word_starts(one) - _PLAIN, word_starts(other) - _PLAIN
    return len(words & others) / max(1, min(len(words), len(others)))


def _outcome(one: Comparison) -> frozenset[str]:
    return word_starts(one.outcome) - _PLAIN


def stated(intervention: str, comparator: str, outcome: str, told: ReportedChange) -> str:
    """A statement in a form that `claimed_by` can parse."""
    verb = {
        ReportedChange.INCREASED: "increases",
        ReportedChange.DECREASED: "decreases",
        ReportedChange.NO_DIFFERENCE: "makes no significant difference to",
    }[told]
    return f"{intervention}, compared with {comparator}, {verb} {outcome}."
