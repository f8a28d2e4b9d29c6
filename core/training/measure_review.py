"""How long a whole review takes, step by step, with how much memory, and whether all that was planted in it is reported.

    python -m core.training.measure_review                                # 20, 80 and 320 papers with two workers, 80 with one
    python -m core.training.measure_review --papers 20 --workers 1,2

The papers are the trials of Evidence Inference, and at full size the PDFs too; their references come as one RIS file. Two
duplicates, three broken files and a wrong entry are planted, and must be reported. Every review is a process of its own
with an empty cache. Reads the data folder (VOUCH_DATA, or ../shared/data beside the repository). Worth something on a
quiet machine only: the load before each run is printed with it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import VouchError
from core.export.ris import DecidedReference, ris
from core.paper import Paper, read_paper
from core.references import Reference, of_paper
from core.review.intake import add_references, alike
from core.review.outputs import flow_file, references_file, table_file
from core.review.queue import Hands, carry_out, start
from core.review.status import queue_status
from core.review.table import table_rows
from core.screening.model import Criterion, CriterionKind
from core.settings import Settings
from core.store import Plan, Project, Store, open_store, project_from_file, project_to_file
from core.training import evidence_data as data

FULL = 320
HYPOTHESES = ("The intervention reduces mortality compared with the control", "The intervention reduces pain")
CRITERIA = (
    Criterion(CriterionKind.DESIGN, "randomised controlled trial"),
    Criterion(CriterionKind.POPULATION, "adults"),
)
BROKEN = {"cut-off.pdf": b"%PDF-1.7\n1 0 obj\n<<", "empty.txt": b"", "noise.pdf": bytes(range(256)) * 8}
WRONG = "TY  - JOUR\nAU  - Nobody, N.\nPY  - 2020\nER  - \n\n"
WHO = "Measure"


@dataclass(slots=True)
class Steps:
    """Seconds of the clock, step by step."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a step."""
        started = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - started, 2)


