"""Files and batches of both providers: a batch is answered when it is made, and done when it is asked for again."""

from __future__ import annotations

import json
import threading
import time
import uuid
from datetime import UTC, datetime, timedelta
from email.parser import BytesParser

from core.llm.demo.desk import Desk, NoReply, Served
from core.llm.demo.wires import CHAT, MESSAGES, RESPONSES, Wire
from core.llm.wire import Json

_ENDPOINTS = {"/v1/responses": RESPONSES, "/v1/chat/completions": CHAT}


class Batches:
    """Files and batches in memory."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lock = threading.Lock()
        self._files: dict[str, tuple[str, bytes]] = {}
        self._batches: dict[str, Json] = {}
        self._results: dict[str, bytes] = {}

    def add_file(self, content_type: str, body: bytes) -> Json:
        """OpenAI: an upload as `multipart/form-data`."""
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
        """Either provider's batch, done."""
        return self._batches.get(batch_id)

    def results(self, batch_id: str) -> bytes | None:
        """Anthropic: one line a request."""
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
