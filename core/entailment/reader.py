"""The reader: what a sentence of a paper says of a question or a claim, read by a small cross-encoder; and how its input is written."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from core.errors import EngineUnavailable
from core.evidence.ranker.cross_encoder import Pair
from core.paper import Kind, Paper, Sentence
from core.text.encoder import DIMENSIONS, Encoder, Matrix, Transformer, in_batches, load_encoder
from core.text.encoder_files import MISSING, model_folder

# ---- pairs ----
# What the reader reads: what is asked, and one sentence with its paper's title, its part and the sentence before it.

LONGEST = 128  # word pieces of a pair, its marks included
LONGEST_OF_SEVERAL = 200  # of a text beside several sentences
_ASKED, _TITLE, _BEFORE = 44, 20, 16  # word pieces at most: of what is asked, of the title, of the sentence before
_LEAST_OF_EACH, _FRAME = 20, 4  # word pieces: of each of several sentences, and of them what stands around its text
_CHARACTERS = 900  # of a text: no more fit into the pieces
_WITHOUT_PROSE = frozenset({Kind.TITLE, Kind.HEADING})

Pieces = Callable[[Sequence[str]], list[list[int]]]  # texts -> their word pieces, a mark at both ends of each


@dataclass(frozen=True, slots=True)
class InContext:
    """A sentence with what a reader sees around it; an empty string is left out."""

    text: str
    title: str = ""
    part: str = ""
    before: str = ""


def readable(paper: Paper) -> list[Sentence]:
    """The sentences that may say something: all but titles and headings."""
    return [sentence for sentence in paper.pool if sentence.kind not in _WITHOUT_PROSE]


def part_of(paper: Paper, sentence: Sentence) -> str:
    """ "table" or "caption", or else the kind of the section that a sentence stands in."""
    if sentence.kind in (Kind.TABLE, Kind.CAPTION, Kind.TITLE):
        return sentence.kind.value
    return paper.section_of(sentence).kind.value


def in_context(paper: Paper, sentence: Sentence) -> InContext:
    """A sentence as the reader sees it."""
    before = paper.sentences[sentence.index - 1] if sentence.index else None
    follows = before is not None and before.section == sentence.section and before.kind is sentence.kind
    return InContext(
        sentence.text,
        title=paper.title or "",
        part=part_of(paper, sentence),
        before=before.text if before and follows else "",
    )


class Writer:
    """Turns texts into pairs of word pieces. Holds no state between calls, so threads may share it."""

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._start, self._hash, self._stop = pieces(["#"])[0]
        self._colon = pieces([":"])[0][1]

    def pairs(self, asked: str, sentences: Sequence[InContext]) -> list[Pair]:
        """One pair a sentence, in their order."""
        known = self._known(text for one in sentences for text in (one.text, one.title, one.part, one.before))
        left = self._left(asked)
        return [_pair(left, self._right(one, known), self._stop, LONGEST) for one in sentences]

    def of_several(self, asked: str, sentences: Sequence[InContext]) -> Pair:
        """What is asked beside several sentences at once, each after its part."""
        known = self._known(text for one in sentences for text in (one.text, one.part))
        left = self._left(asked)
        room = max(_LEAST_OF_EACH, (LONGEST_OF_SEVERAL - len(left) - 1) // max(1, len(sentences))) - _FRAME
        right: list[int] = []
        for one in sentences:
            right += [*known[one.part], self._colon, *known[one.text][:room], self._hash]
        return _pair(left, right, self._stop, LONGEST_OF_SEVERAL)

    def _left(self, asked: str) -> list[int]:
        return [self._start, *self._known([asked])[asked][:_ASKED], self._stop]

    def _right(self, one: InContext, known: Mapping[str, Sequence[int]]) -> list[int]:
        right: list[int] = []
        if one.title:
            right += [*known[one.title][:_TITLE], self._hash]
        if one.part:
            right += [*known[one.part], self._colon]
        if one.before:
            right += [*known[one.before][-_BEFORE:], self._hash]
        return [*right, *known[one.text]]

    def _known(self, texts: Iterable[str]) -> dict[str, list[int]]:
        """The word pieces of each text, without marks; texts that come up again are taken apart once."""
        unique = list(dict.fromkeys(texts))
        found = self._pieces([text[:_CHARACTERS] for text in unique])
        return {text: pieces[1:-1] for text, pieces in zip(unique, found, strict=True)}


def _pair(left: Sequence[int], right: Sequence[int], stop: int, longest: int) -> Pair:
    return Pair((*left, *right[: longest - len(left) - 1], stop), len(left))


# ---- reader ----
# The reader: what one sentence of a paper says of what is asked, read by a small cross-encoder.
#
# MiniLM's six layers over its own word vectors (as `core.evidence.ranker.cross_encoder`), tuned on trials that people and
# careful readers have labelled, with one head a task. docs/reader.md says how it was trained, what it is worth and what it
# is bad at.

WEIGHTS = Path(__file__).parent / "reader.safetensors"
CARD = WEIGHTS.with_suffix(".json")
_SCALE = ".scale"  # after the name of a tensor in whole numbers: what each of its rows is multiplied by
_DECIMALS = 4  # of probabilities: their last bits differ between machines
_LEAST = 1e-4  # of a probability: shares of what is left beside a sure one stay defined
_KEPT = 4096  # pairs (20 MB): whoever asks again, of fewer papers say, meets most of them

Probabilities = NDArray[np.float64]


class Direction(IntEnum):
    """What a sentence says of an outcome under an intervention against a comparator: columns of `Reader.directions`."""

    NOT_ON_THIS = 0  # not a result on this question
    UP = 1
    DOWN = 2
    SAME = 3  # no significant difference


class Entailment(IntEnum):
    """What source sentences say of a claim: columns of `Reader.support`."""

    SUPPORTED = 0
    CONTRADICTED = 1
    NOT_THERE = 2


class _Lately:
    """The vectors of the pairs that were read last."""

    def __init__(self) -> None:
        self._vectors: OrderedDict[Pair, Matrix] = OrderedDict()
        self._lock = Lock()

    def known(self, pairs: Iterable[Pair]) -> dict[Pair, Matrix]:
        """Those of the pairs that were read before."""
        with self._lock:
            found = {pair: self._vectors[pair] for pair in pairs if pair in self._vectors}
            for pair in found:
                self._vectors.move_to_end(pair)
        return found

    def keep(self, vectors: Mapping[Pair, Matrix]) -> None:
        """Add these, and forget those that were not met for longest."""
        with self._lock:
            self._vectors.update(vectors)
            while len(self._vectors) > _KEPT:
                self._vectors.popitem(last=False)


class Reader:
    """Threads may share it. The pairs that it read last it does not read again."""

    def __init__(self, encoder: Encoder, weights: Mapping[str, Matrix]) -> None:
        self._writer = Writer(encoder.pieces)
        self._lately = _Lately()
        self._transformer = Transformer(encoder.embeddings, weights)
        self._heads = {
            name.split(".")[1]: (weights[name].T, weights[name.removesuffix("weight") + "bias"])
            for name in weights
            if name.startswith("head.") and name.endswith(".weight")
        }

    def directions(self, question: str, sentences: Sequence[InContext]) -> Probabilities:
        """What each sentence says of the question's outcome. Shape: (len(sentences), 4), by `Direction`."""
        return self._read("D", self._writer.pairs(question, sentences))

    def support(self, claim: str, sentences: Sequence[InContext]) -> Probabilities:
        """What each sentence by itself says of the claim. Shape: (len(sentences), 3), by `Entailment`."""
        return self._read("S", self._writer.pairs(claim, sentences))

    def of_hypothesis(self, hypothesis: str, sentences: Sequence[InContext]) -> tuple[Probabilities, Probabilities]:
        """`directions` and `support` of the same pairs, which are read once."""
        pooled = self._pooled(self._writer.pairs(hypothesis, sentences))
        return self._headed("D", pooled), self._headed("S", pooled)

    def claimed(self, hypothesis: str) -> Probabilities:
        """Which way the hypothesis claims its outcome to go. Shape: (4,), by `Direction`; the first is always 0."""
        found: Probabilities = self._read("C", self._writer.pairs(hypothesis, [InContext("")]))[0]
        found[Direction.NOT_ON_THIS] = 0.0
        shares: Probabilities = found / found.sum()
        return shares

    def support_of_all(self, claim: str, several: Sequence[Sequence[InContext]]) -> Probabilities:
        """What the sentences of each set together say of the claim. Shape: (len(several), 3), by `Entailment`."""
        return self._read("S", [self._writer.of_several(claim, sentences) for sentences in several])

    def _read(self, head: str, pairs: Sequence[Pair]) -> Probabilities:
        return self._headed(head, self._pooled(pairs))

    def _headed(self, head: str, pooled: Matrix) -> Probabilities:
        weight, bias = self._heads[head]
        logits = (pooled @ weight + bias).astype(np.float64)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        found: Probabilities = (odds / odds.sum(axis=1, keepdims=True)).round(_DECIMALS)
        return np.maximum(found, _LEAST)

    def _pooled(self, pairs: Sequence[Pair]) -> Matrix:
        """The vector of each pair. Shape: (len(pairs), 384)."""
        known = self._lately.known(pairs)
        new = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        read: dict[Pair, Matrix] = {}
        for places in in_batches([len(pair.pieces) for pair in new]):
            some = [new[place] for place in places]
            vectors = self._transformer.pooled([pair.pieces for pair in some], second=[pair.second for pair in some])
            read |= {
                pair: vector.copy() for pair, vector in zip(some, vectors, strict=True)
            }  # a row would keep its whole batch
        self._lately.keep(read)
        known |= read
        return np.array([known[pair] for pair in pairs], dtype=np.float32).reshape(len(pairs), DIMENSIONS)


