"""Any server with OpenAI's chat completions (vLLM, Ollama, LM Studio, Azure and others), by address.

Servers differ: some refuse a schema, and some ignore it. Small models are asked without one. What the first request
shows about a server is used for all later ones. A text that exceeds the model's context is cut.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pydantic import BaseModel

from core.errors import ModelError, RequestRefused, Unreadable
from core.llm.access import ProviderAccess
from core.llm.model import Form, Reply, Request, Usage
from core.llm.openai import client_failure, open_client
from core.llm.provider import Ending, Json, RawReply, ServerModel, context_text, strict_schema, system_text, task_text
from core.llm.served import ServedModel, fitted, served_model

if TYPE_CHECKING:
    from openai import AsyncOpenAI
_ENDINGS = {"length": Ending.CUT_OFF, "content_filter": Ending.REFUSED}


@dataclass(frozen=True, slots=True)
class _Dialect:
    """The form of requests that a server accepts."""

    schemas: bool = True
    limit: str = "max_tokens"  # OpenAI's newer models, also at Azure, require `max_completion_tokens`


class CompatibleModel(ServerModel):
    """`compatible:MODEL`."""

    _dialect = _Dialect()
    _schemas_taken = False  # whether any answer has followed its schema
    _looking: asyncio.Task[ServedModel] | None = None  # asks the server about the model, once

    async def fitted(self, request: Request) -> tuple[Request, int]:
        """See `LanguageModel`."""
        served = await self._served()
        return fitted(request, served.context) if served.context else (request, 0)

    async def _served(self) -> ServedModel:
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        return await asyncio.shield(self._looking)  # cancelling one question must not cancel it

    async def _look(self) -> ServedModel:
        served = await asyncio.to_thread(served_model, self._access, self._name.model)
        if served.is_small:
            self._dialect = replace(self._dialect, schemas=False)
        return served

    def most_calls(self, request: Request) -> int:
        """See `LanguageModel`. Until an answer has followed its schema, it may have to be asked for without one."""
        in_schema = request.plain and _form(request, self._dialect) is Form.SCHEMA
        return 2 if in_schema and not self._schemas_taken else 1

    async def complete(self, request: Request) -> Reply:
        """See `LanguageModel`.

        If the server refuses a form or ignores the schema, the request is repeated in another.
        """
        reply = await self._understood(request)
        if reply.form is not Form.SCHEMA:
            return reply
        self._schemas_taken |= reply.problem is None
        unheeded = isinstance(reply.problem, Unreadable) and not self._schemas_taken
        return await self._plainly(request, reply) if unheeded and request.plain else reply

    async def _understood(self, request: Request) -> Reply:
        """The reply in the first dialect that the server does not refuse."""
        dialect = self._dialect
        while True:
            try:
                reply = await self._ask(request, _form(request, dialect), self.body(request, dialect))
            except RequestRefused as refusal:
                other = _next(dialect, request, str(refusal))
                if other is None:
                    raise
                dialect = other
            else:
                self._dialect = dialect
                return reply

    async def _plainly(self, request: Request, unheeded: Reply) -> Reply:
        """Ask without a schema, after a first reply that ignored it. The usage and time of both calls are added up."""
        dialect = replace(self._dialect, schemas=False)
        try:
            reply = await self._ask(request, Form.PLAIN, self.body(request, dialect))
        except ModelError:
            return unheeded
        if reply.problem is None:
            self._dialect = dialect
        better = reply if reply.problem is None else unheeded
        return replace(better, usage=unheeded.usage + reply.usage, seconds=unheeded.seconds + reply.seconds)

    def body(self, request: Request, dialect: _Dialect | None = None) -> Json:
        """The arguments of `chat.completions.create`, in the dialect that the server is known to accept."""
        dialect = dialect or self._dialect
        plain = _form(request, dialect) is Form.PLAIN
        user = "\n\n".join(text for text in (context_text(request), task_text(request, plain=plain)) if text)
        body: Json = {
            "model": self._name.model,
            "messages": [{"role": "user", "content": user}],
            dialect.limit: request.max_output_tokens,
        }
        if request.system:
            body["messages"].insert(0, {"role": "system", "content": system_text(request)})
        if request.schema and not plain:
            schema = {"name": request.schema.__name__, "schema": strict_schema(request.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    def said(self, document: Json) -> RawReply:
        """The text of a `ChatCompletion`."""
        completion = _Completion.model_validate(document)
        choice = completion.choices[0] if completion.choices else _Choice(message=_Message())
        refusal = choice.message.refusal
        ending = Ending.REFUSED if refusal else _ENDINGS.get(choice.finish_reason or "", Ending.FINISHED)
        return RawReply(choice.message.content or refusal or "", ending, _usage(completion.usage), completion.model)

    def failure(self, error: Exception) -> ModelError:
        """See `core.llm.openai.client_failure`."""
        return client_failure(error, self._name, self._access)

    @property
    def _client_error(self) -> type[Exception]:
        from openai import OpenAIError  # noqa: PLC0415

        return OpenAIError

    def _open(self, access: ProviderAccess) -> AsyncOpenAI:
        client = open_client(access, timeout=self._timeout, retries=self._retries)
        client.organization = client.project = (
            None  # the client takes these from the environment; they belong to an OpenAI account
        )
        return client

    async def _send(self, client: AsyncOpenAI, body: Json) -> bytes:
        raw = await client.chat.completions.with_raw_response.create(**body)
        return raw.http_response.content


def _form(request: Request, dialect: _Dialect) -> Form:
    if request.schema is None:
        return Form.TEXT
    return Form.SCHEMA if dialect.schemas or not request.plain else Form.PLAIN


def _next(dialect: _Dialect, request: Request, refusal: str) -> _Dialect | None:
    """The dialect to try after a refusal; None if there is no other."""
    if "max_completion_tokens" in refusal and dialect.limit == "max_tokens":
        return replace(dialect, limit="max_completion_tokens")
    if dialect.schemas and request.schema and request.plain:
        return replace(dialect, schemas=False)
    return None


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _PromptDetails(BaseModel):
    cached_tokens: int | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _PromptDetails | None = None


class _Completion(BaseModel):
    model: str
    choices: list[_Choice]
    usage: _Usage | None = None


def _usage(usage: _Usage | None) -> Usage:
    if usage is None:
        return Usage(None, None)
    details = usage.prompt_tokens_details
    return Usage(usage.prompt_tokens, usage.completion_tokens, details.cached_tokens if details else None)
