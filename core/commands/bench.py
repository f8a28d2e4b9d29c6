"""`bench TASK --data PATH --engine E`: how well an engine does on gold."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from core.benchmarks.model import Run
from core.benchmarks.pools import Threads
from core.benchmarks.runner import run_task
from core.benchmarks.task import AnyTask, EngineChoice
from core.benchmarks.tasks import TASKS, task_named
from core.commands.files import bytes_of
from core.commands.spending import add_budget, budget_of
from core.commands.terminal import printable, terminal_progress
from core.errors import QueryError
from core.evidence import DEFAULT_ENGINE
from core.settings import load_settings

if TYPE_CHECKING:  # loads with the first batch
    from core.benchmarks.batches import Stage


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("task", metavar="TASK", help=f"one of: {', '.join(TASKS)}")
    parser.add_argument("--data", type=Path, metavar="PATH", help="the data set's file or folder (default: VOUCH_DATA)")
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help="see the command “engines” (default: %(default)s)")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N items")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of what is drawn at random; a language model is asked anew"
    )
    add_budget(parser)
    parser.add_argument(
        "--at-once",
        type=int,
        default=16,
        metavar="N",
        help="papers in hand at a time with a language model (default: 16)",
    )
    batches = parser.add_argument_group("batches", "a language model at half the price, in files, within a day")
    batches.add_argument("--batch-out", type=Path, metavar="DIR", help="write each stage's requests to this folder")
    batches.add_argument(
        "--batch-in",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="results of requests; writes the next stage to the folder, or scores",
    )
    batches.add_argument("--submit", action="store_true", help="send the requests, wait for the results, and score")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print the metrics with their intervals."""
    if arguments.limit is not None and arguments.limit < 1:
        raise QueryError(f"The limit is {arguments.limit}: ask for at least 1 item.")
    if arguments.at_once < 1:
        raise QueryError(f"--at-once is {arguments.at_once}: ask for at least 1 paper at a time.")
    task = task_named(arguments.task)
    path = task.source(_data(arguments))
    if arguments.batch_out or arguments.batch_in or arguments.submit:
        return _run_in_batches(task, path, arguments)
    engine = task.open(EngineChoice(arguments.engine, arguments.seed, budget_of(arguments)))
    notes = task.notes(engine.name, _checksum(path))
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    with terminal_progress() as progress:
        at_once = arguments.at_once if ":" in engine.name else 1  # engines on this machine use all of it by themselves
        result = run_task(
            task,
            task.items(path),
            Threads(task, engine, at_once=at_once),
            limit=arguments.limit,
            report=lambda standing: progress(standing.share, standing.in_words),
        )
    _show(result, arguments, notes)
    return 0


def _data(arguments: argparse.Namespace) -> Path:
    data: Path | None = arguments.data or load_settings().data
    if data is None:
        raise QueryError("Where is the data? Name the data set's file or folder with --data, or set VOUCH_DATA.")
    return data


def _run_in_batches(task: AnyTask, path: Path, arguments: argparse.Namespace) -> int:
    """Go on with a run in batches: to the next stage's requests, or to the scores."""
    from core.benchmarks.batches import Stage, batched  # noqa: PLC0415
    from core.llm.batch import BatchFolder  # noqa: PLC0415

    if arguments.batch_out is None:
        raise QueryError("Name the folder of the run's requests and results with --batch-out DIR.")
    if budget_of(arguments):
        raise QueryError("Batches keep no budget. Leave it out, and limit the run with --limit.")
    folder = BatchFolder(arguments.batch_out)
    work = batched(task, arguments.engine, list(islice(task.items(path), arguments.limit)), folder)
    for file in arguments.batch_in:
        folder.take(bytes_of(file), name=file.name)
    with terminal_progress() as progress:
        result = work.submit(progress=progress) if arguments.submit else work.advance(progress=progress)
    if isinstance(result, Stage):
        _show_stage(result, arguments)
    else:
        _show(result, arguments, ())
    return 0


def _show_stage(stage: Stage, arguments: argparse.Namespace) -> None:
    files = [str(file) for file in stage.files]
    if arguments.json:
        print(json.dumps({"waiting_for": files, "requests": stage.requests}, ensure_ascii=False, indent=1))
        return
    print(f"{stage.requests:,} requests are to be answered:", *files, sep="\n  ")
    print("Give them to the provider (or use --submit), and come back with --batch-in and the file of results.")


def _show(result: Run, arguments: argparse.Namespace, notes: Sequence[str]) -> None:
    if arguments.json:
        print(json.dumps(as_document(result, notes), ensure_ascii=False, indent=1))
    else:
        _print(result)


def as_document(result: Run, notes: Sequence[str] = ()) -> dict[str, object]:
    """The run as the JSON document of `bench --json`."""
    return {
        "task": result.task,
        "engine": result.engine,
        "n": len(result.items),
        "papers": len({item.group for item in result.items}),
        "failed": result.failed,
        "broken": list(result.broken),
        "seconds": round(result.seconds, 3),
        "cost_usd": result.cost_usd,
        "metrics": {name: asdict(found) for name, found in result.metrics.items()},
        "notes": list(notes),
        "items": [
            {
                "id": item.id,
                "paper": item.group,
                "category": item.category,
                "labels": list(item.labels),
                "sentences": list(item.response.sentences),
                "answers": list(item.response.labels),
                "scores": dict(item.scores),
                "seconds": round(item.response.seconds, 4),
                "cost_usd": item.response.cost_usd,
                "error": item.error,
            }
            for item in result.items
        ],
    }


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


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
                print(printable(f"  {item.id}: {item.error}"))
    if result.broken:
        print(f"{len(result.broken)} broken records were left out:")
        for record in result.broken:
            print(printable(f"  {record}"))
