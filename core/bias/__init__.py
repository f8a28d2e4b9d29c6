"""Risk of bias: tools as data, judgements with the sentences that support them, and two reviewers' agreement."""

from __future__ import annotations

from typing import Unpack

from core.bias.engine import BiasEngine, judge, judge_from_sentences
from core.bias.model import Answer, Answers, Domain, Judgement, Level, Question, StudyContext, Support, Tool
from core.bias.tools import known_tools, tool_named
from core.engines import EngineOptions, TaskKind, open_engine

__all__ = [
    "Answer",
    "Answers",
    "BiasEngine",
    "Domain",
    "Judgement",
    "Level",
    "Question",
    "StudyContext",
    "Support",
    "Tool",
    "bias_engine_named",
    "judge",
    "judge_from_sentences",
    "known_tools",
    "tool_named",
]


def bias_engine_named(name: str, **options: Unpack[EngineOptions]) -> BiasEngine:
    """The engine called `name`, ready to use. Raises as `core.engines.open_engine` does."""
    engine: BiasEngine = open_engine(TaskKind.BIAS, name, **options)
    return engine
