"""Questions to a model whose answers are checked against the paper: asked, asked once more where they have faults, live or in batches."""

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
# Questions whose answers are held against the paper, and asked once more where they have faults: for every task.
#
# Nothing here sends anything: a plan yields the requests of a stage and is sent the replies. So the same plan runs live,
# from batch files and from the cache, with the same result. `carry_out` puts one to a model.

R = TypeVar("R")
S = TypeVar("S", bound=StrEnum)
Prompts = tuple[tuple[str, str], ...]  # (name, hash) of every template that was used
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


class VerifiedAnswer(Protocol):
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


H = TypeVar("H", bound=VerifiedAnswer)


@dataclass(frozen=True, slots=True)
class QuestionResult(Generic[H]):
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
) -> Exchange[QuestionResult[H]]:
    """Ask, and ask once more if the answer has faults.

    `hold` checks a reply; None: it cannot be used. The second answer counts, whatever it leaves wrong; if it cannot be
    used, what was right in the first.
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
    """A request once more, naming the faults of the first answer; `values` are the template's others."""
    listed = "\n".join(f"- {fault}" for fault in faults)
    return replace(request, task=again.fill("task", task=request.task, faults=listed, **values))


def run_together(exchanges: Iterable[Exchange[R]]) -> Stages[list[R]]:
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


def run_plan(stages: Stages[R], asker: Asker, progress: Progress) -> R:
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


class ModelEngine(Generic[S]):
    """An engine that puts its questions to a language model. Safe to share between threads, as its runner is.

    What failed can be tried again by the same call: the steps that went well come from the cache and cost nothing.
    """

    strategies: type[S]  # how a model can be asked; the first is the default
    task = ""  # for messages: "for summaries"

    def __init__(self, model: ModelName, runner: Asker) -> None:
        """Raises `EngineError` if the name asks for an unknown strategy."""
        self.strategy = self.strategy_of(model)
        self.runner = runner
        self.name = f"{runner.name}@{self.strategy}"

    @classmethod
    def strategy_of(cls, model: ModelName) -> S:
        """The strategy in an engine's name, or the default. Raises `EngineError` if there is none of that name."""
        return strategy_among(cls.strategies, model, cls.task)

    def run_of(
        self, prompts: Prompts, steps: Sequence[Step], *, verdict: Verdict | None = None, error: ModelError | None
    ) -> ModelRun:
        """The run that these steps make. Raises `NoAnswer`, with the run in it, if an error left no answer."""
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
    """Tokens of several calls; unknown where one is unknown."""

    def total(counts: list[int | None]) -> int | None:
        return None if None in counts else sum(count for count in counts if count is not None)

    return Usage(
        total([usage.input_tokens for usage in usages]),
        total([usage.output_tokens for usage in usages]),
        total([usage.cached_input_tokens for usage in usages]),
        total([usage.written_input_tokens for usage in usages]),
    )


# ---- live ----
# How a run stands while it runs: which questions are answered, waited for, asked again, or failed.


class QuestionState(StrEnum):
    """What has become of a question so far."""

    WAITING = "waiting"
    ANSWERED = "answered"
    AGAIN = "asked again"  # its first answer had faults
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class QuestionProgress:
    """One question of a run."""

    label: str
    standing: QuestionState = QuestionState.WAITING
    from_cache: bool = False


class ReportingRunner:
    """Asks as its runner does, and tells after every change how each question stands.

    `to_come` are the labels of questions that follow from the first answers. Safe to share between threads.
    """

    def __init__(
        self, runner: ModelRunner, tell: Callable[[Sequence[QuestionProgress]], None], *, to_come: Iterable[str] = ()
    ) -> None:
        self._runner = runner
        self._tell = tell
        self._to_come = [QuestionProgress(label) for label in to_come]
        self._lock = Lock()
        self._rows: dict[tuple[str, str], QuestionProgress] = {}  # by what a question and its repetition share
        self._tasks: dict[tuple[str, str], str] = {}  # of the question; its repetition begins with the same words

    @property
    def name(self) -> str:
        """The model's."""
        return self._runner.name

    def ask_all(self, requests: Sequence[Request], *, progress: Progress = silent) -> list[Reply]:
        """See `ModelRunner.ask_all`."""
        keys = [(request.label, request.context) for request in requests]
        asked = list(zip(requests, keys, strict=True))
        with self._lock:
            if any(not request.task.startswith(self._tasks.get(key, "")) for request, key in asked):
                self._rows, self._tasks = {}, {}  # another hypothesis: a search of its own
            for request, key in asked:
                known = key in self._rows
                self._tasks.setdefault(key, request.task)
                self._rows[key] = QuestionProgress(
                    request.label, QuestionState.AGAIN if known else QuestionState.WAITING
                )

        def note(place: int, reply: Reply) -> None:
            with self._lock:
                row = self._rows[keys[place]]
                # Asked again in vain, what was right in the first answer counts.
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
