"""Tune the cross-encoder: what it is shown of each question, the loss, and its scores on papers that it has not seen."""

from __future__ import annotations

import hashlib
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from core.evidence.model import EvidenceQuery
from core.evidence.ranker.model import READ
from core.evidence.ranker.pairs import Pair, Pieces, in_context, pairs
from core.training.cross_encoder_net import OUTPUTS, Net
from core.training.ranker_data import Aspects, Question, Spans, reword, sample_paper

Vector = NDArray[np.float64]

_HARD, _EASY = 60, 30  # sentences without evidence to draw from: the trees' best, and any
_ROWS = 24  # pairs that go through the network together
_LISTWISE = 0.5  # of the loss is about the order within a question, beside each sentence by itself


@dataclass(frozen=True)
class Example:
    """A question and the sentences that training may show of it. Rows of all arrays are those sentences."""

    question: Question
    places: NDArray[np.intp]  # among the candidates
    target: Tensor  # (rows, 2): how much of the evidence, and of the results, each covers
    gold: NDArray[np.intp]  # rows
    hard: NDArray[np.intp]
    easy: NDArray[np.intp]
    scored: NDArray[np.intp]  # the trees' best, gold among them or not
    pairs: Sequence[Sequence[Pair]]  # by wording of the question: as it is, and for a trial in other words


@dataclass(frozen=True)
class Sample:
    """How many sentences of a question one step sees."""

    gold: int
    hard: int
    easy: int


OF_ASPECTS, OF_SPANS = Sample(16, 14, 4), Sample(3, 6, 1)


def example(question: Question, tree_scores: Sequence[Vector], pieces: Pieces, *, seed: int) -> Example:
    """`tree_scores`: (candidates,) each, from trees that have not seen the paper."""
    random = np.random.default_rng(seed)
    if isinstance(question, Aspects):
        target = np.stack([question.target(results_only=mode) for mode in (False, True)], axis=1)
    else:
        assert isinstance(question, Spans)  # noqa: S101
        target = np.repeat(question.target[:, None], OUTPUTS, axis=1)
    orders = [np.argsort(-scores.round(6), kind="stable") for scores in tree_scores]
    without = target.max(axis=1) == 0
    gold = np.flatnonzero(~without)
    hard = np.unique(np.concatenate([order[without[order]][:_HARD] for order in orders]))
    rest = np.flatnonzero(without)
    easy = random.choice(rest, min(_EASY, len(rest)), replace=False)
    scored = np.unique(np.concatenate([order[:READ] for order in orders]))
    places = np.unique(np.concatenate([gold, hard, easy, scored]))
    hypothesis = question.hypothesis
    candidates = EvidenceQuery(hypothesis).candidates(question.paper)
    wordings = [hypothesis] + ([reword(hypothesis)] if isinstance(question, Spans) else [])
    shown = [candidates[place] for place in places]
    row = {int(place): number for number, place in enumerate(places)}

    def rows(some: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.array([row[int(place)] for place in some], dtype=np.intp)

    return Example(
        question,
        places,
        torch.tensor(target[places], dtype=torch.float32),
        gold=rows(gold),
        hard=rows(hard),
        easy=rows(easy),
        scored=rows(scored),
        pairs=[pairs(question.paper, shown, wording, pieces) for wording in wordings],
    )


Step = Sequence[tuple[Example, Sample, bool]]  # whether both outputs learn from it, or the one for results alone


def tune(net: Net, steps: Sequence[Step], *, rate: float, seed: int, name: str) -> None:
    """Go through the steps once; the learning rate rises over the first tenth and falls to nothing."""
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    optimiser = torch.optim.AdamW(
        [{"params": net.layers.parameters(), "lr": rate}, {"params": net.head.parameters(), "lr": 5 * rate}],
        weight_decay=0.01,
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / (0.1 * len(steps))) * (1 - step / len(steps))
    )
    net.train()
    losses: list[float] = []
    started = time.perf_counter()
    for number, step in enumerate(steps, 1):
        loss = _loss(net, step, random)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        losses.append(loss.item())
        if number % 20 == 0 or number == len(steps):
            seconds = time.perf_counter() - started
            mean = float(np.mean(losses[-20:]))
            print(
                f"{name}: step {number} of {len(steps)}, loss {mean:.3f}, {seconds:.0f} s", file=sys.stderr, flush=True
            )


