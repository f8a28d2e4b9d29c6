"""An open project: its papers and their progress, links to the next one, conflicts, and deleting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core.bias import Tool
from core.errors import VouchError
from core.review.marks import marks
from core.screening.model import ScreeningVerdict
from core.store import (
    DomainLevels,
    ItemView,
    PaperState,
    Project,
    Saved,
    Scope,
    StoredPaper,
    StoreReader,
    scope_of,
    tool_of,
)
from core.store.model import with_rule
from core.text.words import counted
from pages._ui import frame
from pages._ui.escape import plain
from pages._ui.review import form, navigation, tables
from pages._ui.review.references import References
from pages._ui.review.sheet import Sheet
from pages._ui.review.tables import papers_payload, references_payload
from pages._ui.state import Session, prime
from pages._ui.stored import the_store

# ---- conflicts ----


def conflicts_among(levels: Iterable[DomainLevels]) -> tuple[DomainLevels, ...]:
    """The domains on which reviewers differ and have not settled, in their order."""
    return tuple(one for one in levels if one.final is None and one.differ)


def go_to_conflict(session: Session, conflict: DomainLevels) -> None:
    """Put a conflict on the desk, with the reviewers side by side."""
    session.review.settle()
    if navigation.open_paper(session, conflict.paper, conflict.domain, conflict.outcome):
        st.switch_page(frame.BIAS, query_params=navigation.project_address(session, conflict.paper))


def show_conflicts(session: Session, sheet: Sheet) -> None:
    """Draw the line above the desk: the conflicts left in this paper and in others."""
    try:
        with the_store().reading() as store:
            scope = scope_of(store.project(sheet.project).record, sheet.tool)
            levels = with_rule(store.levels(sheet.project, scope, reader=sheet.reviewer), sheet.tool)
            left = conflicts_among(levels)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    here = [one for one in left if (one.paper, one.outcome) == (sheet.paper, sheet.outcome)]
    elsewhere = [one for one in left if one not in here]
    with st.container(key="conflicts-line", horizontal=True, vertical_alignment="center", gap="small"):
        what = "result" if len(scope.outcomes) > 1 else "paper"
        st.markdown(f"**{_count(len(here))} left in this {what}**, {len(elsewhere)} in others", width="content")
        st.space("stretch")
        if elsewhere and st.button(
            f"Next {what} with conflicts", key="next-conflict", type="secondary" if here else "primary"
        ):
            go_to_conflict(session, elsewhere[0])


def _count(number: int) -> str:
    return counted(number, "conflict") if number else "No conflict"


# ---- deleting ----


@st.dialog("Delete this paper?")
def ask_paper(session: Session, saved: Saved[StoredPaper], reviewer: str | None) -> None:
    """Ask before a paper is deleted."""
    st.markdown(f"**{plain(_title(saved.record), limit=160)}**")
    st.markdown("What all reviewers made of it goes with it, and comes back if you undo this.")
    _buttons(session, saved, reviewer)


@st.dialog("Delete this project?")
def ask_project(session: Session, saved: Saved[Project], reviewer: str | None) -> None:
    """Ask before a project is deleted."""
    st.markdown(f"**{plain(saved.record.name, limit=160)}**")
    st.markdown("It goes for all reviewers, with all its papers, and comes back if you undo this.")
    _buttons(session, saved, reviewer)


def _buttons(session: Session, saved: Saved[Any], reviewer: str | None) -> None:
    with st.container(horizontal=True):
        if st.button("Keep it", key="keep-it", type="primary"):
            st.rerun()
        if st.button("Delete", key="delete-it", icon=":material/delete:"):
            _remove(session, saved, reviewer or saved.by)
            st.rerun()


def _remove(session: Session, saved: Saved[Any], who: str) -> None:
    session.problem = None
    try:
        with the_store().writing(who) as change:
            session.review.removed = change.remove(saved)
        if isinstance(saved.record, Project):
            session.review.leave()
    except VouchError as error:
        session.problem = str(error)


def offer_undo(session: Session) -> None:
    """Draw what was deleted last, with a button to undo it."""
    removed = session.review.removed
    if removed is None:
        return
    with st.container(key="undo", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"“{plain(_title(removed.record), limit=100)}” was deleted.", width="content")
        st.button("Undo", key="undo-delete", icon=":material/undo:", on_click=restore_deleted, args=(session, removed))


def show_removed(session: Session, removed: Sequence[PaperState]) -> None:
    """Draw the papers deleted from the project, each with a button to restore it."""
    if not removed:
        return
    with st.expander(f"Deleted papers ({len(removed)})", icon=":material/delete:"):
        for state in removed:
            saved = state.paper
            st.button(
                f"Restore “{plain(_title(saved.record), limit=100)}”",
                key=f"restore-{saved.record.id}",
                type="tertiary",
                icon=":material/undo:",
                on_click=restore_deleted,
                args=(session, saved),
            )


def restore_deleted(session: Session, removed: Saved[Any]) -> None:
    """Undo a deletion."""
    session.problem = None
    try:
        with the_store().writing(session.review.reviewer or removed.by) as change:
            change.restore(removed)
        session.review.removed = None
    except VouchError as error:
        session.problem = str(error)


def _title(record: StoredPaper | Project) -> str:
    return record.name if isinstance(record, Project) else record.title or record.name


# ---- project ----


@dataclass(frozen=True, slots=True)
class ProjectSnapshot:
    """All that the Review page shows of a project, from one snapshot of the store."""

    saved: Saved[Project]
    tool: Tool
    papers: tuple[PaperState, ...]
    removed: tuple[PaperState, ...]
    levels: tuple[DomainLevels, ...]
    reviewer: str | None
    left_out: Mapping[str, str] = field(default_factory=dict)  # duplicates by id, with the item kept instead
    excluded: Mapping[str, str] = field(default_factory=dict)  # by screening, as far as visible, with the reason
    notices: Mapping[str, str] = field(default_factory=dict)  # retractions and similar notices, by item
    to_screen: int = 0  # items that the reader has not decided on

    @property
    def project(self) -> Project:
        """The project itself."""
        return self.saved.record

    @property
    def screening_first(self) -> bool:
        """Whether screening is the next thing to do: there are criteria to apply, or there is no paper yet.

        A project without criteria exists to judge the papers that it has.
        """
        return self.to_screen > 0 and bool(self.project.criteria or not self.papers)

    @property
    def conflicts(self) -> tuple[DomainLevels, ...]:
        """The domains on which reviewers differ and have not settled, in the order of papers and domains."""
        return conflicts_among(self.levels)

    @property
    def scope(self) -> Scope:
        """What is judged for each paper."""
        return scope_of(self.project, self.tool)


def read_project(saved: Saved[Project], reviewer: str | None) -> ProjectSnapshot:
    """What the reader may see of the project. Raises `VouchError`."""
    project = saved.record
    tool = tool_of(project)
    scope = scope_of(project, tool)
    reader = reviewer if reviewer in project.reviewers else None
    with the_store().reading() as store:
        left_out = store.left_out(project.id)
        levels = with_rule(store.levels(project.id, scope, reader=reader or ""), tool)
        screened = store.screenings(project.id, reader=reader or "")
        return ProjectSnapshot(
            saved=saved,
            tool=tool,
            papers=tuple(one for one in store.papers(project.id, scope) if one.paper.record.id not in left_out),
            removed=store.papers(project.id, scope, removed=True),
            levels=tuple(one for one in levels if one.paper not in left_out),
            reviewer=reader,
            left_out=left_out,
            excluded=_excluded(screened),
            notices={item: one.in_words for item, one in marks(store, project.id).items()},
            to_screen=sum(id not in screened or reader not in screened[id].by for id in store.item_ids(project.id)),
        )


def _excluded(views: Mapping[str, ItemView]) -> dict[str, str]:
    """The items that screening finally excluded, with the reason, as far as the reader may see it."""
    return {id: view.final_reason for id, view in views.items() if view.final is ScreeningVerdict.EXCLUDE}


def show(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw the project's name, the choice of the reviewer, and the next steps."""
    project = snapshot.project
    with st.container(key="project-bar", gap="xxsmall"):
        st.subheader(plain(project.name, limit=200), anchor=False)
        facts = [snapshot.tool.name, "blind" if project.is_blind else "open", project.study.objective]
        st.caption(plain(" · ".join(filter(None, facts)), limit=300))
    with st.container(key="project-row", horizontal=True, vertical_alignment="bottom", gap="small"):
        _who(session, project, snapshot.reviewer)
        if snapshot.reviewer is not None:
            _ways_on(session, snapshot, snapshot.reviewer)
        else:
            st.caption("Choose who you are, to judge and to add papers.", width="content")
        st.space("stretch")
        st.button("All projects", key="leave-project", type="tertiary", on_click=session.review.leave)


