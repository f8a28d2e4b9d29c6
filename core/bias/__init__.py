"""Risk of bias: tools as data, judgements with supporting sentences, and the agreement of two reviewers."""

from __future__ import annotations

from functools import partial

from core.bias.engine import BiasEngine, judge, judge_from_sentences
from core.bias.model import Answer, Answers, Domain, Judgement, Level, Question, StudyContext, Support, Tool
from core.bias.tools import known_tools, tool_named
from core.engines import EngineOpener, TaskKind, open_engine

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

bias_engine_named: EngineOpener[BiasEngine] = partial(open_engine, TaskKind.BIAS)
