"""The reader: a small cross-encoder that says how a sentence of a paper bears on a question or a claim; and its input."""

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
from core.text.encoder import DIMENSIONS, INTEGER_GRAPH, Encoder, Matrix, Transformer, in_batches, load_encoder
from core.text.encoder_files import MISSING, model_folder

# ---- pairs ----
# The reader's input: the question or claim, and one sentence with its paper's title, its part and the sentence before it.

LONGEST = 128  # word pieces of a pair, including special tokens
LONGEST_OF_SEVERAL = 200  # word pieces of a claim with several sentences
_ASKED, _TITLE, _BEFORE = 44, 20, 16  # maximum word pieces: of the question or claim, the title, the sentence before
_LEAST_OF_EACH, _FRAME = 20, 4  # word pieces for each of several sentences, and those of them that are not its text
_CHARACTERS = 900  # characters kept of a text: more would not fit into the word pieces
_WITHOUT_PROSE = frozenset({Kind.TITLE, Kind.HEADING})

Pieces = Callable[[Sequence[str]], list[list[int]]]  # texts -> their word pieces, with a special token at both ends


@dataclass(frozen=True, slots=True)
class InContext:
    """A sentence with the context that the reader sees; empty strings are left out."""

    text: str
    title: str = ""
    part: str = ""
    before: str = ""


def readable(paper: Paper) -> list[Sentence]:
    """The sentences that may state something: all but titles and headings."""
    return [sentence for sentence in paper.pool if sentence.kind not in _WITHOUT_PROSE]


def part_of(paper: Paper, sentence: Sentence) -> str:
    """ "table", "caption" or "title" for such a sentence, else the kind of its section."""
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
        """One pair per sentence, in order."""
        known = self._known(text for one in sentences for text in (one.text, one.title, one.part, one.before))
        left = self._left(asked)
        return [_pair(left, self._right(one, known), self._stop, LONGEST) for one in sentences]

    def of_several(self, asked: str, sentences: Sequence[InContext]) -> Pair:
        """One pair for several sentences together, each preceded by its part."""
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
        """The word pieces of each text, without special tokens; repeated texts are tokenized once."""
        unique = list(dict.fromkeys(texts))
        found = self._pieces([text[:_CHARACTERS] for text in unique])
        return {text: pieces[1:-1] for text, pieces in zip(unique, found, strict=True)}


def _pair(left: Sequence[int], right: Sequence[int], stop: int, longest: int) -> Pair:
    return Pair((*left, *right[: longest - len(left) - 1], stop), len(left))


# ---- reader ----
# The reader: a small cross-encoder.
#
# MiniLM's six layers over its own word vectors (as in `core.evidence.ranker.cross_encoder`), with one head per task,
# fine-tuned on trials that people and careful readers have labelled. docs/reader.md says how it was trained, how accurate
# it is and where it is weak.

WEIGHTS = Path(__file__).parent / "reader.safetensors"
CARD = WEIGHTS.with_suffix(".json")
_DECIMALS = 4  # probabilities are rounded because their last bits differ between machines
_LEAST = 1e-4  # smallest probability, so that shares among the remaining classes stay defined if one is certain
_KEPT = 4096  # cached pairs (20 MB): a repeated question, for instance on fewer papers, finds most of them

Probabilities = NDArray[np.float64]


class Direction(IntEnum):
    """What a sentence says about an outcome, intervention against comparator: the columns of `Reader.directions`."""

    NOT_ON_THIS = 0  # not a result on this question
    UP = 1
    DOWN = 2
    SAME = 3  # no significant difference


class Entailment(IntEnum):
    """What source sentences say about a claim: the columns of `Reader.support`."""

    SUPPORTED = 0
    CONTRADICTED = 1
    NOT_THERE = 2


