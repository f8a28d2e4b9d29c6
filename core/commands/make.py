"""`make evidencebench|robbr|farebio|agreement`: a benchmark from a group's own reviews, and whether its labels hold."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from core.commands.common import bytes_of, printable
from core.errors import QueryError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    _add_agreement(kinds.add_parser("agreement", help="two people and a model on the same items: do they label alike?"))


def run(arguments: argparse.Namespace) -> int:
    """Make what was asked for."""
    return {"agreement": _agreement}[arguments.kind](arguments)


# ---- agreement ----


def _add_agreement(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="CSV: paper, item, and a column for each annotator")
    parser.add_argument("--people", nargs=2, metavar="NAME", help="the two people (default: the first two annotators)")
    parser.add_argument("--model", metavar="NAME", help="the model (default: the third annotator, if there is one)")
    parser.add_argument("--positive", metavar="LABEL", help="the label that is a yes; every other one is a no")
    parser.add_argument(
        "--margin",
        type=float,
        metavar="POINTS",
        help="the largest difference that does not matter, in points of 100 (default: 1 for accuracy, 5 otherwise)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _agreement(arguments: argparse.Namespace) -> int:
    from core.making.agreement import MARGINS, agreements  # noqa: PLC0415
    from core.making.agreement_report import document, in_words, read_labels  # noqa: PLC0415

    if arguments.margin is not None and not 0 < arguments.margin < 100:
        raise QueryError(f"The margin is {arguments.margin:g}: give points above 0 and below 100.")
    table = read_labels(bytes_of(arguments.file), name=arguments.file.name, positive=arguments.positive)
    names = list(table.labels)
    people = arguments.people or names[:2]
    others = [name for name in names if name not in people]
    judged, left_out = table.judged(people, arguments.model or next(iter(others), None))
    margins = MARGINS if arguments.margin is None else dict.fromkeys(MARGINS, arguments.margin / 100)
    found = agreements(judged, margins)
    size = {"items": len(judged.papers), "papers": len(set(judged.papers))}
    if arguments.json:
        print(json.dumps(document(found, **size, left_out=left_out), ensure_ascii=False, indent=1))
        return 0
    print(f"{size['items']:,} items of {size['papers']:,} papers labelled by all; {left_out:,} left out")
    for one in found:
        print(*(printable(sentence) for sentence in in_words(one, **size)), sep="\n  ")
    return 0
