"""Offline answers from passages that are found or ranked by an encoder or a reranker that the reviewer chose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.answering.model import AnswerEngine, Question
from core.answering.offline import OfflineAnswers
from core.engines import Opening
from core.entailment import installed_reader
from core.evidence.chosen_model import INSTRUCTED, LOADING, instruction_for
from core.library.index import Library
from core.library.model import Found, SearchMethod
from core.progress import Progress
from core.settings import Settings
from core.text.model_files import ModelKind, model_folder_of

if TYPE_CHECKING:  # imports torch, which takes seconds, so it is imported with the first question
    from core.text.sentence_models import SentenceReranker


@dataclass(frozen=True, slots=True)
class ChosenEncoderAnswers(OfflineAnswers):
    """Passages that an encoder finds. The first question encodes the whole library, later ones only what is new."""

    model: str
    settings: Settings
    instruction: str

    def search(self, question: Question, library: Library, progress: Progress) -> list[Found]:
        """The nearest passages. Raises `EngineUnavailable` if the model cannot be loaded or memory is too small."""
        from core.text.encoder import EmbeddingCache  # noqa: PLC0415
        from core.text.sentence_models import open_encoder  # noqa: PLC0415
        from core.text.similarity import PaperVectors  # noqa: PLC0415

        progress(0.05, LOADING)
        encoder = open_encoder(self.model)
        vectors = PaperVectors(encoder, EmbeddingCache(self.settings.embeddings, model=encoder.key))
        return library.search_by(
            vectors,
            encoder.key,
            question.text,
            vectors.question(question.text, self.instruction),
            depth=question.depth,
            only=question.only,
            without=question.without,
            years=question.years,
            design=question.design,
            passages=question.passages,
            progress=lambda done, step: progress(0.05 + 0.2 * done, step),
        )


@dataclass(frozen=True, slots=True)
class RerankerAnswers(OfflineAnswers):
    """Passages found by words and meaning, then ranked by a model that reads each together with the question."""

    model: str

    def search(self, question: Question, library: Library, progress: Progress) -> list[Found]:
        """The ranked passages. Raises `EngineUnavailable` if the model cannot be loaded or memory is too small."""
        found = OfflineAnswers.search(self, question, library, progress)
        progress(0.1, LOADING)
        texts = [one.passage.text for one in found]
        scores = self._reranker().scores(
            question.text, texts, progress=lambda done, step: progress(0.1 + 0.2 * done, step)
        )
        return [found[place] for place in np.argsort(-scores, kind="stable")]

    def _reranker(self) -> SentenceReranker:
        from core.text.sentence_models import open_reranker  # noqa: PLC0415

        return open_reranker(self.model)


def open_encoder_engine(opening: Opening) -> AnswerEngine:
    """See `core.engines`. Raises `EngineUnavailable` if there is no encoder of that name."""
    model_folder_of(ModelKind.ENCODER, opening.model)
    name = f"{ModelKind.ENCODER}:{opening.model}" + (f"@{INSTRUCTED}" if opening.strategy == INSTRUCTED else "")
    return ChosenEncoderAnswers(
        name,
        SearchMethod.MEANING,
        installed_reader(),
        reranks=False,
        model=opening.model,
        settings=opening.settings,
        instruction=instruction_for(opening, "answers"),
    )


def open_reranker_engine(opening: Opening) -> AnswerEngine:
    """See `core.engines`. Raises `EngineUnavailable` if there is no reranker of that name."""
    model_folder_of(ModelKind.RERANKER, opening.model)
    name = f"{ModelKind.RERANKER}:{opening.model}"
    return RerankerAnswers(name, SearchMethod.HYBRID, installed_reader(), reranks=False, model=opening.model)
