"""The label of a summary sentence, computed from the reader's probabilities; and how often such labels are right.

A calibrated regression uses the reader's probabilities and the agreement of numbers. It is fitted on papers that the reader
was not trained on (`python -m core.training summaries`). The threshold for flagging allows at most one false alarm in ten
correct sentences. docs/summary-offline.md has the figures.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.entailment import Entailment, InContext, Probabilities, Reader
from core.entailment.regression import Features, Regression, log_odds
from core.summary.model import Label
from core.summary.near_copies import changed_words
from core.summary.numbers import NumberAgreement, PairedNumber

MODEL = Path(__file__).parent / "score.json"
FEATURES = (
    "supported", "supported second", "contradicted", "contradicted second", "not there", "best supported",
    "best contradicted", "near supported", "near contradicted", "cosine", "cosines", "length", "numbers", "agree",
    "differ", "rather supported",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SourcesRead:
    """The reader's probabilities for one summary sentence."""

    alone: Probabilities  # (source sentences, 3): each by itself, by `Entailment`
    best: Probabilities  # (3,): the most relevant ones together
    near: Probabilities  # (3,): the most similar ones together
    cosines: Features  # (source sentences,)


@dataclass(frozen=True, slots=True)
class Bearing:
    """What the reader made of a sentence and its sources, and the order in which they bear on it."""

    read: SourcesRead
    score: Features  # (source sentences,): how much each bears on it
    best: tuple[int, ...]  # places, those that bear on it most first


_TOGETHER = 4  # source sentences that are read at once
_JUST_BELOW = 0.01  # how far below the threshold, in probability
_LIKENESS = 0.5  # how much the cosine counts beside what the reader says


def read_sources(
    reader: Reader, text: str, sources: Sequence[InContext], cosines: Features, nearest: Sequence[int]
) -> Bearing:
    """Read a sentence beside its sources, of which there is at least one: each alone, then the best together.

    `cosines`: of each source with the sentence. `nearest`: the places of those that are most like it, in order.
    """
    alone = reader.support(text, sources)
    score = alone[:, : Entailment.NOT_THERE].sum(axis=1) + _LIKENESS * cosines
    best = descending(score)
    together = reader.support_of_all(
        text, [[sources[place] for place in order[:_TOGETHER]] for order in (best, nearest)]
    )
    return Bearing(SourcesRead(alone, best=together[0], near=together[1], cosines=cosines), score, best)


def descending(values: Features) -> tuple[int, ...]:
    """Places in falling order of their values, which are rounded so that every processor gives the same order."""
    return tuple(int(place) for place in np.argsort(-values.round(6), kind="stable"))


@dataclass(frozen=True, slots=True)
class LabelModel:
    """The shipped model: a regression, its thresholds and its measured error rates."""

    supported: Regression
    supported_from: float  # minimum probability of support for the label "supported"
    wrong_below: float  # a sentence with a lower probability of support is flagged
    contradicts_from: float  # minimum probability of a contradiction for a flagged sentence to be called one
    right_flagged: int  # correct sentences flagged in 100, measured by `bench summary/sentences`
    wrong_found: int  # wrong sentences flagged in 100, in the same run


@dataclass(frozen=True, slots=True)
class LabelDecision:
    """The label of a summary sentence."""

    label: Label
    probability: float  # that it is supported
    changed: str = ""  # the words in which a near-copy differs from the paper's sentence


def decide(
    text: str,
    sources: Sequence[str],
    read: SourcesRead,
    numbers: Sequence[PairedNumber],
    model: LabelModel,
    *,
    supported_from: float | None = None,
) -> LabelDecision:
    """Choose the label. `sources`: the source sentences that were read. `supported_from` overrides the model's threshold.

    A near-copy that differs in a word, and a sentence with a number that its sources do not have, is not called supported.
    Its probability then stays below the threshold, because a summary's score is the mean of what is shown.
    """
    probability = model.supported.probability(features(text, read, numbers))
    if probability < model.wrong_below:
        contradicts = read.best[Entailment.CONTRADICTED] >= model.contradicts_from
        return LabelDecision(Label.CONTRADICTS if contradicts else Label.NOT_IN_PAPER, probability)
    least = model.supported_from if supported_from is None else supported_from
    if probability < least:
        return LabelDecision(Label.CANNOT_TELL, probability)
    changed = changed_words(text, sources)
    if changed or any(number.agreement is not NumberAgreement.AGREES for number in numbers):
        return LabelDecision(Label.CANNOT_TELL, max(0.0, least - _JUST_BELOW), changed)
    return LabelDecision(Label.SUPPORTED, probability)


def features(text: str, read: SourcesRead, numbers: Sequence[PairedNumber]) -> Features:
    """Features for whether a sentence is supported, in the order of `FEATURES`; needs at least one source sentence."""
    supported, contradicted = (np.pad(np.sort(read.alone[:, column])[::-1], (0, 1)) for column in (0, 1))
    told = read.alone[:, : Entailment.NOT_THERE].sum(axis=1)
    agreements = [number.agreement for number in numbers]
    return np.array(
        [
            log_odds(supported[0]),
            log_odds(supported[1]),
            log_odds(contradicted[0]),
            log_odds(contradicted[1]),
            log_odds(read.alone[:, Entailment.NOT_THERE].min()),
            *(log_odds(one) for one in (*read.best[:2], *read.near[:2])),
            read.cosines.max(),
            np.sort(read.cosines)[-3:].mean(),
            np.log(max(1, len(text.split()))),
            float(bool(numbers)),
            agreements.count(NumberAgreement.AGREES) / len(numbers) if numbers else 1.0,
            agreements.count(NumberAgreement.DIFFERS) / len(numbers) if numbers else 0.0,
            log_odds((read.alone[:, Entailment.SUPPORTED] * told).sum() / max(1e-9, told.sum())),
        ]
    )


@cache
def shipped() -> LabelModel:
    """The model that comes with the product, loaded once per process."""
    found = json.loads(MODEL.read_text(encoding="utf-8"))
    return LabelModel(**(found | {"supported": Regression.from_json(found["supported"])}))


def how_often_right() -> str:
    """How reliable the labels of `offline` are, in one sentence for the reviewer."""
    model = shipped()
    return (
        f"Offline, {model.right_flagged} in 100 right sentences are flagged, and {model.wrong_found} in 100 wrong ones are "
        "found: read the sentences beside each other."
    )
