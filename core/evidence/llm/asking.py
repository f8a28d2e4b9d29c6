"""Questions whose answers are held against the paper, and asked once more where they have faults: for every task.

Nothing here sends anything: a plan yields the requests of a stage and is sent the replies. So the same plan runs live,
from batch files and from the cache, with the same result. `carry_out` puts one to a model.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from core.errors import ModelError
from core.evidence.model import Match, Step
from core.llm import Reply, Request, Usage
from core.progress import Progress, silent
from core.prompts import Prompt

R = TypeVar("R")
Stages = Generator[tuple[Request, ...], Sequence[Reply], R]  # yields stages, is sent their replies in order
Exchange = Generator[Request, Reply, R]  # yields one request at a time
Price = Callable[[Reply], float | None]  # what a reply cost now, in US dollars; None: unknown

_STAGES = 2  # of most plans; one that asks again has more, and its progress then stays at the end


class Asker(Protocol):
    """What puts requests to a model: a `ModelRunner` live, a `BatchRunner` from files."""

    @property
    def name(self) -> str: ...

    def ask_all(self, requests: Sequence[Request], *, progress: Progress = silent) -> list[Reply]:
        """The replies in the order of the requests."""
        ...

    def cost_of(self, reply: Reply) -> float | None:
        """What a reply cost now, in US dollars; None: unknown."""
        ...


class Held(Protocol):
    """An answer that was held against the sentences that the model was shown."""

    @property
    def reasoning(self) -> str:
        """The model's own words."""
        ...

    @property
    def numbers(self) -> tuple[int, ...]:
        """The sentences that it names rightly, the most important first."""
        ...

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with it, one sentence each, without a word of paper or model."""
        ...

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        """The numbers and quotations that no sentence answers to."""
        ...


H = TypeVar("H", bound=Held)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[H]):
    """What became of a question. `answer` is the one that counts; None, with the `error`, where there is none."""

    step: Step
    answer: H | None = None
    at_once: frozenset[int] = frozenset()  # the sentences that the first answer named rightly
    error: ModelError | None = None

    def match(self, number: int) -> Match:
        """How sure it is that the model meant a sentence that it names rightly."""
        return Match.EXACT if number in self.at_once else Match.REPAIRED


def ask(
    request: Request, hold: Callable[[Reply], H | None], once_more: Callable[[H], Request], price: Price
) -> Exchange[Outcome[H]]:
    """Ask, and ask once more if the answer has faults.

    `hold` checks a reply; None: it cannot be used. The second answer counts, whatever it leaves wrong; if it cannot be
    used, what was right in the first.
    """
    reply = yield request
    answer = hold(reply)
    if answer is None:
        step = replace(_step(request, [reply], price), error=str(reply.problem), text=reply.text or None)
        return Outcome(step, error=reply.problem)
    at_once, faults, replies = frozenset(answer.numbers), answer.faults, [reply]
    if faults:
        replies.append((yield once_more(answer)))
        second = hold(replies[-1])
        if second is None:
            faults = (*faults, f"Asked again, it gave no answer: {replies[-1].problem}")
        else:
            answer = second
    step = replace(
        _step(request, replies, price),
        reasoning=answer.reasoning,
        chosen=answer.numbers,
        faults=faults,
        not_in_paper=answer.not_in_paper,
    )
    return Outcome(step, answer, at_once)


def asked_again(again: Prompt, request: Request, faults: Iterable[str], **values: object) -> Request:
    """A request once more, naming the faults of the first answer; `values` are the template's others."""
    listed = "\n".join(f"- {fault}" for fault in faults)
    return replace(request, task=again.fill("task", task=request.task, faults=listed, **values))


def together(exchanges: Iterable[Exchange[R]]) -> Stages[list[R]]:
    """Hold many exchanges at once: the requests that all of them wait for make a stage. Results keep their order."""
    results: dict[int, R] = {}
    open_ones = dict(enumerate(exchanges))
    replies: dict[int, Reply | None] = dict.fromkeys(open_ones)
    while open_ones:
        waiting: dict[int, Request] = {}
        for place, exchange in open_ones.items():
            reply = replies[place]
            try:
                waiting[place] = next(exchange) if reply is None else exchange.send(reply)
            except StopIteration as end:
                results[place] = end.value
        open_ones = {place: open_ones[place] for place in waiting}
        if waiting:
            replies = dict(zip(waiting, (yield tuple(waiting.values())), strict=True))
    return [results[place] for place in sorted(results)]


def carry_out(stages: Stages[R], asker: Asker, progress: Progress) -> R:
    """Put a plan to a model, stage by stage, to its result."""
    replies: Sequence[Reply] | None = None
    stage = 0
    while True:
        try:
            requests = next(stages) if replies is None else stages.send(replies)
        except StopIteration as end:
            progress(1.0, "Done")
            result: R = end.value
            return result
        before = min(stage, _STAGES - 1) / _STAGES

        def share(done: float, step: str, before: float = before) -> None:
            progress(before + done / _STAGES, step)

        replies = asker.ask_all(requests, progress=share)
        stage += 1


def _step(request: Request, replies: Sequence[Reply], price: Price) -> Step:
    costs = [price(reply) for reply in replies]
    return Step(
        label=request.label,
        reasoning="",
        chosen=(),
        usage=_sum([reply.usage for reply in replies]),
        cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
        from_cache=all(reply.from_cache for reply in replies),
    )


def _sum(usages: Sequence[Usage]) -> Usage:
    """Tokens of several calls; unknown where one is unknown."""

    def total(counts: list[int | None]) -> int | None:
        return None if None in counts else sum(count for count in counts if count is not None)

    return Usage(
        total([usage.input_tokens for usage in usages]),
        total([usage.output_tokens for usage in usages]),
        total([usage.cached_input_tokens for usage in usages]),
        total([usage.written_input_tokens for usage in usages]),
    )
