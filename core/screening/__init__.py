"""Screening: whether a paper meets a review's criteria, and which paper to read next."""

from __future__ import annotations

from functools import partial

from core.engines import EngineOpener, TaskKind, open_engine
from core.screening.model import ScreeningEngine

screening_engine_named: EngineOpener[ScreeningEngine] = partial(open_engine, TaskKind.SCREENING)
