"""The engines for screening by name: the same names as for evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import EngineError
from core.evidence.engines import asks_a_model, encoder_for, model_forms
from core.screening.model import ScreeningEngine
from core.settings import Settings, load_settings

if TYPE_CHECKING:  # models load when one is named: the offline engine starts sooner without
    from core.llm import Budget
DEFAULT_ENGINE = "offline"
ENGINES = ("offline",)  # of this machine


def screening_engine_named(
    name: str,
    *,
    settings: Settings | None = None,
    key: str | None = None,
    budget: Budget | None = None,
    seed: int = 0,
) -> ScreeningEngine:
    """The engine called `name`, ready to use. Key, budget and seed are for language models; `offline` costs nothing.

    Raises `EngineError` if no engine has this name, `ModelError` if a language model cannot be asked as things are set.
    """
    settings = settings or load_settings()
    if asks_a_model(name):
        return _model_engine(name, settings, key, budget, seed)
    if name.strip().lower() == "offline":
        from core.screening.offline.engine import OfflineScreeningEngine  # noqa: PLC0415

        return OfflineScreeningEngine(encoder_for(settings))
    choices = ", ".join([*ENGINES, *model_forms()])
    raise EngineError(f"There is no engine called “{name}” for screening. Choose one of: {choices}.")


def _model_engine(name: str, settings: Settings, key: str | None, budget: Budget | None, seed: int) -> ScreeningEngine:
    from core.llm import Budget, model_named, open_runner  # noqa: PLC0415
    from core.screening.llm import ModelScreeningEngine, strategy_of  # noqa: PLC0415

    model = model_named(name)
    if model is None:
        raise EngineError(f"There is no engine called “{name}” for screening.")
    strategy_of(model)  # a wrong strategy is told before a missing key
    runner = open_runner(model, key=key, budget=budget or Budget(), seed=seed, settings=settings)
    return ModelScreeningEngine(model, runner)
