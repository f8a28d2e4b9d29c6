"""Risk of bias: tools as data, judgements with the sentences that support them, and two reviewers' agreement."""

from core.bias.engine import BiasEngine, judge, judge_from_sentences
from core.bias.model import Answer, Answers, Domain, Judgement, Level, Question, StudyContext, Support, Tool
from core.bias.tools import known_tools, tool_named

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
    "judge",
    "judge_from_sentences",
    "known_tools",
    "tool_named",
]
