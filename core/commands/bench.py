"""`bench TASK --data PATH --engine E`: how well an engine does on gold."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import product
from pathlib import Path

from core.benchmarks.model import CompleteRun
from core.benchmarks.tasks import TASKS, task_named
from core.commands.bench_batches import add_batches, run_in_batches, wants_batches
from core.commands.bench_report import print_run
from core.commands.spending import add_budget, budget_of
from core.commands.terminal import terminal_progress
from core.errors import QueryError
from core.evidence import DEFAULT_ENGINE
from core.export.benchmark_run import run_document
from core.runs.order import Order, carry_out, check
from core.settings import load_settings
from core.store import Runs, open_store


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("task", nargs="+", metavar="TASK", help=f"one or more of: {', '.join(TASKS)}")
    parser.add_argument("--data", type=Path, metavar="PATH", help="the data set's file or folder (default: VOUCH_DATA)")
    parser.add_argument(
        "--engine",
        action="append",
        help=f"see the command “engines”; give it again for each further one (default: {DEFAULT_ENGINE})",
    )
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N records")
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
    """Print the metrics with their intervals."""
    if (arguments.retry_failed or arguments.anew) and not arguments.save:
        raise QueryError("--retry-failed and --anew are about a saved run. Add --save.")
    orders = [_order(task, engine, arguments) for task, engine in product(arguments.task, _engines(arguments))]
    runs = open_store(load_settings()).runs if arguments.save else None
    if wants_batches(arguments):
        if len(orders) > 1:
            raise QueryError("Batches are for one task and one engine at a time.")
        return run_in_batches(orders[0], runs, arguments)
    if len(orders) > 1:  # a mistake in the last is told before the first has taken its hours
        for order in orders:
            check(order)
    done = [_carry_out(order, runs, arguments, several=len(orders) > 1) for order in orders]
    if arguments.json:
        documents = [run_document(complete) for complete in done]
        print(json.dumps(documents[0] if len(done) == 1 else {"runs": documents}, ensure_ascii=False, indent=1))
    return 0


def _carry_out(order: Order, runs: Runs | None, arguments: argparse.Namespace, *, several: bool) -> CompleteRun:
    title = f"{order.task}, {order.engine}: " if several else ""
    try:
        with terminal_progress() as progress:
            complete = carry_out(
                order,
                runs,
                retry=arguments.retry_failed,
                anew=arguments.anew,
                report=lambda standing: progress(standing.share, title + standing.in_words),
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


def _order(task: str, engine: str, arguments: argparse.Namespace) -> Order:
    task = task_named(task).name  # a wrong name is told before missing data
    data: Path | None = arguments.data or load_settings().data
    if data is None:
        raise QueryError("Where is the data? Name the data set's file or folder with --data, or set VOUCH_DATA.")
    return Order(
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
