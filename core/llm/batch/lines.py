"""The lines of batch files, as the providers document them: JSON, one request or one result a line.

OpenAI and compatible servers: `{"custom_id", "method", "url", "body"}`, answered by `{"custom_id", "response", "error"}`.
Anthropic: `{"custom_id", "params"}`, answered by `{"custom_id", "result"}`. The id is the request's key in the cache, so
a result says by itself which request it answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from pydantic import BaseModel, ValidationError

from core.errors import DatasetError, ModelError
from core.llm.cache import request_key
from core.llm.model import Form, Reply, Request, Usage
from core.llm.names import Provider
from core.llm.server_model import ServerModel
from core.llm.wire import Json

URLS = {Provider.OPENAI: "/v1/responses", Provider.COMPATIBLE: "/v1/chat/completions"}
_MISSING = "missing"  # our own word
# What became of a request that was never answered: it is asked again, in the next file.
_UNANSWERED = {"canceled", "expired", "batch_expired", "batch_cancelled", _MISSING}
_STATUSES = {  # of Anthropic's errors, by their type
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}


class _Response(BaseModel):
    status_code: int
    body: Json


class _Error(BaseModel):
    code: str | None = None
    type: str | None = None
    message: str | None = None


class _Result(BaseModel):
    type: str
    message: Json | None = None
    error: Json | None = None


class ResultLine(BaseModel):
    """A result, of either provider."""

    custom_id: str
    response: _Response | None = None
    error: _Error | None = None
    result: _Result | None = None

    @property
    def kind(self) -> str | None:
        """In the provider's words, what became of the request where it was not answered."""
        return self.result.type if self.result else self.error.code if self.error else None

    @property
    def document(self) -> Json | None:
        """The model's answer, as a live call would have brought it; None if there is none."""
        if self.result:
            return self.result.message if self.result.type == "succeeded" else None
        return self.response.body if self.response and self.response.status_code == 200 else None

    @property
    def status(self) -> int:
        """The HTTP status that a live call would have ended with."""
        if self.response:
            return self.response.status_code
        said = self.said
        inner = said.get("error") if isinstance(said, dict) else None
        return _STATUSES.get(str(inner.get("type")) if isinstance(inner, dict) else "", 500)

    @property
    def said(self) -> object:
        """What the provider says of a failure."""
        if self.response:
            return self.response.body
        return self.result.error if self.result else self.error and self.error.message


def request_line(model: ServerModel, request: Request) -> Json:
    """A request as a line of the provider's batch file."""
    key, body = request_key(model, request), model.body(request)
    url = URLS.get(model.provider)
    if url is None:
        return {"custom_id": key, "params": body}
    return {"custom_id": key, "method": "POST", "url": url, "body": body}


def as_file(lines: Iterable[Json]) -> bytes:
    """Lines as a file."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def read_results(data: bytes, *, name: str) -> Iterator[ResultLine]:
    """The results in a file. Raises `DatasetError` for a line that is none."""
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            result = ResultLine.model_validate_json(line)
        except ValidationError:
            result = None
        if result is None or (result.response is None and result.error is None and result.result is None):
            raise DatasetError(
                f"Line {number:,} of “{name}” is not the result of a batch request. Take the file as the provider gave it."
            )
        yield result


def missing_line(key: str) -> Json:
    """A result for a request that the provider's results lack."""
    return {"custom_id": key, "error": {"code": _MISSING, "message": "The provider's results lack this request."}}


def reply_of(model: ServerModel, request: Request, line: ResultLine) -> Reply | None:
    """What a result says; None if the request was never answered and must be asked again."""
    if line.kind in _UNANSWERED:
        return None
    document = line.document
    if document is None:
        return _failed(model.refusal(line.status, line.said))
    try:
        return model.reply_to(request, Form.SCHEMA if request.schema else Form.TEXT, document, seconds=0.0)
    except ModelError as error:
        return _failed(error)


def _failed(error: ModelError) -> Reply:
    return Reply("", None, error, Usage(None, None), 0.0, "", Form.TEXT)
