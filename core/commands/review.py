"""`review FOLDER --hypothesis H ... --out TABLE`: many papers and references as one project, and its evidence table.

A file that cannot be read keeps no other from it: it is listed with its reason, as are wrong entries of files of
references, and what looks like a duplicate. With `--save` the project is in the store of the app, and the same command
goes on where it was left.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from core.bias import tool_named, tools
from core.commands.bias_inputs import study_context
from core.commands.files import bytes_of
from core.commands.review_outputs import (
    OUTPUTS,
    add_outputs,
    as_document,
    check_outputs,
    in_one_line,
    write_outputs,
)
from core.commands.spending import add_budget, budget_of
from core.commands.terminal import printable, terminal_progress
from core.errors import QueryError, VouchError
from core.evidence import EvidenceQuery
from core.review.intake import add_references, files_of, holds_references
from core.review.keeping import QUEUE
from core.review.queue import Hands, carry_out, retry_failures, start
from core.review.status import QueueStatus, queue_status
from core.review.working import Access, engines_of
from core.screening.model import Criterion, CriterionKind
from core.settings import Settings, load_settings
from core.store import Plan, Project, Store, open_store, project_from_file, storable_name

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
    parser.add_argument("--tool", choices=sorted(tools()), help="for risk of bias (default: rob2)")
    parser.add_argument("--objective", default="", metavar="T", help="the review's objective, in words")
    parser.add_argument("--pico", type=Path, metavar="F", help="JSON: population, intervention, comparator, outcome")
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
    """Read, ask, tabulate; 2 if a file or a question failed."""
    check_outputs(arguments)
    for hypothesis in arguments.hypothesis:
        EvidenceQuery(hypothesis)  # a wrong one is told before the work
    files = files_of(arguments.folder, without=[path for name in OUTPUTS if (path := getattr(arguments, name))])
    hands = Hands(_workers(arguments), arguments.cluster, Access(budget=budget_of(arguments)))
    with _store(arguments) as store:
        project = _project(store, arguments)
        engines_of(project.plan, hands.access)
        refused = _put_in(store, project, files)
        if arguments.retry_failed:
            retry_failures(store, project.id, QUEUE)
        try:
            _work(store, project, hands)
        except KeyboardInterrupt:
            if arguments.save:
                print("vouch: what is done is kept; go on by the same command", file=sys.stderr)
            raise
        with store.reading() as now:
            status = queue_status(now, now.project(project.id).record)
            document = as_document(now, project.id, status, refused)
        _tell(status, refused, document)
        unwritten = write_outputs(store, project.id, arguments)
        if arguments.json:
            print(json.dumps(document, ensure_ascii=False, indent=1))
        if unwritten:
            raise QueryError(" ".join(map(str, unwritten)))
        if not status.papers:
            raise QueryError(f"No file in “{arguments.folder}” could be read as a paper.")
        print(f"vouch: {printable(in_one_line(status, refused, document, arguments))}", file=sys.stderr)
    return 2 if status.unreadable or status.failures or status.wrong_entries or refused else 0


def _work(store: Store, project: Project, hands: Hands) -> None:
    start(store, project.id, QUEUE, hands)
    with terminal_progress() as progress:
        carry_out(
            store,
            project.id,
            hands=hands,
            report=lambda standing: progress(standing.share, standing.in_words),
        )


def _put_in(store: Store, project: Project, files: Sequence[Path]) -> dict[str, str]:
    """Put the files into the project; files of references that hold none, with why."""
    refused = {}
    for file in files:
        data = bytes_of(file)
        if not holds_references(file.name, data):
            with store.writing(QUEUE) as change:
                change.put_in(project.id, file.name, data, again=False)
            continue
        try:
            add_references(store, project.id, data, name=file.name, who=QUEUE)
        except VouchError as error:
            refused[storable_name(file.name)] = str(error)
    return refused


def _tell(status: QueueStatus, refused: dict[str, str], document: dict[str, object]) -> None:
    """What a person should look at, line by line."""
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
    """The project to go on with, changed in what the arguments name, or a new one."""
    name = arguments.name or storable_name(arguments.folder.resolve().name)
    with store.writing(QUEUE) as change:
        brought = None
        if arguments.project is not None:
            state = project_from_file(bytes_of(arguments.project))
            change.bring_in(state)
            brought = state.project.record.id
        named = [saved for saved in change.projects() if brought in (None, saved.record.id)]
        there = next((saved for saved in reversed(named) if brought or saved.record.name == name), None)
        if there is None:
            study = study_context(arguments.objective, arguments.pico)
            new = Project(uuid4().hex, name, REVIEWERS, arguments.tool or "rob2", study, blind=False)
        elif arguments.tool not in (None, there.record.tool):
            raise QueryError(
                f"The project “{name}” is judged with another tool, {there.record.tool}: it stays the same."
            )
        before = there.record if there else new
        wanted = replace(
            before,
            reviewers=_reviewers(arguments, there.record if there else None),
            hypotheses=tuple(dict.fromkeys((*before.hypotheses, *arguments.hypothesis))),
            criteria=tuple(dict.fromkeys((*before.criteria, *map(_criterion, arguments.criterion)))),
            plan=engines_of(_plan(arguments, before.plan)).plan,
        )
        tool_named(wanted.tool)
        if there is None or wanted != before:
            change.save(wanted, seen=there.version if there else 0)
        return wanted


def _reviewers(arguments: argparse.Namespace, there: Project | None) -> tuple[str, ...]:
    """Those of the project, and the named ones; in a new one, two without names where none is named."""
    return tuple(dict.fromkeys((*(there.reviewers if there else ()), *arguments.reviewer))) or REVIEWERS


def _plan(arguments: argparse.Namespace, before: Plan) -> Plan:
    """The project's engines, but for those that are named."""

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
    EvidenceQuery(text)  # the same length at most
    return Criterion(CriterionKind(kind.strip().lower()), text.strip())


def _workers(arguments: argparse.Namespace) -> int:
    number: int = arguments.workers
    if number < 1:
        raise QueryError(f"--workers is {number}: it must be at least 1.")
    return number
