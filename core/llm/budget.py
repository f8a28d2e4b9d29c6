"""What a run has spent, and how much it may."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.errors import BudgetUsedUp, ModelTimeout, QueryError
from core.llm.model import Reply, Request, Usage
from core.llm.prices import cost, estimated_tokens, is_priced, prices_date


@dataclass(frozen=True, slots=True)
class Budget:
    """The most a run may use; None: no limit."""

    usd: float | None = None
    tokens: int | None = None  # input and output together


NO_LIMIT = Budget()


@dataclass(frozen=True, slots=True)
class Spending:
    """What a run has used so far. Replies from the cache cost nothing and are counted apart."""

    calls: int = 0  # that were answered, useful or not, or given up: the server may charge for those
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
    """What several runners have used; the money is unknown if that of any is."""
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


class Purse:
    """Lets a call start only if its dearest outcome still fits into the budget, calls in flight included.

    So a budget is not overrun, but for the error of the estimate of input tokens. A reply without a count of tokens and
    a call that was given up are taken for the dearest outcome, one that failed at the server for free. Lives in one
    event loop.
    """

    def __init__(self, model: str, budget: Budget) -> None:
        if budget.usd is not None and not is_priced(model):
            raise QueryError(
                f"The price of {model} is unknown (table of {prices_date()}), so a budget in money cannot be kept. "
                "Set one in tokens."
            )
        self.spent = Spending()
        self._model = model
        self._budget = budget
        self._held: list[Usage] = []
        self._tokens = 0  # with the dearest outcome of every call whose tokens are unknown
        self._usd: float | None = 0.0  # likewise
        self._changed = asyncio.Condition()

    async def hold(self, request: Request) -> Usage:
        """Set aside what a request may cost. Waits for calls in flight that may leave enough; else `BudgetUsedUp`."""
        dearest = Usage(estimated_tokens(request), request.max_output_tokens)
        async with self._changed:
            while not self._fits([*self._held, dearest]):
                if not self._held or not self._fits([dearest]):
                    raise BudgetUsedUp(self._refusal())
                await self._changed.wait()
            self._held.append(dearest)
        return dearest

    async def settle(self, held: Usage, reply: Reply) -> None:
        """Replace what was set aside by what was spent."""
        async with self._changed:
            self._held.remove(held)
            self.spent = self.spent.plus(reply, self._model)
            if _may_cost(reply):
                unknown = reply.usage.input_tokens is None or reply.usage.output_tokens is None
                used = held if unknown else reply.usage
                self._tokens += _tokens(used)
                dollars = cost(self._model, used)
                self._usd = None if self._usd is None or dollars is None else self._usd + dollars
            self._changed.notify_all()

    async def settled(self) -> None:
        """Wait until no call is in flight."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self._held)

    def note(self, reply: Reply) -> None:
        """Count a reply that needed no call."""
        self.spent = self.spent.plus(reply, self._model)

    def _fits(self, usages: list[Usage]) -> bool:
        tokens = self._tokens + sum(map(_tokens, usages))
        if self._budget.tokens is not None and tokens > self._budget.tokens:
            return False
        if self._budget.usd is None:
            return True
        costs = [self._usd, *(cost(self._model, usage) for usage in usages)]
        return None not in costs and sum(value for value in costs if value is not None) <= self._budget.usd

    def _refusal(self) -> str:
        limits = []
        if self._budget.usd is not None:
            used = "an unknown part" if self.spent.usd is None else f"${self.spent.usd:.4f}"
            limits.append(f"{used} of ${self._budget.usd:.2f}")
        if self._budget.tokens is not None:
            limits.append(f"{self.spent.tokens:,} of {self._budget.tokens:,} tokens")
        return (
            f"The budget is used up: {' and '.join(limits)}, and the next call might need more than is left. "
            "Raise the budget and run again; what was answered so far is kept and costs nothing."
        )


def paid(reply: Reply, model: str) -> float | None:
    """What a reply cost now, in US dollars; None: unknown, as where a call ran out of time and may be charged for."""
    return cost(model, reply.usage) if _may_cost(reply) else 0.0


def _may_cost(reply: Reply) -> bool:
    """Whether a server answered, or may have after nobody waited any more."""
    return not reply.from_cache and (bool(reply.model) or isinstance(reply.problem, ModelTimeout))


def _tokens(usage: Usage) -> int:
    return (usage.input_tokens or 0) + (usage.output_tokens or 0)
