"""Turn examples into training pairs for the reader: word them differently each time, and encode them as word pieces."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from core.entailment import Direction, Entailment, InContext
from core.entailment.reader import Writer
from core.evidence.ranker.cross_encoder import Pair
from core.findings.question_parts import QuestionParts
from core.text.encoder import Encoder, load_encoder
from core.text.encoder_files import model_folder
from core.training.changed import BOTH_WAYS, turned_round, without_significance
from core.training.composed import OPPOSITE, Arms, compose
from core.training.reader_examples import AskedParts, ReaderExample

# Wordings of questions for training.

_VERBS = (
    "increases", "reduces", "improves", "lowers", "raises", "decreases", "worsens", "does not change", "has an effect on"
)  # fmt: skip
_TYPED = (
    "{i} {verb} {o} compared with {c}", "Compared with {c}, {i} {verb} {o}", "{i} {verb} {o} more than {c}",
    "There is no difference in {o} between {i} and {c}", "{o} is higher after {i} than after {c}",
    "{o} is lower with {i} than with {c}", "{o} differs between {i} and {c}",
)  # fmt: skip
_PLAINLY = {
    Direction.UP: ("increased", "raised", "led to more", "led to higher"),
    Direction.DOWN: ("reduced", "lowered", "led to less", "cut"),
    Direction.SAME: ("made no difference to", "did not change", "had no clear effect on"),
}
# Wordings of a hypothesis, by the direction that it claims.
_STATED = {
    Direction.UP: (
        "{i} increases {o} compared with {c}", "{i} raises {o} compared with {c}", "{o} is higher with {i} than with {c}",
        "Compared with {c}, {i} increases {o}", "{i} leads to more {o} than {c}",
    ),
    Direction.DOWN: (
        "{i} reduces {o} compared with {c}", "{i} lowers {o} more than {c}", "{i} decreases {o} compared with {c}",
        "{o} is lower after {i} than after {c}", "Compared with {c}, {i} reduces {o}",
    ),
    Direction.SAME: (
        "There is no difference in {o} between {i} and {c}", "{i} does not change {o} compared with {c}",
        "{i} has no effect on {o}",
    ),
}  # fmt: skip
_CLAIMED = ("{i} {verb} {o} compared with {c}.", "Compared with {c}, {i} {verb} {o}.", "In this study {i} {verb} {o}.")


def typed(intervention: str, comparator: str, outcome: str, draw: random.Random) -> str:
    """A question as a person might type it. The direction that it claims is random, and unrelated to the result."""
    verb = draw.choice(_VERBS)
    if not comparator:
        return f"{intervention} {verb} {outcome}"
    return draw.choice(_TYPED).format(i=intervention, c=comparator, o=outcome, verb=verb)


def stated(intervention: str, comparator: str, outcome: str, way: Direction, draw: random.Random) -> str:
    """A hypothesis that claims this direction."""
    return draw.choice(_STATED[way]).format(i=intervention, c=comparator, o=outcome)


def claimed(intervention: str, comparator: str, outcome: str, told: Direction, draw: random.Random) -> str:
    """A plain sentence that states this direction."""
    way = draw.choice(_CLAIMED) if comparator else "{i} {verb} {o}."
    return way.format(i=intervention, c=comparator, o=outcome, verb=draw.choice(_PLAINLY[told]))


# ---- drawing ----

SHARES = {"D": 0.66, "S": 0.22, "M": 0.12}  # shares of the pairs, by the head of the example
_OF_DIRECTION = {"not on this": 0.36, "no difference": 0.2, "up or down": 0.44}
_OF_CLAIMS, _OF_SENTENCES = 0.5, 1.6  # sampling weights of plain claims and of summary sentences (hypotheses: 1)
_IN_TEMPLATE = 0.65  # share of questions with known parts that use the template; the others are worded as typed
_ALONE = 0.4  # share of the direction head's sentences that are shown without context
_EXCHANGED = 0.3  # how often the two arms of a question are swapped, and the answer with them


def drawn(
    examples: Sequence[ReaderExample], draw: random.Random, shares: Mapping[str, float] = SHARES
) -> Iterator[ReaderExample]:
    """Endless random examples: the head is drawn first, then the kind, then an example of this kind."""
    bins: dict[str, dict[tuple[str, int], list[ReaderExample]]] = defaultdict(lambda: defaultdict(list))
    for one in examples:
        bins[one.head][_kind(one)].append(one)
    heads = list(shares)
    while True:
        head = draw.choices(heads, [shares[name] for name in heads])[0]
        kinds = list(bins[head])
        yield draw.choice(bins[head][draw.choices(kinds, [_often(head, kind) for kind in kinds])[0]])


def _kind(one: ReaderExample) -> tuple[str, int]:
    if one.head == "D":
        only = next(iter(one.labels)) if len(one.labels) == 1 else Direction.UP
        return {0: "not on this", 3: "no difference"}.get(only, "up or down"), 0
    asked = "sentence" if one.of_summary else "claim" if isinstance(one.asked, AskedParts) else "hypothesis"
    return asked, min(one.labels)


def _often(head: str, kind: tuple[str, int]) -> float:
    if head == "D":
        return _OF_DIRECTION[kind[0]]
    return {"claim": _OF_CLAIMS, "sentence": _OF_SENTENCES}.get(kind[0], 1.0)


@dataclass(frozen=True, slots=True)
class Shown:
    """An example in one particular wording."""

    head: str  # "D" or "S"
    asked: str
    sentences: tuple[InContext, ...]
    labels: frozenset[int]
    weight: float = 1.0


def shown(one: ReaderExample, draw: random.Random, *, as_it_is: bool = False) -> Shown:
    """An example in a random wording and context. The sentence itself is sometimes changed, unless `as_it_is`."""
    labels = one.labels
    if isinstance(one.asked, str):
        asked = one.asked
    elif one.asked.told is not None:
        asked, labels = _as_claim(one.asked, one.asked.told, labels, draw)
    else:
        asked, labels = _as_question(one, one.asked, draw)
    if one.head == "M":
        return Shown("S", asked, one.sentences, labels, one.weight)
    sentence = one.sentences[0]
    if not as_it_is and one.head == "D" and labels <= {Direction.UP, Direction.DOWN}:
        sentence, labels = _otherwise(sentence, labels, draw)
    if one.head == "D" and draw.random() < _ALONE:
        seen = InContext(sentence.text)
    else:
        seen = InContext(
            sentence.text,
            title=sentence.title if draw.random() < 0.85 else "",
            part=sentence.part,
            before=sentence.before if draw.random() < 0.8 else "",
        )
    return Shown(one.head, asked, (seen,), labels, one.weight)


def _as_question(one: ReaderExample, parts: AskedParts, draw: random.Random) -> tuple[str, frozenset[int]]:
    """A question in the template or as typed, with the arms in either order."""
    i, c, labels = parts.intervention, parts.comparator, one.labels
    if one.head == "D" and c and draw.random() < _EXCHANGED:
        i, c, labels = c, i, frozenset(OPPOSITE[Direction(label)] for label in labels)
    in_template = draw.random() < _IN_TEMPLATE
    return QuestionParts(i, c, parts.outcome).template if in_template else typed(i, c, parts.outcome, draw), labels


def _as_claim(
    parts: AskedParts, told: Direction, labels: frozenset[int], draw: random.Random
) -> tuple[str, frozenset[int]]:
    """A plain claim, true or false, with the arms in either order."""
    i, c = parts.intervention, parts.comparator
    say = draw.choice((Direction.UP, Direction.DOWN, Direction.SAME)) if draw.random() < 0.6 else told
    if labels == {Entailment.SUPPORTED} and say != told:
        labels = frozenset({Entailment.CONTRADICTED})
    if c and say is not Direction.SAME and draw.random() < _EXCHANGED:
        i, c, say = c, i, OPPOSITE[say]
    return claimed(i, c, parts.outcome, say, draw), labels


def _otherwise(sentence: InContext, labels: frozenset[int], draw: random.Random) -> tuple[InContext, frozenset[int]]:
    """The sentence, sometimes reversed or made not significant, with its labels."""
    chance = draw.random()
    if chance < 0.25 and (text := turned_round(sentence.text)):
        labels = frozenset(OPPOSITE[Direction(label)] for label in labels)
    elif 0.25 <= chance < 0.37 and (text := without_significance(sentence.text, draw)):
        labels = frozenset({Direction.SAME})
    else:
        return sentence, labels
    return InContext(text, sentence.title, sentence.part, sentence.before), labels


# ---- pools ----

_JOB = 4000  # pairs that a process makes in one job
_LONGEST_TEXT, _VOCABULARY = 128, 30_522  # the most word pieces of a masked text; the size of MiniLM's vocabulary
_TELLING = (
    "no not significant significantly similar different difference than versus vs compared between both decrease fewer"
)
HEADS = ("D", "S")

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pool:
    """Many encoded pairs. All arrays except `pieces` have one entry per pair."""

    pieces: NDArray[np.uint16]  # of all pairs, concatenated
    lengths: Numbers
    second: Numbers  # where the second text begins
    head: Numbers  # index in `HEADS`
    labels: Numbers  # a bit set of all labels that are right
    weight: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Sources:
    """What pairs are made from."""

    examples: Sequence[ReaderExample]
    arms: Sequence[Arms]  # of real questions, for composed results
    outcomes: Sequence[str]
    shares: Mapping[str, float] = field(default_factory=lambda: SHARES)  # of the pairs, by the head of the example


def sources_of(examples: Sequence[ReaderExample], shares: Mapping[str, float] = SHARES) -> Sources:
    """The sources: the examples, and the arms and outcomes that they ask about."""
    parts = [one.asked for one in examples if isinstance(one.asked, AskedParts)]
    arms = {(one.intervention, one.comparator) for one in parts if one.comparator and len(one.intervention) < 60}
    outcomes = {one.outcome for one in parts if 0 < len(one.outcome) < 70}
    return Sources(examples, sorted(arms), sorted(outcomes), shares)


def pool_of(sources: Sources, count: int, *, composed: float, seed: int, processes: int) -> Pool:
    """A pool of about `count` pairs, of which the share `composed` is from invented trials."""
    jobs = [(seed * 100_000 + number, composed) for number in range(max(1, count // _JOB))]
    with ProcessPoolExecutor(processes, get_context("fork"), initializer=_set, initargs=(sources,)) as workers:
        return _joined(list(workers.map(_job, *zip(*jobs, strict=True))))


_OF_PROCESS: dict[str, Sources] = {}  # the sources of a worker process


def _set(sources: Sources) -> None:
    _OF_PROCESS["sources"] = sources


def _job(seed: int, composed: float) -> Pool:
    draw, sources, writer = random.Random(seed), _OF_PROCESS["sources"], Writer(_encoder().pieces)  # noqa: S311 - no secret
    real, seen = drawn(sources.examples, draw, sources.shares), list[Shown]()
    for _ in range(_JOB):
        seen.append(_composed(sources, draw) if draw.random() < composed else shown(next(real), draw))
    pairs = [written(writer, one) for one in seen]
    return Pool(
        np.concatenate([np.array(pair.pieces, np.uint16) for pair in pairs]),
        np.array([len(pair.pieces) for pair in pairs]),
        np.array([pair.second for pair in pairs]),
        np.array([HEADS.index(one.head) for one in seen]),
        np.array([sum(1 << label for label in one.labels) for one in seen]),
        np.array([one.weight for one in seen], np.float32),
    )


def written(writer: Writer, one: Shown) -> Pair:
    """An example encoded as word pieces."""
    several = len(one.sentences) > 1
    return writer.of_several(one.asked, one.sentences) if several else writer.pairs(one.asked, one.sentences)[0]


def _composed(sources: Sources, draw: random.Random) -> Shown:
    one = compose(draw, sources.arms, sources.outcomes)
    parts = one.intervention, one.comparator, one.outcome
    asked = QuestionParts(*parts).template if draw.random() < _IN_TEMPLATE else typed(*parts, draw)
    return Shown("D", asked, (InContext(one.sentence),), frozenset({one.told}))


@cache
def _encoder() -> Encoder:
    folder = model_folder()
    if folder is None:
        raise SystemExit("The reader is trained from the sentence encoder, which is not installed.")
    return load_encoder(folder)


def _joined(pools: Sequence[Pool]) -> Pool:
    return Pool(*(np.concatenate([getattr(pool, name) for pool in pools]) for name in Pool.__slots__))


def masked_pool(texts: Sequence[str]) -> tuple[Pool, NDArray[np.bool_]]:
    """Texts for predicting masked words, and a mask of the vocabulary's word pieces that tell a direction."""
    encoder = _encoder()
    pieces = [one[:_LONGEST_TEXT] for one in encoder.pieces(texts)]
    telling = np.zeros(_VOCABULARY, np.bool_)
    for word in encoder.pieces([*BOTH_WAYS, *_TELLING.split()]):
        if len(word) == 3:  # one piece between two special tokens
            telling[word[1]] = True
    lengths, nothing = np.array([len(one) for one in pieces]), np.zeros(len(pieces), np.int64)
    flat = np.concatenate([np.array(one, np.uint16) for one in pieces])
    return Pool(flat, lengths, nothing, nothing, nothing, nothing.astype(np.float32)), telling
