"""`bias FOLDER`: a folder, or a paper, as a project that the app opens, with plots, tables and a report.

A bad file does not stop the others: it is listed with the reason. Finished work is in the project even if the command
is stopped, and a later run with the same project file resumes from there.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from core.bias import Domain, Tool, bias_engine_named
from core.bias.assessment import Suggestion as Made
from core.bias.engine import BiasEngine, DomainOutcome, stops_everything, suggest_each
from core.bias.own import OwnTool
from core.commands.bias_common import as_document, outcomes_in, study_context, tool_in
from core.commands.common import budget_of, bytes_of, printable, terminal_progress, write_whole
from core.commands.read import read_file
from core.errors import QueryError, VouchError
from core.export.bias_plots import summary_bars, traffic_light
from core.export.drawing import png_of, svg_of
from core.export.levels import (
    LevelTable,
    judged_by_people,
    papers_of,
    read_papers,
    settled_levels,
    suggested_levels,
)
from core.export.project_table import project_csv
from core.export.report import project_report
from core.export.robvis import left_out_of_robvis, project_robvis
from core.paper import Paper
from core.progress import Progress
from core.settings import Settings
from core.store import (
    Project,
    ProjectState,
    Store,
    open_store,
    project_from_json,
    project_to_json,
    record_of,
    scope_of,
    tool_of,
)
from core.store.model import place_of, stored_suggestion

# The weight of each study of a project, from a CSV file.

_COLUMNS = ["Study", "Weight"]


def weights_of(path: Path, state: ProjectState, table: LevelTable) -> dict[str, float]:
    """Weights by the papers' ids. The file names each study as plots do, or by its file's name.

    Raises `QueryError` if the file is not such a table, or names a study that the project does not have.
    """
    named = {record.name: id for id, record in papers_of(state).items()}
    named |= {study.name: study.paper for study in table.studies}
    rows = list(csv.reader(io.StringIO(_text(path))))
    if not rows or [name.strip() for name in rows[0]] != _COLUMNS:
        raise QueryError(f"“{path}” is no table of weights: its first line must be {','.join(_COLUMNS)}.")
    weights = {}
    for number, row in enumerate(rows[1:], 2):
        try:
            study, weight = row
            weights[named[study.strip()]] = float(weight)
        except (KeyError, ValueError):
            raise QueryError(
                f"“{path}”, line {number}: expected a study of the project and a number. The studies are: {', '.join(named)}."
            ) from None
    return weights


def _text(path: Path) -> str:
    try:
        return bytes_of(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise QueryError(f"“{path}” is not text in UTF-8. Save it again as CSV in UTF-8.") from None


# Files that `bias` writes beside the project's JSON: report, plots, table, and the file for robvis.


def write_outputs(
    arguments: argparse.Namespace, state: ProjectState, tool: Tool, engine: str, papers: Mapping[str, Paper]
) -> None:
    """Write the requested files. Levels are the reviewers' if there are any, and the engine's otherwise.

    Raises `QueryError` if a file cannot be written, or if the weights do not fit.
    """
    table = settled_levels(state, tool) if judged_by_people(state) else suggested_levels(state, tool, engine)
    weights = weights_of(arguments.weights, state, table) if arguments.weights else None
    now = datetime.now().astimezone()
    if not arguments.json:
        print("\n".join(_lines(table)))
    if arguments.report or arguments.table:
        papers = read_papers(state, known=papers)
    if arguments.report:
        write_whole(arguments.report, project_report(state, table, papers, date=now))
    if arguments.table:
        write_whole(arguments.table, project_csv(state, table, papers, date=now))
    if arguments.plots:
        lights, bars = traffic_light(table, title=state.project.record.name), summary_bars(table, weights=weights)
        for name, plot in (("traffic-light", lights), ("summary", bars)):
            write_whole(arguments.plots / f"{name}.svg", svg_of(plot))
            write_whole(arguments.plots / f"{name}.png", png_of(plot))
    if arguments.robvis:  # last, because it may raise if there are no levels
        write_whole(arguments.robvis, project_robvis(table, weights=weights))
        if left_out := left_out_of_robvis(table):
            print(printable(left_out), file=sys.stderr)


def _lines(table: LevelTable) -> list[str]:
    lines = [f"{table.basis_in_words}."]
    for study in table.studies:
        said = (f"{id} {study.cells[id].level or 'no judgement'}" for id in table.columns)
        lines.append(printable(f"{study.name}: {', '.join(said)}"))
    return lines


_WHO = "Vouch"  # the author of these changes in the history
_SAVE_EVERY = 60  # seconds
REVIEWERS = ("Reviewer 1", "Reviewer 2")


def run_folder(arguments: argparse.Namespace) -> int:
    """Judge every paper, write the requested files, and report what could not be read (status 2)."""
    if arguments.domain and arguments.definition is None:
        raise QueryError("A project is judged with a whole tool: leave out --domain.")
    tool, own = tool_in(arguments)
    engine = bias_engine_named(arguments.engine, budget=budget_of(arguments))
    files = _files(arguments)
    with _project(arguments, tool, own) as (store, project):
        batch = _Batch(store, project, tool, engine, arguments)
        batch.save()  # raises for an unwritable file before the work, not after it
        try:
            batch.judge_all(files)
        finally:
            state = batch.save()
    for file, why in batch.failed.items():
        print(printable(f"{file}: {why}"), file=sys.stderr)
    for file, first in batch.again.items():
        print(printable(f"{file}: the same file as {first}, judged once"), file=sys.stderr)
    if not state.papers:
        raise QueryError(f"No file in “{arguments.file}” could be read as a paper.")
    if arguments.json:
        print(json.dumps(batch.document(state), ensure_ascii=False, indent=1))
    write_outputs(arguments, state, tool, engine.name, batch.papers)
    return 2 if batch.failed else 0


@dataclass(slots=True)
class _Batch:
    """The papers of one run, and the result for each file."""

    store: Store
    project: Project
    tool: Tool
    engine: BiasEngine
    arguments: argparse.Namespace
    papers: dict[str, Paper] = field(default_factory=dict)  # by id
    files: dict[str, str] = field(default_factory=dict)  # a paper's id -> its file
    failed: dict[str, str] = field(default_factory=dict)  # file -> why
    again: dict[str, str] = field(default_factory=dict)  # file -> the earlier file with the same content

    def judge_all(self, files: Sequence[Path]) -> None:
        """Read and judge one file after the other, saving regularly."""
        with self.store.reading() as now:
            made = [saved.record for saved in now.whole(self.project.id).suggestions]
        done = {place_of(one) for one in made if one.engine == self.engine.name}
        saved_at = time.monotonic()
        with terminal_progress() as progress:
            for number, file in enumerate(files):
                progress(number / len(files), file.name)
                try:
                    paper = read_file(file, self.arguments)
                    if paper.id in self.files:
                        self.again[str(file)] = self.files[paper.id]
                        continue
                    self.files[paper.id] = str(file)
                    for outcome in scope_of(self.project, self.tool).outcomes:
                        places = {one.id: (paper.id, self.tool.id, outcome, one.id) for one in self.tool.domains}
                        domains = [one for one in self.tool.domains if places[one.id] not in done]
                        self._judge(file, paper, outcome, domains, _share(progress, file, number, len(files)))
                except VouchError as error:
                    if stops_everything(error):
                        raise
                    self.failed[str(file)] = str(error)
                if time.monotonic() - saved_at > _SAVE_EVERY:
                    self.save()
                    saved_at = time.monotonic()

    def _judge(self, file: Path, paper: Paper, outcome: str, domains: Sequence[Domain], progress: Progress) -> None:
        """Store the paper, and a suggestion for each of these domains."""
        with self.store.writing(_WHO) as change:
            known = change.known_paper(self.project.id, paper.id)
            if known is None:
                change.keep_file(change.save(record_of(paper, project=self.project.id)), bytes_of(file))
            elif known.removed:
                return  # a reviewer deleted it
        self.papers[paper.id] = paper
        stopped: VouchError | None = None
        study = self.project.study.for_outcome(outcome)
        for made in suggest_each(domains, paper, study, engine=self.engine, progress=progress):
            if made.error is not None:
                stopped = made.error if stops_everything(made.error) else stopped
                what = ", ".join(filter(None, (str(file), outcome, made.domain.name)))
                self.failed[what] = str(made.error)
            if made.suggestion is not None:
                place = {"project": self.project.id, "paper": paper.id, "tool": self.tool.id, "outcome": outcome}
                with self.store.writing(_WHO) as change:
                    change.save(stored_suggestion(made.suggestion, **place))
        if stopped is not None:
            raise stopped

    def save(self) -> ProjectState:
        """The project as it is now. Also writes it to the requested file, if there is one."""
        with self.store.reading() as now:
            state = now.whole(self.project.id, with_files=True)
        if self.arguments.project_out is not None:
            write_whole(self.arguments.project_out, project_to_json(state))
        return state

    def document(self, state: ProjectState) -> dict[str, object]:
        """One JSON document: each paper as `bias FILE --json` gives it, and the files that failed."""
        made = {
            place_of(saved.record): saved.record
            for saved in state.suggestions
            if saved.record.engine == self.engine.name and not saved.removed
        }
        papers = []
        for (id, paper), outcome in product(self.papers.items(), scope_of(self.project, self.tool).outcomes):
            places = {domain.id: (id, self.tool.id, outcome, domain.id) for domain in self.tool.domains}
            stored = [(domain, made[places[domain.id]]) for domain in self.tool.domains if places[domain.id] in made]
            outcomes = [DomainOutcome(domain, Made(one.engine, one.judgement)) for domain, one in stored]
            costs = [one.cost_usd for _, one in stored]
            cost = None if None in costs else sum(cost for cost in costs if cost is not None)
            document = as_document(self.tool, outcomes, paper, self.engine.name, cost_usd=cost, outcome=outcome)
            papers.append({"file": self.files[id]} | document)
        failed = [{"file": file, "error": why} for file, why in self.failed.items()]
        return {
            "tool": self.tool.id,
            "tool_name": self.tool.name,
            "engine": self.engine.name,
            "papers": papers,
            "failed": failed,
        }


def _share(progress: Progress, file: Path, number: int, of: int) -> Progress:
    """Progress on one file, as a share of the whole."""
    return lambda done, step: progress((number + done) / of, f"{file.name}: {step}")


def _files(arguments: argparse.Namespace) -> list[Path]:
    """The files of the folder and its subfolders, without hidden ones and this command's outputs."""
    folder: Path = arguments.file
    if not folder.is_dir():
        return [folder]
    outputs = [arguments.project_out, arguments.report, arguments.robvis, arguments.table, arguments.plots]
    ours = {path.resolve() for path in outputs if path}
    found = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and not ours & {path.resolve(), *path.resolve().parents}
    ]
    if not found:
        raise QueryError(f"There is no file in “{folder}”. Name a folder with papers.")
    return found


