"""Language models: one way to ask any of them, with answers checked, counted, priced and kept."""

from core.llm.access import key_variable, why_not
from core.llm.budget import Budget, Spending, together
from core.llm.model import LanguageModel, Reply, ReplySchema, Request, Usage
from core.llm.names import ModelName, Provider, model_named, strategy_among
from core.llm.opening import open_model, open_runner
from core.llm.prices import Estimate, cost, estimate, prices_date, suggested_models
from core.llm.runner import ModelRunner

__all__ = [
    "Budget",
    "Estimate",
    "LanguageModel",
    "ModelName",
    "ModelRunner",
    "Provider",
    "Reply",
    "ReplySchema",
    "Request",
    "Spending",
    "Usage",
    "cost",
    "estimate",
    "key_variable",
    "model_named",
    "open_model",
    "open_runner",
    "prices_date",
    "strategy_among",
    "suggested_models",
    "together",
    "why_not",
]
