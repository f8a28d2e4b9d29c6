"""Whether a paper reports the outcome of a hypothesis at all: a result on something else is no answer, however plain.

A trial of the right drug may say nothing of the outcome that is asked for. Its chosen sentences are then about other
outcomes, of which one would decide. What tells this is how much of the outcome's name stands in any chosen result, and how
near in meaning the chosen sentences and the whole paper come to it: a logistic regression on trials' own outcomes and on
those of other trials of their field (`python -m core.training.measure_neighbours --fit` gives its weights).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.findings.claim import Claim
from core.findings.topicality import meaning_for, reading_of
from core.findings.verdict import Judged, reports
from core.paper import Paper

_WEIGHTS, _CONSTANT = (7.5, 2.5, 6.1), -8.9  # of the share, the nearest chosen sentence and the paper's nearest one
# Log odds: the strictest, in steps of one half, that costs no right verdict on the half of the trials they were fitted to.
_LEAST = -3.5
_WORDS_ALONE = 0.34  # of the outcome's words, where nothing tells likeness of meaning


@dataclass(frozen=True, slots=True)
class Likeness:
    """How near a paper comes to an outcome. Cosines lie between -1 and 1; None where there is no encoder."""

    share: float  # of the outcome's words in the chosen result that has most of them, 0 to 1
    chosen: float | None  # cosine of the nearest chosen sentence
    paper: float | None  # cosine of the paper's nearest sentence


def is_reported(paper: Paper, claim: Claim, judged: Sequence[Judged], engine: str) -> bool:
    """Whether a chosen result plainly is about the outcome. True where no sentence would decide anything."""
    if not any(one.weight for one in judged):
        return True
    near = likeness(paper, claim, judged, engine)
    if near.chosen is None or near.paper is None:
        return near.share >= _WORDS_ALONE
    seen = (near.share, near.chosen, near.paper)
    return _CONSTANT + sum(weight * value for weight, value in zip(_WEIGHTS, seen, strict=True)) >= _LEAST


def likeness(paper: Paper, claim: Claim, judged: Sequence[Judged], engine: str) -> Likeness:
    """How near the chosen sentences, and the paper, come to the outcome."""
    share = max((one.reading.outcome for one in judged if reports(paper, one.sentence)), default=0.0)
    meaning = meaning_for(engine)
    vectors = reading_of(paper, meaning.embedder).vectors if meaning else None
    if meaning is None or vectors is None:
        return Likeness(share, None, None)
    cosines = vectors @ meaning.of(claim.about)
    return Likeness(share, float(cosines[[one.sentence.index for one in judged]].max()), float(cosines.max()))