def _loss(net: Net, step: Step, random: np.random.Generator) -> Tensor:
    shown: list[Pair] = []
    targets = []
    for example, sample, _ in step:
        drawn = np.concatenate(
            [
                random.choice(rows, min(count, len(rows)), replace=False)
                for rows, count in (
                    (example.gold, sample.gold),
                    (example.hard, sample.hard),
                    (example.easy, sample.easy),
                )
            ]
        )
        drawn = np.unique(drawn)
        wording = example.pairs[int(random.integers(len(example.pairs)))]
        shown += [wording[row] for row in drawn]
        targets.append(example.target[drawn])
    logits = _in_batches(net, shown)
    loss = torch.zeros(())
    start = 0
    for (_, _, both), target in zip(step, targets, strict=True):
        own = logits[start : start + len(target)]
        start += len(target)
        if not both:
            own, target = own[:, 1:], target[:, 1:]  # noqa: PLW2901
        share = target / target.sum(0, keepdim=True).clamp_min(1e-6)
        listwise = -(share * F.log_softmax(own, 0)).sum(0).mean()
        loss = loss + F.binary_cross_entropy_with_logits(own, target) + _LISTWISE * listwise
    return loss / len(step)


def _in_batches(net: Net, rows: Sequence[Pair]) -> Tensor:
    """The network's outputs for the rows, in their order; short pairs go together. Shape: (len(rows), 2)."""
    order = sorted(range(len(rows)), key=lambda row: len(rows[row].pieces))
    found = []
    for start in range(0, len(order), _ROWS):
        with torch.autocast("cpu", torch.bfloat16):
            found.append(net([rows[row] for row in order[start : start + _ROWS]]))
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    return torch.cat(found).float()[back]


@torch.no_grad()
def scores(net: Net, example: Example, *, wording: int = 0) -> Vector:
    """The log-odds of the sentences that are scored, NaN for all others. Shape: (candidates, 2)."""
    net.eval()
    found = np.full((len(example.question.index), OUTPUTS), np.nan)
    shown = [example.pairs[wording][row] for row in example.scored]
    found[example.places[example.scored]] = _in_batches(net, shown).numpy()
    return found


def steps_of_trials(trials: Sequence[Example], *, epochs: int, together: int, seed: int) -> list[Step]:
    """Every trial's question once an epoch, some of them a step; both outputs learn."""
    random = np.random.default_rng(seed)
    steps: list[Step] = []
    for _ in range(epochs):
        order = random.permutation(len(trials))
        steps += [
            [(trials[place], OF_SPANS, True) for place in order[start : start + together]]
            for start in range(0, len(order), together)
        ]
    return steps


def steps_of_both(
    aspects: Sequence[Example], trials: Sequence[Example], *, epochs: int, beside: int, seed: int
) -> list[Step]:
    """Every question of EvidenceBench once an epoch, one a step, and some trials beside it, drawn anew.

    What bears on a trial's question besides results is not known, so that trials teach the output for results alone.
    """
    random = np.random.default_rng(seed)
    drawn = [
        trials[place]
        for _ in range(math.ceil(epochs * len(aspects) * beside / max(1, len(trials))))
        for place in random.permutation(len(trials))
    ]
    steps: list[Step] = []
    for _ in range(epochs):
        for place in random.permutation(len(aspects)):
            some = [drawn.pop() for _ in range(beside)]
            steps.append([(aspects[place], OF_ASPECTS, True), *((one, OF_SPANS, False) for one in some)])
    return steps


def sample_read() -> str:
    """A checksum of what is read of a sample paper: when it changes, the cross-encoder must be trained again."""
    paper = sample_paper()
    return hashlib.sha256("\n".join(in_context(paper, paper.sentences)).encode()).hexdigest()
