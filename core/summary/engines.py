"""The engines for summaries by name: the same names as for evidence, with strategies of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import EngineError
from core.evidence.engines import asks_a_model, model_forms
from core.settings import Settings, load_settings
from core.summary.model import SummaryEngine

if TYPE_CHECKING:  # models load when one is named
    from core.grounding.questions import Asker
    from core.llm import Budget
DEFAULT_ENGINE = "offline"
ENGINES = ("offline", "bm25")  # of this machine
_RETRIEVAL = ("bm25@1", "bm25@2", "bm25@3")


def summary_engine_named(
    name: str,
    *,
    settings: Settings | None = None,
    key: str | None = None,
    budget: Budget | None = None,
    seed: int = 0,
    threshold: float | None = None,
) -> SummaryEngine:
    """The engine called `name`, ready to use. Key, budget and seed are for language models; others cost nothing.

    `threshold`: the probability from which `offline` calls a sentence supported; None for the one that was chosen.

    Raises `EngineError` if no engine has this name, `EngineUnavailable` if it cannot run here, `ModelError` if a
    language model cannot be asked as things are set.
    """
    settings = settings or load_settings()
    known = name.strip().lower()
    if asks_a_model(known):
        return _model_engine(name, settings, key, budget, seed)
    if known == "offline":
        from core.entailment import installed_reader  # noqa: PLC0415
        from core.summary.offline import OfflineSummaryEngine  # noqa: PLC0415
        from core.text.similarity import Embedder  # noqa: PLC0415

        return OfflineSummaryEngine(Embedder.installed(settings.embeddings), installed_reader(), threshold=threshold)
    if known == "bm25" or known in _RETRIEVAL:
        from core.summary.retrieval import Bm25SummaryEngine  # noqa: PLC0415

        return Bm25SummaryEngine(int(known[-1]) if known in _RETRIEVAL else 1)
    choices = ", ".join(["offline", *_RETRIEVAL, *model_forms()])
    raise EngineError(f"There is no engine called “{name}” for summaries. Choose one of: {choices}.")


def _model_engine(name: str, settings: Settings, key: str | None, budget: Budget | None, seed: int) -> SummaryEngine:
    from core.llm import Budget, model_named, open_runner  # noqa: PLC0415
    from core.summary.llm import ModelSummaryEngine, strategy_of  # noqa: PLC0415

    model = model_named(name)
    if model is None:
        raise EngineError(f"There is no engine called “{name}”.")
    strategy_of(model)  # a wrong strategy is told before a missing key
    return ModelSummaryEngine(
        model, open_runner(model, key=key, budget=budget or Budget(), seed=seed, settings=settings)
    )


def writer_named(
    name: str,
    *,
    settings: Settings | None = None,
    key: str | None = None,
    budget: Budget | None = None,
    seed: int = 0,
) -> Asker:
    """The language model called `name`, to write summaries with.

    Raises `EngineError` if it is none or names a strategy, `ModelError` if it cannot be asked as things are set.
    """
    from core.llm import Budget, model_named, open_runner  # noqa: PLC0415

    model = model_named(name)
    if model is None or model.strategy is not None:
        raise EngineError(f"“{name}” cannot write. Name a language model, as in openai:MODEL, without a strategy.")
    return open_runner(model, key=key, budget=budget or Budget(), seed=seed, settings=settings or load_settings())