def main() -> None:
    """Print every step's time at each size, growth, memory, the ratio of workers, and what was reported."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", default=f"20,80,{FULL}", help="sizes (default: %(default)s)")
    parser.add_argument("--workers", default="2", help="numbers of workers at every size (default: %(default)s)")
    parser.add_argument(
        "--ratio-at", type=int, default=80, metavar="N", help="size at which one worker runs beside two"
    )
    parser.add_argument("--one", nargs=2, type=int, metavar=("PAPERS", "WORKERS"), help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(_review(*options.one)))
        return
    sizes = [int(size) for size in options.papers.split(",")]
    hands = [int(number) for number in options.workers.split(",")]
    runs = [(size, number) for size in sizes for number in hands]
    if options.ratio_at in sizes:
        runs += [(options.ratio_at, number) for number in (1, 2) if (options.ratio_at, number) not in runs]
    found = [_in_a_process(size, number) for size, number in sorted(runs)]
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        _print(found)


def _in_a_process(papers: int, workers: int) -> dict[str, Any]:
    load = os.getloadavg()[0]
    words = [sys.executable, "-m", "core.training.measure_review", "--one", str(papers), str(workers)]
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(  # noqa: S603
            words, cwd=data.ROOT, env={**os.environ, "VOUCH_HOME": home}, stdout=subprocess.PIPE, check=True
        )
    found: dict[str, Any] = json.loads(done.stdout)
    print(f"{papers} papers, {workers} workers: {found['queue']:.0f} s (load before: {load:.1f})", file=sys.stderr)
    return found


def _review(papers: int, workers: int) -> dict[str, Any]:
    """One review from its files to its outputs."""
    steps = Steps()
    files = _files(papers)
    references = _references([read_paper(content, name=name) for name, content in files.items()])
    files |= _planted(files) | BROKEN
    with tempfile.TemporaryDirectory() as home:
        store = open_store(Settings(home=Path(home), data=None))
        project = Project("measured", "Measured", ("Ann", "Ben"), blind=False, plan=Plan(None, None, None))
        with store.writing(WHO) as change:
            change.save(project)
        with steps.step("files in"), store.writing(WHO) as change:
            for name, content in files.items():
                change.put_in(project.id, name, content)
        hands = Hands(workers)
        with steps.step("reading"):
            _work(store, project.id, hands)
        with steps.step("references in, and matched"):
            add_references(store, project.id, references.encode(), name="library.ris", who=WHO)
        asked: tuple[tuple[str, dict[str, Any]], ...] = (
            ("two criteria", {"criteria": CRITERIA, "plan": Plan("offline", None, None)}),
            ("a hypothesis", {"hypotheses": HYPOTHESES[:1], "plan": Plan("offline", "offline", None)}),
            ("risk of bias (RoB 2)", {"plan": Plan("offline", "offline", "offline")}),
            ("a hypothesis more", {"hypotheses": HYPOTHESES}),
        )
        for name, change_of in asked if papers < FULL else asked[:-1]:
            project = _changed(store, project, **change_of)
            with steps.step(name):
                _work(store, project.id, hands)
        queue = sum(steps.seconds[name] for name in ("reading", *(name for name, _ in asked[:-1])))
        facts = _outputs(store, project.id, steps)
        store.close()
    return {
        "papers": papers,
        "workers": workers,
        "steps": steps.seconds,
        "queue": queue,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "megabytes_of_a_worker": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
    } | facts


def _outputs(store: Store, project: str, steps: Steps) -> dict[str, Any]:
    """The files to take away, and what the review reports."""
    moment = datetime.now(UTC)
    makers: dict[str, Callable[[Any], object]] = {
        "likenesses": lambda now: alike(now, project),
        "table (CSV)": lambda now: table_file(now, project, ".csv", reader="", made=moment),
        "table (XLSX)": lambda now: table_file(now, project, ".xlsx", reader="", made=moment),
        "flow (PNG)": lambda now: flow_file(now, project, ".png", reader=""),
        "references (RIS)": lambda now: references_file(now, project, reader=""),
        "whole project": lambda now: project_to_file(now.whole(project, with_files=True)),
    }
    made = {}
    for name, make in makers.items():
        with steps.step(name), store.reading() as now:
            made[name] = make(now)
    whole = made["whole project"]
    assert isinstance(whole, bytes)  # noqa: S101
    with tempfile.TemporaryDirectory() as home:
        other = open_store(Settings(home=Path(home), data=None))
        with steps.step("whole project in"), other.writing(WHO) as change:
            change.bring_in(project_from_file(whole))
        with other.reading() as now:
            same = project_to_file(now.whole(project, with_files=True)) == whole
        other.close()
    with store.reading() as now:
        status = queue_status(now, now.project(project).record)
        rows = table_rows(now, project, reader="")
        names = {saved.record.id: saved.record.name for saved in now.stored_papers(project)}
        names |= {saved.record.id: f"record {saved.record.number}" for saved in now.references(project)}
        twice = [(names[one.first], names[one.second]) for one in alike(now, project) if one.is_duplicate]
    return {
        "rows": len(rows),
        "complete": all(row.cell(HYPOTHESES[0]).finding is not None for row in rows),
        "verdicts": sum(not row.cell(HYPOTHESES[0]).missing for row in rows),
        "failed": [one.error for one in status.failures],
        "unreadable": [one.name for one in status.unreadable],
        "wrong_entries": [one.task for one in status.wrong_entries],
        "duplicates": twice,
        "same_after_import": same,
        "megabytes_of_project": round(len(whole) / 1e6, 1),
    }


def _work(store: Store, project: str, hands: Hands) -> None:
    start(store, project, WHO, hands)
    carry_out(store, project, hands=hands)


def _changed(store: Store, project: Project, **changes: Any) -> Project:
    with store.writing(WHO) as change:
        saved = change.project(project.id)
        return change.save(replace(saved.record, **changes), seen=saved.version).record


def _files(papers: int) -> dict[str, bytes]:
    """So many trials; at full size the PDFs too."""
    folder = data.data_folder()
    trials = sorted((folder / "evidence_inference" / "xml").glob("*.nxml"))[:papers]
    pdfs = sorted((folder / "pdf").glob("*.pdf")) if papers >= FULL else []
    return {file.name: file.read_bytes() for file in (*trials, *pdfs)}


def _planted(files: dict[str, bytes]) -> dict[str, bytes]:
    """The first paper once more as another file."""
    name = next(iter(files))
    return {f"again-{name}": files[name] + b"\n<!-- printed again -->\n"}


def _references(papers: Sequence[Paper]) -> str:
    """A RIS file of all papers; one of them stands twice, in another spelling and without its numbers, and one is wrong."""
    entries = [of_paper(paper) for paper in papers]
    twice = entries[1]
    other = Reference(twice.title.upper(), twice.authors, twice.year)
    return ris([DecidedReference(entry) for entry in (*entries, other)]) + "\n" + WRONG


def _print(found: Sequence[dict[str, Any]]) -> None:
    names = list(found[0]["steps"])
    print(f"{'seconds':28}" + "".join(f"{one['papers']:>7} p. {one['workers']} w." for one in found))
    for name in names:
        print(f"{name:28}" + "".join(f"{one['steps'].get(name, float('nan')):15.1f}" for one in found))
    for name in ("queue", "megabytes", "megabytes_of_a_worker", "megabytes_of_project"):
        print(f"{name:28}" + "".join(f"{one[name]:15.1f}" for one in found))
    for one in found:
        print({name: value for name, value in one.items() if name not in ("steps",)})
    by_size: dict[int, dict[int, float]] = {}
    for one in found:
        by_size.setdefault(one["papers"], {})[one["workers"]] = one["queue"]
    for size, times in by_size.items():
        if 1 in times and 2 in times:
            print(f"{size} papers: two workers take {times[2] / times[1]:.2f} of the time of one")


if __name__ == "__main__":
    try:
        main()
    except VouchError as error:
        sys.exit(str(error))