def _who(session: Session, project: Project, reviewer: str | None) -> None:
    key = f"i-am-{project.id}"
    prime(**{key: reviewer})
    st.segmented_control(
        "I am",
        project.reviewers,
        key=key,
        format_func=plain,
        required=reviewer is not None,
        on_change=_sit_down,
        args=(session, project.id, key),
    )


def _sit_down(session: Session, project: str, key: str) -> None:
    """Work as the chosen reviewer. The browser may send the field once more after the project was closed."""
    if session.review.project == project and (chosen := st.session_state[key]) is not None:
        session.review.enter(project, chosen)


def _ways_on(session: Session, snapshot: ProjectSnapshot, reviewer: str) -> None:
    to_judge = [state for state in snapshot.papers if state.paper.record.id not in snapshot.excluded]
    undone = sum(state.is_undone(snapshot.scope, reviewer) for state in to_judge)
    done = "No paper left to judge" if snapshot.papers else "No papers yet"
    if st.button(  # references alone can be screened too
        f"Screen ({snapshot.to_screen} left)" if snapshot.to_screen else "Screen",
        key="screen",
        icon=":material/checklist:",
        type="primary" if snapshot.screening_first else "secondary",
    ):
        st.switch_page(frame.SCREENING, query_params=navigation.project_address(session))
    if st.button(
        f"Next paper to judge ({undone} left)" if undone else done,
        key="next-undone",
        type="secondary" if snapshot.screening_first else "primary",
        disabled=not undone,
        help="Risk of bias, of papers that screening has not excluded",
    ):
        go_to_next_undone(session, snapshot.project, snapshot.tool)
    conflicts = snapshot.conflicts
    label = f"Settle conflicts ({len(conflicts)})"
    if conflicts and st.button(label, key="settle-conflicts", icon=":material/handshake:", help="Risk of bias"):
        go_to_conflict(session, conflicts[0])
    if st.button("Settings", key="project-settings", icon=":material/settings:"):
        form.change_project(session, snapshot.saved)
    if st.button("Delete", key="delete-project", icon=":material/delete:", type="tertiary"):
        ask_project(session, snapshot.saved, reviewer)


