"""Files of a project: the flow diagram, the project, the log of decisions, and plots and tables of risk of bias."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

import streamlit as st

from core.bias import Tool
from core.errors import VouchError
from core.export.bias_plots import summary_bars, traffic_light
from core.export.disclosure import HISTORY, disclosure
from core.export.drawing import Drawing, png_of, svg_of
from core.export.levels import LevelTable, open_places, read_papers, settled_levels, suggested_levels
from core.export.prisma import FlowCounts, flow_diagram, flow_of
from core.export.project_table import project_csv
from core.export.report import project_report
from core.export.robvis import any_row, is_judged, left_out_of_robvis, project_robvis
from core.export.search_report import searched_in_words
from core.paper import Paper
from core.review.marks import last_checked, to_check
from core.review.outputs import FLOWS, decisions_file, flow_file, flow_items, references_file, searches_file
from core.store import ProjectState, StoreReader, project_to_file, project_to_json
from core.store.blindness import seen_by
from pages._ui import standing_checks
from pages._ui.downloads import download, now_here, project_stem
from pages._ui.escape import plain
from pages._ui.review import notices_part, source_jobs
from pages._ui.review.board import ProjectSnapshot
from pages._ui.state import Session, current_session
from pages._ui.stored import the_store

# ---- what a reviewer may see ----

REVIEWERS = ""  # as the source of levels: the reviewers; otherwise an engine's name


@dataclass(frozen=True)
class BiasSnapshot:
    """A project as one reviewer may see it; `hidden` counts the domains of papers where something is left out.

    Each drawing is made only once.
    """

    state: ProjectState
    hidden: int
    tool: Tool
    source: str = REVIEWERS

    @cached_property
    def engines(self) -> list[str]:
        """The engines with a visible suggestion."""
        return sorted({saved.record.engine for saved in self.state.suggestions if not saved.removed})

    @cached_property
    def table(self) -> LevelTable:
        """The levels of the reviewers, or those suggested by an engine. Raises `QueryError`."""
        if self.source == REVIEWERS:
            return settled_levels(self.state, self.tool)
        return suggested_levels(self.state, self.tool, self.source)

    @property
    def left_out(self) -> str:
        """A sentence on what is hidden; empty if nothing is."""
        if not self.hidden:
            return ""
        domains = "1 domain of a paper" if self.hidden == 1 else f"{self.hidden} domains of papers"
        return f"Blind: suggestions and others' work on {domains} are left out until this reviewer has judged them."

    @cached_property
    def traffic_light(self) -> Drawing:
        """The plot of every judgement."""
        return traffic_light(self.table, title=self.state.project.record.name)

    @cached_property
    def summary(self) -> Drawing:
        """The plot of the shares of levels."""
        return summary_bars(self.table)

    @property
    def papers(self) -> dict[str, Paper]:
        """The papers whose text is available."""
        return read_papers(self.state)


def read_bias(snapshot: ProjectSnapshot, source: str = REVIEWERS, *, with_files: bool = False) -> BiasSnapshot:
    """What the reviewer may see now, with only the history that the disclosure needs. Raises `StoreError`."""
    with the_store().reading() as store:
        if with_files:
            return _seen(store, snapshot, source, with_files=True)
        stamp = f"{the_store().name}|{store.stamp(snapshot.project.id)}"
        return _kept(snapshot.project.id, snapshot.reviewer, source, stamp, store, snapshot)


@st.cache_resource(max_entries=4, show_spinner=False)
def _kept(
    project: str, reviewer: str | None, source: str, stamp: str, _store: StoreReader, _board: ProjectSnapshot
) -> BiasSnapshot:
    """Computed once after each change of the project."""
    return _seen(_store, _board, source)


def _seen(store: StoreReader, snapshot: ProjectSnapshot, source: str, *, with_files: bool = False) -> BiasSnapshot:
    state = store.whole(snapshot.project.id, with_files=True) if with_files else store.present(snapshot.project.id)
    state = replace(state, history=store.changes(snapshot.project.id, HISTORY))
    seen, hidden = seen_by(state, snapshot.reviewer or "", snapshot.scope)
    return BiasSnapshot(seen, hidden, snapshot.tool, source)


# ---- risk of bias ----

_FOLDED = 300  # letters
_MOST_LIGHTS = 60  # papers; with more, the traffic light is only offered as a file


@dataclass(frozen=True, slots=True)
class BiasFile:
    """A file of a project, made of what the reviewer may see."""

    label: str
    ending: str  # the end of the file name
    mime: str
    about: str
    make: Callable[[BiasSnapshot], str | bytes]
    needs_papers: bool = False  # it contains the text of sentences
    draws: bool = False  # it contains only levels, and needs at least one


def _plot(name: str, kind: str, make: Callable[[BiasSnapshot], str | bytes]) -> BiasFile:
    ending = f"-{name.lower().replace(' ', '-')}.{kind}"
    mime = "image/svg+xml" if kind == "svg" else "image/png"
    return BiasFile(f"{name} ({kind.upper()})", ending, mime, "", make, draws=True)


REPORT = BiasFile(
    "Report (HTML)",
    "-report.html",
    "text/html",
    "Plots, judgements with their sentences, agreement and disclosure, on one page that needs nothing beside it",
    lambda sight: project_report(
        sight.state, sight.table, sight.papers, date=now_here(), note=sight.left_out, hidden=sight.hidden
    ),
    needs_papers=True,
)
ROBVIS = BiasFile(
    "robvis (CSV)",
    "-robvis.csv",
    "text/csv",
    "For robvis, checked by its rules; only what has a level in every domain is in it, because robvis knows no blank",
    lambda sight: project_robvis(sight.table),
    draws=True,
)
FILES = (
    REPORT,
    BiasFile(
        "Table (CSV)",
        ".csv",
        "text/csv",
        "A line for each paper, domain and person, with everything that is stored",
        lambda sight: project_csv(sight.state, sight.table, sight.papers, date=now_here()),
        needs_papers=True,
    ),
    ROBVIS,
    _plot("Traffic light", "svg", lambda sight: svg_of(sight.traffic_light)),
    _plot("Traffic light", "png", lambda sight: png_of(sight.traffic_light)),
    _plot("Summary", "svg", lambda sight: svg_of(sight.summary)),
    _plot("Summary", "png", lambda sight: png_of(sight.summary)),
)


def show_bias(snapshot: ProjectSnapshot) -> None:
    """Draw the download buttons, the plots and the disclosure. Raises `VouchError`."""
    sight = read_bias(snapshot, st.session_state.get(_levels_of(snapshot)) or REVIEWERS)
    if not sight.table.studies:
        return
    st.caption("Risk of bias:")
    source = _source(snapshot, sight.engines)
    if source != sight.source:  # the chosen engine has no suggestions any more
        sight = read_bias(snapshot, source)
    table = sight.table
    judged = any(map(is_judged, table.studies))
    with st.container(horizontal=True, gap="small"):
        for file in FILES:
            if file.draws and not (any_row(table) if file is ROBVIS else judged):
                continue
            download(
                file.label,
                partial(_bias_file, file, snapshot, sight.source),
                name=f"{project_stem(snapshot.project.name)}{file.ending}",
                mime=file.mime,
                about=file.about,
                keeps=False,
            )
    with st.container(gap="xxsmall"):  # always there, so that what follows keeps its place in the page
        if sight.left_out:
            st.caption(plain(sight.left_out))
        _folded(open_places(table) + ("" if judged else " The plots follow with the first."))
        if judged:
            _folded(left_out_of_robvis(table))
    if judged:
        _plots(sight)
    st.caption("Disclosure, for the methods section:")
    st.code(disclosure(sight.state, snapshot.tool, hidden=sight.hidden), language=None, wrap_lines=True)


def _plots(sight: BiasSnapshot) -> None:
    summary, papers = sight.summary, len(sight.table.studies)
    st.image(svg_of(summary), alt=summary.description)
    if papers <= _MOST_LIGHTS:
        lights = sight.traffic_light
        st.image(svg_of(lights), alt=lights.description)
    else:
        st.caption(f"The traffic light has a row for each of the {papers} papers: take it as a file.")


def _folded(sentence: str) -> None:
    """Draw a sentence that ends with a list, folded if it is long."""
    if len(sentence) <= _FOLDED:
        st.caption(plain(sentence))
        return
    count, _, which = sentence.partition(": ")
    with st.expander(plain(count)):
        st.caption(plain(which))


def _levels_of(snapshot: ProjectSnapshot) -> str:
    return f"levels-of-{snapshot.project.id}"


def _source(snapshot: ProjectSnapshot, engines: list[str]) -> str:
    """Draw the choice of whose levels are shown. The default is the reviewers'."""
    if not engines:
        return REVIEWERS
    chosen = st.segmented_control(
        "Levels of",
        [REVIEWERS, *engines],
        key=_levels_of(snapshot),
        format_func=lambda name: plain(name) or "the reviewers",
        default=REVIEWERS,
        required=True,
    )
    return chosen or REVIEWERS


