"""`review FOLDER --hypothesis H ... --out TABLE`: many papers and references as one review, and its output files.

A file that cannot be read does not stop the others: it is listed with the reason, as are wrong entries in files of
references, and possible duplicates. With `--save` the project is kept in the app's store, and the same command resumes
where it stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from core.bias.tools import FOR_A_REVIEW
from core.commands.bias_common import study_context, tool_called
from core.commands.common import (
    add_budget,
    budget_of,
    bytes_of,
    printable,
    require_writable,
    terminal_progress,
    write_whole,
)
from core.commands.notices_common import checked_by_itself, say_agreed
from core.errors import QueryError, VouchError
from core.evidence import EvidenceQuery
from core.export.evidence_table_files import row_document
from core.review.intake import QUEUE, add_references, files_of, holds_references, possible_duplicates_of
from core.review.jobs import ModelAccess, open_engines
from core.review.notices import EXPORT_AGE
from core.review.outputs import FLOWS, TABLES, flow_file, references_file, table_file, table_rows
from core.review.queue import WorkerOptions, retry_failures, run_queue, start_queue
from core.review.status import QueueStatus, queue_status
from core.screening.model import Criterion, CriterionKind
from core.settings import Settings, load_settings
from core.store import (
    Plan,
    Project,
    Store,
    StoreReader,
    open_store,
    project_from_file,
    project_to_file,
    storable_name,
    tool_of,
)
from core.text.words import counted

# The outputs of `review`: the evidence table, the flow diagram, references with decisions, the whole project.

OUTPUTS = ("out", "flow", "ris", "project_out")


def add_outputs(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments for the outputs."""
    files = parser.add_argument_group("outputs")
    files.add_argument("--out", type=Path, metavar="TABLE", help=f"the evidence table: {', '.join(TABLES)}")
    files.add_argument("--flow", type=Path, metavar="FILE", help=f"the PRISMA 2020 flow diagram: {', '.join(FLOWS)}")
    files.add_argument("--ris", type=Path, metavar="FILE", help="the references, with decisions in their notes")
    files.add_argument("--project-out", type=Path, metavar="FILE", help="the whole project, which the app opens")


def check_outputs(arguments: argparse.Namespace) -> None:
    """Raises `QueryError`, before the work, for an output that cannot be written."""
    for name, endings in (("out", TABLES), ("flow", FLOWS)):
        path: Path | None = getattr(arguments, name)
        if path is not None and path.suffix.lower() not in endings:
            raise QueryError(f"“{path.name}” must end in {' or '.join(endings)}.")
    for name in OUTPUTS:
        path = getattr(arguments, name)
        if path is not None:
            require_writable(path)


def write_outputs(store: Store, project: str, arguments: argparse.Namespace) -> tuple[VouchError, ...]:
    """Write every requested file. Returns the errors: a file that cannot be written does not stop the others."""
    made: Mapping[str, Callable[[Path, StoreReader], str | bytes]] = {
        "out": lambda path, now: table_file(now, project, path.suffix.lower(), reader="", made=datetime.now(UTC)),
        "flow": lambda path, now: flow_file(now, project, path.suffix.lower(), reader=""),
        "ris": lambda path, now: references_file(now, project, reader=""),
        "project_out": lambda path, now: project_to_file(now.whole(project, with_files=True)),
    }
    errors = []
    for name, make in made.items():
        path: Path | None = getattr(arguments, name)
        if path is None:
            continue
        try:
            with store.reading() as now:
                content = make(path, now)
            write_whole(path, content)
        except VouchError as error:
            errors.append(error)
    return tuple(errors)


def as_document(now: StoreReader, project: str, status: QueueStatus, refused: Mapping[str, str]) -> dict[str, object]:
    """The result as plain data: the table and the failures."""
    rules = now.project(project).record
    names = {saved.record.id: saved.record.name for saved in now.stored_papers(project)}
    names |= {
        saved.record.id: f"{saved.record.source}, record {saved.record.number}" for saved in now.references(project)
    }
    return {
        "project": rules.name,
        "hypotheses": list(rules.hypotheses),
        "papers": [
            {"file": names[row.paper], **row_document(row, rules.hypotheses)}
            for row in table_rows(now, project, reader="")
        ],
        "references": len(now.references(project)),
        "unreadable": [{"file": one.name, "error": one.error} for one in status.unreadable],
        "refused": [{"file": name, "error": why} for name, why in refused.items()],
        "wrong_references": [
            {"file": one.item, "place": one.task.partition(": ")[2], "error": one.error} for one in status.wrong_entries
        ],
        "failed": [{"item": one.item, "task": one.task, "error": one.error} for one in status.failures],
        "alike": [
            {
                "first": names[one.first],
                "second": names[one.second],
                "strength": one.strength.value,
                "reason": one.reason,
            }
            for one in possible_duplicates_of(now, project)
        ],
    }


