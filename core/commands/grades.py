"""`grades FILE.csv`: what graders made of an article's statements, and of another's, once they are done."""

from __future__ import annotations

import argparse
import csv
import io
import json
from dataclasses import asdict
from pathlib import Path

from core.articles.grading import Grade, GradedStatement, figures, grade_from
from core.commands.article import key_of
from core.commands.common import bytes_of
from core.errors import QueryError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the list of `article --statements`, with grades")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print the share of each grade by origin, with intervals."""
    origins = _origins(key_of(arguments.file))
    rows = list(csv.DictReader(io.StringIO(bytes_of(arguments.file).decode("utf-8-sig", errors="replace"))))
    if not rows or not {"id", "grade"} <= rows[0].keys():
        raise QueryError(
            f"“{arguments.file}” has no columns “id” and “grade”. Give the file that `article --statements` wrote."
        )
    if unknown := next((row["id"] for row in rows if row["id"] not in origins), None):
        raise QueryError(
            f"The statement “{unknown}” is not in “{key_of(arguments.file)}”. Give the two files of one article."
        )
    statements = [GradedStatement(row["id"], origins[row["id"]], "", ()) for row in rows]
    grades = {row["id"]: grade for row in rows if (grade := grade_from(row["grade"] or "")) is not None}
    found = figures(statements, grades)
    if arguments.json:
        print(
            json.dumps(
                {origin: {name: asdict(one) for name, one in shares.items()} for origin, shares in found.items()},
                indent=1,
            )
        )
        return 0
    print(f"{len(grades)} of {len(statements)} statements are graded.")
    for origin, shares in found.items():
        print(f"\n{origin}")
        for name in (*Grade, "precision"):
            if one := shares.get(name):
                print(f"  {name:20} {one.share:5.1f} ({one.low:.1f} to {one.high:.1f}), {one.count} of {one.of}")
    return 0


def _origins(file: Path) -> dict[str, str]:
    try:
        found = json.loads(bytes_of(file))
    except ValueError:
        found = None
    if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
        raise QueryError(f"“{file}” does not tell where statements are from. It is written with them: put it back.")
    return found
