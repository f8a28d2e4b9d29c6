"""Answers a plan from the results of batches, and notes which requests are still to be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.llm.batch.lines import ResultLine, reply_of
from core.llm.cache import request_key
from core.llm.model import Reply, Request
from core.llm.prices import cost
from core.llm.server_model import ServerModel
from core.progress import Progress, silent


class Waiting(Exception):
    """A plan cannot go on before the requests in `BatchRunner.pending` are answered."""


class BatchRunner:
    """Stands where a `ModelRunner` stands, and sends nothing."""

    def __init__(self, model: ServerModel, results: Mapping[str, ResultLine]) -> None:
        """`results`: by the requests' keys."""
        self.model = model
        self.pending: dict[str, Request] = {}  # by key, in the order in which they were asked for
        self._results = results

    @property
    def name(self) -> str:
        """The model's, such as `openai:MODEL`."""
        return self.model.name

    def ask_all(self, requests: Sequence[Request], *, progress: Progress = silent) -> list[Reply]:
        """The replies in the order of the requests. Raises `Waiting` if one has no result yet."""
        replies: list[Reply] = []
        for request in requests:
            key = request_key(self.model, request)
            line = self._results.get(key)
            reply = reply_of(self.model, request, line) if line else None
            if reply is None:
                self.pending[key] = request
            else:
                replies.append(reply)
        if len(replies) < len(requests):
            raise Waiting
        progress(1.0, "From a batch")
        return replies

    def cost_of(self, reply: Reply) -> float | None:
        """What a reply cost at a batch's price, in US dollars; None: unknown."""
        return cost(self.name, reply.usage, batch=True) if reply.model else 0.0
