"""Questions to a library of papers: evidence gathered from many papers, and an answer in their words or with its sources."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Unpack

from core.answering.model import (
    Action,
    Answer,
    AnswerEngine,
    Citation,
    CitationStatus,
    Gathered,
    PaperAnswer,
    Question,
    Statement,
    Told,
    TrailStep,
)
from core.engines import EngineOpener, EngineOptions, TaskKind, asks_model, open_engine, writer_named
from core.errors import EngineError

if TYPE_CHECKING:  # loads with the first language model
    from core.answering.agent import AgentLimits

answer_engine_named: EngineOpener[AnswerEngine] = partial(open_engine, TaskKind.ANSWERS)


def answer_engines_named(
    answers: str,
    *,
    gathers: str | None = None,
    plans: str | None = None,
    limits: AgentLimits | None = None,
    **options: Unpack[EngineOptions],
) -> AnswerEngine:
    """The engine called `answers`, in which other models may gather evidence (or `offline`) and plan, within limits.

    Raises `EngineError` where one is named that cannot share the work, and else as `answer_engine_named` does.
    """
    engine = answer_engine_named(answers, **options)
    if gathers is None and plans is None and limits is None:
        return engine
    if not asks_model(answers):
        raise EngineError(
            f"“{answers}” gathers by itself and needs no plan. Name a language model to answer, or no others."
        )
    from core.answering.llm import OFFLINE, ModelAnswerEngine  # noqa: PLC0415

    assert isinstance(engine, ModelAnswerEngine)  # what asks a model for answers is of this class  # noqa: S101
    gatherer, planner = engine.gatherer, engine.planner
    if gathers is not None:
        gatherer = None if gathers.strip().lower() == OFFLINE else writer_named(gathers, **options)
    if plans is not None:
        planner = writer_named(plans, **options)
    return engine.sharing(gatherer=gatherer, planner=planner, limits=limits)


__all__ = [
    "Action",
    "Answer",
    "AnswerEngine",
    "Citation",
    "CitationStatus",
    "Gathered",
    "PaperAnswer",
    "Question",
    "Statement",
    "Told",
    "TrailStep",
    "answer_engine_named",
    "answer_engines_named",
]
