"""`bench` in batches: through files that anybody may have answered, at half the price."""

from __future__ import annotations

import argparse
import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from core.benchmarks.tasks import task_named
from core.commands.bench_report import print_run
from core.commands.files import bytes_of
from core.commands.terminal import terminal_progress
from core.errors import QueryError
from core.export.benchmark_run import run_document
from core.runs.order import Order, documented, save
from core.store import Runs

if TYPE_CHECKING:  # loads with the first batch
    from core.benchmarks.batches import Stage


def add_batches(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
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


def wants_batches(arguments: argparse.Namespace) -> bool:
    """Whether one of the options was given."""
    return bool(arguments.batch_out or arguments.batch_in or arguments.submit)


def run_in_batches(order: Order, runs: Runs | None, arguments: argparse.Namespace) -> int:
    """Go on with a run in batches: to the next stage's requests, or to the scores."""
    from core.benchmarks.batches import Stage, batched  # noqa: PLC0415
    from core.llm.batch import BatchFolder  # noqa: PLC0415

    if arguments.batch_out is None:
        raise QueryError("Name the folder of the run's requests and results with --batch-out DIR.")
    if order.budget:
        raise QueryError("Batches keep no budget. Leave it out, and limit the run with --limit.")
    if order.elsewhere or order.seed:
        raise QueryError("Batches know neither workers nor seeds. Leave out --workers, --cluster and --seed.")
    folder = BatchFolder(arguments.batch_out)
    task = task_named(order.task)
    source = task.source(order.data)
    work = batched(task, order.engine, list(islice(task.items(source), order.limit)), folder)
    for file in arguments.batch_in:
        folder.take(bytes_of(file), name=file.name)
    with terminal_progress() as progress:
        result = work.submit(progress=progress) if arguments.submit else work.advance(progress=progress)
    if isinstance(result, Stage):
        _show_stage(result, arguments)
        return 0
    complete = documented(result, order)
    if runs is not None:
        save(complete, runs)
    if arguments.json:
        print(json.dumps(run_document(complete), ensure_ascii=False, indent=1))
    else:
        print_run(complete)
    return 0


def _show_stage(stage: Stage, arguments: argparse.Namespace) -> None:
    files = [str(file) for file in stage.files]
    if arguments.json:
        print(json.dumps({"waiting_for": files, "requests": stage.requests}, ensure_ascii=False, indent=1))
        return
    print(f"{stage.requests:,} requests are to be answered:", *files, sep="\n  ")
    print("Give them to the provider (or use --submit), and come back with --batch-in and the file of results.")
