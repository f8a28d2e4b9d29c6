"""Where a reviewer is (project, name, paper and item), also in the page's address; and links there and back."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import NotStored, QueryError, VouchError
from core.evidence import Evidence, EvidenceQuery
from core.findings.model import Finding
from core.paper import read_paper
from core.review.jobs import with_full_names
from core.store import Project, Saved, StoredFinding, question_key, tool_of
from pages._ui import frame
from pages._ui.escape import plain
from pages._ui.open_paper import Home, OpenPaper
from pages._ui.review.sheet import Sheet
from pages._ui.review.state import OpenedPaper
from pages._ui.state import Session
from pages._ui.stored import the_store

# ---- project ----
# With the address, a reloaded window returns to the same place, and a second browser can open the project as another
# reviewer.

_PROJECT_NAMES = ("project", "reviewer", "paper", "do")
_SETTLE = "settle"


def restore_project(session: Session) -> None:
    """Go where the address says, in a new window."""
    review = session.review
    if not review.restored:
        review.restored = True
        project, reviewer, paper, do = (st.query_params.get(name) for name in _PROJECT_NAMES)
        if project and session.review.project is None:
            review.enter(project, reviewer)
            review.settling = do == _SETTLE
            if paper and reviewer:
                open_paper(session, paper)
                st.rerun()  # so that the sidebar lists it


def write_project(session: Session, *, paper: str | None = None) -> None:
    """Write the current place into the page's address."""
    wanted = project_address(session, paper)
    for name in _PROJECT_NAMES:
        if name not in wanted:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != wanted[name]:
            st.query_params[name] = wanted[name]


def project_address(session: Session, paper: str | None = None) -> dict[str, str]:
    """The current place as parameters of the page's address."""
    do = _SETTLE if paper is not None and session.review.settling else None
    values = zip(_PROJECT_NAMES, (session.review.project, session.review.reviewer, paper, do), strict=True)
    return {name: value for name, value in values if value is not None}


def open_project(session: Session) -> Saved[Project] | None:
    """The open project as stored now; None if there is none or it is gone."""
    if session.review.project is None:
        return None
    try:
        with the_store().reading() as store:
            saved = store.project(session.review.project)
        tool_of(saved.record)
        if saved.record.private:
            raise NotStored("This project is not in the store, or was deleted. Choose another one.")
        return saved
    except (NotStored, QueryError) as error:
        session.review.leave()
        session.problem = str(error)
    except VouchError as error:
        session.problem = str(error)
    return None


def open_paper(session: Session, paper: str, domain: str | None = None, outcome: str | None = None) -> bool:
    """Put a paper of the open project on the desk, as stored. Returns whether that worked."""
    if domain is not None:
        session.review.jump_to(domain)
    if outcome is not None:
        session.review.to_outcome(outcome)
    if session.review.project is None:
        return False
    reviewer = session.review.reviewer
    home = Home(session.review.project, reviewer) if reviewer else None
    if paper in session.papers:
        if session.papers[paper].home == home:
            session.return_to(paper)
            return True
        session.set_down(paper)  # it was open outside the project, where its work is separate
    try:
        with the_store().reading() as store:
            stored = store.paper(session.review.project, paper).record
            data = store.file(session.review.project, stored.file) if stored.file else None
            read = store.text(session.review.project, paper)
        if read is not None:  # its pages are drawn from the file, if there is one
            session.put_on_desk(read, data).home = home
            return True
        if data is None:
            raise NotStored("The file of this paper is not kept in the store. Add it to the project again.")
        with st.spinner(f"Reading the file ({len(data) / 1e6:.1f} MB)"):
            session.put_on_desk(read_paper(data, name=stored.name), data).home = home
    except VouchError as error:
        session.problem = str(error)
        return False
    return True


def sheet_of(session: Session, opened: OpenPaper, project: Project) -> Sheet | None:
    """The reviewer's work on the paper on the desk; None if the paper is not in the project."""
    sheet = session.review.sheet(project, opened.paper.id)
    if sheet is None:
        return None
    try:
        with the_store().reading() as store:
            store.paper(project.id, opened.paper.id)
    except NotStored:
        return None
    except VouchError as error:
        session.problem = str(error)
    return sheet


# ---- item of screening ----

_CONFLICTS = "conflicts"


def restore_item(session: Session) -> None:
    """Go where the address says, in a new window or after the browser's back and forward."""
    restore_project(session)
    work, context = session.screening, get_script_run_ctx()
    if session.review.project is None or session.review.reviewer is None:
        return
    if work.restored and not (context is not None and context.is_history_navigation):
        return
    work.restored = True
    work.sit_down(session.review.project, session.review.reviewer)
    if item := st.query_params.get("item"):
        work.go_to(item)
        work.settling = st.query_params.get("do") == _CONFLICTS


def item_address(session: Session) -> dict[str, str]:
    """The current item as parameters of the page's address."""
    work = session.screening
    values = {
        "project": session.review.project,
        "reviewer": session.review.reviewer,
        "item": work.item if work.project == session.review.project else None,
        "do": _CONFLICTS if work.settling else None,
    }
    return {name: value for name, value in values.items() if value is not None}


def write_item(session: Session) -> None:
    """Write the current item into the page's address."""
    wanted = item_address(session)
    for name in ("project", "reviewer", "item", "do"):
        if name not in wanted:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != wanted[name]:
            st.query_params[name] = wanted[name]


# ---- paper on the Evidence page ----

EVIDENCE_TAB = "Evidence table"
_PAPER_NAMES = ("project", "paper", "question", "sentence")


