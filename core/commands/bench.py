"""`bench TASK --data PATH --engine E`: measure an engine on a benchmark, now or in batches."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING

from core.benchmarks.model import CompleteRun
from core.benchmarks.tasks import TASKS, task_named
from core.commands.common import add_budget, budget_of, bytes_of, printable, terminal_progress
from core.engines import DEFAULT_ENGINE
from core.errors import QueryError
from core.export.benchmark_runs import run_document
from core.runs import RunOrder, carry_out, check_order, documented, save_run
from core.settings import load_settings
from core.store import BenchmarkRuns, open_store
from core.text.words import counted

if TYPE_CHECKING:  # loaded with the first batch
    from core.benchmarks.runner import BatchStage


# Printing a run of a benchmark.

_SHOWN = 20  # at most so many failed items and broken records; the JSON document has all


def print_run(complete: CompleteRun) -> None:
    """Print the metrics with their intervals, and what failed."""
    run = complete.run
    papers = len({item.group for item in run.items})
    print(
        f"{run.task}, engine {run.engine}: {counted(len(run.items), 'item')} on {counted(papers, 'paper')}, {run.seconds:.1f} s"
    )
    width = max(14, *map(len, run.metrics), 0)
    for name, found in run.metrics.items():
        print(f"{name:{width}} {found.value:6.1%}  (95% interval {found.low:.1%} to {found.high:.1%})")
    if run.cost_usd:
        print(f"cost           ${run.cost_usd:,.4f}")
    _list(f"{run.failed:,} items failed and count as 0", [f"{i.id}: {i.error}" for i in run.items if i.error])
    _list(f"{len(run.broken):,} broken records were left out", run.broken)


def _list(title: str, lines: Sequence[str]) -> None:
    if lines:
        print(f"{title}:")
    for line in lines[:_SHOWN]:
        print(printable(f"  {line}"))
    if len(lines) > _SHOWN:
        print(f"  ... and {len(lines) - _SHOWN:,} more, in the document of --json")


# `bench` in batches: at half the price, through files of requests and results.


def add_batches(parser: argparse.ArgumentParser) -> None:
    """Declare the options of batches."""
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
    """Whether one of these options was given."""
    return bool(arguments.batch_out or arguments.batch_in or arguments.submit)


def run_in_batches(order: RunOrder, runs: BenchmarkRuns | None, arguments: argparse.Namespace) -> int:
    """Continue a run in batches: write the next stage's requests, or print the scores."""
    from core.benchmarks.runner import BatchStage, batched  # noqa: PLC0415
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
    if isinstance(result, BatchStage):
        _show_stage(result, arguments)
        return 0
    complete = documented(result, order)
    if runs is not None:
        save_run(complete, runs)
    if arguments.json:
        print(json.dumps(run_document(complete), ensure_ascii=False, indent=1))
    else:
        print_run(complete)
    return 0


def _show_stage(stage: BatchStage, arguments: argparse.Namespace) -> None:
    files = [str(file) for file in stage.files]
    if arguments.json:
        print(json.dumps({"waiting_for": files, "requests": stage.requests}, ensure_ascii=False, indent=1))
        return
    print(f"{stage.requests:,} requests are to be answered:", *files, sep="\n  ")
    print("Give them to the provider (or use --submit), and come back with --batch-in and the file of results.")


# `bench TASK --data PATH --engine E`: how well an engine does on a benchmark with known answers.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("task", nargs="+", metavar="TASK", help=f"one or more of: {', '.join(TASKS)}")
    parser.add_argument("--data", type=Path, metavar="PATH", help="the data set's file or folder (default: VOUCH_DATA)")
    parser.add_argument(
        "--engine",
        action="append",
        help=f"see the command “engines”; give it again for each further one (default: {DEFAULT_ENGINE}); "
        "for evidence openai:MODEL means openai:MODEL@sections, and @digest does better",
    )
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
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="that many processes on this machine, each on one processor (default: one, on all of them)",
    )
    parser.add_argument("--cluster", metavar="URL", help="a Dask scheduler, as tcp://HOST:8786, instead of processes")
    saving = parser.add_argument_group("saving", "a saved run that was stopped or killed goes on where it was")
    saving.add_argument("--save", action="store_true", help="keep every item in the store as soon as it is there")
    saving.add_argument("--retry-failed", action="store_true", help="try the saved items that failed again")
    saving.add_argument("--anew", action="store_true", help="forget what is saved of this run, and begin again")
    add_batches(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Carry out the runs, and print their metrics with intervals."""
    if (arguments.retry_failed or arguments.anew) and not arguments.save:
        raise QueryError("--retry-failed and --anew are about a saved run. Add --save.")
    orders = [_order(task, engine, arguments) for task, engine in product(arguments.task, _engines(arguments))]
    runs = open_store(load_settings()).runs if arguments.save else None
    if wants_batches(arguments):
        if len(orders) > 1:
            raise QueryError("Batches are for one task and one engine at a time.")
        return run_in_batches(orders[0], runs, arguments)
    if len(orders) > 1:  # report a mistake in the last before the first runs for hours
        for order in orders:
            check_order(order)
    done = [_carry_out(order, runs, arguments, several=len(orders) > 1) for order in orders]
    if arguments.json:
        documents = [run_document(complete) for complete in done]
        print(json.dumps(documents[0] if len(done) == 1 else {"runs": documents}, ensure_ascii=False, indent=1))
    return 0


def _carry_out(
    order: RunOrder, runs: BenchmarkRuns | None, arguments: argparse.Namespace, *, several: bool
) -> CompleteRun:
    title = f"{order.task}, {order.engine}: " if several else ""
    try:
        with terminal_progress() as progress:
            complete = carry_out(
                order,
                runs,
                retry=arguments.retry_failed,
                anew=arguments.anew,
                report=lambda done: progress(done.share, title + done.in_words),
            )
    except KeyboardInterrupt:
        if runs is not None:
            print("vouch: what is done is saved; the same command goes on with it", file=sys.stderr)
        raise
    for note in complete.origin.notes:
        print(f"note: {note}", file=sys.stderr)
    if not arguments.json:
        print_run(complete)
    return complete


def _engines(arguments: argparse.Namespace) -> list[str]:
    return arguments.engine or [DEFAULT_ENGINE]


def _order(task: str, engine: str, arguments: argparse.Namespace) -> RunOrder:
    task = task_named(task).name  # raises for a wrong name before missing data is reported
    data: Path | None = arguments.data or load_settings().data
    if data is None:
        raise QueryError("Where is the data? Name the data set's file or folder with --data, or set VOUCH_DATA.")
    return RunOrder(
        task=task,
        engine=engine,
        data=data,
        seed=arguments.seed,
        limit=arguments.limit,
        at_once=arguments.at_once,
        workers=arguments.workers,
        cluster=arguments.cluster,
        budget=budget_of(arguments),
    )
