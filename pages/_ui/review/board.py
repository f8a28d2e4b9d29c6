"""An open project: its papers and how far they are, the way to the next one, and who is at work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from core.bias import Tool, tool_named
from core.errors import VouchError
from core.screening.model import ScreeningVerdict
from core.store import DomainLevels, ItemView, PaperState, Project, Saved
from pages._ui import frame
from pages._ui.escape import plain
from pages._ui.review import deleting, form, place, table
from pages._ui.review.conflicts import go_to, in_order
from pages._ui.review.references import References
from pages._ui.review.stored import the_store
from pages._ui.review.table.rows import references_payload, table_payload
from pages._ui.state import Session, prime


@dataclass(frozen=True, slots=True)
class Board:
    """All that the page of a project shows, from one snapshot of the store."""

    saved: Saved[Project]
    tool: Tool
    papers: tuple[PaperState, ...]
    removed: tuple[PaperState, ...]
    levels: tuple[DomainLevels, ...]
    reviewer: str | None
    left_out: Mapping[str, str] = field(default_factory=dict)  # duplicates by id, with what stands for them
    excluded: Mapping[str, str] = field(default_factory=dict)  # by screening, as far as one may see, with the reason
    to_screen: int = 0  # papers and references that the reader has not decided on

    @property
    def project(self) -> Project:
        """The project itself."""
        return self.saved.record

    @property
    def screening_first(self) -> bool:
        """Whether the next thing to do is to screen: criteria wait to be held against papers, or no paper is here yet.

        A project without criteria is there to judge the papers that it has.
        """
        return self.to_screen > 0 and bool(self.project.criteria or not self.papers)

    @property
    def conflicts(self) -> tuple[DomainLevels, ...]:
        """The domains on which the reviewers differ, and have settled nothing, in the order of papers and domains."""
        return in_order(self.levels, [state.paper.record.id for state in self.papers], self.tool)


def read(saved: Saved[Project], reviewer: str | None) -> Board:
    """What the reader may see of the project. Raises `VouchError`."""
    project = saved.record
    tool = tool_named(project.tool)
    ids = [domain.id for domain in tool.domains]
    reader = reviewer if reviewer in project.reviewers else None
    with the_store().reading() as store:
        left_out = store.left_out(project.id)
        levels = store.levels(project.id, ids, reader=reader or "")
        screened = store.screenings(project.id, reader=reader or "")
        return Board(
            saved=saved,
            tool=tool,
            papers=tuple(one for one in store.papers(project.id, ids) if one.paper.record.id not in left_out),
            removed=store.papers(project.id, ids, removed=True),
            levels=tuple(one for one in levels if one.paper not in left_out),
            reviewer=reader,
            left_out=left_out,
            excluded=_excluded(screened),
            to_screen=sum(id not in screened or reader not in screened[id].by for id in store.item_ids(project.id)),
        )


def _excluded(views: Mapping[str, ItemView]) -> dict[str, str]:
    """The items that screening excluded in the end, with the reason, as far as the reader may see."""
    return {id: view.final_reason for id, view in views.items() if view.final is ScreeningVerdict.EXCLUDE}


def show(now: Session, board: Board) -> None:
    """Draw the project's name, who is at work, and the ways on."""
    project = board.project
    with st.container(key="project-bar", gap="xxsmall"):
        st.subheader(plain(project.name, limit=200), anchor=False)
        facts = [board.tool.name, "blind" if project.is_blind else "open", project.study.objective]
        st.caption(plain(" · ".join(filter(None, facts)), limit=300))
    with st.container(key="project-row", horizontal=True, vertical_alignment="bottom", gap="small"):
        _who(now, project, board.reviewer)
        if board.reviewer is not None:
            _ways_on(now, board, board.reviewer)
        else:
            st.caption("Choose who you are, to judge and to add papers.", width="content")
        st.space("stretch")
        st.button("All projects", key="leave-project", type="tertiary", on_click=now.review.leave)


def _who(now: Session, project: Project, reviewer: str | None) -> None:
    key = f"i-am-{project.id}"
    prime(**{key: reviewer})
    st.segmented_control(
        "I am",
        project.reviewers,
        key=key,
        format_func=plain,
        required=reviewer is not None,
        on_change=_sit_down,
        args=(now, project.id, key),
    )


