"""The providers' wire formats on the server's side: parse requests, and write replies and errors."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.llm.demo.answers import DemoAnswer
from core.llm.demo.questions import DemoRequest
from core.llm.model import Usage
from core.llm.provider import Ending, Json

_STRICT = {"type", "description", "enum", "const", "items", "anyOf", "properties", "required", "additionalProperties"}


class BadRequest(Exception):
    """The request is not in the API's format. The message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Wire:
    """The functions of one API."""

    asked: Callable[[Json], DemoRequest]
    reply: Callable[[DemoRequest, DemoAnswer, Usage | None], Json]
    error: Callable[[int, str, str], Json]  # status, type or code, message


def _responses_asked(body: Json) -> DemoRequest:
    form = body.get("text", {}).get("format")
    if form is not None and (form.get("type") != "json_schema" or not form.get("strict")):
        raise BadRequest("text.format: only strict json_schema is served here")
    texts = [part["text"] for message in body["input"] for part in message["content"] if part["type"] == "input_text"]
    system = body.get("instructions", "")
    cacheable = system + texts[0] if body.get("prompt_cache_key") else ""
    return DemoRequest(
        body["model"], system, "\n\n".join(texts), _strict(form), _limit(body["max_output_tokens"]), cacheable
    )


def _responses_reply(asked: DemoRequest, answer: DemoAnswer, usage: Usage | None) -> Json:
    refused, cut = answer.ending is Ending.REFUSED, answer.ending is Ending.CUT_OFF
    content = {"type": "refusal", "refusal": answer.text} if refused else {"type": "output_text", "text": answer.text}
    reply: Json = {
        "id": _id("resp"),
        "object": "response",
        "created_at": 0,
        "model": asked.model,
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "error": None,
        "output": [
            {"id": _id("rs"), "type": "reasoning", "summary": []},
            {
                "id": _id("msg"),
                "type": "message",
                "role": "assistant",
                "status": "incomplete" if cut else "completed",
                "content": [content | ({} if refused else {"annotations": []})],
            },
        ],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
    if usage:
        reply["usage"] = {
            "input_tokens": usage.input_tokens,
            "input_tokens_details": {"cached_tokens": usage.cached_input_tokens, "cache_write_tokens": 0},
            "output_tokens": usage.output_tokens,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": (usage.input_tokens or 0) + (usage.output_tokens or 0),
        }
    return reply


def _chat_asked(body: Json) -> DemoRequest:
    form = body.get("response_format")
    if form is not None and form.get("type") != "json_schema":
        raise BadRequest("response_format: only json_schema is served here")
    said = {role: [m["content"] for m in body["messages"] if m["role"] == role] for role in ("system", "user")}
    limit = _limit(body.get("max_completion_tokens", body.get("max_tokens")))
    schema = _strict(form["json_schema"]) if form else None
    return DemoRequest(body["model"], "\n".join(said["system"]), "\n\n".join(said["user"]), schema, limit)


def _chat_reply(asked: DemoRequest, answer: DemoAnswer, usage: Usage | None) -> Json:
    refused = answer.ending is Ending.REFUSED
    message = {"role": "assistant", "content": None if refused else answer.text}
    reply: Json = {
        "id": _id("chatcmpl"),
        "object": "chat.completion",
        "created": 0,
        "model": asked.model,
        "choices": [
            {
                "index": 0,
                "message": message | ({"refusal": answer.text} if refused else {}),
                "finish_reason": "length" if answer.ending is Ending.CUT_OFF else "stop",
                "logprobs": None,
            }
        ],
    }
    if usage:
        reply["usage"] = {
            "prompt_tokens": usage.input_tokens,
            "completion_tokens": usage.output_tokens,
            "total_tokens": (usage.input_tokens or 0) + (usage.output_tokens or 0),
        }
    return reply


def _openai_error(status: int, code: str, message: str) -> Json:
    return {"error": {"message": message, "type": code, "param": None, "code": code}}


def _messages_asked(body: Json) -> DemoRequest:
    form = body.get("output_config", {}).get("format")
    parts = [part for message in body["messages"] for part in message["content"]]
    system = body.get("system", "")
    cached = [number for number, part in enumerate(parts) if "cache_control" in part]
    cacheable = system + "".join(part["text"] for part in parts[: cached[-1] + 1]) if cached else ""
    text = "\n\n".join(part["text"] for part in parts)
    return DemoRequest(body["model"], system, text, _strict(form), _limit(body["max_tokens"]), cacheable)


def _messages_reply(asked: DemoRequest, answer: DemoAnswer, usage: Usage | None) -> Json:
    endings = {Ending.FINISHED: "end_turn", Ending.CUT_OFF: "max_tokens", Ending.REFUSED: "refusal"}
    reply: Json = {
        "id": _id("msg"),
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": [{"type": "text", "text": answer.text}] if answer.text else [],
        "stop_reason": endings[answer.ending],
        "stop_sequence": None,
    }
    if usage:
        read, written = usage.cached_input_tokens or 0, usage.written_input_tokens or 0
        reply["usage"] = {
            "input_tokens": (usage.input_tokens or 0) - read - written,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written,
            "output_tokens": usage.output_tokens,
        }
    return reply


def _anthropic_error(status: int, code: str, message: str) -> Json:
    names = {400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error"}
    names |= {404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
    kind = names.get(status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": _id("req")}


def _limit(value: Any) -> int:
    if type(value) is not int or value < 1:
        raise BadRequest("a limit of output tokens is required, as a number above 0")
    return value


def _strict(form: Json | None) -> Json | None:
    """The schema in a format. Raises `BadRequest` if the providers' strict modes would refuse it."""
    if form is None:
        return None
    _check_strict(form["schema"], "schema")
    schema: Json = form["schema"]
    return schema


def _check_strict(node: Json, place: str) -> None:
    if unknown := set(node) - _STRICT:
        raise BadRequest(f"{place}: {', '.join(sorted(unknown))} is not permitted")
    if node.get("type") == "object" and (
        node.get("additionalProperties") is not False or node.get("required") != list(node.get("properties", {}))
    ):
        raise BadRequest(f"{place}: every property must be required, and no others allowed")
    for name, inner in node.get("properties", {}).items():
        _check_strict(inner, f"{place}.{name}")
    for inner in [*node.get("anyOf", ()), *([node["items"]] if "items" in node else ())]:
        _check_strict(inner, place)


def _id(kind: str) -> str:
    return f"{kind}_{uuid.uuid4().hex[:24]}"


RESPONSES = Wire(_responses_asked, _responses_reply, _openai_error)
CHAT = Wire(_chat_asked, _chat_reply, _openai_error)
MESSAGES = Wire(_messages_asked, _messages_reply, _anthropic_error)