def go_to_sentence(session: Session, paper: str, hypothesis: str, sentence: int) -> bool:
    """Put the paper on the desk at this sentence, with the hypothesis and its finding. Returns whether that worked."""
    session.problem = None
    if session.review.project is None or not open_paper(session, paper) or session.open is None:
        return False
    opened = session.open
    try:
        with the_store().reading() as store:
            found = store.findings(session.review.project, questions=[question_key(hypothesis)])
            engine = with_full_names(store.project(session.review.project).record.plan).evidence
    except VouchError as error:
        session.problem = str(error)
        return False
    here = [saved for saved in found if saved.record.paper == paper]
    if here:
        _fill(opened, hypothesis, finding_shown(here, engine))
    opened.begin_at = (opened.begin_at[0] + 1, sentence)
    session.review.opened = OpenedPaper(opened.paper.id, hypothesis, sentence)
    return True


def go_to_paper(session: Session, paper: str) -> bool:
    """Put the paper on the desk as it is. Returns whether that worked."""
    session.problem = None
    if not open_paper(session, paper):
        return False
    session.review.opened = OpenedPaper(paper)
    return True


def go_to_cited(session: Session, project: str, paper: str, sentences: Sequence[int]) -> bool:
    """Put a paper of the project on the desk at the sentences that an answer cites. Returns whether that worked."""
    session.problem = None
    session.review.enter(project)
    if not open_paper(session, paper) or session.open is None:
        return False
    opened = session.open
    opened.begin_at = (opened.begin_at[0] + 1, sentences[0])
    session.review.opened = OpenedPaper(opened.paper.id, cited=tuple(sentences))
    return True


def restore_paper(session: Session) -> None:
    """Go to what the address names, in a new window. If that is gone, the page says so."""
    project, paper, question, sentence = (st.query_params.get(name) for name in _PAPER_NAMES)
    if session.review.restored or not (project and paper):
        return
    session.review.restored = True
    session.review.enter(project, st.query_params.get("reviewer"))
    saved = open_project(session)
    if saved is None:
        return
    hypothesis = next((one for one in saved.record.hypotheses if question_key(one) == question), None)
    if question is None:
        there = go_to_paper(session, paper)
    elif hypothesis is None:
        there, session.problem = False, "The review does not ask this hypothesis any more."
    else:
        there = go_to_sentence(session, paper, hypothesis, int(sentence) if sentence and sentence.isdecimal() else 0)
    if there:
        st.rerun()  # so that the sidebar lists it


def paper_address(session: Session) -> dict[str, str]:
    """The opened paper as parameters of the page's address; empty if another paper is on the desk."""
    there = came_from(session)
    if there is None or there.cited:  # a cited answer cannot be found again by an address
        return {}
    whole = {name: value for name, value in project_address(session, there.paper).items() if name != "do"}
    if not there.hypothesis:
        return whole
    return whole | {"question": question_key(there.hypothesis), "sentence": str(there.sentence)}


def write_paper(session: Session) -> None:
    """Write the opened paper into the address. With an empty desk the address stays, as the paper may come back."""
    wanted = paper_address(session)
    if session.open is None:
        return
    for name in (*_PAPER_NAMES, "reviewer"):
        if name not in wanted:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != wanted[name]:
            st.query_params[name] = wanted[name]


def came_from(session: Session) -> OpenedPaper | None:
    """How the paper was opened, while it is on the desk."""
    there = session.review.opened
    if there is None or session.open is None or session.review.project is None:
        return None
    return there if there.paper == session.open.paper.id else None


def finding_shown(found: list[Saved[StoredFinding]], engine: str | None) -> Finding:
    """The finding that the table shows: by the plan's engine, or else the newest."""
    return max(found, key=lambda saved: (saved.record.engine == engine, saved.changed)).record.finding


def _fill(opened: OpenPaper, hypothesis: str, finding: Finding) -> None:
    """Show the finding as the answer to the hypothesis, unless a search has already answered it here."""
    if opened.evidence is not None and opened.question == hypothesis:
        return
    opened.ask(hypothesis)
    sure = f" ({finding.sureness})" if finding.sureness else ""
    verdict = f"{finding.verdict}{sure}: {finding.reason}" if finding.verdict else finding.reason
    opened.evidence = Evidence(
        finding.engine,
        EvidenceQuery(hypothesis, results_only=True),
        finding.sentences,
        finding.seconds,
        finding.cost_usd,
        tuple(filter(None, (verdict, finding.check))),
    )
    opened.search, opened.unanswered, opened.changes, opened.newest = None, None, (), "evidence"
    opened.answers += 1


def link_back(session: Session) -> None:
    """Draw a link back to where the paper was opened from, even if it could not be opened again."""
    there = came_from(session)
    lost = (
        session.open is None
        and session.review.restored
        and session.problem is not None
        and session.review.project is not None
    )
    where: dict[str, str]
    if there is not None and there.cited:
        to, words, name, where = frame.ASK, "Back to the answer", "Back to the answer", {}
    elif there is not None and not there.hypothesis:
        to, words, name = frame.SCREENING, "Back to screening", "Back to the item"
        where = item_address(session) | {"item": there.paper}
    elif there is not None or lost:
        to, words, where = frame.REVIEW, "Back to the evidence table", project_address(session)
        name = "Back to the table"
        session.review.tab = EVIDENCE_TAB
    else:
        return
    st.page_link(to, label=plain(words), icon=":material/arrow_back:", query_params=where)
    with st.sidebar:  # visible even far down in the paper
        st.page_link(to, label=plain(name), icon=":material/arrow_back:", query_params=where)