def in_one_line(
    status: QueueStatus, refused: Mapping[str, str], document: dict[str, object], arguments: argparse.Namespace
) -> str:
    """A summary of the result and where it is, in one line."""
    rows = document["papers"]
    assert isinstance(rows, list)  # noqa: S101
    findings = sum(found["verdict"] is not None for row in rows for found in row["findings"])
    failures = len(status.unreadable) + len(refused) + len(status.wrong_entries) + len(status.failures)
    numbers = ((status.papers, "paper"), (status.references, "reference"), (findings, "finding"), (failures, "failure"))
    table = f"the table is in {arguments.out}" if arguments.out else "no table was written: --out names one"
    kept = f"; the project “{document['project']}” is in the app" if arguments.save else ""
    return f"{', '.join(counted(number, what) for number, what in numbers)}; {table}{kept}"


REVIEWERS = ("Reviewer 1", "Reviewer 2")
NO_ENGINE = "none"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="papers, and files of references (RIS, NBIB, CSV)")
    parser.add_argument(
        "--hypothesis", action="append", default=[], metavar="H", help="give it again for each further one"
    )
    parser.add_argument(
        "--criterion",
        action="append",
        default=[],
        metavar="KIND:WORDS",
        help=f"what a paper must have; KIND is one of {', '.join(CriterionKind)}",
    )
    parser.add_argument("--engine", help="for hypotheses; see the command “engines” (default: offline)")
    parser.add_argument("--criteria-engine", metavar="ENGINE", help="for criteria (default: offline)")
    parser.add_argument(
        "--bias-engine", metavar="ENGINE", help=f"for risk of bias, or “{NO_ENGINE}” (default: offline)"
    )
    parser.add_argument(
        "--tool",
        metavar="NAME|FILE",
        help=f"for risk of bias: a tool, or a file with your own (default: {FOR_A_REVIEW})",
    )
    parser.add_argument("--objective", default="", metavar="T", help="the review's objective, in words")
    parser.add_argument(
        "--pico",
        type=Path,
        metavar="F",
        help="JSON: population, intervention, comparator, outcome; for ROBINS-I confounders",
    )
    parser.add_argument("--reviewer", action="append", default=[], metavar="NAME", help="once for each reviewer")
    work = parser.add_argument_group("work")
    work.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes on this machine, each on one processor"
    )
    work.add_argument("--cluster", metavar="URL", help="a Dask scheduler, as tcp://HOST:8786, instead of processes")
    work.add_argument("--retry-failed", action="store_true", help="try again what failed in an earlier run")
    add_budget(parser)
    kept = parser.add_argument_group("project")
    kept.add_argument(
        "--save", action="store_true", help="keep the project in the app's store, and go on with it there"
    )
    kept.add_argument("--project", type=Path, metavar="FILE", help="begin with the project in this file")
    kept.add_argument("--name", metavar="NAME", help="of the project (default: the folder's)")
    add_outputs(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Read the papers, ask the engines, write the outputs. Status 2 if a file or a question failed."""
    check_outputs(arguments)
    for hypothesis in arguments.hypothesis:
        EvidenceQuery(hypothesis)  # raises for an invalid one before the work
    files = files_of(arguments.folder, without=[path for name in OUTPUTS if (path := getattr(arguments, name))])
    worker_options = WorkerOptions(_workers(arguments), arguments.cluster, ModelAccess(budget=budget_of(arguments)))
    with _store(arguments) as store:
        project = _project(store, arguments)
        open_engines(project.plan, worker_options.access)
        refused = _put_in(store, project, files)
        if arguments.retry_failed:
            retry_failures(store, project.id, QUEUE)
        say_agreed(store, project.id, load_settings())
        try:
            _work(store, project, worker_options)
        except KeyboardInterrupt:
            if arguments.save:
                print("vouch: what is done is kept; go on by the same command", file=sys.stderr)
            raise
        with store.reading() as now:
            status = queue_status(now, now.project(project.id).record)
            document = as_document(now, project.id, status, refused)
        _tell(status, refused, document)
        if any(getattr(arguments, name) for name in OUTPUTS):
            checked_by_itself(store, project.id, load_settings(), older=EXPORT_AGE)
        unwritten = write_outputs(store, project.id, arguments)
        if arguments.json:
            print(json.dumps(document, ensure_ascii=False, indent=1))
        if unwritten:
            raise QueryError(" ".join(map(str, unwritten)))
        if not status.papers:
            raise QueryError(f"No file in “{arguments.folder}” could be read as a paper.")
        print(f"vouch: {printable(in_one_line(status, refused, document, arguments))}", file=sys.stderr)
    return 2 if status.unreadable or status.failures or status.wrong_entries or refused else 0


def _work(store: Store, project: Project, worker_options: WorkerOptions) -> None:
    start_queue(store, project.id, QUEUE, worker_options)
    with terminal_progress() as progress:
        run_queue(
            store,
            project.id,
            worker_options=worker_options,
            report=lambda done: progress(done.share, done.in_words),
        )


def _put_in(store: Store, project: Project, files: Sequence[Path]) -> dict[str, str]:
    """Add the files to the project. Returns files of references that hold none, with the reason."""
    refused = {}
    for file in files:
        data = bytes_of(file)
        if not holds_references(file.name, data):
            with store.writing(QUEUE) as change:
                change.queue.add_file(project.id, file.name, data, again=False)
            continue
        try:
            add_references(store, project.id, data, name=file.name, who=QUEUE)
        except VouchError as error:
            refused[storable_name(file.name)] = str(error)
    return refused


def _tell(status: QueueStatus, refused: dict[str, str], document: dict[str, object]) -> None:
    """Print what the user should look at, line by line."""
    lines = [f"{one.name}: {one.error}" for one in status.unreadable]
    lines += [f"{name}: {why}" for name, why in refused.items()]
    lines += [f"{one.item}, {one.task.partition(': ')[2]}: {one.error}" for one in status.wrong_entries]
    lines += [f"{one.item[:12]}, {one.task}: {one.error}" for one in status.failures]
    alike = document["alike"]
    assert isinstance(alike, list)  # noqa: S101
    lines += [f"look alike: {one['first']} | {one['second']}: {one['reason']}" for one in alike]
    for line in lines:
        print(printable(line), file=sys.stderr)


@contextmanager
def _store(arguments: argparse.Namespace) -> Iterator[Store]:
    """The app's store, or one for this run alone."""
    if arguments.save:
        store = open_store(load_settings())
        try:
            yield store
        finally:
            store.close()
        return
    with TemporaryDirectory(prefix="vouch-") as home:
        store = open_store(Settings(home=Path(home), data=None))
        try:
            yield store
        finally:
            store.close()


def _project(store: Store, arguments: argparse.Namespace) -> Project:
    """The project to continue, changed as the arguments say, or a new one."""
    name = arguments.name or storable_name(arguments.folder.resolve().name)
    with store.writing(QUEUE) as change:
        brought = None
        if arguments.project is not None:
            state = project_from_file(bytes_of(arguments.project))
            change.import_project(state)
            brought = state.project.record.id
        named = [saved for saved in change.projects() if brought in (None, saved.record.id)]
        there = next((saved for saved in reversed(named) if brought or saved.record.name == name), None)
        if there is None:
            study = study_context(arguments.objective, arguments.pico)
            tool, own = tool_called(arguments.tool or FOR_A_REVIEW)
            own_tools = (own,) if own else ()
            new = Project(uuid4().hex, name, REVIEWERS, tool.id, study, blind=False, own_tools=own_tools)
        elif arguments.tool is not None and tool_called(arguments.tool)[0] != tool_of(there.record):
            raise QueryError(
                f"The project “{name}” is judged with another tool, {tool_of(there.record).name}: it stays the same."
            )
        before = there.record if there else new
        wanted = replace(
            before,
            reviewers=_reviewers(arguments, there.record if there else None),
            hypotheses=tuple(dict.fromkeys((*before.hypotheses, *arguments.hypothesis))),
            criteria=tuple(dict.fromkeys((*before.criteria, *map(_criterion, arguments.criterion)))),
            plan=open_engines(_plan(arguments, before.plan)).plan,
        )
        tool_of(wanted)
        if there is None or wanted != before:
            change.save(wanted, seen=there.version if there else 0)
        return wanted


def _reviewers(arguments: argparse.Namespace, there: Project | None) -> tuple[str, ...]:
    """The project's reviewers and the named ones; if there are none, two placeholder names."""
    return tuple(dict.fromkeys((*(there.reviewers if there else ()), *arguments.reviewer))) or REVIEWERS


def _plan(arguments: argparse.Namespace, before: Plan) -> Plan:
    """The project's engines, replaced by those in the arguments."""

    def chosen(named: str | None, kept: str | None) -> str | None:
        if named is None:
            return kept
        return None if named == NO_ENGINE else named

    return Plan(
        chosen(arguments.criteria_engine, before.criteria),
        chosen(arguments.engine, before.evidence),
        chosen(arguments.bias_engine, before.bias),
    )


def _criterion(words: str) -> Criterion:
    kind, colon, text = words.partition(":")
    if not colon or kind.strip().lower() not in list(CriterionKind) or not text.strip():
        raise QueryError(f"“{words}” is no criterion. Write it as KIND:WORDS, such as population:adults with asthma.")
    EvidenceQuery(text)  # raises if it is too long
    return Criterion(CriterionKind(kind.strip().lower()), text.strip())


def _workers(arguments: argparse.Namespace) -> int:
    number: int = arguments.workers
    if number < 1:
        raise QueryError(f"--workers is {number}: it must be at least 1.")
    return number
