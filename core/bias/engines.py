"""The engines for risk of bias by name: the same names as for evidence, with strategies of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.bias.engine import BiasEngine
from core.errors import EngineError
from core.evidence.engines import asks_a_model, engine_named, model_forms
from core.settings import Settings, load_settings

if TYPE_CHECKING:  # models load when one is named: offline engines start sooner without
    from core.llm import Budget
DEFAULT_ENGINE = "offline"
ENGINES = ("offline", "bm25", "embedding")  # those of this machine


def bias_engine_named(
    name: str,
    *,
    settings: Settings | None = None,
    key: str | None = None,
    budget: Budget | None = None,
    seed: int = 0,
) -> BiasEngine:
    """The engine called `name`, ready to use. Key, budget and seed are for language models; others cost nothing.

    Raises `EngineError` if no engine has this name, `EngineUnavailable` if it cannot run here, `ModelError` if a
    language model cannot be asked as things are set.
    """
    settings = settings or load_settings()
    known = name.strip().lower()
    if asks_a_model(known):
        return _model_engine(name, settings, key, budget, seed)
    if known not in ENGINES:
        choices = ", ".join([*ENGINES, *model_forms()])
        raise EngineError(f"There is no engine called “{name}” for risk of bias. Choose one of: {choices}.")
    if known == "offline":
        from core.bias.offline import OfflineBiasEngine  # noqa: PLC0415

        return OfflineBiasEngine(settings)
    from core.bias.offline import RetrievalBiasEngine  # noqa: PLC0415

    return RetrievalBiasEngine(engine_named(known, settings=settings))


def _model_engine(name: str, settings: Settings, key: str | None, budget: Budget | None, seed: int) -> BiasEngine:
    from core.bias.llm.engine import ModelBiasEngine, strategy_of  # noqa: PLC0415
    from core.llm import Budget, model_named, open_runner  # noqa: PLC0415

    model = model_named(name)
    if model is None:
        raise EngineError(f"There is no engine called “{name}” for risk of bias.")
    strategy_of(model)  # a wrong strategy is told before a missing key
    return ModelBiasEngine(model, open_runner(model, key=key, budget=budget or Budget(), seed=seed, settings=settings))
