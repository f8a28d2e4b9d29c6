"""Risk of bias: tools as data, judgements with the sentences that support them, and two reviewers' agreement."""

from core.bias.model import Answer, Answers, Domain, Judgement, Level, Question, StudyContext, Tool
from core.bias.registry import tool_named, tools

__all__ = [
    "Answer",
    "Answers",
    "Domain",
    "Judgement",
    "Level",
    "Question",
    "StudyContext",
    "Tool",
    "tool_named",
    "tools",
]
