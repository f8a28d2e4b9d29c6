"""Parses a criterion: its clauses, what each excludes, the designs it names, and the topic that remains."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from core.screening.model import Criterion, CriterionKind
from core.screening.offline.designs import FAMILIES, WORDINGS, Design
from core.screening.offline.limits import Limit, limits_in
from core.screening.offline.people import AgeLimit, SexLimit, people_limits_in
from core.text.words import content_words

_LABEL = re.compile(
    r"^\s*(?:(?P<out>exclu(?:sion|ded?)(?: criteri(?:on|a))?)|(?:inclusion|eligibility)(?: criteri(?:on|a))?|population|participants"
    r"|intervention|comparator|comparison|control|outcomes?|(?:study )?design)s?\s*[:–—-]\s*",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\s*(?:[;\n•]+|(?<=[a-z)])\.\s+(?=[A-Z]))\s*")
# Words that only look like a negation.
_NO_DENIAL = re.compile(
    r"\bwith or without\b|\bregardless of\b|\bno(?:t)? (?:less|more|fewer|older|younger|longer|shorter|earlier|later) than\b"
    r"|\bno(?:t)? (?:specific |particular |active |further |additional )?"
    r"(?:treatment|intervention|therapy|control|supplement(?:ation)?|exercise|training|medication)\b"
    r"|\b(?:no|without) (?:restrictions?|limits?)\b[^;]*",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:must not(?: be| have| include)?|should not(?: be)?|(?:is|are|was|were|do|does|did|has|have) not|not|no|non|never|neither|nor"
    r"|exclud(?:e|es|ed|ing)|exclusion of|except(?: for)?|other than|without|unless|rather than|apart from|free of|absence of"
    r"|any(?:thing)? but|\w+n['’]t|avoid(?:s|ing)?|omit(?:s|ting|ted)?|remov(?:e|es|ing)"
    r"|reject(?:s|ing)?|rule[sd]? out|ineligible|lack(?:s|ing)?)\b(?!-)",
    re.IGNORECASE,
)
# Here the meaning depends on more than the words that follow.
_TANGLED = re.compile(
    r"\bnot (?:only|just|merely|necessarily|limited|restricted|exclusively)\b|\bif\b|\bunless\b", re.IGNORECASE
)
_LET_IN = re.compile(
    r"[\W_]*(?:(?:be|been|is|are|eligible|included|allowed|accepted|permitted|considered|admitted|of interest|relevant)[\W_]*)*",
    re.IGNORECASE,
)
_NON = re.compile(
    r"\bnon[- ]?(?:english|adults?|elderly|child\w*|p(?:a)?ediatric|humans?|males?|females?|animals?)\b", re.IGNORECASE
)
_LOOSE = re.compile(
    r"(?:[<>≥≤=]|\b(?:at least|at most|more than|less than|fewer than|over|under|above|below|up to|minimum|maximum)\b)\s*\d",
    re.IGNORECASE,
)
_FILLER = frozenset(
    """study trial paper article report publication published include including included criterion criteria participant
    patient people person individual subject population sample group adult any all must need require required measured
    measure reported reporting assessed described compare compared versus vs comparator comparison control outcome
    primary secondary intervention treatment type kind design original research data full text available least use used
    using eligible aged age year old diagnosed diagnosis suffering having evaluate evaluated investigate examined effect
    effectiveness efficacy result human only setting patients receive received receiving given administered treated with
    conducted carried out performed focus focused concerning regarding related language over under above below least
    more less fewer another""".split()
)
# Words that only qualify what is asked for. They count if nothing else is left: "standard treatment".
_QUALIFIERS = frozenset({"active", "standard"})


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of a criterion. All its clauses must hold."""

    text: str
    denied: bool  # a paper must not be or have this
    tangled: bool = False  # its negations cannot be resolved, so it is never judged


@dataclass(frozen=True, slots=True)
class Designs:
    """The designs that a clause names, and the rest of its text."""

    named: tuple[Design, ...]
    any_is_enough: bool  # among the designs that are not attributes
    rest: str


@dataclass(frozen=True, slots=True)
class ParsedClause:
    """All that a clause asks for."""

    designs: Designs
    limits: tuple[Limit | AgeLimit | SexLimit, ...]
    topic: str  # what remains; may be empty
    loose: bool = False  # the topic holds a limit that no rule knows: "no more than 20% dropouts"

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for."""
        return not (self.designs.named or self.limits or self.topic)


def parse_clause(text: str, kind: CriterionKind) -> ParsedClause:
    """Parse a clause. For an intervention, a comparator or an outcome, all of it is topic, whatever its words."""
    nothing = Designs((), False, text)
    if kind in (CriterionKind.INTERVENTION, CriterionKind.COMPARATOR, CriterionKind.OUTCOME):
        return ParsedClause(nothing, (), topic_of(text))
    if _NON.search(text):  # "non-English papers": the prefix reverses the meaning
        return ParsedClause(nothing, (), topic_of(text), loose=True)
    limits, rest = limits_in(text)
    people, rest = people_limits_in(rest)
    designs = designs_in(rest, kind)
    if kind is CriterionKind.OWN and designs.named and topic_of(designs.rest):
        # "Has a registered protocol" asks for no design.
        designs = Designs((), False, rest)
    return ParsedClause(designs, (*limits, *people), topic_of(designs.rest), bool(_LOOSE.search(designs.rest)))


def clauses_of(criterion: Criterion) -> tuple[Clause, ...]:
    """The criterion's clauses. What follows a negation is a clause of its own."""
    text = unicodedata.normalize("NFKC", criterion.text)
    label = _LABEL.match(text)
    text = text[label.end() :] if label else text
    denied = bool(label and label["out"])
    parts = (_parts(clause, criterion.kind, denied) for clause in _CLAUSE.split(text) if clause.strip(" .,"))
    return tuple(part for found in parts for part in found)


