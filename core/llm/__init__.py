"""Language models: one way to ask any of them, with answers checked, counted, priced and kept."""

from core.llm.model import LanguageModel, Reply, ReplySchema, Request, Usage
from core.llm.names import ModelName, Provider, model_named

__all__ = [
    "LanguageModel",
    "ModelName",
    "Provider",
    "Reply",
    "ReplySchema",
    "Request",
    "Usage",
    "model_named",
]