def go_to_next_undone(session: Session, project: Project, tool: Tool) -> None:
    """Put the reviewer's first paper that is not done on the desk, at its first domain that is not done.

    Papers that screening has excluded are skipped, because the review does not need their risk of bias.
    """
    reviewer = session.review.reviewer or ""
    scope = scope_of(project, tool)
    try:
        with the_store().reading() as store:
            without = {*store.left_out(project.id), *_excluded(store.screenings(project.id, reader=reviewer))}
            paper = store.next_undone(project.id, reviewer, scope, without=without)
            place = _first_undone(store, project, paper, scope, reviewer) if paper else ("", "")
    except VouchError as error:
        session.problem = str(error)
        return
    if paper is None:
        st.toast("You have judged every paper that is to be judged.", icon=":material/check:")
        return
    outcome, domain = place
    session.review.judge()
    if navigation.open_paper(session, paper, domain, outcome):
        st.switch_page(frame.BIAS, query_params=navigation.project_address(session, paper))


def _first_undone(store: StoreReader, project: Project, paper: str, scope: Scope, reviewer: str) -> tuple[str, str]:
    """The first outcome and domain that the reviewer has not judged, or the very first if all are judged."""
    for outcome in scope.outcomes_of(paper):
        views = store.domains(project.id, paper, scope, reader=reviewer, outcome=outcome)
        for domain in scope.domains:
            own = views[domain].own
            if own is None or own.record.level is None:
                return outcome, domain
    return scope.outcomes[0], scope.domains[0]