def _parts(clause: str, kind: CriterionKind, denied: bool) -> Iterator[Clause]:
    hidden = _NO_DENIAL.sub(lambda match: "~" * len(match[0]), clause)
    denials = list(_DENIAL.finditer(hidden))
    if not denials:
        yield Clause(_trimmed(clause), denied)
        return
    if len(denials) > 1 or denied or _TANGLED.search(clause):
        yield Clause(_trimmed(clause), denied=True, tangled=True)
        return
    before, after = clause[: denials[0].start()], clause[denials[0].end() :]
    if _LET_IN.fullmatch(after):  # "children excluded", "protocols are not eligible"
        yield Clause(_trimmed(before), denied=True)
    elif parse_clause(after, kind).is_empty:
        yield Clause(_trimmed(clause), denied=True, tangled=True)
    else:
        if not parse_clause(before, kind).is_empty:  # "adults without diabetes": who is included, and who is not
            yield Clause(_trimmed(before), denied=False)
        yield Clause(_trimmed(after), denied=True)


def _trimmed(text: str) -> str:
    return re.sub(r"^(?:but|and|or|with|be|a|an|the|that|which|who|are|is|of)\s+", "", text.strip(" .,:;()")).strip()


def designs_in(text: str, kind: CriterionKind) -> Designs:
    """The designs that a clause names. For a criterion on population these are only humans and animals."""
    known = _KNOWN[kind]
    found: list[tuple[int, int, Design]] = []
    for design in known:
        found += [(match.start(), match.end(), design) for match in WORDINGS[design].asked.finditer(text)]
    kept = _longest(found)
    rest = list(text)
    for start, end, _ in kept:
        rest[start:end] = " " * (end - start)
    between = [text[one[1] : other[0]] for one, other in pairwise(kept)]
    either = any(re.search(r"\bor\b|/", words) for words in between)
    named = tuple(dict.fromkeys(design for *_, design in kept))
    if Design.TRIAL in named and len(named) > 1 and not either:
        named = tuple(design for design in named if design is not Design.TRIAL)  # "double-blind trial" is one thing
    families = [design for design in named if design in FAMILIES]
    return Designs(named, either or len(families) > 1, "".join(rest))


def _longest(found: list[tuple[int, int, Design]]) -> list[tuple[int, int, Design]]:
    """Among overlapping terms, the first and longest."""
    kept: list[tuple[int, int, Design]] = []
    for one in sorted(found, key=lambda term: (term[0], -term[1])):
        if not kept or one[0] >= kept[-1][1]:
            kept.append(one)
    return kept


def topic_of(text: str) -> str:
    """What a clause is about: the text, or "" if no word of it carries a topic."""
    return " ".join(text.split()) if topic_words(text) else ""


def topic_words(text: str) -> list[str]:
    """The words that carry the topic, in order."""
    words = [word for word in dict.fromkeys(content_words(text)) if word not in _FILLER and not word.isdigit()]
    return [word for word in words if word not in _QUALIFIERS] or words


def alternatives(text: str) -> list[str]:
    """Alternatives of which one is enough, as in "placebo, usual care or no treatment"; else the text itself."""
    listed = re.sub(r"\b(?:e\.?g\.?|such as|including|for example)[,:]?|[()]", " or ", text)
    if not re.search(r"\bor\b|/", listed):
        return [text]
    parts = [part.strip(" .,:;") for part in re.split(r"\s*(?:,\s*(?:or\s+)?|\bor\b|/)\s*", listed)]
    return [part for part in parts if not _QUALIFIERS.issuperset(topic_words(part))] or [text]


_NONE: tuple[Design, ...] = ()
_KNOWN: dict[CriterionKind, tuple[Design, ...]] = {
    CriterionKind.POPULATION: (Design.HUMAN, Design.ANIMAL),
    CriterionKind.INTERVENTION: _NONE,
    CriterionKind.COMPARATOR: _NONE,
    CriterionKind.OUTCOME: _NONE,
    CriterionKind.DESIGN: tuple(Design),
    CriterionKind.OWN: tuple(Design),
}
