"""The verdict on a paper, by rules: each chosen sentence is read, weighed by where it stands, and the weightiest decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import shorten

from core.evidence.model import EvidenceSentence, PaperVerdict, Stance
from core.findings.claim import Claim
from core.findings.lexicon import AIM, MAYBE, OTHERS, SUBGROUP
from core.findings.other_names import in_words_of
from core.findings.reading import Reading, read
from core.paper import Kind, Paper, SectionKind, Sentence
from core.summary.checks.direction import cues_in

_PART = {
    SectionKind.ABSTRACT: 1.0,
    SectionKind.RESULTS: 1.0,
    SectionKind.DISCUSSION: 0.5,
    SectionKind.OTHER: 0.5,
    SectionKind.INTRODUCTION: 0.0,
    SectionKind.METHODS: 0.0,
}
_FAVOUR = 1.5  # the higher, the more a good sentence outweighs several weak ones
_LEAST = 0.02  # of weight, below which nothing is decided
_MIXED = 0.8  # of the weight of one side on the other: both are good
_QUOTED = 80  # characters, at most
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
    claim = in_words_of(paper, claim, [paper.sentences[one.index] for one in chosen])
    judged = []
    for rank, one in enumerate(chosen):
        sentence = paper.sentences[one.index]
        reading = read(sentence.text, claim)
        stance = _stance(reading, claim)
        weight = 0.0 if stance is Stance.NEUTRAL else _weight(paper, claim, sentence, reading, rank)
        judged.append(Judged(sentence, reading, stance if weight else Stance.NEUTRAL, weight))
    return tuple(judged)


def reports(paper: Paper, sentence: Sentence) -> bool:
    """Whether a sentence may report a result of this paper: not its background, methods, or other studies' results."""
    if sentence.kind in (Kind.TITLE, Kind.HEADING, Kind.CAPTION) or OTHERS.search(sentence.text):
        return False
    return _PART[paper.section_of(sentence).kind] > 0


def _stance(reading: Reading, claim: Claim) -> Stance:
    if reading.sign is None:
        stance = Stance.SUPPORTS if claim.sign is None and reading.differs else Stance.NEUTRAL
    elif claim.sign is None:
        stance = Stance.SUPPORTS if reading.sign else Stance.REFUTES
    elif claim.at_least and reading.sign == 0:
        stance = Stance.SUPPORTS
    else:
        stance = Stance.SUPPORTS if reading.sign == claim.sign else Stance.REFUTES
    return _TURNED[stance] if claim.denied else stance


def _weight(paper: Paper, claim: Claim, sentence: Sentence, reading: Reading, rank: int) -> float:
    """How much a sentence counts, 0 to about 1: a result of this paper, about the outcome, tested, ranked high."""
    if not reports(paper, sentence):
        return 0.0
    part = _PART[paper.section_of(sentence).kind]
    if AIM.search(sentence.text) and not reading.tested:
        return 0.0
    if MAYBE.search(sentence.text) and not reading.tested:
        part *= 0.5
    about = 0.1 + 0.9 * reading.outcome
    return float(
        (part * about * (0.7 + 0.3 * reading.sides) * (1.0 if reading.tested else 0.6) / (1 + 0.25 * rank)) ** _FAVOUR
    )


def of_a_subgroup(text: str, claim: Claim) -> bool:
    """Whether a result is of some participants alone, where the hypothesis asks about all."""
    return SUBGROUP.search(text) is not None and SUBGROUP.search(claim.text) is None


def _of_all(judged: Sequence[Judged], claim: Claim) -> list[Judged]:
    """Without the results of subgroups, where a result of all participants names as much of the outcome."""
    parts = {one.sentence.index for one in judged if of_a_subgroup(one.sentence.text, claim)}
    whole = max((one.reading.outcome for one in judged if one.weight and one.sentence.index not in parts), default=-1.0)
    return [one for one in judged if one.sentence.index not in parts or one.reading.outcome > whole]


def weigh(judged: Sequence[Judged], claim: Claim) -> RuledVerdict:
    """What the judged sentences make of the paper."""
    judged = _of_all(judged, claim)
    pro, con = (_strongest(judged, stance) for stance in (Stance.SUPPORTS, Stance.REFUTES))
    sides: dict[tuple[Stance, int | None], float] = {}
    for one in judged:
        if one.weight:
            side = one.stance, one.reading.sign
            sides[side] = sides.get(side, 0.0) + one.weight
    winner = max(sides, key=lambda side: sides[side], default=None)
    if winner is None or sides[winner] < _LEAST:
        reason = "No chosen sentence reports a result of this paper on the hypothesis."
        return RuledVerdict(PaperVerdict.UNCLEAR, reason, pro, con, None)
    deciding = max((one for one in judged if (one.stance, one.reading.sign) == winner), key=lambda one: one.weight)
    rival = max((weight for (stance, _), weight in sides.items() if stance is not winner[0]), default=0.0)
    if rival >= _MIXED * sides[winner]:
        reason = f"Results point both ways: one tells {_said(pro, claim)}, another {_said(con, claim)}."
        return RuledVerdict(PaperVerdict.MIXED, reason, pro, con, deciding)
    if winner[0] is Stance.SUPPORTS:
        return RuledVerdict(
            PaperVerdict.SUPPORTS, f"A result tells {_said(deciding, claim)}, as claimed.", pro, con, deciding
        )
    return RuledVerdict(
        PaperVerdict.REFUTES, f"A result tells {_said(deciding, claim)}, other than claimed.", pro, con, deciding
    )


def _strongest(judged: Sequence[Judged], stance: Stance) -> Judged | None:
    return max((one for one in judged if one.stance is stance), key=lambda one: one.weight, default=None)


def _said(one: Judged | None, claim: Claim) -> str:
    """What a sentence tells, with its own words for it."""
    if one is None:
        return "nothing"
    sign, words = one.reading.sign, one.reading.words
    told = {1: "more of the outcome", -1: "less of the outcome", 0: "no difference", None: "a difference"}[sign]
    if sign and any(cue.axis == "value" for cue in cues_in(words)):
        told = "an improvement" if sign == claim.valence else "a worsening"
    unnamed = "" if one.reading.outcome else ", in a sentence that does not name the outcome"
    return f"{told} (“{shorten(words, _QUOTED, placeholder=' …')}”{unnamed})"