def show_papers(session: Session, snapshot: ProjectSnapshot, references: References) -> str | None:
    """Draw the table of papers, and of references without a paper. Returns the id of a clicked reference, if any."""
    key = f"papers-{snapshot.project.id}"
    payload = papers_payload(
        snapshot.project,
        snapshot.papers,
        snapshot.levels,
        scope=snapshot.scope,
        reviewer=snapshot.reviewer,
        excluded=snapshot.excluded,
        references=references.all.values(),
        notices=snapshot.notices,
    )
    payload |= references_payload(references, snapshot.left_out, excluded=snapshot.excluded, notices=snapshot.notices)
    chosen = tables.draw_papers(key=key, data=payload | {"begin": [session.review.to_references, "textless"]})
    if chosen is not None:
        _act(session, snapshot, *chosen)
    return chosen[1] if chosen is not None and chosen[0] == "reference" else None


def _act(session: Session, snapshot: ProjectSnapshot, what: str, paper: str, outcome: str) -> None:
    """Do what was clicked in the table."""
    state = next((state for state in snapshot.papers if state.paper.record.id == paper), None)
    if state is None:
        return
    if what == "remove":
        ask_paper(session, state.paper, snapshot.reviewer)
    elif what == "settle":
        go_to_conflict(session, next(one for one in snapshot.conflicts if (one.paper, one.outcome) == (paper, outcome)))
    elif what == "open" and navigation.open_paper(session, paper, outcome=outcome):
        st.switch_page(frame.BIAS, query_params=navigation.project_address(session, paper))


# ---- header above the desk ----

_JUDGE, _SETTLE = "My judgement", "Side by side"


def show_header(session: Session, project: Project, sheet: Sheet | None) -> None:
    """Draw the line, also where the paper on the desk is none of the project's."""
    with st.container(key="project-line", horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link(
            frame.REVIEW,
            label=plain(project.name, limit=80),
            icon=":material/library_books:",
            query_params=navigation.project_address(session),
        )
        if sheet is None:
            unknown = session.review.reviewer not in project.reviewers
            why = "Choose there who you are. Until then" if unknown else "This paper is not in the project:"
            st.caption(f"{why} your judgements are kept outside the project.", width="content")
            return
        st.caption(f"You are **{plain(sheet.reviewer)}**. Saved as you work.", width="content")
        st.space("stretch")
        if len(project.reviewers) > 1:
            _what(session, sheet)
        if not session.review.settling and st.button(
            "Next paper to judge", key="next-paper", icon=":material/arrow_forward:"
        ):
            go_to_next_undone(session, project, sheet.tool)


def _what(session: Session, sheet: Sheet) -> None:
    """Switch between the reviewer's own judgements and all reviewers side by side."""
    key = f"what-{sheet.paper}"
    wanted = _SETTLE if session.review.settling else _JUDGE
    if st.session_state.get(key) != wanted:  # setting it needlessly could undo a click still on its way
        st.session_state[key] = wanted
    st.segmented_control(
        "What to do",
        [_JUDGE, _SETTLE],
        key=key,
        required=True,
        label_visibility="collapsed",
        on_change=lambda: session.review.settle() if st.session_state[key] == _SETTLE else session.review.judge(),
    )
