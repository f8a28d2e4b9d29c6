"""`grades FILE.csv`: the grades that people or a model gave to the statements of an article, and of another one."""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from core.commands.common import (
    add_budget,
    budget_of,
    bytes_of,
    printable,
    require_writable,
    tell_cost,
    terminal_progress,
    write_whole,
)
from core.engines import writer_named
from core.errors import QueryError
from core.export.grades import COLUMNS, key_of, origins_json, statements_csv
from core.grading.figures import PRECISION, SHARED, GradeShare, agreement, figures
from core.grading.llm import ModelGrades, estimate_grading, grade_by_model
from core.grading.model import Grade, GradedStatement, grade_from, without_gaps
from core.library import library_of_folder
from core.llm import model_named, open_model
from core.llm.batch import BatchFolder, BatchRunner, Waiting

_NUMBER = re.compile(r"^\[\d+\] ")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the list of `article --statements`, with grades")
    parser.add_argument("--engine", metavar="E", help="a language model that grades, too; it needs --library and --out")
    parser.add_argument("--library", type=Path, metavar="FOLDER", help="the papers that it looks into")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the list with its grades: .csv")
    add_budget(parser)
    batches = parser.add_argument_group("batches", "at half the price, in files, within a day")
    batches.add_argument(
        "--batch-out", type=Path, metavar="DIR", help="write the requests to this folder, and send none"
    )
    batches.add_argument("--batch-in", type=Path, metavar="FILE", help="results of requests, to go on with")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print the share of each grade by origin, with intervals. Reports what a model could not grade (status 2)."""
    statements, given = _read(arguments.file)
    # Skipping hard statements would make the rest look better. A model does not choose the ones that it fails at.
    grades = without_gaps((one.id for one in statements), given)
    if arguments.engine is None:
        if skipped := len(given) - len(grades):
            print(f"Grades that stand after the first empty cell do not count: {skipped}.", file=sys.stderr)
        return _print(arguments, statements, grades, None, ())
    if arguments.library is None or arguments.out is None:
        raise QueryError("A model that grades needs the papers and a file for its grades: give --library and --out.")
    if arguments.batch_in is not None and arguments.batch_out is None:
        raise QueryError("Name the folder of the requests and results with --batch-out DIR.")
    if arguments.out.resolve() == arguments.file.resolve():
        raise QueryError("--out is the file with the grades of people, which would be lost. Name another file.")
    require_writable(arguments.out)
    budget = budget_of(arguments)
    asker = _Batches(arguments) if arguments.batch_out else writer_named(arguments.engine, budget=budget)
    with terminal_progress() as progress:
        papers = library_of_folder(arguments.library, progress=progress)
        tell_cost(arguments.engine, partial(estimate_grading, statements=statements, library=papers.library))
        try:
            made = grade_by_model(statements, asker, papers.library, progress=progress)
        except Waiting:
            assert isinstance(asker, _Batches)  # no other asker waits  # noqa: S101
            return asker.tell(as_json=arguments.json)
    write_whole(arguments.out, statements_csv(statements, made.grades))
    write_whole(key_of(arguments.out), origins_json(statements))
    return _print(arguments, statements, made.grades, grades or None, (*papers.failures, *_ungraded(statements, made)))


class _Batches(BatchRunner):
    """A model that is asked through files of requests and results."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        model = model_named(arguments.engine)
        if model is None or model.strategy is not None or budget_of(arguments):
            raise QueryError("Batches are for a language model, as in openai:MODEL, and know no budget.")
        self._folder = BatchFolder(arguments.batch_out)
        if arguments.batch_in is not None:
            self._folder.take(bytes_of(arguments.batch_in), name=arguments.batch_in.name)
        super().__init__(open_model(model, sends=False), self._folder.results())

    def tell(self, *, as_json: bool) -> int:
        """Write the requests that wait for an answer, and print their files. Returns the exit status."""
        files = [str(file) for file in self._folder.ask(self.model, self.pending)]
        if as_json:
            print(json.dumps({"waiting_for": files, "requests": len(self.pending)}, ensure_ascii=False, indent=1))
        else:
            print(f"{len(self.pending):,} requests are to be answered:", *files, sep="\n  ")
            print("Give them to the provider, and come back with --batch-in and the file of results.")
        return 0


def _ungraded(statements: Sequence[GradedStatement], made: ModelGrades) -> list[str]:
    """The statements without a grade, each with the reason."""
    errors = {step.label: step.error for step in made.run.steps}
    labels = [f"Statement {place}" for place, one in enumerate(statements, 1) if one.id not in made.grades]
    return [f"{label}: {errors.get(label) or 'The grade does not hold together, and is left out.'}" for label in labels]


def _print(
    arguments: argparse.Namespace,
    statements: Sequence[GradedStatement],
    grades: Mapping[str, Grade],
    people: Mapping[str, Grade] | None,
    failures: Sequence[str],
) -> int:
    for failure in failures:
        print(printable(failure), file=sys.stderr)
    found = figures(statements, grades)
    agreed = agreement(grades, people) if people else None
    if arguments.json:
        document = {origin: {name: asdict(one) for name, one in shares.items()} for origin, shares in found.items()} | (
            {"agreement": asdict(agreed)} if agreed else {}
        )
        print(json.dumps(document, indent=1))
        return 2 if failures else 0
    counted = sum(shares[Grade.SUPPORTED].of for shares in found.values())
    print(f"{len(grades)} of {len(statements)} statements are graded; {counted} are applicable.")
    for origin, shares in found.items():
        print(f"\n{origin}")
        for name in (*SHARED, PRECISION):
            if one := shares.get(name):
                print(f"  {name:20} {in_words(one)}")
    if agreed:
        print(f"\nagreement with the grades in the file: {in_words(agreed)}")
    return 2 if failures else 0


def in_words(one: GradeShare) -> str:
    """A share with its interval and its counts."""
    return f"{one.share:5.1f} ({one.low:.1f} to {one.high:.1f}), {one.count} of {one.of}"


def _read(file: Path) -> tuple[list[GradedStatement], dict[str, Grade]]:
    """The statements in their order, and the grades in the file."""
    origins = _origins(key_of(file))
    rows = list(csv.DictReader(io.StringIO(bytes_of(file).decode("utf-8-sig", errors="replace"))))
    if not rows or not {*COLUMNS} <= rows[0].keys():
        raise QueryError(
            f"“{file}” lacks a column of {', '.join(COLUMNS)}. Give the file that `article --statements` wrote."
        )
    if unknown := next((row["id"] for row in rows if row["id"] not in origins), None):
        raise QueryError(f"The statement “{unknown}” is not in “{key_of(file)}”. Give the two files of one article.")
    statements = [
        GradedStatement(
            row["id"],
            "article" if origins[row["id"]] == "article" else "other",
            row["statement"] or "",
            tuple(_NUMBER.sub("", line) for line in (row["sources"] or "").splitlines()),
        )
        for row in rows
    ]
    return statements, {row["id"]: grade for row in rows if (grade := grade_from(row["grade"] or "")) is not None}


def _origins(file: Path) -> dict[str, str]:
    try:
        found = json.loads(bytes_of(file))
    except ValueError:
        found = None
    if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
        raise QueryError(f"“{file}” does not tell where statements are from. It is written with them: put it back.")
    return found
