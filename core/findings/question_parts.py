"""The parser of questions and hypotheses: which words name the intervention, the comparator and the outcome."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class QuestionParts:
    """A question's parts in its own words. If the question names no arms, the whole of it is the outcome."""

    intervention: str
    comparator: str
    outcome: str

    @property
    def template(self) -> str:
        """The parts in one standard form: “outcome: intervention compared with comparator”."""
        asked = f"{self.outcome}: {self.intervention}" if self.intervention else self.outcome
        return f"{asked} compared with {self.comparator}" if self.comparator else asked

    @property
    def exchanged(self) -> QuestionParts:
        """The same question with intervention and comparator exchanged."""
        return replace(self, intervention=self.comparator, comparator=self.intervention)


def _forms(*forms: str) -> tuple[re.Pattern[str], ...]:
    """Patterns with the groups i, c and o: intervention, comparator and outcome."""
    return tuple(re.compile(form, re.IGNORECASE | re.DOTALL) for form in forms)


_AGAINST = r"(?:(?:as\s)?compared\s(?:with|to)|versus|vs\.?|against)"
_WITH = r"(?:with|after|on|under|from|by|using|during|for|when|if|in|at|through|following)"
_THAN = rf"(?:than(?:\s(?:{_WITH}|do|does|did|is|are))?|{_AGAINST})"
_MORE = (
    r"(?:more|less|fewer|higher|lower|greater|larger|smaller|longer|shorter|better|worse|faster|slower|earlier|later|sooner|rarer"
    r"|commoner|stronger|weaker|milder|deeper|safer)"
)
_NOT = r"(?:(?:does|do|did)\snot\s)?"
# What may come between an intervention and its outcome: stems of verbs.
_VERB = (
    r"(?:significantly\s|clearly\s|slightly\s|also\s)?"
    r"(?:increas|reduc|rais|improv|enhanc|caus|decreas|produc|promot|impair|prolong|shorten|worsen|lower|cut|prevent|speed|slow"
    r"|protect|affect|influenc|alter|chang|give|lead|result|bring|help|strengthen|weaken|lengthen|reliev|eas|boost|suppress"
    r"|inhibit|delay|accelerat|hasten|limit|lessen|diminish|modif|extend|elicit|induc|achiev|keep|provid|yield|sav|trigger"
    r"|show|hav|has|mak|relax|control|heal|treat|clear|stimulat|preserv|maintain|restor|blunt|attenuat|aggravat|lift|shift"
    r"|widen|narrow|double|halv|elevat|depress|favour|favor|spar|leave|allow|offer|cost|need|requir|take|add)"
    r"(?:e?s|e|ies|y)?"
    r"(?:\s(?:to|in|about|on|from|against|back|up|down))?"
    r"(?:\s(?:no|a|an)\s(?:effect|influence|impact|difference|change|beneficial\seffect|benefit)\s(?:on|to|in|for))?"
)
_TEMPLATES = _forms(
    rf"(?P<i>.+?)\s{_AGAINST}\s(?P<c>.+?):\s(?P<o>.+)",
    rf"(?P<o>.+?):\s(?P<i>.+?)\s{_AGAINST}\s(?P<c>.+)",
)
_CLAIMS = _forms(
    r"(?:there\s(?:is|was)\s)?no\s(?:\w+\s)?difference\sin\s(?P<o>.+?)\sbetween\s(?P<i>.+?)\sand\s(?P<c>.+)",
    r"(?P<o>.+?)\s(?:(?:does|do|did)\snot\sdiffer|differs?|(?:is|are)\sthe\ssame)\sbetween\s(?P<i>.+?)\sand\s(?P<c>.+)",
    r"(?P<i>.+?)\s(?:(?:does|do|did)\snot\sdiffer|differs?)\sfrom\s(?P<c>.+?)\sin\s(?:its\seffects?\son\s)?(?P<o>.+)",
    r"(?P<i>.+?)\sand\s(?P<c>.+?)\s(?:(?:does|do|did)\snot\sdiffer|differs?)\sin\s(?:their\seffects?\son\s)?(?P<o>.+)",
    rf"{_AGAINST}\s(?P<c>[^,]+),\s(?P<i>.+?)\s{_NOT}{_VERB}\s(?P<o>.+)",
    rf"(?P<o>.+?)\s(?:is|are|was|were)\s.*?{_WITH}\s(?P<i>.+?)\s{_THAN}\s(?P<c>.+)",
    rf"(?P<i>.+?)\s{_NOT}{_VERB}\s(?P<o>.+?)\s{_THAN}\s(?P<c>.+)",
    rf"(?P<o>{_MORE}\s.+?)\s{_WITH}\s(?P<i>.+?)\s{_THAN}\s(?P<c>.+)",
    rf"(?P<i>.+?)\s{_NOT}{_VERB}\s(?P<o>.+)(?P<c>)",
)
_EFFECT = r"what\s(?:is|are|was|were)\s(?:the\s)?(?:effects?|impact|influence)\sof"
_QUESTIONS = _forms(
    rf"{_EFFECT}\s(?P<i>.+?)\s{_AGAINST}\s(?P<c>.+?)\son\s(?P<o>.+)",
    rf"{_EFFECT}\s(?P<i>.+?)\son\s(?P<o>.+?)\s{_AGAINST}\s(?P<c>.+)",
    rf"{_EFFECT}\s(?P<i>.+?)\son\s(?P<o>.+)(?P<c>)",
    rf"(?:is|are)\s(?P<i>.+?)\s(?:{_MORE}|superior|inferior|(?:as|more|less)\s\w+)\s(?:than|to|as)\s(?P<c>.+?)"
    r"\s(?:for|in|at|on)\s(?P<o>.+)",
)
_ASKED = re.compile(r"^(?:how\s)?(?:does|do|did|can|could|will|would|may|might)\s", re.IGNORECASE)  # before a claim
_WHO = re.compile(r"^(?:in|among|for|during)\s[^,]+,\s", re.IGNORECASE)  # before a claim
_OF_WHOM = re.compile(r"\s(?:in|among|for|after|at|during|over|undergoing|when|who|on)\s.*", re.IGNORECASE | re.DOTALL)
_HOW_MUCH = re.compile(rf"^(?:{_MORE}|no|any|the|an?)\s|[\s,]+(?:{_MORE}|often|frequently)$", re.IGNORECASE)
_LONGEST = 1000  # characters; longer questions are not parsed


def parts_of(question: str) -> QuestionParts:
    """Parse “A compared with B: outcome”, “outcome: A compared with B”, or a claim such as “A reduces outcome more than B”.

    Questions in plain words are parsed as well: “Does A reduce outcome compared with B?”, “What is the effect of A on
    outcome?”, “Is A better than B for outcome?”.
    """
    whole = QuestionParts("", "", question)
    if len(question) > _LONGEST:
        return whole
    asked = question.strip().removesuffix("?").rstrip()
    for form in _TEMPLATES:
        if found := form.fullmatch(asked):
            return QuestionParts(found["i"], found["c"], found["o"])
    claim = _ASKED.sub("", _WHO.sub("", asked.removesuffix(".")))
    for form in (*_QUESTIONS, *_CLAIMS):
        if found := form.fullmatch(claim):
            return QuestionParts(found["i"], _OF_WHOM.sub("", found["c"]), _without_how_much(found["o"]))
    return whole


def _without_how_much(outcome: str) -> str:
    while (shorter := _HOW_MUCH.sub("", outcome)) != outcome:
        outcome = shorter
    return outcome
