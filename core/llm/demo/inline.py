"""The demo server's answers without a server, for measuring code that asks very many questions."""

from __future__ import annotations

from collections.abc import Sequence

from core.llm.demo.answers import answer
from core.llm.demo.questions import DemoRequest
from core.llm.model import Form, Reply, Request, Usage
from core.llm.provider import RawReply, context_text, reply_from, strict_schema, system_text, task_text
from core.progress import Progress, silent

_CHARACTERS_A_TOKEN = 4


class InlineDemo:
    """Replaces a `ModelRunner` (it is a `core.grounding.questions.Asker`)."""

    name = "openai:demo"

    def ask_all(self, requests: Sequence[Request], *, progress: Progress = silent) -> list[Reply]:
        """The replies in the order of the requests."""
        progress(0.0, "Asking")
        return [_reply(request) for request in requests]

    def cost_of(self, reply: Reply) -> float | None:
        """The cost, which is 0."""
        return 0.0


def _reply(request: Request) -> Reply:
    schema = strict_schema(request.schema) if request.schema else None
    text = f"{context_text(request)}\n\n{task_text(request)}"
    said = answer(DemoRequest("demo", system_text(request), text, schema, request.max_output_tokens), None)
    usage = Usage(len(text) // _CHARACTERS_A_TOKEN, len(said.text) // _CHARACTERS_A_TOKEN)
    form = Form.SCHEMA if request.schema else Form.TEXT
    return reply_from(RawReply(said.text, said.ending, usage, "demo"), request, form, seconds=0.0)
