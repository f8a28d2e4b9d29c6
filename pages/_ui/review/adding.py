"""Papers into a project: many files at once, each stored as soon as it is read; what cannot be read is listed."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import PaperError, VouchError
from core.paper import Paper, read_paper
from core.store import Store, record_of
from pages._ui.escape import plain
from pages._ui.review.board import Board
from pages._ui.review.stored import the_store
from pages._ui.review.work import Adding
from pages._ui.state import Session, session

_MOST_SHOWN = 50  # refused files; the rest is counted


def offer(now: Session, board: Board) -> None:
    """Draw the field that takes the files, and what became of the last ones."""
    key = f"add-papers-{now.uploads}"
    with st.expander("Add papers", icon=":material/note_add:", expanded=not board.papers):
        files = st.file_uploader(
            "Any number of files: PDF, JATS or TEI XML, BioC, Markdown or plain text",
            accept_multiple_files=True,
            key=key,
        )
    if files:
        now.uploads += 1  # with a new key the field is empty again
        now.problem = None
        waiting = [(file.name, file.getvalue()) for file in files]
        now.review.adding = Adding(board.project.id, waiting, len(waiting))
        st.rerun()
    adding = now.review.adding
    if adding is not None and adding.project == board.project.id and not adding.waiting:
        _outcome(adding)


def _outcome(adding: Adding) -> None:
    parts = [f"{adding.added} added"]
    if adding.again:
        parts.append(f"{adding.again} here already")
    st.caption(" · ".join(parts))
    if adding.refused:
        count = len(adding.refused)
        with st.expander(
            f"**{count} file{'s' * (count != 1)} could not be read**", icon=":material/error:", expanded=True
        ):
            st.markdown("\n".join(f"- {plain(reason)}" for reason in adding.refused[:_MOST_SHOWN]))
            if (more := count - _MOST_SHOWN) > 0:
                st.markdown(f"… and {more} more.")


def run_waiting(now: Session, slot: DeltaGenerator, *, who: str) -> None:
    """Read the files that were given, with progress and a way to stop. A click meanwhile loses none of them."""
    adding = now.review.adding
    if adding is None or not adding.waiting or adding.project != now.review.project:
        return
    with slot.container(key="adding", horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, text="Starting")
        st.button("Stop", key="stop-adding", on_click=_stop)
    try:
        store = the_store()
        while adding.waiting:
            name, data = adding.waiting[0]
            done = adding.total - len(adding.waiting)
            bar.progress(done / adding.total, text=plain(f"Reading {done + 1} of {adding.total}: {name}", limit=100))
            _add(store, adding, name, data, who=who)
            del adding.waiting[0]
    except VouchError as error:  # the store: the files would all meet it
        adding.waiting.clear()
        now.problem = str(error)
    except Exception:
        adding.waiting.clear()  # our own mistake stays visible, and is not met again at every click
        raise
    st.rerun()


def _add(store: Store, adding: Adding, name: str, data: bytes, *, who: str) -> None:
    try:
        paper = read_paper(data, name=name)
    except PaperError as error:
        adding.refused.append(str(error) if name in str(error) else f"“{name}”: {error}")
        return
    if add_paper(store, adding.project, paper, data, who=who):
        adding.added += 1
    else:
        adding.again += 1


def add_paper(store: Store, project: str, paper: Paper, data: bytes, *, who: str) -> bool:
    """Store a paper with its file; False if the project has it already. One that was deleted comes back."""
    with store.writing(who) as change:
        known = change.known_paper(project, paper.id)
        if known is not None:
            if known.removed:
                change.restore(known)
            return known.removed
        change.keep_file(change.save(record_of(paper, project=project)), data)
    return True


def _stop() -> None:
    """Forget the files that are left. The click has stopped the work: Streamlit ends the run at its next report."""
    if (adding := session().review.adding) is not None:
        adding.waiting.clear()
