"""Anthropic's models, through the Messages API with structured output and prompt caching."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel

from core.errors import ModelError
from core.llm.access import ModelName, ProviderAccess
from core.llm.model import Request, Usage
from core.llm.provider import (
    Ending,
    Json,
    RawReply,
    ServerModel,
    context_text,
    no_access,
    no_answer,
    not_a_model,
    status_failure,
    strict_schema,
    system_text,
    task_text,
    unreachable,
)

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
_ENDINGS = {
    "refusal": Ending.REFUSED,
    "max_tokens": Ending.CUT_OFF,
    "model_context_window_exceeded": Ending.CUT_OFF,
}


class AnthropicModel(ServerModel):
    """`anthropic:MODEL`."""

    def body(self, request: Request) -> Json:
        """The arguments of `messages.create`. A context that will be sent again is marked for the provider's cache."""
        parts: list[Json] = [
            {"type": "text", "text": text} for text in (context_text(request), task_text(request)) if text
        ]
        if request.context and request.cache_context:
            parts[0]["cache_control"] = {"type": "ephemeral"}
        body: Json = {
            "model": self._name.model,
            "max_tokens": request.max_output_tokens,
            "messages": [{"role": "user", "content": parts}],
        }
        if request.system:
            body["system"] = system_text(request)
        if request.schema:
            body["output_config"] = {"format": {"type": "json_schema", "schema": strict_schema(request.schema)}}
        return body

    def said(self, document: Json) -> RawReply:
        """The text of a `Message`."""
        message = _Message.model_validate(document)
        text = "".join(block.text for block in message.content if block.type == "text" and block.text)
        ending = _ENDINGS.get(message.stop_reason or "", Ending.FINISHED)
        return RawReply(text, ending, _usage(message.usage), message.model)

    def failure(self, error: Exception) -> ModelError:
        """See `client_failure`."""
        return client_failure(error, self._name, self._access)

    @property
    def _client_error(self) -> type[Exception]:
        from anthropic import AnthropicError  # noqa: PLC0415

        return AnthropicError

    def _open(self, access: ProviderAccess) -> AsyncAnthropic:
        from anthropic import AsyncAnthropic  # noqa: PLC0415

        key = access.key.get_secret_value() if access.key else None
        return AsyncAnthropic(api_key=key, base_url=access.address, timeout=self._timeout, max_retries=self._retries)

    async def _send(self, client: AsyncAnthropic, body: Json) -> bytes:
        raw = await client.messages.with_raw_response.create(**body)
        return await raw.read()


def client_failure(error: Exception, name: ModelName, access: ProviderAccess) -> ModelError:
    """The `ModelError` for an exception of the client `anthropic`."""
    import anthropic  # noqa: PLC0415

    match error:
        case anthropic.APIStatusError():
            return status_failure(error.status_code, error.body, name, access)
        case anthropic.APITimeoutError():
            return no_answer(name)
        case anthropic.APIConnectionError():
            return unreachable(access)
        case anthropic.APIError():
            return not_a_model(access)
    return no_access(name)


class _Block(BaseModel):
    type: str
    text: str | None = None


class _Usage(BaseModel):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class _Message(BaseModel):
    model: str
    content: list[_Block]
    stop_reason: str | None = None
    usage: _Usage | None = None


def _usage(usage: _Usage | None) -> Usage:
    """Token counts.

    The provider excludes tokens read from or written to its cache from the input; Vouch includes them.
    """
    if usage is None or usage.input_tokens is None:
        return Usage(None, usage.output_tokens if usage else None)
    read, written = usage.cache_read_input_tokens, usage.cache_creation_input_tokens
    return Usage(usage.input_tokens + (read or 0) + (written or 0), usage.output_tokens, read, written)
