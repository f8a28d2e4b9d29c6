"""`PROVIDER:MODEL@STRATEGY`: the names of engines that ask a language model, read in one place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from core.errors import EngineError

S = TypeVar("S", bound=StrEnum)

_STRATEGY = re.compile(r"[a-z][a-z-]*")


class Provider(StrEnum):
    """Whose interface a server speaks."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    COMPATIBLE = "compatible"  # any server with OpenAI's chat completions, at an address that the user gives


@dataclass(frozen=True, slots=True)
class ModelName:
    """A model as the user names it. Model names are free text: the server decides which ones it has."""

    provider: Provider
    model: str
    strategy: str | None = None  # how the model is asked, for the task to understand; None: the task's default

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}" + (f"@{self.strategy}" if self.strategy else "")


def model_named(name: str) -> ModelName | None:
    """The model in an engine's name; None if the name is not of this kind (`bm25`).

    An `@` inside a model's name (`llama@sha256:0a1b`) belongs to the model, for what follows is no word.
    Raises `EngineError` if no model is named, or one with spaces.
    """
    first, colon, rest = name.strip().partition(":")
    if not colon or first.lower() not in set(Provider):
        return None
    provider = Provider(first.lower())
    model, at, last = rest.rpartition("@")
    strategy = last.lower() if at and _STRATEGY.fullmatch(last.lower()) else None
    if strategy is None:
        model = rest
    if not model or not model.isprintable() or " " in model:
        raise EngineError(
            f"“{name.strip()}” names no model. Write it as {provider}:MODEL, or {provider}:MODEL@STRATEGY."
        )
    return ModelName(provider, model, strategy)


def strategy_among(known: type[S], model: ModelName, task: str = "") -> S:
    """The strategy in an engine's name, or the first of those that a task knows.

    Raises `EngineError` if there is none of that name; `task` says for what, such as “for summaries”.
    """
    if model.strategy is None:
        return next(iter(known))
    if model.strategy not in set(known):
        called = f"“{model.strategy}” {task}".rstrip()
        raise EngineError(f"There is no strategy called {called}. Choose one of: {', '.join(known)}.")
    return known(model.strategy)
