"""The cost of calls: prices, estimates, and a budget."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from core.errors import BudgetUsedUp, ModelTimeout, QueryError
from core.llm.access import Provider
from core.llm.model import Reply, Request, Usage
from core.llm.provider import context_text, strict_schema, system_text, task_text

# ---- prices ----
# What calls cost and what a run will cost, from a dated table of list prices. An unknown price is None, never 0.

_TABLE = Path(__file__).with_name("prices.json")
_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8})$")  # a dated snapshot of a model costs as much as the model
_MILLION = 1_000_000

# Characters per token in scientific English. Tokenizers differ: see `estimated_tokens`.
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
class CostEstimate:
    """What requests will use, estimated before they are sent. Costs are None if the model's price is unknown."""

    calls: int
    input_tokens: int
    least_output_tokens: int
    most_output_tokens: int  # if every reply has the maximum length
    least_usd: float | None
    most_usd: float | None
    longest_input_tokens: int = 0  # of the longest request


def cost(model: str, usage: Usage, *, batch: bool = False) -> float | None:
    """The cost of one call of `model` (`openai:MODEL`) in US dollars; None if its price or tokens are unknown."""
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


def estimate(requests: Iterable[Request], model: str, *, batch: bool = False) -> CostEstimate:
    """What requests will use if no reply is cached: a range from the least to the most.

    The least assumes short replies, and that the provider's cache holds the shared beginning of each request after
    its first use. The most assumes replies of maximum length, and that each request writes to that cache anew.
    """
    asked = list(requests)
    inputs = [estimated_tokens(request) for request in asked]
    kept = [_kept_tokens(request) for request in asked]
    beginnings = [(request.system, request.context) for request in asked]
    read = [kept[n] if start in beginnings[:n] else 0 for n, start in enumerate(beginnings)]
    most = [request.max_output_tokens for request in asked]
    least = [min(_LEAST_OUTPUT, limit) for limit in most]
    return CostEstimate(
        len(asked),
        sum(inputs),
        sum(least),
        sum(most),
        _sum(cost(model, Usage(i, o, r), batch=batch) for i, o, r in zip(inputs, least, read, strict=True)),
        _sum(cost(model, Usage(i, o, 0, w), batch=batch) for i, o, w in zip(inputs, most, kept, strict=True)),
        max(inputs, default=0),
    )


def estimated_tokens(request: Request) -> int:
    """The approximate number of a request's input tokens: a quarter of its characters, schema included.

    On scientific English, the tokenizers of current models deviate from it by up to about a third. Numbers, symbols and
    other languages need more tokens. An exact count would need each provider's tokenizer, or a call.
    """
    schema = str(strict_schema(request.schema)) if request.schema else ""
    return _tokens(system_text(request), context_text(request), task_text(request, plain=True), schema)


def _kept_tokens(request: Request) -> int:
    """The approximate number of these tokens that the provider may cache for later requests with the same beginning."""
    return _tokens(system_text(request), context_text(request)) - 1 if request.cache_context else 0


def _tokens(*parts: str) -> int:
    return round(sum(map(len, parts)) / _CHARACTERS_A_TOKEN) + 1


def prices_date() -> str:
    """The date of the price table, such as `2026-11-05`."""
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


# ---- budget ----
# What a run has spent, and how much it may spend.


@dataclass(frozen=True, slots=True)
class Budget:
    """The most a run may use; None: no limit."""

    usd: float | None = None
    tokens: int | None = None  # input and output together

    def less(self, spent: Spending) -> Budget:
        """What is left after this spending, and never less than 0."""
        used = spent.input_tokens + spent.output_tokens
        return Budget(
            None if self.usd is None else max(0.0, self.usd - (spent.usd or 0.0)),
            None if self.tokens is None else max(0, self.tokens - used),
        )


NO_LIMIT = Budget()


@dataclass(frozen=True, slots=True)
class Spending:
    """What a run has used so far. Replies from the cache cost nothing and are counted separately."""

    calls: int = 0  # answered (usefully or not) or timed out: the server may charge for all of these
    from_cache: int = 0
    failed: int = 0  # requests without a usable reply
    input_tokens: int = 0
    cached_input_tokens: int = 0  # of these, read from the provider's prompt cache
    output_tokens: int = 0
    usd: float | None = 0.0  # None: some call's price or tokens are unknown

    def plus(self, reply: Reply, model: str) -> Spending:
        """The spending after one more reply."""
        failed = self.failed + (reply.problem is not None)
        if reply.from_cache:
            return replace(self, from_cache=self.from_cache + 1, failed=failed)
        if not _may_cost(reply):
            return replace(self, failed=failed)
        dollars = paid(reply, model)
        return Spending(
            self.calls + 1,
            self.from_cache,
            failed,
            self.input_tokens + (reply.usage.input_tokens or 0),
            self.cached_input_tokens + (reply.usage.cached_input_tokens or 0),
            self.output_tokens + (reply.usage.output_tokens or 0),
            None if self.usd is None or dollars is None else self.usd + dollars,
        )

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens


