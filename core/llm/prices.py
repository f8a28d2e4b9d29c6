"""What calls cost, and what a run will cost: from a dated table of list prices. An unknown price is None, never 0."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from core.llm.model import Request, Usage
from core.llm.names import Provider
from core.llm.wire import context_text, strict_schema, system_text, task_text

_TABLE = Path(__file__).with_name("prices.json")
_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8})$")  # a model's name with its date costs what the name costs
_MILLION = 1_000_000

# Characters a token in scientific English; tokenizers differ. `estimated_tokens` says what follows from it.
_CHARACTERS_A_TOKEN = 4.0
_LEAST_OUTPUT = 150  # tokens: a short reason and a few indices


class _Price(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    input: float
    cached: float
    output: float
    written: float | None = None
    longest_input: int | None = None


class _Prices(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    date: str
    unit: str
    sources: list[str]
    notes: list[str]
    batch: float
    suggested: list[str]
    models: dict[str, _Price]


@dataclass(frozen=True, slots=True)
class Estimate:
    """What requests will use, before they are sent. Money is None where the model's price is unknown."""

    calls: int
    input_tokens: int
    least_output_tokens: int
    most_output_tokens: int  # every reply as long as it may be
    least_usd: float | None
    most_usd: float | None


def cost(model: str, usage: Usage, *, batch: bool = False) -> float | None:
    """Dollars for one call of `model` (`openai:MODEL`); None if its price or its tokens are unknown."""
    price = _price(model)
    if price is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    if price.longest_input is not None and usage.input_tokens > price.longest_input:
        return None
    cached = usage.cached_input_tokens or 0
    written = usage.written_input_tokens or 0
    dollars = (
        (usage.input_tokens - cached - written) * price.input
        + cached * price.cached
        + written * (price.input if price.written is None else price.written)
        + usage.output_tokens * price.output
    ) / _MILLION
    return dollars * _prices().batch if batch else dollars


def estimate(requests: Iterable[Request], model: str, *, batch: bool = False) -> Estimate:
    """What requests will use, as if none were answered before: the truth lies between least and most.

    Least: short replies, and whatever the provider may keep of a request is read from its cache by the next one. Most:
    long replies, and everything is written to that cache each time.
    """
    asked = list(requests)
    inputs = [estimated_tokens(request) for request in asked]
    kept = [_kept_tokens(request) for request in asked]
    beginnings = [(request.system, request.context) for request in asked]
    read = [kept[n] if start in beginnings[:n] else 0 for n, start in enumerate(beginnings)]
    most = [request.max_output_tokens for request in asked]
    least = [min(_LEAST_OUTPUT, limit) for limit in most]
    return Estimate(
        len(asked),
        sum(inputs),
        sum(least),
        sum(most),
        _sum(cost(model, Usage(i, o, r), batch=batch) for i, o, r in zip(inputs, least, read, strict=True)),
        _sum(cost(model, Usage(i, o, 0, w), batch=batch) for i, o, w in zip(inputs, most, kept, strict=True)),
    )


def estimated_tokens(request: Request) -> int:
    """About how many input tokens a request has: a quarter of its characters, schema included.

    Tokenizers of the current models stay within about a third of it on scientific English; numbers, symbols and other
    languages need more. Counting exactly would need each provider's tokenizer, or a call.
    """
    schema = str(strict_schema(request.schema)) if request.schema else ""
    return _tokens(system_text(request), context_text(request), task_text(request, plain=True), schema)


def _kept_tokens(request: Request) -> int:
    """About how many of them the provider may keep for the next request, which begins alike."""
    return _tokens(system_text(request), context_text(request)) - 1 if request.cache_context else 0


def _tokens(*parts: str) -> int:
    return round(sum(map(len, parts)) / _CHARACTERS_A_TOKEN) + 1


def prices_date() -> str:
    """The day of the price table, as `2026-11-05`."""
    return _prices().date


def suggested_models(provider: Provider | None = None) -> list[str]:
    """A short list of current models (`openai:MODEL`) to choose from. Any other name can be typed in."""
    return [name for name in _prices().suggested if provider is None or name.startswith(f"{provider}:")]


def is_priced(model: str) -> bool:
    """Whether the price of `openai:MODEL` is known."""
    return _price(model) is not None


def _price(model: str) -> _Price | None:
    models = _prices().models
    return models.get(model) or models.get(_SNAPSHOT.sub("", model))


def _sum(costs: Iterable[float | None]) -> float | None:
    known = list(costs)
    return None if None in known else sum(value for value in known if value is not None)


@cache
def _prices() -> _Prices:
    return _Prices.model_validate_json(_TABLE.read_text(encoding="utf-8"))