@contextmanager
def _project(arguments: argparse.Namespace, tool: Tool, own: OwnTool | None) -> Iterator[tuple[Store, Project]]:
    """A temporary store with the project in it: the one from an earlier run, or a new one."""
    with TemporaryDirectory(prefix="vouch-") as home:
        store = open_store(Settings(home=Path(home), data=None))
        try:
            out: Path | None = arguments.project_out
            yield (
                store,
                _resumed(store, out, tool, outcomes_in(arguments, tool))
                if out and out.exists()
                else _new(store, arguments, tool, own),
            )
        finally:
            store.close()


def _resumed(store: Store, out: Path, tool: Tool, outcomes: tuple[str, ...]) -> Project:
    """The project in the file, with the given outcomes added."""
    state = project_from_json(bytes_of(out))
    project = state.project.record
    if tool_of(project) != tool:
        name = tool_of(project).name
        raise QueryError(
            f"“{out}” holds a project with another tool, {name}. Name another file, or that tool with --tool."
        )
    with store.writing(_WHO) as change:
        change.import_project(state)
        more = replace(project, outcomes=tuple(dict.fromkeys((*project.outcomes, *outcomes))))
        return change.put(more).record


def _new(store: Store, arguments: argparse.Namespace, tool: Tool, own: OwnTool | None) -> Project:
    project = Project(
        id=uuid4().hex,
        name=arguments.name or arguments.file.resolve().name,
        reviewers=tuple(arguments.reviewer or REVIEWERS),
        tool=tool.id,
        study=study_context(arguments.objective, arguments.pico),
        own_tools=(own,) if own else (),
        outcomes=outcomes_in(arguments, tool),
    )
    with store.writing(_WHO) as change:
        change.save(project)
    return project
