"""`convert-farebio FILE`: convert labelled summaries in another layout to ours (docs/summary.md)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from core.benchmarks.farebio import COLUMNS, as_csv, converted, read_farebio, records_in
from core.commands.common import bytes_of, printable
from core.errors import QueryError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="CSV, a JSON list, or JSON lines")
    parser.add_argument(
        "--columns",
        default="",
        metavar="OURS=THEIRS,...",
        help=f"their names for our columns, such as text=sentence,label=faithful; ours are: {', '.join(COLUMNS)}",
    )
    parser.add_argument(
        "--values",
        default="",
        metavar="THEIRS=OURS,...",
        help="their words for our labels and kinds, such as “hallucinated=not in the paper”",
    )
    parser.add_argument(
        "--separator",
        default="\n",
        metavar="S",
        help="what stands between the support sentences of one cell (default: a line break)",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="a new file, .csv or .json")


def run(arguments: argparse.Namespace) -> int:
    """Write the file, and print a summary of it."""
    columns, values = _pairs(arguments.columns, "--columns"), _pairs(arguments.values, "--values")
    if arguments.out.suffix not in {".csv", ".json"}:
        raise QueryError(f"“{arguments.out}” is neither .csv nor .json. Name the new file as one of them.")
    if arguments.out.exists():
        raise QueryError(f"“{arguments.out}” is there already. Name a new file with --out.")
    if not arguments.separator:
        raise QueryError("The separator is empty. Name what stands between support sentences, such as ||.")
    theirs = records_in(bytes_of(arguments.file), name=arguments.file.name)
    records = converted(theirs, columns, values, arguments.separator)
    text = (
        as_csv(records) if arguments.out.suffix == ".csv" else json.dumps(records, ensure_ascii=False, indent=1) + "\n"
    )
    file = read_farebio(text.encode(), name=arguments.out.name)  # make sure that it can be read, before writing it
    for record in file.broken:
        print(printable(f"left out of every task: {record}"), file=sys.stderr)
    _write(arguments.out, text)
    sentences = [sentence for summary in file.summaries for sentence in summary.sentences]
    lost = sum(support.index is None for sentence in sentences for support in sentence.support)
    papers = len({summary.paper_id for summary in file.summaries})
    print(f"{len(sentences)} sentences of {len(file.summaries)} summaries of {papers} papers")
    if lost:
        print(f"{lost} support sentences were not found in their papers; they count as missed by every engine")
    return 0


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise QueryError(f"“{path}” cannot be written ({error.strerror}). Check the folder.") from error


def _pairs(text: str, option: str) -> dict[str, str]:
    pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
    if any(not (left.strip() and sign and right.strip()) for left, sign, right in pairs):
        raise QueryError(f"{option} is “{text}”: write pairs such as one=other, set apart by commas.")
    return {left.strip(): right.strip() for left, _, right in pairs}
