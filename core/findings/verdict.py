"""The verdict on a paper, from the reader's probabilities and calibrated regressions; and the order to read its sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.entailment import Direction, Entailment, Probabilities, Reader, in_context, part_of, readable
from core.entailment.regression import Features, Regression, log_odds
from core.evidence.model import Stance
from core.evidence.sentence_roles import ROLES, SentenceRole, load_roles
from core.findings.alone import ReadAlone, read_alone
from core.findings.claimed import claimed_direction
from core.findings.question_parts import parts_of
from core.findings.stated_effects import only_tests_interaction
from core.findings.wording import PartStarts
from core.grounding.model import PaperVerdict
from core.paper import Paper, Sentence
from core.progress import Progress, silent
from core.text.similarity import Embedder, nearest
from core.text.words import content_words, share_of_words, word_starts

# ---- reading ----
# What the trained reader says about a paper's sentences for one hypothesis.

READ = 24  # sentences of a paper that are read: those most likely to be a result on the hypothesis
_READ_ALONE = 10  # of these, how many are read again without context
# A match makes a sentence more likely to be a result than its similarity to the hypothesis suggests.
RESULT = re.compile(
    r"\bp\s*[<=>]|significan|\bCI\b|differ|compared|versus|higher|lower|reduc|increas|improv", re.IGNORECASE
)
_TOLD, _ABSTRACT, _TABLE, _COLD = 0.2, 0.15, -0.1, -0.5  # added to the similarity (cosine and shared words)
_FINDING = 0.6  # factor for the probability, by its own words, that a sentence states a finding
_LIKELY = {"abstract": _ABSTRACT, "table": _TABLE, "caption": _TABLE, "introduction": _COLD, "methods": _COLD}
# How much a result counts by its part of the paper. Elsewhere it is usually an aim, a plan or another study's result.
_PART = {"abstract": 1.0, "results": 1.0, "table": 1.0, "discussion": 0.8, "other": 0.8, "caption": 0.7}
_ELSEWHERE = 0.15
_MODIFIES = 0.1  # tests whether the effect depends on something, and not the effect

Vector = NDArray[np.float64]


def worth_as_result(part: str, text: str) -> float:
    """How much a sentence counts as a result, 0 to 1: by its part of the paper, and by what it tests."""
    return _PART.get(part, _ELSEWHERE) * (_MODIFIES if only_tests_interaction(text) else 1.0)


@dataclass(frozen=True, slots=True)
class SentenceReadings:
    """The sentences that were read, best first, and what each says about the hypothesis. Array rows are in this order."""

    hypothesis: str
    sentences: tuple[Sentence, ...]
    parts: tuple[str, ...]  # the part of the paper of each: "abstract", "results", "table", ...
    about: Vector  # the probability that it is a result on the question, times `placed`
    placed: Vector  # how much each counts as a result (`worth_as_result`)
    directions: Probabilities  # (n, 4), by `Direction`
    alone: ReadAlone  # the first sentences, read without context
    support: Probabilities  # (n, 3), for the hypothesis as a claim, by `Entailment`
    cosines: Vector
    finding: Vector  # the probability that it states a finding of any kind
    claimed: Probabilities  # (4,): the direction that the hypothesis claims for its outcome, by `Direction`
    title: float  # cosine of the hypothesis and the paper's title
    named: float  # the share of the hypothesis' words that title and abstract contain
    named_best: float  # the same for the sentence with the highest `about`

    @property
    def told(self) -> NDArray[np.float64]:
        """Shares of up, down and same for each sentence, (n, 3), taken from `alone` for sentences that were read alone."""
        told: NDArray[np.float64] = self.directions[:, Direction.UP :].copy()
        told /= told.sum(axis=1, keepdims=True)
        told[: len(self.alone.told)] = self.alone.told
        return told


def read_sentences(
    paper: Paper,
    hypothesis: str,
    reader: Reader,
    embedder: Embedder,
    *,
    among: Iterable[int] | None = None,
    progress: Progress = silent,
) -> SentenceReadings | None:
    """Read the sentences nearest to the hypothesis, only `among` these indices if given; None if there are none."""
    everything, wanted = readable(paper), None if among is None else set(among)
    pool = [one for one in everything if wanted is None or one.index in wanted]
    if not pool:
        return None
    meaning = embedder.compare(paper, hypothesis, progress=progress)
    cosines = meaning.to_hypothesis.astype(np.float64)[[one.index for one in pool]]
    likely = np.array([_LIKELY.get(part_of(paper, one), 0.0) + _TOLD * bool(RESULT.search(one.text)) for one in pool])
    finding = load_roles().probabilities(paper, pool)[:, ROLES.index(SentenceRole.FINDING)]
    near = nearest(hypothesis, pool, cosines + likely + _FINDING * finding)[:READ]
    sentences, asked = [pool[place] for place in near], word_starts(hypothesis)
    progress(0.97, "Reading the nearest sentences")
    directions, support = reader.of_hypothesis(hypothesis, [in_context(paper, one) for one in sentences])
    parts = [part_of(paper, one) for one in sentences]
    placed = np.array([worth_as_result(part, one.text) for part, one in zip(parts, sentences, strict=True)])
    about = (1 - directions[:, Direction.NOT_ON_THIS]) * placed
    best = np.argsort(-about, kind="stable")
    front = [one.text for one in everything if part_of(paper, one) == "abstract"]
    first = [sentences[place].text for place in best[:_READ_ALONE]]
    return SentenceReadings(
        hypothesis,
        tuple(sentences[place] for place in best),
        tuple(parts[place] for place in best),
        about[best],
        placed[best],
        directions[best],
        read_alone(parts_of(hypothesis), first, reader),
        support[best],
        cosines[near][best],
        finding[near][best],
        claimed_direction(hypothesis, reader),
        title=float(embedder.encode([paper.title])[0] @ meaning.hypothesis) if paper.title else 0.0,
        named=share_of_words(asked, word_starts(" ".join([paper.title or "", *front]))),
        named_best=share_of_words(asked, word_starts(sentences[int(best[0])].text)),
    )


# ---- order ----
# The order in which a reviewer should read the sentences of a paper that are nearest to a hypothesis.
#
# A small regression estimates how likely each sentence decides the verdict. `python -m core.training verdicts` fits it to the
# deciding sentences of papers that the reader was not trained on. docs/findings.md has figures.

PARTS = ("abstract", "results", "table", "discussion", "caption", "introduction", "methods", "other")
OF_SENTENCE = (
    "about", "placed", "to the most about", "cosine", "to the nearest", "shared", "to the most shared", "result", "claim told",
    "to the most told", "certain", "words", "tested", "number", "neighbour", "place", "finding", "to the surest finding", *PARTS,
    "alone", "to the most alone", "outcome", "to the most outcome", "arms", "to the most arms", "certain alone", "read alone",
)  # fmt: skip
_TESTED, _NUMBER = re.compile(r"\bp\s*[<=>]|\bCI\b", re.IGNORECASE), re.compile(r"\d")
_FAR = log_odds(0.0)  # for a sentence that was not read


def reading_order(reading: SentenceReadings, model: Regression) -> list[int]:
    """The rows of the reading, in the order to read them."""
    worth = [model.probability(row) for row in of_sentences(reading)]
    return [int(row) for row in np.argsort(-np.round(worth, 6), kind="stable")]


def of_sentences(reading: SentenceReadings) -> Features:
    """Features for whether a sentence decides the verdict. Shape: (len(reading.sentences), len(OF_SENTENCE))."""
    texts, asked = [one.text for one in reading.sentences], word_starts(reading.hypothesis)
    places = np.array([one.index for one in reading.sentences])
    about = np.array([log_odds(one) for one in 1 - reading.directions[:, Direction.NOT_ON_THIS]])
    told = np.array([log_odds(one) for one in 1 - reading.support[:, Entailment.NOT_THERE]])
    words = [word_starts(text) for text in texts]
    shared = np.array([share_of_words(asked, one) for one in words])
    finding = np.array([log_odds(one) for one in reading.finding])
    directions = reading.directions[:, Direction.UP :]
    named = PartStarts.of(parts_of(reading.hypothesis))
    outcome = np.array([share_of_words(named.outcome, one) for one in words])
    arms = np.array([share_of_words((named.intervention | named.comparator) - named.outcome, one) for one in words])
    by_itself = np.arange(len(texts)) < len(reading.alone.about)
    alone = np.full(len(texts), _FAR)
    alone[by_itself] = [log_odds(float(one)) for one in reading.alone.about]
    beside = dict(zip(places.tolist(), about.tolist(), strict=True))
    columns = [
        about,
        [log_odds(one) for one in reading.about],
        about - about.max(),
        reading.cosines,
        reading.cosines - reading.cosines.max(),
        shared,
        shared - shared.max(),
        [bool(RESULT.search(text)) for text in texts],
        told,
        told - told.max(),
        (directions / directions.sum(axis=1, keepdims=True)).max(axis=1),
        [np.log1p(len(text.split())) for text in texts],
        [bool(_TESTED.search(text)) for text in texts],
        [bool(_NUMBER.search(text)) for text in texts],
        [max(beside.get(at - 1, _FAR), beside.get(at + 1, _FAR)) for at in places.tolist()],
        places / max(1, places.max()),
        finding,
        finding - finding.max(),
        *([part == name for part in reading.parts] for name in PARTS),
        alone,
        alone - alone.max(),
        outcome,
        outcome - outcome.max(),
        arms,
        arms - arms.max(),
        np.where(by_itself, reading.told.max(axis=1), 1 / len(reading.told.T)),
        by_itself,
    ]
    return np.array(columns, dtype=np.float64).T


# ---- verdict ----
# The verdict on a paper, from the readings of its sentences.
#
# A small regression estimates whether the paper reports a result on the question. Two readings say whether the result is as
# the hypothesis claims: the direction of the result, and the support for the hypothesis as it was typed. Each is a mean over
# the sentences, weighted by how likely each decides. `python -m core.training verdicts` fits both regressions on trials that
# the reader was not trained on. docs/findings.md has figures.

MODEL = Path(__file__).parent / "verdict.json"
OF_REPORTED = (
    "first", "second", "third", "five", "abstract", "results", "claimed first", "claimed second", "cosine", "cosines",
    "title", "named", "named best", "several",
)  # fmt: skip
_AS_TYPED = 0.3  # weight of the support for the hypothesis as typed, beside the direction of the result
_VERDICT_TOLD = 0.5  # minimum `about` for a sentence to count as for or against; below it is neutral


@dataclass(frozen=True, slots=True)
class VerdictModel:
    """The shipped model: regressions, and how sure a verdict must be."""

    reported: Regression  # whether the paper reports a result on the question
    order: Regression  # how likely each sentence decides
    firm: float  # minimum probability for the verdicts "supports" and "refutes"
    not_reported: float  # maximum probability of a reported result for the verdict "not reported"
    right: int = 0  # correct verdicts in 100 firm ones, on cells that nothing was fitted to
    right_if_close: int = (
        0  # the same, for hypotheses close to what the paper compared, half of which it does not answer
    )
    decided: int = 0  # firm verdicts in 100 cells in which the paper reports a result


@dataclass(frozen=True, slots=True)
class WeighedVerdict:
    """A verdict, the probability that it is right, and that the paper reports on the question at all."""

    verdict: PaperVerdict
    probability: float | None  # None for "unclear", which cannot be right or wrong
    reported: float
    supports: float  # the probability that a reported result supports the hypothesis


def stances(reading: SentenceReadings) -> tuple[Stance, ...]:
    """The stance of each sentence on the hypothesis; one that is unlikely to be a result on the question is neutral."""
    found = []
    for about, told in zip(reading.about, reading.told, strict=True):
        as_claimed = float(reading.claimed[Direction.UP :] @ told)
        on_it = Stance.SUPPORTS if as_claimed > 0.5 else Stance.REFUTES
        found.append(on_it if about >= _VERDICT_TOLD else Stance.NEUTRAL)
    return tuple(found)


def strongest(
    reading: SentenceReadings, order: Iterable[int], side: Stance, model: VerdictModel, *, against_verdict: bool
) -> int | None:
    """The row of the first sentence on a side, preferring one that names the outcome; None if there is none.

    A sentence against a firm verdict must name the outcome, and be as sure by itself as a verdict has to be: a weaker
    one, which often is about something else, would warn of a conflict that the paper does not have.
    """
    stance = stances(reading)
    on_side = [row for row in order if stance[row] is side]
    named = [row for row in on_side if names_outcome(reading, row)]
    if against_verdict:
        return next((row for row in named if _sure_of_stance(reading, row) >= model.firm), None)
    return next(iter(named or on_side), None)


def _sure_of_stance(reading: SentenceReadings, row: int) -> float:
    supports = float(reading.claimed[Direction.UP :] @ reading.told[row])
    return float(reading.about[row]) * max(supports, 1 - supports)


def weigh(reading: SentenceReadings, model: VerdictModel) -> WeighedVerdict:
    """The verdict on one paper.

    It is firm only if it is likely enough to be right, a single sentence has that stance, and the sentence most likely to
    decide names the outcome.
    """
    reported = model.reported.probability(of_reported(reading))
    weights = weights_of(reading, model.order)
    told = of_alone(reading, weights)
    as_claimed = float(reading.claimed[Direction.UP :] @ told.together)
    supports = (1 - _AS_TYPED) * as_claimed + _AS_TYPED * supported_as_typed(reading, weights)
    sure = max(supports, 1 - supports)
    if reported <= model.not_reported:
        return WeighedVerdict(PaperVerdict.NOT_REPORTED, 1 - reported, reported, supports)
    verdict, stance = (
        (PaperVerdict.SUPPORTS, Stance.SUPPORTS) if supports > 0.5 else (PaperVerdict.REFUTES, Stance.REFUTES)
    )
    if reported * sure < model.firm or stance not in stances(reading) or not names_outcome(reading, told.row):
        return WeighedVerdict(PaperVerdict.UNCLEAR, None, reported, supports)
    return WeighedVerdict(verdict, reported * sure, reported, supports)


def of_reported(reading: SentenceReadings) -> Features:
    """Features for whether the paper reports on the question, in the order of `OF_REPORTED`."""
    about = np.pad(reading.about, (0, 5))
    claimed = reading.support[:, [Entailment.SUPPORTED, Entailment.CONTRADICTED]].sum(axis=1) * reading.placed
    claimed = np.pad(np.sort(claimed)[::-1], (0, 2))
    parts = np.array(reading.parts)
    return np.array(
        [
            *(log_odds(about[place]) for place in range(3)),
            log_odds(about[:5].mean()),
            _best_of(reading, parts == "abstract"),
            _best_of(reading, (parts == "results") | (parts == "table")),
            log_odds(claimed[0]),
            log_odds(claimed[1]),
            reading.cosines.max(),
            np.sort(reading.cosines)[::-1][:5].mean(),
            reading.title,
            reading.named,
            reading.named_best,
            np.log1p((reading.about > 0.5).sum()),
        ]
    )


@dataclass(frozen=True, slots=True)
class ToldAlone:
    """Shares of up, down and same, (3,), from the sentences that were read alone."""

    together: Vector  # mean of all, weighted by how likely each decides
    best: Vector  # from the sentence most likely to decide
    row: int  # of that sentence


def weights_of(reading: SentenceReadings, order: Regression) -> Vector:
    """How much each sentence counts, (n,): the square of the probability that it decides."""
    return np.array([order.probability(row) for row in of_sentences(reading)]) ** 2 + 1e-9


def of_alone(reading: SentenceReadings, weights: Vector) -> ToldAlone:
    """The direction of the result by the sentences that were read alone."""
    told = reading.alone.told
    weight = weights[: len(told)]
    row = int(weight.argmax())
    return ToldAlone(weight @ told / weight.sum(), told[row], row)


def supported_as_typed(reading: SentenceReadings, weights: Vector) -> float:
    """The share of support, against contradiction, that the sentences give to the hypothesis as it was typed."""
    supported, contradicted = reading.support[:, Entailment.SUPPORTED], reading.support[:, Entailment.CONTRADICTED]
    return float(weights @ (supported / (supported + contradicted)) / weights.sum())


def names_outcome(reading: SentenceReadings, row: int) -> bool:
    """Whether a sentence shares a word with the outcome; if not, it may answer another question."""
    texts = parts_of(reading.hypothesis).outcome, reading.sentences[row].text
    outcome, said = (word_starts(" ".join(content_words(text))) for text in texts)
    return bool(outcome & said)


def _best_of(reading: SentenceReadings, rows: NDArray[np.bool_]) -> float:
    return log_odds(reading.about[rows].max()) if rows.any() else log_odds(0.0)


@cache
def shipped() -> VerdictModel:
    """The model that comes with the product, loaded once per process."""
    found = json.loads(MODEL.read_text(encoding="utf-8"))
    return VerdictModel(
        Regression.from_json(found["reported"]),
        Regression.from_json(found["order"]),
        firm=found["firm"],
        not_reported=found["not_reported"],
        right=found["right"],
        right_if_close=found["right_if_close"],
        decided=found["decided"],
    )


def how_often_right() -> str:
    """How reliable the verdicts made on this machine are, in words for the reviewer."""
    model = shipped()
    return (
        f"Offline, {model.right} in 100 firm verdicts were right on papers it had not seen, but {model.right_if_close} in 100 "
        "where many hypotheses differed from what the paper compared only in an arm, a group or an outcome. It gives a firm "
        f"verdict for {model.decided} in 100 questions that a paper answers, and leaves the others to be read. A language "
        "model is not measured here until you run it on *Benchmarks*."
    )
