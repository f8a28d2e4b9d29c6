"""Questions whose answers are checked, and asked once more where they have faults.

Nothing here sends anything: a plan yields the requests of a stage and is sent the replies. So the same plan runs live,
from batch files and from the cache, with the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from core.errors import ModelError
from core.evidence.llm.answers import Choice, Pick, Selection
from core.evidence.llm.checking import check
from core.evidence.llm.parts import Part
from core.evidence.llm.wording import Wording
from core.evidence.model import Match, Step
from core.llm import Reply, Request, Usage
from core.llm.model import Form

R = TypeVar("R")
Stages = Generator[tuple[Request, ...], Sequence[Reply], R]  # yields stages, is sent their replies in order
Exchange = Generator[Request, Reply, R]  # yields one request at a time
Price = Callable[[Reply], float | None]  # what a reply cost now, in US dollars; None: unknown


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a question. `picks` are right, best first; `said` is the answer as the model gave it."""

    step: Step
    picks: tuple[tuple[Pick, Match], ...] = ()
    said: Selection | Choice | None = None
    error: ModelError | None = None


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


def ask(request: Request, part: Part, wording: Wording, price: Price) -> Exchange[Answered]:
    """Ask for sentences of a part of the paper, and once more if the answer has faults.

    The second answer counts, whatever it leaves wrong; if it cannot be used, what was right in the first.
    """
    k = wording.query.k
    reply = yield request
    said = _answer(reply)
    if said is None:
        step = replace(_step(request, [reply], price), error=str(reply.problem), text=reply.text or None)
        return Answered(step, error=reply.problem)
    checked = check(said.decision, part.shown, k, quoted=reply.form is Form.SCHEMA)
    at_once = {pick.number for pick in checked.right}
    faults, replies = checked.faults, [reply]
    if faults:
        replies.append((yield wording.once_more(request, [pick.number for pick in said.decision], faults)))
        second = _answer(replies[-1])
        if second is None:
            faults = (*faults, f"Asked again, it gave no answer: {replies[-1].problem}")
        else:
            quoted = replies[-1].form is Form.SCHEMA
            said, checked = second, check(second.decision, part.shown, k, quoted=quoted)
    picks = tuple((pick, Match.EXACT if pick.number in at_once else Match.REPAIRED) for pick in checked.right)
    step = replace(
        _step(request, replies, price),
        reasoning=said.reason,
        chosen=tuple(pick.number for pick, _ in picks),
        faults=faults,
        not_in_paper=checked.not_in_paper,
    )
    return Answered(step, picks, said)


def _answer(reply: Reply) -> Selection | Choice | None:
    return reply.data if isinstance(reply.data, Selection | Choice) else None


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
