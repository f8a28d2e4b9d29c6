"""From a model's name to something that can be asked."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping

from core.llm.access import access_to
from core.llm.anthropic import AnthropicModel
from core.llm.budget import NO_LIMIT, Budget
from core.llm.cache import ReplyCache
from core.llm.compatible import CompatibleModel
from core.llm.names import ModelName, Provider
from core.llm.openai import OpenAIModel
from core.llm.runner import AT_ONCE, ModelRunner
from core.llm.server_model import RETRIES, TIMEOUT, ServerModel
from core.settings import Settings, load_settings

_MODELS: dict[Provider, type[ServerModel]] = {
    Provider.OPENAI: OpenAIModel,
    Provider.ANTHROPIC: AnthropicModel,
    Provider.COMPATIBLE: CompatibleModel,
}


def open_model(
    name: ModelName,
    *,
    key: str | None = None,
    environment: Mapping[str, str] = os.environ,
    timeout: float = TIMEOUT,
    retries: int = RETRIES,
    sends: bool = True,
) -> ServerModel:
    """The model called `name`. Nothing is sent yet; one that never `sends` needs no key.

    Raises `ModelError` if it cannot be reached as things are set.
    """
    access = access_to(name.provider, key=key, environment=environment, sends=sends)
    return _MODELS[name.provider](name, access, timeout=timeout, retries=retries)


def open_runner(
    name: ModelName,
    *,
    key: str | None = None,
    budget: Budget = NO_LIMIT,
    at_once: int = AT_ONCE,
    seed: int = 0,
    settings: Settings | None = None,
) -> ModelRunner:
    """A runner for the model called `name`, with the cache of replies that all of Vouch shares.

    `key` is one typed in for this session; it is kept in memory only. Another `seed` has replies of its own: the same
    question is asked again, once, to see how stable the answers are. Raises `ModelError` as `open_model` does, and
    `QueryError` for a budget in money where the model's price is unknown.
    """
    model = open_model(name, key=key)
    threading.Thread(target=model.prepare, name="client library").start()  # while the paper is read
    replies = (settings or load_settings()).replies
    cache = ReplyCache(replies / f"seed-{seed}" if seed else replies)
    return ModelRunner(model, cache=cache, budget=budget, at_once=at_once)
