"""The engines for risk of bias by name: the same names as for evidence."""

from __future__ import annotations

from core.bias.engine import BiasEngine
from core.errors import EngineError
from core.settings import Settings, load_settings

DEFAULT_ENGINE = "offline"
ENGINES = ("offline", "bm25", "embedding")


def bias_engine_named(name: str, *, settings: Settings | None = None) -> BiasEngine:
    """The engine called `name`, ready to use.

    Raises `EngineError` if no engine has this name, `EngineUnavailable` if it cannot run here.
    """
    known = name.strip().lower()
    if known not in ENGINES:
        raise EngineError(f"There is no engine called “{name}” for risk of bias. Choose one of: {', '.join(ENGINES)}.")
    settings = settings or load_settings()
    if known == "offline":
        from core.bias.offline import OfflineEngine  # noqa: PLC0415

        return OfflineEngine(settings)
    from core.bias.retrieval import RetrievalEngine  # noqa: PLC0415
    from core.evidence import engine_named  # noqa: PLC0415

    return RetrievalEngine(engine_named(known, settings=settings))
