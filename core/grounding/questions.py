"""Ask a model questions, check its answers against the paper, and repeat a question once if its answer has faults."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from threading import Lock
from typing import Generic, Protocol, TypeVar

from core.errors import ModelError
from core.grounding.model import Match, ModelRun, NoAnswer, Step, Verdict
from core.llm import ModelName, ModelRunner, Reply, Request, Usage, strategy_among
from core.progress import Progress, silent
from core.prompts import Prompt

# ---- asking ----
# All tasks use this: ask a question, check the answer against the paper, and ask once more if it has faults.
#
# A plan sends nothing itself: it yields the requests of a stage and receives the replies. So the same plan runs live,
# from batch files and from the cache, with the same result. `run_plan` runs a plan with a model.

R = TypeVar("R")
S = TypeVar("S", bound=StrEnum)
Prompts = tuple[tuple[str, str], ...]  # (name, hash) of every template that was used
Stages = Generator[tuple[Request, ...], Sequence[Reply], R]  # yields the requests of a stage, receives replies in order
Exchange = Generator[Request, Reply, R]  # yields one request at a time
Price = Callable[[Reply], float | None]  # what a reply cost in this run, in US dollars; None: unknown

_STAGES = 2  # stages of most plans, for progress; in a plan with more, progress repeats the last share


class Asker(Protocol):
    """Sends requests to a model: a `ModelRunner` does so live, a `BatchRunner` with files."""

    @property
    def name(self) -> str: ...

    def ask_all(self, requests: Sequence[Request], *, progress: Progress = silent) -> list[Reply]:
        """The replies in the order of the requests."""
        ...

    def cost_of(self, reply: Reply) -> float | None:
        """What a reply cost in this run, in US dollars; None if unknown."""
        ...


class VerifiedAnswer(Protocol):
    """An answer that was checked against the sentences that the model was shown."""

    @property
    def reasoning(self) -> str:
        """The model's own words."""
        ...

    @property
    def numbers(self) -> tuple[int, ...]:
        """The sentences that it names correctly, the most important first."""
        ...

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with it, one sentence each, quoting neither paper nor model."""
        ...

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        """The numbers and quotations that match no sentence."""
        ...


H = TypeVar("H", bound=VerifiedAnswer)


@dataclass(frozen=True, slots=True)
class QuestionResult(Generic[H]):
    """The outcome of a question. `answer` is the final one; without one it is None, and `error` says why."""

    step: Step
    answer: H | None = None
    at_once: frozenset[int] = frozenset()  # the sentences that the first answer named correctly
    error: ModelError | None = None

    def match(self, number: int) -> Match:
        """How certain it is that the model meant a sentence that it names correctly."""
        return Match.EXACT if number in self.at_once else Match.REPAIRED


def ask(
    request: Request, hold: Callable[[Reply], H | None], once_more: Callable[[H], Request], price: Price
) -> Exchange[QuestionResult[H]]:
    """Ask, and ask once more if the answer has faults.

    `hold` checks a reply, and returns None if it cannot be used. The second answer is final, even if it still has
    faults; if it cannot be used, the correct part of the first answer is.
    """
    reply = yield request
    answer = hold(reply)
    if answer is None:
        step = replace(_step(request, [reply], price), error=str(reply.problem), text=reply.text or None)
        return QuestionResult(step, error=reply.problem)
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
    return QuestionResult(step, answer, at_once)


def repeated_request(again: Prompt, request: Request, faults: Iterable[str], **values: object) -> Request:
    """The same request, with the faults of the first answer added. `values` fill the template's other fields."""
    listed = "\n".join(f"- {fault}" for fault in faults)
    return replace(request, task=again.fill("task", task=request.task, faults=listed, **values))


def run_together(exchanges: Iterable[Exchange[R]]) -> Stages[list[R]]:
    """Run many exchanges at once: a stage holds the next request of each.

    The results keep the order of the exchanges.
    """
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


def run_plan(stages: Stages[R], asker: Asker, progress: Progress) -> R:
    """Run a plan with a model, stage by stage, and return its result."""
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


