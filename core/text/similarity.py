"""How similar sentences are to a question, in meaning and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import EngineUnavailable
from core.paper import Paper, Sentence
from core.progress import Progress, silent
from core.text.encoder import MODEL_NAME, EmbeddingCache, Encoder, Matrix, load_encoder
from core.text.encoder_files import MISSING, model_folder, why_no_encoder
from core.text.words import share_of_words, word_starts

_WORDS = 0.5  # the weight of shared words; the cosine has 1


def nearest(question: str, pool: Sequence[Sentence], cosines: NDArray[np.float64]) -> list[int]:
    """Places in the pool, nearest first. `cosines`: (len(pool),), of each sentence and the question."""
    asked = word_starts(question)
    likeness = cosines + _WORDS * np.array([share_of_words(asked, word_starts(one.text)) for one in pool])
    return [int(place) for place in np.argsort(-likeness.round(6), kind="stable")]


_KEPT_UNFINISHED = 50_000  # vectors, 77 MB


@dataclass(frozen=True, slots=True)
class Similarity:
    """How a paper's sentences resemble the hypothesis and each other."""

    vectors: Matrix  # (sentences, dimensions), each of length 1
    hypothesis: Matrix  # (dimensions,)

    @property
    def to_hypothesis(self) -> Matrix:
        """The cosine of each sentence of the pool and the hypothesis."""
        cosines: Matrix = self.vectors @ self.hypothesis
        return cosines


class PassageEncoder(Protocol):
    """Turns texts into vectors of length 1: the installed MiniLM, or an encoder of the reviewer's choice."""

    @property
    def dimensions(self) -> int: ...

    def passages(self, texts: Sequence[str]) -> Iterator[tuple[list[int], Matrix]]:
        """Places and vectors of the texts, batch by batch."""
        ...

    def question(self, text: str, instruction: str = "") -> Matrix:
        """The vector of a question, (dimensions,). An encoder that takes no instructions ignores `instruction`."""
        ...


E_co = TypeVar("E_co", bound=PassageEncoder, covariant=True)


class PaperVectors(Generic[E_co]):
    """Encodes papers, each only once, because the vectors are kept on disk."""

    def __init__(self, encoder: E_co, cache: EmbeddingCache) -> None:
        self._encoder = encoder
        self._cache = cache
        self._unfinished: dict[str, Matrix] = {}  # vectors, by text, of papers whose search was cancelled

    @property
    def dimensions(self) -> int:
        """The dimensions of each vector."""
        return self._encoder.dimensions

    def compare(
        self, paper: Paper, hypothesis: str, *, instruction: str = "", progress: Progress = silent
    ) -> Similarity:
        """Compare a paper with a hypothesis. Encodes the hypothesis, and the paper unless its vectors are cached."""
        texts = [sentence.text for sentence in paper.pool]
        vectors = self._cache.load(paper, texts, self.dimensions)
        if vectors is None:
            vectors = self._encode(texts, progress)
            self._cache.store(paper, texts, vectors)
            for text in texts:
                self._unfinished.pop(text, None)
        return Similarity(vectors, self._encoder.question(hypothesis, instruction))

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Matrix:
        """The vectors of texts, (len(texts), dimensions). They are not cached."""
        return self._encode(texts, progress)

    def question(self, text: str, instruction: str = "") -> Matrix:
        """The vector of a question, (dimensions,)."""
        return self._encoder.question(text, instruction)

    def _encode(self, texts: Sequence[str], progress: Progress) -> Matrix:
        """Vectors of the texts, (len(texts), dimensions); equal texts are encoded once, and short ones together."""
        unique = list(dict.fromkeys(texts))
        found = {text: vector for text in unique if (vector := self._unfinished.get(text)) is not None}
        left = [text for text in unique if text not in found]
        progress(len(found) / max(1, len(unique)), "Reading the words of each sentence")
        try:
            for places, vectors in self._encoder.passages(left):
                found.update(zip((left[place] for place in places), vectors, strict=True))
                progress(len(found) / len(unique), f"Encoding sentences ({len(found):,} of {len(unique):,})")
        except BaseException:  # cancelled: the next search continues from here
            self._unfinished = dict(islice((self._unfinished | found).items(), _KEPT_UNFINISHED))
            raise
        return np.stack([found[text] for text in texts]) if texts else np.empty((0, self.dimensions), dtype=np.float32)


class Embedder(PaperVectors[Encoder]):
    """`PaperVectors` with the installed MiniLM, which also gives the word pieces of texts."""

    @classmethod
    def installed(cls, cache_folder: Path) -> Embedder:
        """The embedder with the installed model. Raises `EngineUnavailable` if there is none."""
        folder = model_folder()
        if folder is None:
            raise EngineUnavailable(MISSING)
        return cls(load_encoder(folder), EmbeddingCache(cache_folder, model=MODEL_NAME))

    @classmethod
    def if_installed(cls, cache_folder: Path) -> Embedder | None:
        """The embedder with the installed model, or None if the encoder cannot run here."""
        return None if why_no_encoder() else cls.installed(cache_folder)

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The numbers of each text's word pieces, with the marks at its ends: frequent pieces have small numbers."""
        return self._encoder.pieces(texts)
