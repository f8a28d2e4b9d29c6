"""`engines`: each engine, whether it can run now, and why not."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from core.engines import TaskKind, engine_statuses, strategies


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print the engines, the default one first."""
    statuses = engine_statuses()
    ways = {task.value: strategies(task) for task in (TaskKind.EVIDENCE, TaskKind.BIAS, TaskKind.SUMMARY)}
    if arguments.json:
        document = {"engines": [asdict(status) for status in statuses], "strategies": ways}
        json.dump(document, sys.stdout, ensure_ascii=False, indent=1)
        print()
        return 0
    width = max(len(status.name) for status in statuses)
    for status in statuses:
        print(f"{status.name:{width}}  {'ready      ' if status.available else 'unavailable'}  {status.description}")
        if status.reason:
            print(f"{'':{width}}  {status.reason}")
    named = {task: ", ".join(f"@{strategy}" for strategy in of_task) for task, of_task in ways.items()}
    print(f"\nA language model's name may end in how it reads: for evidence {named['evidence']};")
    print(f"for risk of bias {named['bias']}; for plain summaries {named['summary']}.")
    print("The first is the default.")
    return 0