class ModelEngine(Generic[S]):
    """An engine that asks a language model. It can be shared between threads, as its runner can.

    To retry after a failure, repeat the call: the steps that succeeded come from the cache and cost nothing.
    """

    strategies: type[S]  # how a model can be asked; the first is the default
    task = ""  # for error messages, such as "for summaries"

    def __init__(self, model: ModelName, runner: Asker) -> None:
        """Raises `EngineError` if the name asks for an unknown strategy."""
        self.strategy = self.strategy_of(model)
        self.runner = runner
        self.name = f"{runner.name}@{self.strategy}"

    @classmethod
    def strategy_of(cls, model: ModelName) -> S:
        """The strategy in an engine's name, or the default. Raises `EngineError` if the strategy is unknown."""
        return strategy_among(cls.strategies, model, cls.task)

    def run_of(
        self, prompts: Prompts, steps: Sequence[Step], *, verdict: Verdict | None = None, error: ModelError | None
    ) -> ModelRun:
        """The run that consists of these steps. With an `error`, raises `NoAnswer`, which holds the run."""
        run = ModelRun(self.runner.name, self.strategy, prompts, tuple(steps), verdict)
        if error is not None:
            raise NoAnswer(error, run) from error
        return run


def _step(request: Request, replies: Sequence[Reply], price: Price) -> Step:
    costs = [price(reply) for reply in replies]
    return Step(
        label=request.label,
        reasoning="",
        chosen=(),
        usage=_sum([reply.usage for reply in replies]),
        cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
        from_cache=all(reply.from_cache for reply in replies),
        left_out=replies[0].left_out,
    )


def _sum(usages: Sequence[Usage]) -> Usage:
    """The tokens of several calls; a count is unknown if it is unknown for one call."""

    def total(counts: list[int | None]) -> int | None:
        return None if None in counts else sum(count for count in counts if count is not None)

    return Usage(
        total([usage.input_tokens for usage in usages]),
        total([usage.output_tokens for usage in usages]),
        total([usage.cached_input_tokens for usage in usages]),
        total([usage.written_input_tokens for usage in usages]),
    )


# ---- live ----
# Progress of a run: which questions are answered, waiting, asked again, or failed.


class QuestionState(StrEnum):
    """The state of a question."""

    WAITING = "waiting"
    ANSWERED = "answered"
    AGAIN = "asked again"  # its first answer had faults
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class QuestionProgress:
    """A question of a run, with its state."""

    label: str
    standing: QuestionState = QuestionState.WAITING
    from_cache: bool = False


class ReportingRunner:
    """Passes requests to its runner, and reports the state of every question after each change.

    `to_come` holds the labels of questions that depend on the first answers. It can be shared between threads.
    """

    def __init__(
        self, runner: ModelRunner, tell: Callable[[Sequence[QuestionProgress]], None], *, to_come: Iterable[str] = ()
    ) -> None:
        self._runner = runner
        self._tell = tell
        self._to_come = [QuestionProgress(label) for label in to_come]
        self._lock = Lock()
        self._rows: dict[tuple[str, str], QuestionProgress] = {}  # by (label, context): a repetition has the same
        self._tasks: dict[tuple[str, str], str] = {}  # the first task; a repetition's task begins with it

    @property
    def name(self) -> str:
        """The model's name."""
        return self._runner.name

    def ask_all(self, requests: Sequence[Request], *, progress: Progress = silent) -> list[Reply]:
        """See `ModelRunner.ask_all`."""
        keys = [(request.label, request.context) for request in requests]
        asked = list(zip(requests, keys, strict=True))
        with self._lock:
            if any(not request.task.startswith(self._tasks.get(key, "")) for request, key in asked):
                self._rows, self._tasks = {}, {}  # another hypothesis starts a new run
            for request, key in asked:
                known = key in self._rows
                self._tasks.setdefault(key, request.task)
                self._rows[key] = QuestionProgress(
                    request.label, QuestionState.AGAIN if known else QuestionState.WAITING
                )

        def note(place: int, reply: Reply) -> None:
            with self._lock:
                row = self._rows[keys[place]]
                # If the repetition fails, the correct part of the first answer still counts.
                failed = reply.problem is not None and row.standing is QuestionState.WAITING
                standing = QuestionState.FAILED if failed else QuestionState.ANSWERED
                self._rows[keys[place]] = QuestionProgress(row.label, standing, from_cache=reply.from_cache)
            self._report()

        self._report()
        return self._runner.ask_all(requests, progress=progress, answered=note)

    def cost_of(self, reply: Reply) -> float | None:
        """See `ModelRunner.cost_of`."""
        return self._runner.cost_of(reply)

    def _report(self) -> None:
        with self._lock:
            rows = list(self._rows.values())
        begun = {row.label for row in rows}
        self._tell([*rows, *(row for row in self._to_come if row.label not in begun)])
