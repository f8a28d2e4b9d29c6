"""The folder of a run in batches: `stage-1.requests.jsonl`, `stage-1.results.jsonl`, and so on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core.llm.batch.lines import ResultLine, as_file, read_results, request_line
from core.llm.model import Request
from core.llm.server_model import ServerModel

# Of both providers' limits the lower: 50,000 requests and 200 MB a file (OpenAI); 100,000 and 256 MB (Anthropic).
MOST_REQUESTS = 50_000
MOST_BYTES = 190_000_000


@dataclass(frozen=True, slots=True)
class BatchFolder:
    """Files are written whole or not at all, and never written again."""

    path: Path

    def results(self) -> dict[str, ResultLine]:
        """Every result in the folder by its request's key. Of two for one request the later file's counts.

        Raises `DatasetError` for a file that holds something else.
        """
        found: dict[str, ResultLine] = {}
        for file in sorted(self.path.glob("stage-*.results.jsonl"), key=_stage):
            found |= {line.custom_id: line for line in read_results(file.read_bytes(), name=file.name)}
        return found

    def take(self, data: bytes, *, name: str) -> Path:
        """Keep a file of results. Raises `DatasetError` if it is none."""
        for _ in read_results(data, name=name):
            pass
        return self._write("results", data)

    def write(self, model: ServerModel, requests: Iterable[Request]) -> list[Path]:
        """Write the requests of a stage, in as many files as the providers' limits ask for."""
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

    def waiting(self) -> tuple[Path, ...]:
        """Files of requests, some of which no result answers."""
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
