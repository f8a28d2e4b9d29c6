"""`bench TASK --data PATH --engine E`: how well an engine does on gold."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from core.benchmarks.runner import Run, run_task
from core.benchmarks.tasks import TASKS, task_named
from core.commands.terminal import show_progress
from core.errors import QueryError
from core.evidence import DEFAULT_ENGINE, EvidenceEngine, engine_named
from core.evidence.ranker.model import training_named, was_trained_on
from core.progress import silent
from core.settings import load_settings

SEEN = (
    "The engine offline was trained on this very file, so that its figures here say nothing of new papers. "
    "docs/ranker.md gives those on papers that it had not seen."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("task", metavar="TASK", help=f"one of: {', '.join(TASKS)}")
    parser.add_argument("--data", type=Path, metavar="PATH", help="the data set's file or folder (default: VOUCH_DATA)")
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help="see the command “engines” (default: %(default)s)")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N items")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print the metrics with their intervals."""
    task = task_named(arguments.task)
    data = arguments.data or load_settings().data
    if data is None:
        raise QueryError("Where is the data? Name the data set's file or folder with --data, or set VOUCH_DATA.")
    if arguments.limit is not None and arguments.limit < 1:
        raise QueryError(f"The limit is {arguments.limit}: ask for at least 1 item.")
    engine = engine_named(arguments.engine)
    interactive = sys.stderr.isatty()
    path = task.source(data)
    notes = _notes(engine, path)
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    result = run_task(
        task, engine, task.items(path, arguments.limit), progress=show_progress if interactive else silent
    )
    if interactive:
        print("\r\x1b[K", end="", file=sys.stderr)
    if arguments.json:
        print(json.dumps(as_document(result, notes), ensure_ascii=False, indent=1))
    else:
        _print(result)
    return 0


def as_document(result: Run, notes: Sequence[str] = ()) -> dict[str, object]:
    """The run as the JSON document of `bench --json`."""
    return {
        "task": result.task,
        "engine": result.engine,
        "n": len(result.items),
        "papers": len({item.group for item in result.items}),
        "failed": result.failed,
        "seconds": round(result.seconds, 3),
        "cost_usd": result.cost_usd,
        "metrics": {name: asdict(found) for name, found in result.metrics.items()},
        "notes": list(notes),
        "items": [
            {
                "id": item.id,
                "sentences": list(item.chosen),
                "scores": dict(item.scores),
                "seconds": round(item.seconds, 4),
                "error": item.error,
            }
            for item in result.items
        ],
    }


def _notes(engine: EvidenceEngine, path: Path) -> list[str]:
    training = training_named(load_settings().ranker)
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    return [SEEN] if engine.name == "offline" and was_trained_on(training, checksum) else []


def _print(result: Run) -> None:
    papers = len({item.group for item in result.items})
    print(
        f"{result.task}, engine {result.engine}: {len(result.items)} items on {papers} papers, {result.seconds:.1f} s"
    )
    for name, found in result.metrics.items():
        print(f"{name:14} {found.value:6.1%}  (95% interval {found.low:.1%} to {found.high:.1%})")
    if result.failed:
        print(f"{result.failed} items failed and count as 0:")
        for item in result.items:
            if item.error:
                print(f"  {item.id}: {item.error}")
