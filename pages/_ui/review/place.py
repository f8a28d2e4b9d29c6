"""Where a reviewer is: project, name and paper. Kept in the session and in the page's address.

The address brings a reloaded window back to the same place, and a second browser to the project as somebody else.
"""

from __future__ import annotations

import streamlit as st

from core.bias import tool_named
from core.errors import NotStored, QueryError, VouchError
from core.paper import read_paper
from core.store import Project, Saved
from pages._ui.open_paper import Home, OpenPaper
from pages._ui.review.sheet import Sheet
from pages._ui.review.stored import the_store
from pages._ui.state import Session

_NAMES = ("project", "reviewer", "paper", "do")
_SETTLE = "settle"


def restore(now: Session) -> None:
    """In a new window: go where its address says."""
    review = now.review
    if not review.restored:
        review.restored = True
        project, reviewer, paper, do = (st.query_params.get(name) for name in _NAMES)
        if project and now.review.project is None:
            review.enter(project, reviewer)
            review.settling = do == _SETTLE
            if paper and reviewer:
                open_paper(now, paper)
                st.rerun()  # the sidebar lists it


def write(now: Session, *, paper: str | None = None) -> None:
    """Write the place into the page's address."""
    wanted = address(now, paper)
    for name in _NAMES:
        if name not in wanted:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != wanted[name]:
            st.query_params[name] = wanted[name]


def address(now: Session, paper: str | None = None) -> dict[str, str]:
    """What the page's address says of the place."""
    do = _SETTLE if paper is not None and now.review.settling else None
    values = zip(_NAMES, (now.review.project, now.review.reviewer, paper, do), strict=True)
    return {name: value for name, value in values if value is not None}


def open_project(now: Session) -> Saved[Project] | None:
    """The project that is open, as it is in the store now; None if there is none, or no more."""
    if now.review.project is None:
        return None
    try:
        with the_store().reading() as store:
            saved = store.project(now.review.project)
        tool_named(saved.record.tool)
        if saved.record.private:
            raise NotStored("This project is not in the store, or was deleted. Choose another one.")
        return saved
    except (NotStored, QueryError) as error:
        now.review.leave()
        now.problem = str(error)
    except VouchError as error:
        now.problem = str(error)
    return None


def open_paper(now: Session, paper: str, domain: str | None = None) -> bool:
    """Put a paper of the open project on the desk, as the store keeps it; whether that worked."""
    if domain is not None:
        now.review.jump_to(domain)
    if now.review.project is None:
        return False
    reviewer = now.review.reviewer
    home = Home(now.review.project, reviewer) if reviewer else None
    if paper in now.papers:
        if now.papers[paper].home == home:
            now.return_to(paper)
            return True
        now.set_down(paper)  # it was open outside the project, which keeps that apart
    try:
        with the_store().reading() as store:
            stored = store.paper(now.review.project, paper).record
            data = store.file(now.review.project, stored.file) if stored.file else None
            read = store.text(now.review.project, paper)
        if read is not None:  # its pages are drawn from the file, if that is here
            now.put_on_desk(read, data).home = home
            return True
        if data is None:
            raise NotStored("The file of this paper is not kept in the store. Add it to the project again.")
        with st.spinner(f"Reading the file ({len(data) / 1e6:.1f} MB)"):
            now.put_on_desk(read_paper(data, name=stored.name), data).home = home
    except VouchError as error:
        now.problem = str(error)
        return False
    return True


def sheet_of(now: Session, opened: OpenPaper, project: Project) -> Sheet | None:
    """The reviewer's work on the paper on the desk; None where it is none of the project's."""
    sheet = now.review.sheet(project, opened.paper.id)
    if sheet is None:
        return None
    try:
        with the_store().reading() as store:
            store.paper(project.id, opened.paper.id)
    except NotStored:
        return None
    except VouchError as error:
        now.problem = str(error)
    return sheet