@cache
def reader() -> Reader | None:
    """The shipped reader, loaded once per process; None where the encoder's word vectors are not installed."""
    folder = model_folder()
    return Reader(load_encoder(folder), unpacked(load_file(WEIGHTS))) if folder else None


def installed_reader() -> Reader:
    """The shipped reader. Raises `EngineUnavailable` where the encoder's word vectors are not installed."""
    found = reader()
    if found is None:
        raise EngineUnavailable(MISSING)
    return found


def was_trained_on(sha256: str) -> bool:
    """Whether a file with this checksum was among what the shipped reader learned from."""
    return sha256 in json.loads(CARD.read_text(encoding="utf-8"))["trained_on"].values()


def packed(weights: Mapping[str, Matrix]) -> dict[str, NDArray[np.generic]]:
    """Layers for shipping: matrices as whole numbers of eight bits with a scale a row, all else in half precision."""
    found: dict[str, NDArray[np.generic]] = {}
    for name, tensor in weights.items():
        if tensor.ndim == 2 and not name.startswith("head."):
            scale = np.abs(tensor).max(axis=1) / 127
            found[name] = np.rint(tensor / scale[:, None]).astype(np.int8)
            found[name + _SCALE] = scale.astype(np.float32)
        else:
            found[name] = tensor.astype(np.float32 if name.startswith("head.") else np.float16)
    return found


def unpacked(shipped: Mapping[str, NDArray[np.generic]]) -> dict[str, Matrix]:
    """What `packed` was given, but for what the rounding took."""
    found = {}
    for name, tensor in shipped.items():
        if not name.endswith(_SCALE):
            scale = shipped.get(name + _SCALE)
            full = tensor.astype(np.float32)
            found[name] = full if scale is None else full * scale.astype(np.float32)[:, None]
    return found
