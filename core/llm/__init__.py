"""One way to ask any language model, with answers that are checked, counted, priced and cached."""

from core.llm.access import (
    ModelName,
    Provider,
    Server,
    Typed,
    access_to,
    key_variable,
    model_named,
    models_of,
    servers_here,
    strategy_among,
    why_not,
)
from core.llm.costs import Budget, CostEstimate, Spending, cost, estimate, prices_date, suggested_models, together
from core.llm.model import LanguageModel, Reply, ReplySchema, Request, Usage
from core.llm.runner import ModelRunner, known_speed, measured_speed, open_model, open_runner
from core.llm.served import ServedModel, Speed, served_model

__all__ = [
    "Budget",
    "CostEstimate",
    "LanguageModel",
    "ModelName",
    "ModelRunner",
    "Provider",
    "Reply",
    "ReplySchema",
    "Request",
    "ServedModel",
    "Server",
    "Speed",
    "Spending",
    "Typed",
    "Usage",
    "access_to",
    "cost",
    "estimate",
    "key_variable",
    "known_speed",
    "measured_speed",
    "model_named",
    "models_of",
    "open_model",
    "open_runner",
    "prices_date",
    "served_model",
    "servers_here",
    "strategy_among",
    "suggested_models",
    "together",
    "why_not",
]
