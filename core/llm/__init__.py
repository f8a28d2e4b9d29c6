"""Language models: one way to ask any of them, with answers checked, counted, priced and kept."""

from core.llm.access import Typed, access_to, key_variable, why_not
from core.llm.budget import Budget, Spending, together
from core.llm.model import LanguageModel, Reply, ReplySchema, Request, Usage
from core.llm.names import ModelName, Provider, model_named, strategy_among
from core.llm.opening import open_model, open_runner
from core.llm.prices import Estimate, cost, estimate, prices_date, suggested_models
from core.llm.runner import ModelRunner
from core.llm.servers import Server, models_of, servers_here

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
    "Server",
    "Spending",
    "Typed",
    "Usage",
    "access_to",
    "cost",
    "estimate",
    "key_variable",
    "model_named",
    "models_of",
    "open_model",
    "open_runner",
    "prices_date",
    "servers_here",
    "strategy_among",
    "suggested_models",
    "together",
    "why_not",
]
