"""Encoders and rerankers that the reviewer chose, run by sentence-transformers, on the GPU if there is one.

Importing this module imports torch, which takes seconds. So it is imported only when such an engine is opened.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from sentence_transformers import CrossEncoder as CrossEncoderModel
from sentence_transformers import SentenceTransformer
from transformers.utils import logging as transformers_logging

from core.errors import EngineUnavailable
from core.progress import Progress, silent
from core.text.encoder import Matrix
from core.text.model_files import ModelKind, fingerprint, model_folder_of

T = TypeVar("T")

_ONE_THREAD = Lock()  # models are shared, and their tokenizers fail if two threads use one
_BATCH = 32  # texts at once
_BATCH_GPU = 128
# A query prompt of an instruction model, such as E5-Mistral's or Qwen3's. The part in the middle describes the task.
_INSTRUCTED = re.compile(r"(Instruct(?:ion)?: ?)(.*?)(\s*Query: ?)", re.DOTALL)
_NO_MEMORY = re.compile("out of memory|not enough memory|can't allocate memory|failed to allocate", re.IGNORECASE)

transformers_logging.set_verbosity_error()  # type: ignore[no-untyped-call]
transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
logging.getLogger("sentence_transformers").setLevel(logging.ERROR)


class SentenceEncoder:
    """Turns texts into vectors of length 1, with the model's own prompts for passages and questions if it has any."""

    def __init__(self, name: str, model: SentenceTransformer) -> None:
        self.name = name
        self.key = _key(name)
        self._model = model
        self.dimensions = int(model.get_embedding_dimension() or 0)
        prompts = model.prompts
        self._passage: str = prompts.get("document") or prompts.get("passage") or ""
        self._question: str = prompts.get("query") or ""

    def passages(self, texts: Sequence[str]) -> Iterator[tuple[list[int], Matrix]]:
        """Places and vectors of the texts, batch by batch. Raises `EngineUnavailable` if the memory is not enough."""
        for places in _batches(texts, self._model.device):
            yield from _in_halves(self.name, places, lambda part: self._encoded(texts, part))

    def question(self, text: str, instruction: str = "") -> Matrix:
        """The vector of a question, (dimensions,).

        An `instruction` is put before it, as EvidenceBench does (appendix D.6). It replaces the instruction in the
        model's own prompt if there is one, and else precedes the question.
        """
        prompt = self._question
        if instruction:
            own = _INSTRUCTED.search(prompt)
            begin, end = own.span(2) if own else (len(prompt), len(prompt))
            prompt = f"{prompt[:begin]}{instruction}{'' if own else ' '}{prompt[end:]}"
        [(_, vectors)] = _in_halves(self.name, [0], lambda _: self._vectors([text], prompt))
        vector: Matrix = vectors[0]
        return vector

    def _encoded(self, texts: Sequence[str], places: Sequence[int]) -> Matrix:
        return self._vectors([texts[place] for place in places], self._passage)

    def _vectors(self, texts: list[str], prompt: str) -> Matrix:
        with _ONE_THREAD:
            vectors = self._model.encode(
                [_readable(text) for text in texts],
                prompt=prompt,
                batch_size=len(texts),
                normalize_embeddings=True,
                show_progress_bar=False,
            )
        return _finite(self.name, np.asarray(vectors, dtype=np.float32))


