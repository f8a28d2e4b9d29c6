"""Answer questions from a library of papers: gather evidence from many papers, and quote or cite it in an answer."""

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
    ReportedChange,
    Statement,
    TrailStep,
)
from core.engines import EngineOpener, EngineOptions, TaskKind, asks_model, open_engine, writer_named
from core.errors import EngineError

if TYPE_CHECKING:  # imported at run time with the first language model
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
    """The engine called `answers`, optionally with other models to gather evidence and to plan, and with limits.

    `gathers` may also be `offline`. Raises `EngineError` if the engine cannot share its work, and otherwise as
    `answer_engine_named` does.
    """
    engine = answer_engine_named(answers, **options)
    if gathers is None and plans is None and limits is None:
        return engine
    if not asks_model(answers):
        raise EngineError(
            f"“{answers}” gathers by itself and needs no plan. Name a language model to answer, or no others."
        )
    from core.answering.llm import OFFLINE, ModelAnswerEngine  # noqa: PLC0415

    assert isinstance(engine, ModelAnswerEngine)  # every answer engine that asks a model is one  # noqa: S101
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
    "ReportedChange",
    "Statement",
    "TrailStep",
    "answer_engine_named",
    "answer_engines_named",
]
