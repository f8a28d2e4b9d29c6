"""Hand a file of requests to the provider, wait, and fetch the results, through the provider's client.

The job's id is written down as soon as the provider has given it, so that a run that is broken off goes on waiting for
the same job and pays for nothing twice.
"""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

from core.errors import RequestRefused
from core.llm.batch.folder import BatchFolder
from core.llm.batch.lines import URLS, as_file, missing_line, read_results
from core.llm.server_model import ServerModel
from core.progress import Progress, silent

POLL = 30.0  # seconds between two looks; batches take minutes to hours
_OVER = {"completed", "failed", "expired", "cancelled", "ended"}


def submit(
    model: ServerModel, folder: BatchFolder, requests: Path, *, progress: Progress = silent, poll: float = POLL
) -> Path:
    """Send a file of requests, wait for its results and keep them in the folder. Returns their file.

    Raises `ModelError`, also where the provider refuses the file as a whole. Raising from `progress` stops the waiting;
    the job goes on at the provider, and the next call waits for it again.
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
            ticket.unlink(missing_ok=True)  # nothing was carried out or paid: the next call is to submit it anew
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
    """How many requests have been dealt with, and how many there are."""
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
