"""Batches: write requests to files, send them, and read the results, with the same replies as live calls."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from core.errors import DatasetError, ModelError, RequestRefused
from core.llm.access import Provider
from core.llm.costs import cost
from core.llm.model import Form, Reply, Request, Usage
from core.llm.provider import Json, ServerModel
from core.llm.runner import request_key
from core.progress import Progress, silent

# ---- lines ----
# The lines of batch files, as the providers document them: JSON, with one request or one result per line.
#
# OpenAI and compatible servers: `{"custom_id", "method", "url", "body"}`, answered by `{"custom_id", "response", "error"}`.
# Anthropic: `{"custom_id", "params"}`, answered by `{"custom_id", "result"}`. The id is the request's cache key, so a
# result identifies the request that it answers.

URLS = {Provider.OPENAI: "/v1/responses", Provider.COMPATIBLE: "/v1/chat/completions"}
_MISSING = "missing"  # Vouch's own code, not a provider's
# Codes of requests that were never answered. They are asked again, in the next file.
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
    """A result of any provider."""

    custom_id: str
    response: _Response | None = None
    error: _Error | None = None
    result: _Result | None = None

    @property
    def kind(self) -> str | None:
        """The provider's code for the outcome of the request, or for its error."""
        return self.result.type if self.result else self.error.code if self.error else None

    @property
    def document(self) -> Json | None:
        """The model's answer, as a live call would have returned it; None if there is none."""
        if self.result:
            return self.result.message if self.result.type == "succeeded" else None
        return self.response.body if self.response and self.response.status_code == 200 else None

    @property
    def status(self) -> int:
        """The HTTP status that a live call would have returned."""
        if self.response:
            return self.response.status_code
        said = self.said
        inner = said.get("error") if isinstance(said, dict) else None
        return _STATUSES.get(str(inner.get("type")) if isinstance(inner, dict) else "", 500)

    @property
    def said(self) -> object:
        """What the provider says about a failure."""
        if self.response:
            return self.response.body
        return self.result.error if self.result else self.error and self.error.message


def request_line(model: ServerModel, request: Request) -> Json:
    """A request as one line of a batch file, in the provider's format."""
    key, body = request_key(model, request), model.body(request)
    url = URLS.get(model.provider)
    if url is None:
        return {"custom_id": key, "params": body}
    return {"custom_id": key, "method": "POST", "url": url, "body": body}


def as_file(lines: Iterable[Json]) -> bytes:
    """Lines as the content of a file."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def read_results(data: bytes, *, name: str) -> Iterator[ResultLine]:
    """The results in a file. Raises `DatasetError` for a line that is not a result."""
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
    """A result as a reply; None if the request was never answered and must be asked again."""
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


# ---- folder ----
# The folder of a batch run: `stage-1.requests.jsonl`, `stage-1.results.jsonl`, and so on.

# The lower of both providers' limits per file: 50,000 requests and 200 MB (OpenAI); 100,000 and 256 MB (Anthropic).
MOST_REQUESTS = 50_000
MOST_BYTES = 190_000_000


@dataclass(frozen=True, slots=True)
class BatchFolder:
    """A folder of requests and their results. Files are written atomically and never changed."""

    path: Path

    def results(self) -> dict[str, ResultLine]:
        """Every result in the folder, by its request's key. If a request has two results, the later file wins.

        Raises `DatasetError` if a file holds anything else.
        """
        found: dict[str, ResultLine] = {}
        for file in sorted(self.path.glob("stage-*.results.jsonl"), key=_stage):
            found |= {line.custom_id: line for line in read_results(file.read_bytes(), name=file.name)}
        return found

    def take(self, data: bytes, *, name: str) -> Path:
        """Store a file of results in the folder. Raises `DatasetError` if it holds anything else."""
        for _ in read_results(data, name=name):
            pass
        return self._write("results", data)

    def write(self, model: ServerModel, requests: Iterable[Request]) -> list[Path]:
        """Write the requests of a stage, in as many files as the providers' limits require."""
        files: list[Path] = []
        lines: list[bytes] = []
        size = 0
        for request in requests:
            line = as_file([request_line(model, request)])
            if lines and (len(lines) == MOST_REQUESTS or size + len(line) > MOST_BYTES):
                files.append(self._write("requests", b"".join(lines)))
                lines, size = [], 0
            lines.append(line)
            size += len(line)
        if lines:
            files.append(self._write("requests", b"".join(lines)))
        return files

    def ask(self, model: ServerModel, pending: Mapping[str, Request]) -> tuple[Path, ...]:
        """The files that still need results: those that wait, and new ones for the requests that none of them holds."""
        waiting = self.waiting()
        known = self.requested(waiting)
        return (*waiting, *self.write(model, [request for key, request in pending.items() if key not in known]))

    def waiting(self) -> tuple[Path, ...]:
        """The files with requests that have no result yet."""
        answered = self.results().keys()
        files = sorted(self.path.glob("stage-*.requests.jsonl"), key=_stage)
        return tuple(file for file in files if not self.requested([file]) <= answered)

    def requested(self, files: Iterable[Path]) -> set[str]:
        """The keys of the requests in these files."""
        return {json.loads(line)["custom_id"] for file in files for line in file.read_bytes().splitlines()}

    def _write(self, what: str, data: bytes) -> Path:
        self.path.mkdir(parents=True, exist_ok=True)
        number = max(map(_stage, self.path.glob(f"stage-*.{what}.jsonl")), default=0) + 1
        file = self.path / f"stage-{number}.{what}.jsonl"
        temporary = file.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_bytes(data)
        temporary.replace(file)
        return file


