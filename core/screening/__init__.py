"""Screening: whether a paper meets a review's criteria, and which paper to read next."""

from __future__ import annotations

from typing import Unpack

from core.engines import EngineOptions, TaskKind, open_engine
from core.screening.model import ScreeningEngine


def screening_engine_named(name: str, **options: Unpack[EngineOptions]) -> ScreeningEngine:
    """The engine called `name`, ready to use. Raises as `core.engines.open_engine` does."""
    engine: ScreeningEngine = open_engine(TaskKind.SCREENING, name, **options)
    return engine
