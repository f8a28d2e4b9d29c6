"""OpenAI's models, through the Responses API with a strict JSON schema."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from core.errors import CutOff, ModelError, Refused
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
    from openai import AsyncOpenAI


class OpenAIModel(ServerModel):
    """`openai:MODEL`."""

    def body(self, request: Request) -> Json:
        """The arguments of `responses.create`. The provider stores nothing for later calls (`store`)."""
        parts = [text for text in (context_text(request), task_text(request)) if text]
        body: Json = {
            "model": self._name.model,
            "input": [{"role": "user", "content": [{"type": "input_text", "text": text} for text in parts]}],
            "max_output_tokens": request.max_output_tokens,
            "store": False,
        }
        if request.system:
            body["instructions"] = system_text(request)
        if request.schema:
            body["text"] = {
                "format": {
                    "type": "json_schema",
                    "name": request.schema.__name__,
                    "schema": strict_schema(request.schema),
                    "strict": True,
                }
            }
        if request.cache_context:  # sends requests with the same beginning to the same machine
            beginning = system_text(request) + context_text(request)
            body["prompt_cache_key"] = hashlib.sha256(beginning.encode()).hexdigest()[:32]
        return body

    def said(self, document: Json) -> RawReply:
        """The text of a `Response`."""
        response = _Response.model_validate(document)
        parts = [part for item in response.output if item.type == "message" for part in item.content or ()]
        refusals = [part.refusal for part in parts if part.type == "refusal" and part.refusal]
        text = "".join(part.text for part in parts if part.type == "output_text" and part.text)
        reason = response.incomplete_details.reason if response.incomplete_details else None
        ending = Ending.FINISHED
        if refusals or reason == "content_filter":
            ending = Ending.REFUSED
        elif response.status == "incomplete":
            ending = Ending.CUT_OFF
        return RawReply(text or "\n".join(refusals), ending, _usage(response.usage), response.model)

    def failure(self, error: Exception) -> ModelError:
        """See `client_failure`."""
        return client_failure(error, self._name, self._access)

    @property
    def _client_error(self) -> type[Exception]:
        from openai import OpenAIError  # noqa: PLC0415

        return OpenAIError

    def _open(self, access: ProviderAccess) -> AsyncOpenAI:
        return open_client(access, timeout=self._timeout, retries=self._retries)

    async def _send(self, client: AsyncOpenAI, body: Json) -> bytes:
        raw = await client.responses.with_raw_response.create(**body)
        return raw.http_response.content


def open_client(access: ProviderAccess, *, timeout: float, retries: int) -> AsyncOpenAI:
    """A client. It requires a key, so a server that needs none is sent a placeholder."""
    from openai import AsyncOpenAI  # noqa: PLC0415

    key = access.key.get_secret_value() if access.key else "none"
    return AsyncOpenAI(api_key=key, base_url=access.address, timeout=timeout, max_retries=retries)


def client_failure(error: Exception, name: ModelName, access: ProviderAccess) -> ModelError:
    """The `ModelError` for an exception of the client `openai`."""
    import openai  # noqa: PLC0415

    match error:
        case openai.APIStatusError():
            return status_failure(error.status_code, error.body, name, access)
        case openai.APITimeoutError():
            return no_answer(name)
        case openai.APIConnectionError():
            return unreachable(access)
        case openai.ContentFilterFinishReasonError():
            return Refused("The provider's filter stopped the model's reply. Try another model.")
        case openai.LengthFinishReasonError():
            return CutOff("The model's reply was cut off. Allow more output tokens.")
        case openai.APIError():
            return not_a_model(access)
    return no_access(name)


class _Part(BaseModel):
    type: str
    text: str | None = None
    refusal: str | None = None


class _Item(BaseModel):
    type: str
    content: list[_Part] | None = None


class _Incomplete(BaseModel):
    reason: str | None = None


class _InputDetails(BaseModel):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None


class _Usage(BaseModel):
    input_tokens: int | None = None
    output_tokens: int | None = None
    input_tokens_details: _InputDetails | None = None


class _Response(BaseModel):
    model: str
    status: str | None = None
    incomplete_details: _Incomplete | None = None
    output: list[_Item]
    usage: _Usage | None = None


def _usage(usage: _Usage | None) -> Usage:
    if usage is None:
        return Usage(None, None)
    details: Any = usage.input_tokens_details or _InputDetails()
    return Usage(usage.input_tokens, usage.output_tokens, details.cached_tokens, details.cache_write_tokens)
