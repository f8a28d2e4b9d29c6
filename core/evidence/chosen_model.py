"""The engines `embedding:MODEL` and `reranker:MODEL`: an encoder or a cross-encoder chosen by the reviewer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from core.engines import Opening
from core.evidence.baselines import ranked
from core.evidence.model import Evidence, EvidenceQuery
from core.evidence.selection import local_evidence
from core.paper import Paper
from core.progress import Progress, silent
from core.prompts import load_prompt
from core.text.model_files import ModelKind, model_folder_of

if TYPE_CHECKING:  # imports torch, which takes seconds, so it is loaded with the first query
    from core.text.sentence_models import SentenceEncoder, SentenceReranker
    from core.text.similarity import PaperVectors

INSTRUCTED = "instructed"  # the strategy that puts an instruction in words before the query
LOADING = "Loading the model"


class ChosenEncoderEngine:
    """Ranks the candidates by the cosine of their vectors to the query's."""

    def __init__(self, model: str, opening: Opening, *, instruction: str = "", for_results: str = "") -> None:
        self.name = f"{ModelKind.ENCODER}:{model}" + (f"@{opening.strategy}" if instruction else "")
        self._model = model
        self._cache = opening.settings.embeddings
        self._instruction = instruction
        self._for_results = for_results or instruction

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        """Find the `query.k` nearest. Raises `EngineUnavailable` if the model cannot be loaded or memory is too small."""
        started = time.perf_counter()
        progress(0.0, LOADING)
        instruction = self._for_results if query.results_only else self._instruction
        candidates = query.candidates(paper)
        found = self._vectors().compare(paper, query.hypothesis, instruction=instruction, progress=progress)
        scores = found.to_hypothesis[[sentence.index for sentence in candidates]].astype(np.float64)
        best = ranked(paper, candidates, scores, query)
        progress(1.0, "Done")
        return local_evidence(self.name, query, candidates, best, started=started)

    def _vectors(self) -> PaperVectors[SentenceEncoder]:
        from core.text.encoder import EmbeddingCache  # noqa: PLC0415
        from core.text.sentence_models import open_encoder  # noqa: PLC0415
        from core.text.similarity import PaperVectors  # noqa: PLC0415

        encoder = open_encoder(self._model)
        return PaperVectors(encoder, EmbeddingCache(self._cache, model=encoder.key))


class RerankerEngine:
    """Ranks the candidates by a model that reads each together with the query."""

    def __init__(self, model: str) -> None:
        self.name = f"{ModelKind.RERANKER}:{model}"
        self._model = model

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        """Find the `query.k` best. Raises `EngineUnavailable` if the model cannot be loaded or memory is too small."""
        started = time.perf_counter()
        progress(0.0, LOADING)
        candidates = query.candidates(paper)
        texts = [sentence.text for sentence in candidates]
        scores = self._reranker().scores(query.hypothesis, texts, progress=progress)
        best = ranked(paper, candidates, scores, query)
        progress(1.0, "Done")
        return local_evidence(self.name, query, candidates, best, started=started)

    def _reranker(self) -> SentenceReranker:
        from core.text.sentence_models import open_reranker  # noqa: PLC0415

        return open_reranker(self._model)


# ---- opening ----


def instruction_for(opening: Opening, part: str) -> str:
    """The instruction before the query: a part of `prompts/evidence-embedding.md`; empty for other strategies."""
    if opening.strategy != INSTRUCTED:
        return ""
    parts = ("evidence", "results", "bias", "answers")
    return load_prompt("evidence-embedding", variables=(), parts=parts).fill(part)


def open_encoder_engine(opening: Opening, *, task: str = "evidence") -> ChosenEncoderEngine:
    """See `core.engines`. `task` selects the instruction. Raises `EngineUnavailable` if the name is not that of an encoder."""
    model_folder_of(ModelKind.ENCODER, opening.model)
    results = instruction_for(opening, "results" if task == "evidence" else task)
    return ChosenEncoderEngine(opening.model, opening, instruction=instruction_for(opening, task), for_results=results)


def open_reranker_engine(opening: Opening) -> RerankerEngine:
    """See `core.engines`. Raises `EngineUnavailable` if the name is not that of a reranker."""
    model_folder_of(ModelKind.RERANKER, opening.model)
    return RerankerEngine(opening.model)