def together(spendings: Iterable[Spending]) -> Spending:
    """What several runners have used together. The cost is unknown if that of one runner is."""
    all_of = list(spendings)
    dollars = [one.usd for one in all_of]
    return Spending(
        sum(one.calls for one in all_of),
        sum(one.from_cache for one in all_of),
        sum(one.failed for one in all_of),
        sum(one.input_tokens for one in all_of),
        sum(one.cached_input_tokens for one in all_of),
        sum(one.output_tokens for one in all_of),
        None if None in dollars else sum((usd for usd in dollars if usd is not None), 0.0),
    )


@dataclass(frozen=True, slots=True)
class _Held:
    """What is reserved for a call in flight: its maximum."""

    model: str
    usage: Usage


class BudgetGuard:
    """Lets a call start only if its maximum cost fits into the budget, together with that of the calls in flight.

    So a budget can be exceeded only by the error in the estimate of input tokens. A reply without token counts and a
    call that timed out count at their maximum; a call that failed at the server counts as free. The runners of several
    models may share a guard. All calls must come from one event loop.
    """

    def __init__(self, budget: Budget) -> None:
        self._spent = Spending()
        self._budget = budget
        self._held: list[_Held] = []
        self._tokens = 0  # spent; a call whose tokens are unknown counts at its maximum
        self._usd: float | None = 0.0  # likewise
        self._changed = asyncio.Condition()

    def require_price(self, model: str) -> None:
        """Raises `QueryError` if the budget is in money and the model's price is unknown."""
        if self._budget.usd is not None and not is_priced(model):
            raise QueryError(
                f"The price of {model} is unknown (table of {prices_date()}), so a budget in money cannot be kept. "
                "Set one in tokens."
            )

    async def hold(self, request: Request, model: str, *, calls: int = 1) -> _Held:
        """Reserve the maximum cost of a request, after waiting for calls in flight if these may leave enough.

        `calls`: the most calls that it may take. Raises `BudgetUsedUp` if the budget cannot cover it.
        """
        kept = _kept_tokens(request)  # writing to the provider's cache may cost more than sending
        usage = Usage(calls * estimated_tokens(request), calls * request.max_output_tokens, 0, calls * kept)
        dearest = _Held(model, usage)
        async with self._changed:
            while not self._fits([*self._held, dearest]):
                if not self._held or not self._fits([dearest]):
                    raise BudgetUsedUp(self._refusal())
                await self._changed.wait()
            self._held.append(dearest)
        return dearest

    async def settle(self, held: _Held, reply: Reply) -> None:
        """Replace a reservation by what was spent."""
        async with self._changed:
            self._held.remove(held)
            self._spent = self._spent.plus(reply, held.model)
            if _may_cost(reply):
                unknown = reply.usage.input_tokens is None or reply.usage.output_tokens is None
                used = held.usage if unknown else reply.usage
                self._tokens += _budget_tokens(used)
                dollars = cost(held.model, used)
                self._usd = None if self._usd is None or dollars is None else self._usd + dollars
            self._changed.notify_all()

    async def settled(self) -> None:
        """Wait until no call is in flight."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self._held)

    def _fits(self, calls: list[_Held]) -> bool:
        tokens = self._tokens + sum(_budget_tokens(one.usage) for one in calls)
        if self._budget.tokens is not None and tokens > self._budget.tokens:
            return False
        if self._budget.usd is None:
            return True
        costs = [self._usd, *(cost(one.model, one.usage) for one in calls)]
        return None not in costs and sum(value for value in costs if value is not None) <= self._budget.usd

    def _refusal(self) -> str:
        limits = []
        if self._budget.usd is not None:
            used = "an unknown part" if self._spent.usd is None else f"${self._spent.usd:.4f}"
            limits.append(f"{used} of ${self._budget.usd:.2f}")
        if self._budget.tokens is not None:
            limits.append(f"{self._spent.tokens:,} of {self._budget.tokens:,} tokens")
        return (
            f"The budget is used up: {' and '.join(limits)}, and the next call might need more than is left. "
            "Raise the budget and run again; what was answered so far is kept and costs nothing."
        )


def paid(reply: Reply, model: str) -> float | None:
    """What a reply cost in this run, in US dollars; None if unknown, such as for a call that timed out."""
    return cost(model, reply.usage) if _may_cost(reply) else 0.0


def _may_cost(reply: Reply) -> bool:
    """Whether a server answered, or may have answered after the timeout."""
    return not reply.from_cache and (bool(reply.model) or isinstance(reply.problem, ModelTimeout))


def _budget_tokens(usage: Usage) -> int:
    return (usage.input_tokens or 0) + (usage.output_tokens or 0)
