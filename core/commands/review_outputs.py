"""What the command `review` writes: the evidence table, the flow diagram, references with decisions, the whole project."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from core.commands.files import require_writable, write_whole
from core.errors import QueryError, VouchError
from core.export.evidence_table import TableRow
from core.export.project.machines import counted
from core.findings.model import Passage
from core.review.intake import alike
from core.review.outputs import FLOWS, TABLES, flow_file, references_file, table_file
from core.review.status import QueueStatus
from core.review.table import table_rows
from core.store import Project, Reading, Store, project_to_file

OUTPUTS = ("out", "flow", "ris", "project_out")


def add_outputs(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    files = parser.add_argument_group("outputs")
    files.add_argument("--out", type=Path, metavar="TABLE", help=f"the evidence table: {', '.join(TABLES)}")
    files.add_argument("--flow", type=Path, metavar="FILE", help=f"the PRISMA 2020 flow diagram: {', '.join(FLOWS)}")
    files.add_argument("--ris", type=Path, metavar="FILE", help="the references, with decisions in their notes")
    files.add_argument("--project-out", type=Path, metavar="FILE", help="the whole project, which the app opens")


def check_outputs(arguments: argparse.Namespace) -> None:
    """Raises `QueryError` for an output that cannot be written, before the work."""
    for name, endings in (("out", TABLES), ("flow", FLOWS)):
        path: Path | None = getattr(arguments, name)
        if path is not None and path.suffix.lower() not in endings:
            raise QueryError(f"“{path.name}” must end in {' or '.join(endings)}.")
    for name in OUTPUTS:
        path = getattr(arguments, name)
        if path is not None:
            require_writable(path)


def write_outputs(store: Store, project: str, arguments: argparse.Namespace) -> tuple[VouchError, ...]:
    """Write every file that was asked for. One that cannot be written keeps no other from it: it is among the errors."""
    made: Mapping[str, Callable[[Path, Reading], str | bytes]] = {
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


def as_document(now: Reading, project: str, status: QueueStatus, refused: Mapping[str, str]) -> dict[str, object]:
    """The result as plain data: the table, and what could not be done."""
    rules = now.project(project).record
    names = {saved.record.id: saved.record.name for saved in now.stored_papers(project)}
    names |= {
        saved.record.id: f"{saved.record.source}, record {saved.record.number}" for saved in now.references(project)
    }
    return {
        "project": rules.name,
        "hypotheses": list(rules.hypotheses),
        "papers": [_row(row, rules, names[row.paper]) for row in table_rows(now, project, reader="")],
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
            for one in alike(now, project)
        ],
    }


def in_one_line(
    status: QueueStatus, refused: Mapping[str, str], document: dict[str, object], arguments: argparse.Namespace
) -> str:
    """What came of it, and where it is."""
    rows = document["papers"]
    assert isinstance(rows, list)  # noqa: S101
    findings = sum(found["verdict"] is not None for row in rows for found in row["findings"])
    failures = len(status.unreadable) + len(refused) + len(status.wrong_entries) + len(status.failures)
    numbers = ((status.papers, "paper"), (status.references, "reference"), (findings, "finding"), (failures, "failure"))
    table = f"the table is in {arguments.out}" if arguments.out else "no table was written: --out names one"
    kept = f"; the project “{document['project']}” is in the app" if arguments.save else ""
    return f"{', '.join(counted(number, what) for number, what in numbers)}; {table}{kept}"


def _row(row: TableRow, project: Project, file: str) -> dict[str, object]:
    return {
        "file": file,
        "id": row.paper,
        "study": row.study,
        "title": row.title,
        "doi": row.doi,
        "risk_of_bias": {"level": row.bias.level, "by": row.bias.whose, "missing": row.bias.missing},
        "findings": [_cell(row, hypothesis) for hypothesis in project.hypotheses],
    }


def _cell(row: TableRow, hypothesis: str) -> dict[str, object]:
    cell = row.cell(hypothesis)
    finding, settled = cell.finding, cell.people.consensus
    people = {
        "reviewers": [
            {
                "who": one.reviewer,
                "verdict": one.verdict,
                "sentence": one.sentence and _passage(one.sentence),
                "effect": one.effect,
                "comment": one.comment,
            }
            for one in cell.people.given
        ],
        "settled": settled
        and {
            "verdict": settled.verdict,
            "sentence": settled.sentence and _passage(settled.sentence),
            "effect": settled.effect,
            "why": settled.why,
            "by": cell.people.settled_by,
        },
    }
    if finding is None:
        return {"hypothesis": hypothesis, "verdict": None, "missing": cell.missing, **people}

    effect = finding.effect
    return {
        "hypothesis": hypothesis,
        "verdict": finding.verdict,
        "missing": cell.missing,
        "probability": finding.probability,
        "reported": finding.reported,
        "reason": finding.reason,
        "check": finding.check,
        "for": finding.strongest_for and _passage(finding.strongest_for),
        "against": finding.strongest_against and _passage(finding.strongest_against),
        "nearest": [_passage(one) for one in finding.nearest],
        "effect": effect
        and {
            "measure": effect.measure,
            "value": effect.value,
            "low": effect.low,
            "high": effect.high,
            "level": effect.level,
            "p": effect.p,
            "text": effect.text,
            "sentence": effect.sentence,
        },
        "engine": finding.engine,
        **people,
    }


def _passage(one: Passage) -> dict[str, object]:
    return {"index": one.index, "text": one.text, "page": one.page, "section": one.section}
