"""Questions about an invented trial with bees, and runners that put them to a demo server."""

from __future__ import annotations

import time
from typing import Any

from core.llm import ModelName, ModelRunner, Provider, ReplySchema, Request, open_model
from core.llm.demo import DemoServer
from core.llm.runner import ReplyCache

HYPOTHESIS = "Caffeine in the sugar water keeps bees awake"
SENTENCES = (
    "Bees sleep at night.",
    "Caffeine in the water kept bees awake for 2.3 hours longer (p = 0.01).",
    "We thank the keepers of the hives.",
    "Bees without caffeine did not stay awake.",
)


class Choice(ReplySchema):
    """What the questions ask for."""

    reason: str
    decision: list[int]


def question(number: int = 0, **changes: Any) -> Request:
    """One of many questions that differ in the section's title."""
    lines = "\n".join(f"[{index}] {text}" for index, text in enumerate(SENTENCES))
    settings: dict[str, Any] = {
        "system": "You read papers.",
        "context": f"Section {number}\n{lines}",
        "task": f"Hypothesis: {HYPOTHESIS}\nChoose at most 2 sentences.",
        "schema": Choice,
        "plain": "Answer as REASON: ... DECISION: [i, j]",
        "label": f"Section {number}",
    }
    return Request(**(settings | changes))


def runner(
    server: DemoServer,
    model: str = "demo",
    *,
    provider: Provider = Provider.OPENAI,
    cache: ReplyCache | None = None,
    key: str | None = None,
    timeout: float = 10.0,
    retries: int = 1,
    **settings: Any,
) -> ModelRunner:
    """A runner for a model of the server."""
    named = open_model(
        ModelName(provider, model), key=key, environment=server.environment, timeout=timeout, retries=retries
    )
    return ModelRunner(named, cache=cache, **settings)


def all_quiet(server: DemoServer) -> None:
    """Wait until every call that came to the server is answered, and no other has come for a while."""
    until = time.monotonic() + 60
    while True:
        before = server.desk.statistics()
        time.sleep(0.3)
        now = server.desk.statistics()
        if now == before and now["calls"] == now["answered"]:
            return
        assert time.monotonic() < until, f"calls still come: {now}"