class _VectorCache:
    """A cache of the vectors of the most recently used pairs."""

    def __init__(self) -> None:
        self._vectors: OrderedDict[Pair, Matrix] = OrderedDict()
        self._lock = Lock()

    def known(self, pairs: Iterable[Pair]) -> dict[Pair, Matrix]:
        """The cached vectors of these pairs."""
        with self._lock:
            found = {pair: self._vectors[pair] for pair in pairs if pair in self._vectors}
            for pair in found:
                self._vectors.move_to_end(pair)
        return found

    def keep(self, vectors: Mapping[Pair, Matrix]) -> None:
        """Add these, and evict the least recently used."""
        with self._lock:
            self._vectors.update(vectors)
            while len(self._vectors) > _KEPT:
                self._vectors.popitem(last=False)


class Reader:
    """The cross-encoder with its heads. Threads may share it. It caches recently read pairs."""

    def __init__(self, encoder: Encoder, shipped: Mapping[str, NDArray[np.generic]]) -> None:
        """`shipped`: the tensors of `WEIGHTS`. Integer matrices, (out, in), have a scale for each row."""
        self._writer = Writer(encoder.pieces)
        self._cache = _VectorCache()
        weights = {
            name: np.ascontiguousarray(tensor.T) if tensor.dtype == np.int8 else tensor.astype(np.float32)
            for name, tensor in shipped.items()
        }
        self._transformer = Transformer(encoder.embeddings, weights, graph=INTEGER_GRAPH)
        self._heads = {
            name.split(".")[1]: (weights[name].T, weights[name.removesuffix("weight") + "bias"])
            for name in weights
            if name.startswith("head.") and name.endswith(".weight")
        }

    def directions(self, question: str, sentences: Sequence[InContext]) -> Probabilities:
        """What each sentence says about the question's outcome. Shape: (len(sentences), 4), by `Direction`."""
        return self._read("D", self._writer.pairs(question, sentences))

    def support(self, claim: str, sentences: Sequence[InContext]) -> Probabilities:
        """What each sentence by itself says about the claim. Shape: (len(sentences), 3), by `Entailment`."""
        return self._read("S", self._writer.pairs(claim, sentences))

    def of_hypothesis(self, hypothesis: str, sentences: Sequence[InContext]) -> tuple[Probabilities, Probabilities]:
        """`directions` and `support` for the same pairs, which are read only once."""
        pooled = self._pooled(self._writer.pairs(hypothesis, sentences))
        return self._headed("D", pooled), self._headed("S", pooled)

    def claimed(self, hypothesis: str) -> Probabilities:
        """The direction that the hypothesis claims for its outcome. Shape: (4,), by `Direction`; the first is always 0."""
        found: Probabilities = self._read("C", self._writer.pairs(hypothesis, [InContext("")]))[0]
        found[Direction.NOT_ON_THIS] = 0.0
        shares: Probabilities = found / found.sum()
        return shares

    def support_of_all(self, claim: str, several: Sequence[Sequence[InContext]]) -> Probabilities:
        """What the sentences of each set together say about the claim. Shape: (len(several), 3), by `Entailment`."""
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
        known = self._cache.known(pairs)
        new = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        read: dict[Pair, Matrix] = {}
        for places in in_batches([len(pair.pieces) for pair in new]):
            some = [new[place] for place in places]
            vectors = self._transformer.pooled([pair.pieces for pair in some], second=[pair.second for pair in some])
            read |= {
                pair: vector.copy() for pair, vector in zip(some, vectors, strict=True)
            }  # copied, because a view of a row would keep its whole batch in memory
        self._cache.keep(read)
        known |= read
        return np.array([known[pair] for pair in pairs], dtype=np.float32).reshape(len(pairs), DIMENSIONS)


@cache
def reader() -> Reader | None:
    """The shipped reader, loaded once per process; None if the encoder's word vectors are not installed."""
    folder = model_folder()
    return Reader(load_encoder(folder), load_file(WEIGHTS)) if folder else None


def installed_reader() -> Reader:
    """The shipped reader. Raises `EngineUnavailable` if the encoder's word vectors are not installed."""
    found = reader()
    if found is None:
        raise EngineUnavailable(MISSING)
    return found


def was_trained_on(sha256: str) -> bool:
    """Whether the shipped reader was trained on a file with this checksum."""
    return sha256 in json.loads(CARD.read_text(encoding="utf-8"))["trained_on"].values()