def _bias_file(file: BiasFile, snapshot: ProjectSnapshot, source: str) -> bytes:
    standing_checks.before_export(snapshot.project.id)
    content = file.make(read_bias(snapshot, source, with_files=file.needs_papers))
    return content.encode() if isinstance(content, str) else content


# ---- flow diagram ----

_MIMES = {".svg": "image/svg+xml", ".png": "image/png"}


def show_flow(snapshot: ProjectSnapshot) -> None:
    """Draw the diagram, its files, and what is still open."""
    project, reader = snapshot.project, snapshot.reviewer or ""
    try:
        with the_store().reading() as store:
            counts = flow_of(flow_items(store, project.id, reader=reader))
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if not counts.search.identified + counts.other.identified:
        st.caption("No records yet: the diagram counts papers and the entries of files of references.")
        return
    diagram = flow_diagram(counts)
    with st.container(key="flow", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            for ending in FLOWS:
                download(
                    f"Flow diagram ({ending.removeprefix('.').upper()})",
                    partial(_flow_file, project.id, reader, ending),
                    name=f"{project_stem(project.name)}-flow{ending}",
                    mime=_MIMES[ending],
                    about="The PRISMA 2020 flow diagram",
                    keeps=False,
                )
        st.caption(plain(waiting_in_words(counts)))
        if counts.studies < counts.reports_included:
            st.caption("Included reports that share one registration number are counted as one study.")
        if project.is_blind:
            st.caption("Blind: what others decided counts for you once your own decision on a paper is in.")
        st.image(svg_of(diagram), alt=diagram.description)


def waiting_in_words(counts: FlowCounts) -> str:
    """A sentence on what the diagram still lacks."""
    parts = list(_waiting(counts))
    if not parts:
        return "Every record has been decided on."
    return f"Still open: {'; '.join(parts)}."


def _waiting(counts: FlowCounts) -> Iterator[str]:
    both = (counts.search, counts.other)
    steps = (
        (sum(stream.waiting_screening for stream in both), "for a decision by title and abstract"),
        (sum(stream.waiting_retrieval for stream in both), "for the full text"),
        (sum(stream.waiting_assessment for stream in both), "for a decision by full text"),
    )
    for number, what in steps:
        if number:
            yield f"{number:,} {'waits' if number == 1 else 'wait'} {what}"


def _flow_file(project: str, reader: str, ending: str) -> bytes:
    with the_store().reading() as store:
        made = flow_file(store, project, ending, reader=reader)
    return made.encode() if isinstance(made, str) else made


# ---- other files ----


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """A file of a project. `make` takes the store, the project's id and the reader."""

    label: str
    ending: str  # the end of the file name
    mime: str
    about: str
    make: Callable[[StoreReader, str, str], str | bytes]


_ALL = "Papers, decisions of all reviewers, findings and history; opens again in another Vouch. Nothing is hidden in it"
PROJECT = (
    ProjectFile(
        "Whole project (.vouch)",
        ".vouch",
        "application/zip",
        f"{_ALL}. With the papers' files",
        lambda store, project, _: project_to_file(store.whole(project, with_files=True)),
    ),
    ProjectFile(
        "Without the files (.vouch)",
        "-without-files.vouch",
        "application/zip",
        f"{_ALL}. The papers' own files stay here",
        lambda store, project, _: project_to_file(store.whole(project)),
    ),
    ProjectFile(
        "Whole project (JSON)",
        ".json",
        "application/json",
        f"{_ALL}. The same as one JSON document, for other programs",
        lambda store, project, _: project_to_json(store.whole(project, with_files=True)),
    ),
)
DECISIONS = (
    ProjectFile(
        "References (RIS)",
        ".ris",
        "application/x-research-info-systems",
        "Every reference, with what was decided on it in the notes, as reference managers read it",
        lambda store, project, reader: references_file(store, project, reader=reader),
    ),
    ProjectFile(
        "Decision log (CSV)",
        "-decisions.csv",
        "text/csv",
        "Who decided what, when, and with which suggestion in view",
        lambda store, project, reader: decisions_file(store, project, reader=reader),
    ),
)


SEARCHES = (
    ProjectFile(
        "Searches (CSV)",
        "-searches.csv",
        "text/csv",
        "Every run of every search: date, service, string as it was sent, records found and taken",
        lambda store, project, _: searches_file(store, project),
    ),
)


def show(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw the download buttons, and below them the files on risk of bias."""
    with st.container(key="outputs", gap="small"):
        _files("The whole review, to keep or to take to another computer:", PROJECT, snapshot)
        _files("What was decided:", DECISIONS, snapshot)
        _searches(snapshot)
        _retractions(session, snapshot)
        try:
            show_bias(snapshot)
        except VouchError as error:
            st.error(plain(str(error)), icon=":material/error:")


def _searches(snapshot: ProjectSnapshot) -> None:
    """Draw what PRISMA-S asks for."""
    try:
        with the_store().reading() as store:
            searches = [saved.record for saved in store.searches(snapshot.project.id)]
            said = searched_in_words(searches, store.retrievals.all(snapshot.project.id))
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if searches:
        _files("How it was searched, as PRISMA-S asks:", SEARCHES, snapshot)
        st.code(said, language=None, wrap_lines=True)


def _retractions(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw whether papers were checked for retractions, with a button to check them now, before files are taken."""
    project = snapshot.project.id
    source_jobs.take_result(session)
    try:
        with the_store().reading() as store:
            asked, stands = to_check(store, project), last_checked(store, project)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if not stands.in_words:
        return
    with st.container(key="checked", gap="xxsmall"):
        st.caption(f":material/report: {plain(stands.in_words)} The files say so, too.")
        if snapshot.reviewer is not None:
            notices_part.offer(session, project, asked)


def _files(words: str, files: tuple[ProjectFile, ...], snapshot: ProjectSnapshot) -> None:
    with st.container(gap="xxsmall"):
        st.caption(words)
        with st.container(horizontal=True, gap="small"):
            for file in files:
                download(
                    file.label,
                    partial(_project_file, current_session(), file, snapshot.project.id, snapshot.reviewer or ""),
                    name=f"{project_stem(snapshot.project.name)}{file.ending}",
                    mime=file.mime,
                    about=file.about,
                    keeps=False,
                )


def _project_file(session: Session, file: ProjectFile, project: str, reader: str) -> bytes:
    """The content of a file. Streamlit shows its own message if that fails; ours is drawn next time."""
    try:
        standing_checks.before_export(project)
        with the_store().reading() as store:
            content = file.make(store, project, reader)
    except VouchError as error:
        session.problem = str(error)
        raise
    return content.encode() if isinstance(content, str) else content