def _sit_down(now: Session, project: str, key: str) -> None:
    """Work as the chosen reviewer. A browser may tell of the field once more after the project was closed."""
    if now.review.project == project and (chosen := st.session_state[key]) is not None:
        now.review.enter(project, chosen)


def _ways_on(now: Session, board: Board, reviewer: str) -> None:
    to_judge = [state for state in board.papers if state.paper.record.id not in board.excluded]
    undone = sum(state.done.get(reviewer, 0) < len(board.tool.domains) for state in to_judge)
    done = "No paper left to judge" if board.papers else "No papers yet"
    if st.button(  # references alone can be screened too
        f"Screen ({board.to_screen} left)" if board.to_screen else "Screen",
        key="screen",
        icon=":material/checklist:",
        type="primary" if board.screening_first else "secondary",
    ):
        st.switch_page(frame.SCREENING, query_params=place.address(now))
    if st.button(
        f"Next paper to judge ({undone} left)" if undone else done,
        key="next-undone",
        type="secondary" if board.screening_first else "primary",
        disabled=not undone,
        help="Risk of bias, of papers that screening has not excluded",
    ):
        go_to_next_undone(now, board.project, board.tool)
    conflicts = board.conflicts
    label = f"Settle conflicts ({len(conflicts)})"
    if conflicts and st.button(label, key="settle-conflicts", icon=":material/handshake:", help="Risk of bias"):
        go_to(now, conflicts[0])
    if st.button("Settings", key="project-settings", icon=":material/settings:"):
        form.change(now, board.saved)
    if st.button("Delete", key="delete-project", icon=":material/delete:", type="tertiary"):
        deleting.ask_project(now, board.saved, reviewer)


def go_to_next_undone(now: Session, project: Project, tool: Tool, *, after: str | None = None) -> None:
    """Put the reviewer's first paper that is not done on the desk, at its first domain that is not done.

    Those that screening has excluded are passed over: their risk of bias says nothing to the review.
    """
    reviewer = now.review.reviewer or ""
    ids = [domain.id for domain in tool.domains]
    try:
        with the_store().reading() as store:
            without = {*store.left_out(project.id), *_excluded(store.screenings(project.id, reader=reviewer))}
            paper = store.next_undone(project.id, reviewer, ids, without=without)
            views = store.domains(project.id, paper, ids, reader=reviewer) if paper else {}
    except VouchError as error:
        now.problem = str(error)
        return
    if paper is None:
        st.toast("You have judged every paper that is to be judged.", icon=":material/check:")
        return
    domain = next((id for id, view in views.items() if view.own is None or view.own.record.level is None), ids[0])
    now.review.judge()
    if place.open_paper(now, paper, domain):
        st.switch_page(frame.BIAS, query_params=place.address(now, paper))


def show_papers(now: Session, board: Board, references: References) -> str | None:
    """Draw the table of papers, and of the references whose paper is not here. The reference that was clicked, if any."""
    key = f"papers-{board.project.id}"
    payload = table_payload(
        board.project,
        board.papers,
        board.levels,
        domains=len(board.tool.domains),
        reviewer=board.reviewer,
        excluded=board.excluded,
        references=references.all.values(),
    )
    payload |= references_payload(references, board.left_out, excluded=board.excluded)
    chosen = table.show(key=key, data=payload | {"begin": [now.review.to_references, "textless"]})
    if chosen is not None:
        _act(now, board, *chosen)
    return chosen[1] if chosen is not None and chosen[0] == "reference" else None


def _act(now: Session, board: Board, what: str, paper: str) -> None:
    """Do what was clicked in the table."""
    state = next((state for state in board.papers if state.paper.record.id == paper), None)
    if state is None:
        return
    if what == "remove":
        deleting.ask_paper(now, state.paper, board.reviewer)
    elif what == "settle":
        go_to(now, next(one for one in board.conflicts if one.paper == paper))
    elif what == "open" and place.open_paper(now, paper):
        st.switch_page(frame.BIAS, query_params=place.address(now, paper))
