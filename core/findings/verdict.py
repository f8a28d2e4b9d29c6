"""The verdict on a paper, by rules: each chosen sentence is read, weighed by where it stands, and the weightiest decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.evidence.model import EvidenceSentence, PaperVerdict, Stance
from core.findings.claim import Claim
from core.findings.lexicon import AIM, MAYBE, OTHERS
from core.findings.reading import Reading, read
from core.paper import Kind, Paper, SectionKind, Sentence

_PART = {
    SectionKind.ABSTRACT: 1.0,
    SectionKind.RESULTS: 1.0,
    SectionKind.DISCUSSION: 0.5,
    SectionKind.OTHER: 0.5,
    SectionKind.INTRODUCTION: 0.0,
    SectionKind.METHODS: 0.0,
}
_LEAST = 0.15  # of weight, below which nothing is decided
_MIXED = 0.8  # of the weight of one side on the other: both are good
_TURNED = {Stance.SUPPORTS: Stance.REFUTES, Stance.REFUTES: Stance.SUPPORTS, Stance.NEUTRAL: Stance.NEUTRAL}


@dataclass(frozen=True, slots=True)
class Judged:
    """A chosen sentence, how it bears on the claim, and how much it counts."""

    sentence: Sentence
    reading: Reading
    stance: Stance
    weight: float


@dataclass(frozen=True, slots=True)
class RuledVerdict:
    """A paper's verdict and its reason; the strongest judged sentence on either side."""

    verdict: PaperVerdict
    reason: str
    strongest_for: Judged | None
    strongest_against: Judged | None
    deciding: Judged | None


def judge(paper: Paper, claim: Claim, chosen: Sequence[EvidenceSentence]) -> tuple[Judged, ...]:
    """How each chosen sentence bears on the claim, in the order given, best first."""
    judged = []
    for rank, one in enumerate(chosen):
        sentence = paper.sentences[one.index]
        reading = read(sentence.text, claim)
        stance = _stance(reading, claim)
        weight = 0.0 if stance is Stance.NEUTRAL else _weight(paper, sentence, reading, rank)
        judged.append(Judged(sentence, reading, stance if weight else Stance.NEUTRAL, weight))
    return tuple(judged)


def _stance(reading: Reading, claim: Claim) -> Stance:
    if reading.sign is None:
        stance = Stance.SUPPORTS if claim.sign is None and reading.words else Stance.NEUTRAL
    elif claim.sign is None:
        stance = Stance.SUPPORTS if reading.sign else Stance.REFUTES
    elif claim.at_least and reading.sign == 0:
        stance = Stance.SUPPORTS
    else:
        stance = Stance.SUPPORTS if reading.sign == claim.sign else Stance.REFUTES
    return _TURNED[stance] if claim.denied else stance


def _weight(paper: Paper, sentence: Sentence, reading: Reading, rank: int) -> float:
    """How much a sentence counts, 0 to about 1: a result of this paper, about the outcome, tested, ranked high."""
    if sentence.kind in (Kind.TITLE, Kind.HEADING, Kind.CAPTION) or OTHERS.search(sentence.text):
        return 0.0
    part = _PART[paper.section_of(sentence).kind]
    if AIM.search(sentence.text) and not reading.tested:
        return 0.0
    about = 0.25 + 0.75 * reading.outcome
    if MAYBE.search(sentence.text) and not reading.tested:
        part *= 0.5
    return part * about * (0.7 + 0.3 * reading.sides) * (1.0 if reading.tested else 0.6) / (1 + 0.25 * rank)


def weigh(judged: Sequence[Judged], claim: Claim) -> RuledVerdict:
    """What the judged sentences make of the paper."""
    sides = {stance: [one for one in judged if one.stance is stance] for stance in (Stance.SUPPORTS, Stance.REFUTES)}
    best = {stance: max(ones, key=lambda one: one.weight, default=None) for stance, ones in sides.items()}
    total = {stance: sum(one.weight for one in ones) for stance, ones in sides.items()}
    pro, con = best[Stance.SUPPORTS], best[Stance.REFUTES]
    low, high = sorted(total.values())
    winner = Stance.SUPPORTS if total[Stance.SUPPORTS] >= total[Stance.REFUTES] else Stance.REFUTES
    deciding = best[winner]
    if deciding is None or high < _LEAST:
        reason = "No chosen sentence reports a result of this paper on the hypothesis."
        return RuledVerdict(PaperVerdict.UNCLEAR, reason, pro, con, None)
    if low >= _MIXED * high:
        reason = f"Results point both ways: {_said(pro, claim)}, and {_said(con, claim)}."
        return RuledVerdict(PaperVerdict.MIXED, reason, pro, con, deciding)
    verdict = PaperVerdict.SUPPORTS if winner is Stance.SUPPORTS else PaperVerdict.REFUTES
    return RuledVerdict(verdict, f"{_said(deciding, claim).capitalize()}.", pro, con, deciding)


def _said(one: Judged | None, claim: Claim) -> str:
    if one is None:
        return "nothing is said"
    told = {1: "more of the outcome", -1: "less of the outcome", 0: "no difference", None: "a difference"}
    return f"a result tells {told[one.reading.sign]} (“{one.reading.words}”)"
