"""Results first: for which questions results are ranked first, and which sentences are then ranked last.

A reviewer with a hypothesis about an effect looks for findings. Background, aims, eligibility and registration share its
words, often more of them than the result does, but answer nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.evidence.selection import RankedChoice
from core.evidence.sentence_roles import ROLES, SentenceRole, load_roles, role_by_title
from core.paper import Kind, Paper, SectionKind, Sentence
from core.paper.metadata import registrations_in

_LONGEST = 2000  # characters examined; repetitions below are bounded too, because a sentence may be hostile

_CONDUCT = re.compile(
    r"\b(?:randomi[sz]\w*|allocat\w*|conceal\w*|blind\w*|mask(?:ed|ing)|sample size|power calculation|eligib\w*"
    r"|(?:in|ex)clu(?:sion|ded)|recruit\w*|enrol\w*|regist(?:ered|ration|ry)|protocol|pre-?specified|fund(?:ed|ing)"
    r"|sponsor\w*|ethic\w*|consent\w*|loss to follow-?up|lost to follow-?up|drop-?outs?|missing data|imput\w*"
    r"|intention[- ]to[- ]treat|statistical (?:analysis|methods?|tests?)|(?:study|trial) design|designed"
    r"|measured|defined|assessed|collected|analy[sz]ed|conducted|carried out)\b",
    re.IGNORECASE,
)
_EFFECT = re.compile(
    r"\b(?:effects?|effective\w*|efficac\w*|affects?|impact|influences?|benefi\w*|harm\w*|safe|safety|risk|causes?"
    r"|caused|leads? to|results? in|higher|lower|differ\w*|associat\w*|correlat\w*|predict\w*"
    r"|(?:increas|decreas|reduc|improv|rais|prevent|inhibit|induc|enhanc|worsen|prolong|shorten|lengthen|reliev|protect"
    r"|promot|suppress|alter|disrupt|impair|elevat|diminish|delay)(?:e[sd]?|s|ed|ing|ion)?)\b",
    re.IGNORECASE,
)
_OPEN_QUESTION = re.compile(r"\W*(?:how|who|whom|where|when|what|which|why)\b", re.IGNORECASE)


def is_about_an_effect(question: str) -> bool:
    """Whether a hypothesis or question is about an effect, and not about how a study was done.

    >>> is_about_an_effect("Magnesium reduces leg cramps."), is_about_an_effect("How was cramp measured?")
    (True, False)
    """
    text = question[:_LONGEST]
    effect, conduct = _EFFECT.search(text) is not None, _CONDUCT.search(text) is not None
    if _OPEN_QUESTION.match(text):
        return effect and not conduct
    return bool(text.strip()) and (effect or not conduct)  # a claim is about an effect unless its words say otherwise


_BEHIND = (SentenceRole.SCENE, SentenceRole.ELIGIBILITY)
_FINDING = ROLES.index(SentenceRole.FINDING)
_UNLIKELY, _LIKELY, _SURE = 0.2, 0.5, 0.8  # the last is required of a finding where background is expected
_RESULTS = 5  # as in EvidenceBench's result-er@5
_APART = 20.0  # in log-odds: more than the greatest cost of repetition


def sets_the_scene(paper: Paper, candidates: Sequence[Sentence]) -> NDArray[np.bool_]:
    """Which candidates are about background, aims, eligibility or registration. Shape: (len(candidates),).

    Decided by the title above a sentence, or by its own words if no title tells. Findings of the paper itself never count.
    """
    by_title, parts = role_by_title(paper), paper.section_roles
    likely = load_roles().probabilities(paper, candidates)
    finding, scene = likely[:, _FINDING], stand_behind(likely)
    for place, sentence in enumerate(candidates):
        role = by_title[sentence.index]
        if sentence.kind in (Kind.CAPTION, Kind.TABLE):
            scene[place] = False
        elif role in _BEHIND:
            scene[place] = parts[sentence.section] is not SectionKind.INTRODUCTION or finding[place] < _SURE
        elif registrations_in(sentence.text):
            scene[place] = finding[place] < _LIKELY
        elif role is SentenceRole.FINDING:
            scene[place] = False
    return scene


def stand_behind(likely: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which sentences are background or eligibility by their words alone. `likely`: (n, len(ROLES)) -> (n,)."""
    behind: NDArray[np.bool_] = likely[:, [ROLES.index(role) for role in _BEHIND]].sum(axis=1) > _LIKELY
    return behind & (likely[:, _FINDING] < _UNLIKELY)


def behind(scores: NDArray[np.float64], last: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Lower the scores of `last` below all others, even after the cost of repetition. Shapes: (n,)."""
    return np.where(last, scores - np.ptp(scores) - _APART, scores) if last.any() else scores


def results_before(results: Sequence[RankedChoice], rest: Sequence[RankedChoice], k: int) -> list[RankedChoice]:
    """Choose `k` candidates: the first of `results`, then of `rest`.

    Both rank the same candidates, best first; each has `k` choices or all. Scores never rise along the answer.
    """
    chosen = list(results[: share_of_results(k)])
    there = {choice.place for choice in chosen}
    chosen += [choice for choice in rest if choice.place not in there][: k - len(chosen)]
    lowest = np.minimum.accumulate([choice.score for choice in chosen]) if chosen else ()
    return [RankedChoice(choice.place, float(score)) for choice, score in zip(chosen, lowest, strict=True)]


def share_of_results(k: int) -> int:
    """How many of `k` sentences come from the ranking of results: half of them, but at least five (or all `k`)."""
    return min(k, max(_RESULTS, (k + 1) // 2))
