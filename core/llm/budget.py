"""What a run has spent, and how much it may."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from core.errors import BudgetUsedUp, QueryError
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

    calls: int = 0  # answered by the server, useful or not
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
        if not reply.model:  # no server answered, so none was paid
            return replace(self, failed=failed)
        dollars = cost(model, reply.usage)
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


class Purse:
    """Lets a call start only if its dearest outcome still fits into the budget, calls in flight included.

    So a budget is not overrun, but for the error of the estimate of input tokens. A reply without a count of tokens is
    taken for the dearest outcome; a call that failed at the server, or was given up, for free. Lives in one event loop.
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
        self._uncounted = 0  # tokens
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

    async def settle(self, held: Usage, reply: Reply | None) -> None:
        """Replace what was set aside by what was spent; nothing, if the call came to nothing."""
        async with self._changed:
            self._held.remove(held)
            if reply is not None:
                self.spent = self.spent.plus(reply, self._model)
                if reply.usage.input_tokens is None or reply.usage.output_tokens is None:
                    self._uncounted += _tokens(held)
            self._changed.notify_all()

    def note(self, reply: Reply) -> None:
        """Count a reply that needed no call."""
        self.spent = self.spent.plus(reply, self._model)

    def _fits(self, usages: list[Usage]) -> bool:
        tokens = self.spent.tokens + self._uncounted + sum(map(_tokens, usages))
        if self._budget.tokens is not None and tokens > self._budget.tokens:
            return False
        if self._budget.usd is None:
            return True
        costs = [self.spent.usd, *(cost(self._model, usage) for usage in usages)]
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


def _tokens(usage: Usage) -> int:
    return (usage.input_tokens or 0) + (usage.output_tokens or 0)
