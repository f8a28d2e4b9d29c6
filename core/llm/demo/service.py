"""The demo server's state in memory: counts of calls, faults, batches and files."""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.parser import BytesParser

from core.llm.demo.answers import answer
from core.llm.demo.questions import DemoRequest, Fault, FaultOrder, order_in_model
from core.llm.demo.wires import CHAT, MESSAGES, RESPONSES, BadRequest, Wire
from core.llm.model import Usage
from core.llm.provider import Json

# ---- desk ----
# The demo server behind its HTTP: it answers calls, simulates faults, counts, and remembers what it has seen.

RETRY_AFTER = 0.2  # seconds
_MODELS = ("demo", "demo-429x2", "demo-wrongx1", "demo-many")  # in the list of models; any other name works too


@dataclass(frozen=True, slots=True)
class Served:
    """An HTTP response."""

    status: int
    body: Json
    headers: dict[str, str] = field(default_factory=dict)


class NoReply(Exception):
    """The fault concerns the connection itself, so the HTTP server must simulate it."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


class DemoService:
    """Everything the server keeps in memory. Used by many threads at once."""

    def __init__(self, order: FaultOrder | None = None, context: int | None = None) -> None:
        self._order = order
        self.context = context
        self._lock = threading.Lock()
        self._calls: Counter[str] = Counter()  # by model
        self._faults: Counter[tuple[str, Fault]] = Counter()
        self._seen: set[str] = set()  # beginnings that the provider's cache would hold
        self._at_once = self._most_at_once = self._answered = 0

    def statistics(self) -> Json:
        """Counts since the start: calls, answered calls, the most calls at once, and calls by model."""
        with self._lock:
            counts = {"calls": self._calls.total(), "answered": self._answered, "most_at_once": self._most_at_once}
            return counts | {"models": dict(self._calls)}

    def models(self) -> list[str]:
        """Names for the list of models."""
        return list(_MODELS)

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Count how many calls are served at the same time."""
        with self._lock:
            self._at_once += 1
            self._most_at_once = max(self._most_at_once, self._at_once)
        try:
            yield
        finally:
            with self._lock:
                self._at_once -= 1

    def serve(self, wire: Wire, body: Json, key: str, order: FaultOrder | None = None) -> Served:
        """Serve a call, with the faults set for the call, by the model's name and for the server.

        Raises `NoReply` if a fault leaves no reply.
        """
        model = str(body.get("model", ""))
        with self._lock:
            self._calls[model] += 1
        faults = [self._due(model, each) for each in (order, order_in_model(model), self._order)]
        if not key:
            return Served(401, wire.error(401, "invalid_api_key", "No key was sent."))
        for fault in faults:
            refused = _refused(fault, body, wire, key)
            if refused is not None:
                return refused
        try:
            asked = wire.asked(body)
        except BadRequest as error:
            return Served(400, wire.error(400, "invalid_request_error", str(error)))
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            return Served(400, wire.error(400, "invalid_request_error", f"malformed request: {error!r}"))
        size = (len(asked.system) + len(asked.text)) // 4
        if self.context is not None and size + asked.max_tokens > self.context:
            words = f"{size} tokens and {asked.max_tokens} for the answer are more than the context of {self.context}."
            return Served(400, wire.error(400, "context_length_exceeded", words))
        said = answer(asked, next(filter(None, faults), None))
        with self._lock:
            self._answered += 1
        usage = None if Fault.NO_USAGE in faults else self._usage(asked, said.text)
        return Served(200, wire.reply(asked, said, usage))

    def _due(self, model: str, order: FaultOrder | None) -> Fault | None:
        """The fault of this call, if its order is not used up."""
        if order is None:
            return None
        with self._lock:
            self._faults[model, order.fault] += 1
            used_up = order.first is not None and self._faults[model, order.fault] > order.first
        return None if used_up else order.fault

    def _usage(self, asked: DemoRequest, text: str) -> Usage:
        """Token counts, at four characters each. The beginning is written to the cache once, then read from it."""
        size = (len(asked.system) + len(asked.text) + len(str(asked.schema or ""))) // 4 + 1
        beginning = f"{asked.model}\0{asked.cacheable}"
        with self._lock:
            seen = beginning in self._seen
            self._seen.add(beginning)
        kept = len(asked.cacheable) // 4
        return Usage(size, len(text) // 4 + 1, kept if seen else 0, 0 if seen else kept)


def _refused(fault: Fault | None, body: Json, wire: Wire, key: str) -> Served | None:
    """The error response to a call that a fault refuses; None if the call is to be answered."""

    def error(status: int, code: str, message: str, **headers: str) -> Served:
        return Served(status, wire.error(status, code, message), {k.replace("_", "-"): v for k, v in headers.items()})

    match fault:
        case Fault.BAD_REQUEST:
            return error(400, "invalid_request_error", f"The request sent with the key {key} is too long.")
        case Fault.BAD_KEY:
            return error(401, "invalid_api_key", f"Incorrect API key provided: {key[:8]}***{key[-6:]}.")
        case Fault.NO_MONEY:
            return error(402, "billing_error", "Your credit balance is too low.")
        case Fault.FORBIDDEN:
            return error(403, "permission_error", "Your key may not use this model.")
        case Fault.NO_MODEL:
            return error(404, "model_not_found", f"The model {body.get('model')} does not exist.")
        case Fault.TOO_MANY_REQUESTS:
            return error(429, "rate_limit_exceeded", "Too many requests.", retry_after=str(RETRY_AFTER))
        case Fault.NO_QUOTA:
            return error(429, "insufficient_quota", "You exceeded your current quota.", x_should_retry="false")
        case Fault.SERVER_ERROR:
            return error(500, "server_error", "The server had an error.")
        case Fault.OVERLOADED:
            return error(529, "overloaded_error", "Overloaded.")
        case Fault.NO_SCHEMAS if "response_format" in body or "text" in body or "output_config" in body:
            return error(400, "invalid_request_error", "This server takes no schema.")
        case Fault.NEW_LIMIT if "max_tokens" in body:
            return error(400, "unsupported_parameter", "Use 'max_completion_tokens' instead of 'max_tokens'.")
        case Fault.HANG | Fault.DROP | Fault.WEB_PAGE | Fault.OTHER_JSON:
            raise NoReply(fault)
    return None


# ---- batches ----
# Files and batches of both providers. A batch is answered when it is created, and reported as done when it is next
# retrieved.

_ENDPOINTS = {"/v1/responses": RESPONSES, "/v1/chat/completions": CHAT}


class Batches:
    """Files and batches in memory."""

    def __init__(self, desk: DemoService) -> None:
        self._desk = desk
        self._lock = threading.Lock()
        self._files: dict[str, tuple[str, bytes]] = {}
        self._batches: dict[str, Json] = {}
        self._results: dict[str, bytes] = {}

    def add_file(self, content_type: str, body: bytes) -> Json:
        """OpenAI: store an upload sent as `multipart/form-data`."""
        message = BytesParser().parsebytes(f"Content-Type: {content_type}\r\n\r\n".encode() + body)
        parts = message.get_payload()
        for part in parts if isinstance(parts, list) else []:
            name, payload = part.get_filename(), part.get_payload(decode=True)  # type: ignore[union-attr]
            if name and isinstance(payload, bytes):
                return self._keep(name, payload)
        return {}

    def file(self, file_id: str) -> bytes | None:
        """A file's content."""
        kept = self._files.get(file_id)
        return kept[1] if kept else None

    def add_batch(self, body: Json, key: str) -> Json | None:
        """OpenAI: answer every line of a file; None if the file or the endpoint is unknown."""
        lines = self.file(body["input_file_id"])
        wire = _ENDPOINTS.get(body["endpoint"])
        if lines is None or wire is None:
            return None
        done: list[str] = []
        failed: list[str] = []
        for line in lines.splitlines():
            asked = json.loads(line)
            served = self._served(wire, asked["body"], key)
            result = {"id": _id("batch_req"), "custom_id": asked["custom_id"], "error": None}
            result["response"] = {"status_code": served.status, "request_id": _id("req"), "body": served.body}
            (done if served.status == 200 else failed).append(json.dumps(result))
        batch = {
            "id": _id("batch"),
            "object": "batch",
            "endpoint": body["endpoint"],
            "completion_window": body["completion_window"],
            "input_file_id": body["input_file_id"],
            "created_at": int(time.time()),
            "status": "completed",
            "output_file_id": self._keep("output.jsonl", "\n".join(done).encode())["id"] if done else None,
            "error_file_id": self._keep("errors.jsonl", "\n".join(failed).encode())["id"] if failed else None,
            "request_counts": {"total": len(done) + len(failed), "completed": len(done), "failed": len(failed)},
        }
        with self._lock:
            self._batches[batch["id"]] = batch
        return batch | {"status": "in_progress", "output_file_id": None, "error_file_id": None}

    def add_message_batch(self, body: Json, key: str, address: str) -> Json:
        """Anthropic: answer every request of a batch."""
        results, counts = [], {"processing": 0, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0}
        for asked in body["requests"]:
            served = self._served(MESSAGES, asked["params"], key)
            result: Json = {"type": "succeeded", "message": served.body}
            if served.status != 200:
                result = {"type": "errored", "error": served.body}
            counts[result["type"]] += 1
            results.append(json.dumps({"custom_id": asked["custom_id"], "result": result}))
        made, batch_id = datetime.now(UTC), _id("msgbatch")
        batch: Json = {
            "id": batch_id,
            "type": "message_batch",
            "processing_status": "ended",
            "request_counts": counts,
            "created_at": made.isoformat(),
            "ended_at": made.isoformat(),
            "expires_at": (made + timedelta(days=1)).isoformat(),
            "results_url": f"{address}/v1/messages/batches/{batch_id}/results",
        }
        with self._lock:
            self._batches[batch_id] = batch
            self._results[batch_id] = "\n".join(results).encode()
        waiting = dict.fromkeys(counts, 0) | {"processing": len(results)}
        return batch | {
            "processing_status": "in_progress",
            "request_counts": waiting,
            "ended_at": None,
            "results_url": None,
        }

    def batch(self, batch_id: str) -> Json | None:
        """A batch of either provider, which is done."""
        return self._batches.get(batch_id)

    def results(self, batch_id: str) -> bytes | None:
        """Anthropic: the results, with one line per request."""
        return self._results.get(batch_id)

    def _served(self, wire: Wire, body: Json, key: str) -> Served:
        try:
            return self._desk.serve(wire, body, key)
        except NoReply as gone:
            return Served(500, wire.error(500, "server_error", f"No reply ({gone.fault})."))

    def _keep(self, name: str, content: bytes) -> Json:
        file_id = _id("file")
        with self._lock:
            self._files[file_id] = (name, content)
        about = {"id": file_id, "object": "file", "bytes": len(content), "created_at": int(time.time())}
        return about | {"filename": name, "purpose": "batch", "status": "processed"}


def _id(kind: str) -> str:
    return f"{kind}_{uuid.uuid4().hex[:24]}"
