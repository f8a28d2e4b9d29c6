"""One reference: what its file says, which paper it is of and by what, and a way to say otherwise."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.errors import VouchError
from core.review.intake import BY_HAND, match_references
from core.store import Saved, StoredReference
from pages._ui.escape import plain, short
from pages._ui.review import references
from pages._ui.review.board import Board
from pages._ui.review.stored import the_store
from pages._ui.review.table.rows import excluded_in_words
from pages._ui.state import Session

_LONGEST = 1200  # letters of an abstract


@st.dialog("Reference", width="medium")
def ask(now: Session, board: Board, id: str) -> None:
    """Draw the dialog."""
    try:
        found = references.read(board.project.id)
        with the_store().reading() as store:
            saved = next((one for one in store.references(board.project.id) if one.record.id == id), None)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if saved is None:
        st.markdown("This reference is not in the project any more.")
        return
    _about(saved.record)
    papers = {paper.id: short(paper.title or paper.name, 120) for paper in found.papers.values()}
    paper = saved.record.paper if saved.record.paper in papers else None
    if paper is not None:
        st.markdown(
            f"Matched by **{plain(saved.record.matched)}** with “{plain(found.papers[paper].title, limit=160)}”."
        )
    else:
        excluded = excluded_in_words(board.excluded, id)
        missing = found.notes.get(id, "No full text yet: none of the papers here has its DOI, PMID or title.")
        st.markdown(plain(f"{excluded}. It needs no full text." if excluded else missing))
    if board.reviewer is None:
        return
    chosen = st.selectbox(
        "Its paper",
        [None, *papers],
        index=[None, *papers].index(paper),
        format_func=lambda one: "None of the papers here" if one is None else papers[one],
        key=f"paper-of-{id}",
    )
    with st.container(horizontal=True, gap="small"):
        if st.button("Save", key="save-match", type="primary", disabled=chosen == paper and not _undecided(saved)):
            _save(now, board.reviewer, saved, replace(saved.record, paper=chosen, matched=BY_HAND))
        if saved.record.matched == BY_HAND and st.button("Let Vouch match it again", key="match-again"):
            _save(now, board.reviewer, saved, replace(saved.record, paper=None, matched=""))


def _undecided(saved: Saved[StoredReference]) -> bool:
    return saved.record.paper is None and saved.record.matched != BY_HAND


def _about(record: StoredReference) -> None:
    said = record.reference
    st.markdown(f"**{plain(said.title, limit=300)}**")
    who = "; ".join(said.authors[:6]) + (" et al." if len(said.authors) > 6 else "")
    ids = (f"DOI {said.doi}" if said.doi else "", f"PMID {said.pmid}" if said.pmid else "")
    st.caption(plain(" · ".join(filter(None, (who, said.journal, str(said.year or ""), *ids)))))
    if said.abstract:
        with st.expander("Abstract"):
            st.markdown(plain(said.abstract, limit=_LONGEST))
    st.caption(plain(f"Record {record.number} of {record.source}"))


def _save(now: Session, who: str, saved: Saved[StoredReference], record: StoredReference) -> None:
    """Save what was chosen, and draw the page again."""
    now.problem = None
    try:
        with the_store().writing(who) as change:
            change.save(record, seen=saved.version)
        if record.matched != BY_HAND:
            match_references(the_store(), record.project)
    except VouchError as error:
        now.problem = str(error)
    st.rerun()