class SentenceReranker:
    """Scores how well each text answers a question; higher is better."""

    def __init__(self, name: str, model: CrossEncoderModel) -> None:
        self.name = name
        self._model = model

    def scores(self, question: str, texts: Sequence[str], *, progress: Progress = silent) -> NDArray[np.float64]:
        """One score for each text. Raises `EngineUnavailable` if the memory is not enough."""
        found = np.zeros(len(texts))
        done = 0
        for places in _batches(texts, self._model.device):
            progress(done / len(texts), f"Reading sentences beside the question ({done:,} of {len(texts):,})")
            for some, scores in _in_halves(self.name, places, lambda part: self._scored(question, texts, part)):
                found[some] = scores
                done += len(some)
        return found

    def _scored(self, question: str, texts: Sequence[str], places: Sequence[int]) -> NDArray[np.float32]:
        pairs = [(_readable(question), _readable(texts[place])) for place in places]
        with _ONE_THREAD:
            predicted = self._model.predict(pairs, batch_size=len(pairs), show_progress_bar=False)
        scores = np.asarray(predicted, dtype=np.float32)
        if scores.ndim > 1:
            raise EngineUnavailable(
                f"“{self.name}” sorts pairs into {scores.shape[1]} classes and gives no score. Choose a reranker with one."
            )
        return _finite(self.name, scores)


def open_encoder(name: str) -> SentenceEncoder:
    """The encoder called `name`, loaded once per process. Raises `EngineUnavailable`."""
    folder = model_folder_of(ModelKind.ENCODER, name)
    return SentenceEncoder(name, _loaded_encoder(name, folder, fingerprint(name)))


def open_reranker(name: str) -> SentenceReranker:
    """The reranker called `name`, loaded once per process. Raises `EngineUnavailable`."""
    folder = model_folder_of(ModelKind.RERANKER, name)
    return SentenceReranker(name, _loaded_reranker(name, folder, fingerprint(name)))


@cache
def _loaded_encoder(name: str, folder: Path, key: str) -> SentenceTransformer:
    return _loaded(name, lambda: SentenceTransformer(str(folder), local_files_only=True))


@cache
def _loaded_reranker(name: str, folder: Path, key: str) -> CrossEncoderModel:
    model: CrossEncoderModel = _loaded(name, lambda: CrossEncoderModel(str(folder), local_files_only=True))
    return model


def _loaded(name: str, load: Callable[[], T]) -> T:
    """What `load` returns. If it fails, the cause is the model's files or the memory, which the user can cure."""
    try:
        return load()
    except Exception as error:
        if _is_memory(error):
            raise EngineUnavailable(_too_large(name)) from error
        why = " ".join(str(error).split())[:200] or type(error).__name__
        raise EngineUnavailable(
            f"The model “{name}” cannot be loaded: {why} Check its folder, or choose another."
        ) from error


def _key(name: str) -> str:
    """The name of the folder for the vectors: the model's name, for people, and the fingerprint of its files."""
    return f"{re.sub(r'[^A-Za-z0-9.-]+', '-', Path(name).name)[:60]}-{fingerprint(name)}"


def _batches(texts: Sequence[str], device: torch.device) -> Iterator[list[int]]:
    """Places of the texts that go through the model together, short ones first."""
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    size = _BATCH if device.type == "cpu" else _BATCH_GPU
    yield from (order[first : first + size] for first in range(0, len(order), size))


def _in_halves(name: str, places: list[int], compute: Callable[[list[int]], T]) -> Iterator[tuple[list[int], T]]:
    """Compute all places; if the memory is not enough, halves of them, down to one. Raises `EngineUnavailable`."""
    try:
        found = compute(places)
    except (RuntimeError, MemoryError) as error:
        if not _is_memory(error):
            raise
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        if len(places) == 1:
            raise EngineUnavailable(_too_large(name)) from error
        middle = len(places) // 2
        yield from _in_halves(name, places[:middle], compute)
        yield from _in_halves(name, places[middle:], compute)
    else:
        yield places, found


def _is_memory(error: Exception) -> bool:
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or bool(_NO_MEMORY.search(str(error)))


def _too_large(name: str) -> str:
    return f"“{name}” needs more memory than this machine has free. Choose a smaller model, or close other programs."


def _finite(name: str, numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    if not np.isfinite(numbers).all():
        raise EngineUnavailable(
            f"“{name}” gives no numbers for some sentences: its files are damaged. Choose another model."
        )
    return numbers


def _readable(text: str) -> str:
    """Replace lone surrogates, which a damaged file may hold, because they break tokenizers."""
    return text.encode("utf-8", "replace").decode("utf-8")