def _stage(file: Path) -> int:
    number = file.name.removeprefix("stage-").split(".")[0]
    return int(number) if number.isdigit() else 0


# ---- jobs ----
# Submit a file of requests through the provider's client, wait, and fetch the results.
#
# The job's id is saved as soon as the provider returns it, so that an interrupted run waits for the same job again and
# nothing is paid for twice.

POLL = 30.0  # seconds between two checks; batches take minutes to hours
_OVER = {"completed", "failed", "expired", "cancelled", "ended"}


def submit(
    model: ServerModel, folder: BatchFolder, requests: Path, *, progress: Progress = silent, poll: float = POLL
) -> Path:
    """Submit a file of requests, wait for its results and store them in the folder. Returns the results' file.

    Raises `ModelError`, also if the provider refuses the whole file. Raising from `progress` stops the waiting; the job
    continues at the provider, and the next call waits for it again.
    """
    ticket = requests.with_suffix(".job.json")
    data = asyncio.run(_carried_out(model, requests, ticket, progress, poll))
    asked = folder.requested([requests])
    missing = asked - {line.custom_id for line in read_results(data, name=requests.name)}
    if missing == asked:
        raise RequestRefused(f"{model.name} answered no request of {requests.name}. Look the batch up at the provider.")
    return folder.take(data + b"\n" + as_file(map(missing_line, sorted(missing))), name=requests.name)


async def _carried_out(model: ServerModel, requests: Path, ticket: Path, progress: Progress, poll: float) -> bytes:
    try:
        if ticket.exists():
            job_id = json.loads(ticket.read_text(encoding="utf-8"))["id"]
        else:
            job_id = await model.call(lambda client: _started(model, client, requests))
            ticket.write_text(json.dumps({"id": job_id}), encoding="utf-8")
        while not _is_over(job := await model.call(lambda client: _batches(model, client).retrieve(job_id))):
            done, total = _counts(job)
            progress(done / max(1, total), f"{requests.name}: {done:,} of {total:,} answered")
            await asyncio.sleep(poll)
        try:
            return await model.call(partial(_results, model, job))
        except RequestRefused:
            ticket.unlink(missing_ok=True)  # nothing was processed or paid for: the next call submits it anew
            raise
    finally:
        await model.close()


async def _started(model: ServerModel, client: Any, requests: Path) -> str:
    url = URLS.get(model.provider)
    if url is None:
        lines = [json.loads(line) for line in requests.read_bytes().splitlines()]
        return str((await client.messages.batches.create(requests=lines)).id)
    file = await client.files.create(file=(requests.name, requests.read_bytes()), purpose="batch")
    job = await client.batches.create(input_file_id=file.id, endpoint=url, completion_window="24h")
    return str(job.id)


def _is_over(job: Any) -> bool:
    return (getattr(job, "processing_status", None) or job.status) in _OVER


def _batches(model: ServerModel, client: Any) -> Any:
    return client.batches if model.provider in URLS else client.messages.batches


def _counts(job: Any) -> tuple[int, int]:
    """How many requests are done, and how many there are."""
    counts = job.request_counts
    if hasattr(counts, "processing"):
        done = counts.succeeded + counts.errored + counts.canceled + counts.expired
        return done, done + counts.processing
    return (counts.completed + counts.failed, counts.total) if counts else (0, 0)


async def _results(model: ServerModel, job: Any, client: Any) -> bytes:
    if model.provider not in URLS:
        decoder = await client.messages.batches.results(job.id)
        return as_file([line.model_dump(mode="json") async for line in decoder])
    files = [file for file in (job.output_file_id, job.error_file_id) if file]
    if not files:
        said = "; ".join(error.message or "" for error in (job.errors.data or [])) if job.errors else job.status
        raise RequestRefused(f"{model.name} did not carry out the batch: {said}. Correct the file and submit it again.")
    return b"\n".join([(await client.files.content(file)).content for file in files])


# ---- runner ----
# Runs a plan with the results of batches, and collects the requests that have none.


class Waiting(Exception):
    """Raised when a plan cannot continue before the requests in `BatchRunner.pending` are answered."""


class BatchRunner:
    """Replaces a `ModelRunner`: it collects requests and sends none."""

    def __init__(self, model: ServerModel, results: Mapping[str, ResultLine]) -> None:
        """`results` maps the requests' keys to their results."""
        self.model = model
        self.pending: dict[str, Request] = {}  # by key, in the order in which they were asked
        self._results = results

    @property
    def name(self) -> str:
        """The model's name, such as `openai:MODEL`."""
        return self.model.name

    def ask_all(self, requests: Sequence[Request], *, progress: Progress = silent) -> list[Reply]:
        """The replies in the order of the requests. Raises `Waiting` if any request has no result yet."""
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
        """What a reply cost at the batch price, in US dollars; None if unknown."""
        return cost(self.name, reply.usage, batch=True) if reply.model else 0.0
