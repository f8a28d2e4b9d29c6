"""Send many requests at once, within limits and a budget; open models by name; cache replies."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import queue
import tempfile
import threading
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeVar
from uuid import uuid4

from pydantic import BaseModel, ValidationError

from core.errors import (
    KeyRefused,
    ModelError,
    ModelTimeout,
    NoCredit,
    NoKey,
    NotAModelServer,
    ServerUnreachable,
    UnknownModel,
)
from core.llm.access import ModelName, Provider, access_to, why_not
from core.llm.anthropic import AnthropicModel
from core.llm.compatible import CompatibleModel
from core.llm.costs import NO_LIMIT, Budget, BudgetGuard, Spending, paid
from core.llm.model import Form, LanguageModel, Reply, Request, Usage, sentence_numbers
from core.llm.openai import OpenAIModel
from core.llm.provider import RETRIES, TIMEOUT, ServerModel, answer_in, strict_schema
from core.llm.served import Speed, keep_speed, kept_speed, probes, speed_from
from core.progress import Progress, silent
from core.settings import Settings, load_settings

# ---- runner ----
# Send many requests to one model at once, with a cache, a limit, a budget, progress and cancellation.
#
# Callers are synchronous. The calls run in one event loop, which has its own thread and is shared by all runners, so
# that connections stay open between calls and any thread may ask (Streamlit and the benchmarks run many).

T = TypeVar("T")

AT_ONCE = 16
_TICK = 0.2  # seconds between progress reports while no reply arrives, so that a cancel is noticed

Answered = Callable[[int, Reply], None]  # takes a request's index and its reply


def _unheard(place: int, reply: Reply) -> None:
    """Ignore a reply."""


# After one of these errors the remaining requests are not sent, because they would fail in the same way.
HOPELESS = (NoKey, KeyRefused, NoCredit, UnknownModel, ServerUnreachable, NotAModelServer)


class ModelRunner:
    """Asks one model. It can be shared between threads, which then share its limit, budget and spending."""

    def __init__(
        self,
        model: LanguageModel,
        *,
        cache: ReplyCache | None,
        budget: Budget | BudgetGuard = NO_LIMIT,  # a guard may be shared with other runners
        at_once: int = AT_ONCE,
    ) -> None:
        self._model = model
        self._cache = cache
        self._guard = budget if isinstance(budget, BudgetGuard) else BudgetGuard(budget)
        self._guard.require_price(model.name)
        self._spent = Spending()
        self._places = asyncio.Semaphore(at_once)

    @property
    def name(self) -> str:
        """The model's name, such as `openai:MODEL`."""
        return self._model.name

    @property
    def spent(self) -> Spending:
        """What this runner has used since it was created."""
        return self._spent

    def cost_of(self, reply: Reply) -> float | None:
        """What a reply cost in this run, in US dollars: 0 if cached or if no server answered, None if unknown."""
        return paid(reply, self.name)

    def ask(self, request: Request, *, progress: Progress = silent) -> Reply:
        """The reply to one request. A failure is returned in its `problem`, never raised."""
        return self.ask_all([request], progress=progress)[0]

    def ask_all(
        self, requests: Sequence[Request], *, progress: Progress = silent, answered: Answered = _unheard
    ) -> list[Reply]:
        """The replies in the order of the requests. `progress` is called for each; raising from it cancels the rest.

        `answered` is called in the caller's thread with the index and reply of each request, as they arrive.
        """
        replies: dict[int, Reply] = {}
        step = f"Waiting for {self.name}"

        def tick() -> None:
            progress(len(replies) / len(requests), step)

        with closing(self.as_answered(requests, tick=tick)) as answers:
            for index, reply in answers:
                replies[index] = reply
                answered(index, reply)
                step = f"{requests[index].label or 'Answered'} ({len(replies)} of {len(requests)})"
                tick()
        return [replies[index] for index in range(len(requests))]

    def as_answered(
        self, requests: Sequence[Request], *, tick: Callable[[], None] = lambda: None
    ) -> Generator[tuple[int, Reply], None, None]:
        """The index and reply of each request, as they arrive. Closing the generator cancels the calls in flight.

        `tick` is called in the caller's thread at intervals while no reply arrives; raising from it cancels too.
        """
        answers: queue.SimpleQueue[tuple[int, Reply] | None] = queue.SimpleQueue()
        running = _start(self._answer_all(requests, answers.put))
        running.add_done_callback(lambda _: answers.put(None))
        try:
            while True:
                try:
                    answer = answers.get(timeout=_TICK)
                except queue.Empty:
                    tick()
                    continue
                if answer is None:
                    running.result()  # raises if there was a bug in the calls
                    return
                yield answer
        finally:
            running.cancel()

    def close(self) -> None:
        """Wait for calls in flight, such as cancelled ones, and close the model's connections."""
        _start(self._close()).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _close(self) -> None:
        await self._guard.settled()
        await self._model.close()

    async def _answer_all(self, requests: Sequence[Request], deliver: Callable[[tuple[int, Reply]], None]) -> None:
        hopeless: list[ModelError] = []

        async def answer(index: int, request: Request) -> None:
            deliver((index, await self._answer(request, hopeless)))

        async with asyncio.TaskGroup() as group:
            for index, request in enumerate(requests):
                group.create_task(answer(index, request))

    async def _answer(self, request: Request, hopeless: list[ModelError]) -> Reply:
        """A reply from the cache or the model.

        If `hopeless` holds an error, nothing is sent and that error returned.
        """
        try:
            fitted, left_out = await self._model.fitted(request)
        except ModelError as error:
            return self._unsent(error)
        reply = await self._fitted_answer(fitted, hopeless)
        if not left_out:
            return reply
        unsent = sentence_numbers(request.context) - sentence_numbers(fitted.context)
        return replace(reply, left_out=left_out, unsent=unsent)

    async def _fitted_answer(self, request: Request, hopeless: list[ModelError]) -> Reply:
        kept = self._cache.load(self._model, request) if self._cache else None
        if kept is not None:
            self._count(kept)
            return kept
        async with self._places:
            if hopeless:
                return self._unsent(hopeless[0])
            try:
                held = await self._guard.hold(request, self.name, calls=self._model.most_calls(request))
            except ModelError as error:
                return self._unsent(error)
            reply = _failed(ModelTimeout("The call was given up before its answer came."))  # for a cancel
            try:
                reply = await self._model.complete(request)
            except ModelError as error:
                if isinstance(error, HOPELESS):
                    hopeless.append(error)
                reply = _failed(error)
            finally:
                self._count(reply)
                await self._guard.settle(held, reply)
        if self._cache:
            self._cache.store(self._model, request, reply)
        return reply

    def _unsent(self, error: ModelError) -> Reply:
        reply = _failed(error)
        self._count(reply)
        return reply

    def _count(self, reply: Reply) -> None:
        self._spent = self._spent.plus(reply, self.name)


