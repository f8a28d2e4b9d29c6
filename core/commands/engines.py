"""`engines`: each engine, whether it can run now, and why not."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from core.evidence import engine_statuses


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print the engines, the default one first."""
    statuses = engine_statuses()
    if arguments.json:
        json.dump({"engines": [asdict(status) for status in statuses]}, sys.stdout, ensure_ascii=False, indent=1)
        print()
        return 0
    width = max(len(status.name) for status in statuses)
    for status in statuses:
        print(f"{status.name:{width}}  {'ready      ' if status.available else 'unavailable'}  {status.description}")
        if status.reason:
            print(f"{'':{width}}  {status.reason}")
    return 0