def _failed(error: ModelError) -> Reply:
    return Reply("", None, error, Usage(None, None), 0.0, "", Form.TEXT)


_making = threading.Lock()


def _start(work: Coroutine[Any, Any, T]) -> Future[T]:
    with _making:  # so that two threads that start at the same time do not create two loops
        loop = _loop()
    return asyncio.run_coroutine_threadsafe(work, loop)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """The event loop of all calls, which runs in its own thread until the process ends."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="language models", daemon=True).start()
    return loop


# ---- opening ----
# Open a model, or a runner for it, by name.

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
    """The model called `name`. Nothing is sent yet. Without `sends`, no key is needed.

    Raises `ModelError` if the key or the address is missing or invalid.
    """
    access = access_to(name.provider, key=key, environment=environment, sends=sends)
    return _MODELS[name.provider](name, access, timeout=timeout, retries=retries)


def measured_speed(name: ModelName, *, key: str | None = None) -> Speed:
    """Measure how fast a model's server answers, with two short questions. The speed is saved, the replies are not.

    Raises `ModelError` if a question gets no answer.
    """
    with ModelRunner(open_model(name, key=key), cache=None) as runner:
        replies = [runner.ask(request) for request in probes(uuid4().hex)]
    for reply in replies:
        if not reply.model and reply.problem is not None:  # a reply that was cut off counts as an answer
            raise reply.problem
    speed = speed_from(*replies)
    keep_speed(speed, load_settings().speeds, access_to(name.provider, key=key), name.model)
    return speed


def known_speed(name: ModelName | None, *, key: str | None = None) -> Speed | None:
    """The last measured speed of a compatible server; None if it was never measured. Nothing is sent."""
    if name is None or name.provider is not Provider.COMPATIBLE or why_not(name.provider, key=key) is not None:
        return None
    return kept_speed(load_settings().speeds, access_to(name.provider, key=key), name.model)


def open_runner(
    name: ModelName,
    *,
    key: str | None = None,
    budget: Budget | BudgetGuard = NO_LIMIT,
    at_once: int = AT_ONCE,
    seed: int = 0,
    settings: Settings | None = None,
) -> ModelRunner:
    """A runner for the model called `name`, with the cache of replies that all of Vouch shares.

    `key` was typed in for this session; it is kept in memory only. Each `seed` has its own cached replies, so that a
    question can be asked again to see how stable the answers are. Raises `ModelError` as `open_model` does, and
    `QueryError` if the budget is in money but the model's price is unknown.
    """
    model = open_model(name, key=key)
    threading.Thread(target=model.prepare, name="client library").start()  # while the paper is read
    replies = (settings or load_settings()).replies
    cache = ReplyCache(replies / f"seed-{seed}" if seed else replies)
    return ModelRunner(model, cache=cache, budget=budget, at_once=at_once)


# ---- cache ----
# Replies on disk, by the full request, so that no question is paid for twice.
#
# Each reply is a small file. It is written atomically as soon as the reply arrives, so that any number of processes can
# share the folder, and a process that is killed loses only its calls in flight. The file holds the reply, but neither
# the request nor a key. Only usable replies are cached: after a refusal, or a cut-off or unreadable reply, the question
# is asked again.

_VERSION = 1  # increase it when the text sent for the same request changes


class ReplyCache:
    """A folder of replies. It can be deleted at any time; the replies must then be paid for again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, model: LanguageModel, request: Request) -> Reply | None:
        """The reply to exactly this request; None if there is none or its file is damaged."""
        try:
            stored = _Stored.model_validate_json(self.path(model, request).read_bytes())
        except (OSError, ValidationError):
            return None
        data, problem = answer_in(stored.text, request.schema, stored.form)
        if problem is not None:
            return None
        usage = Usage(**stored.usage)
        return Reply(stored.text, data, None, usage, stored.seconds, stored.model, stored.form, from_cache=True)

    def store(self, model: LanguageModel, request: Request, reply: Reply) -> None:
        """Cache a usable reply. Errors of the disk are ignored, because the caller still has the reply."""
        if reply.problem is not None or reply.from_cache:
            return
        stored = _Stored(
            form=reply.form, text=reply.text, model=reply.model, usage=asdict(reply.usage), seconds=reply.seconds
        )
        path = self.path(model, request)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
            try:
                with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
                    file.write(stored.model_dump_json())
                Path(temporary).replace(path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise

    def path(self, model: LanguageModel, request: Request) -> Path:
        """The file of the reply to a request."""
        key = request_key(model, request)
        return self._folder / key[:2] / f"{key}.json"


def request_key(model: LanguageModel, request: Request) -> str:
    """A hash of everything that affects the answer: provider, model, address, every text, the schema and the limit.

    It covers both the schema and the plain form, so that the key does not depend on which of them the server takes.
    """
    schema = [request.schema.__name__, strict_schema(request.schema)] if request.schema else None
    texts = [request.system, request.context, request.task, request.plain]
    parts = [_VERSION, model.name, model.address, texts, schema, request.max_output_tokens]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class _Stored(BaseModel):
    form: Form
    text: str
    model: str
    usage: dict[str, int | None]
    seconds: float
