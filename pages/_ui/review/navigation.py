"""Where a reviewer is: project, name, paper and item, in the page's address too; and the ways there and back."""

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
# The address brings a reloaded window back to the same place, and a second browser to the project as somebody else.

_PROJECT_NAMES = ("project", "reviewer", "paper", "do")
_SETTLE = "settle"


def restore_project(now: Session) -> None:
    """In a new window: go where its address says."""
    review = now.review
    if not review.restored:
        review.restored = True
        project, reviewer, paper, do = (st.query_params.get(name) for name in _PROJECT_NAMES)
        if project and now.review.project is None:
            review.enter(project, reviewer)
            review.settling = do == _SETTLE
            if paper and reviewer:
                open_paper(now, paper)
                st.rerun()  # the sidebar lists it


def write_project(now: Session, *, paper: str | None = None) -> None:
    """Write the place into the page's address."""
    wanted = project_address(now, paper)
    for name in _PROJECT_NAMES:
        if name not in wanted:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != wanted[name]:
            st.query_params[name] = wanted[name]


def project_address(now: Session, paper: str | None = None) -> dict[str, str]:
    """What the page's address says of the place."""
    do = _SETTLE if paper is not None and now.review.settling else None
    values = zip(_PROJECT_NAMES, (now.review.project, now.review.reviewer, paper, do), strict=True)
    return {name: value for name, value in values if value is not None}


def open_project(now: Session) -> Saved[Project] | None:
    """The project that is open, as it is in the store now; None if there is none, or no more."""
    if now.review.project is None:
        return None
    try:
        with the_store().reading() as store:
            saved = store.project(now.review.project)
        tool_of(saved.record)
        if saved.record.private:
            raise NotStored("This project is not in the store, or was deleted. Choose another one.")
        return saved
    except (NotStored, QueryError) as error:
        now.review.leave()
        now.problem = str(error)
    except VouchError as error:
        now.problem = str(error)
    return None


def open_paper(now: Session, paper: str, domain: str | None = None, outcome: str | None = None) -> bool:
    """Put a paper of the open project on the desk, as the store keeps it; whether that worked."""
    if domain is not None:
        now.review.jump_to(domain)
    if outcome is not None:
        now.review.to_outcome(outcome)
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


# ---- item of screening ----

_CONFLICTS = "conflicts"


def restore_item(now: Session) -> None:
    """Go where the address says: in a new window, and after the browser's own back and forward."""
    restore_project(now)
    work, context = now.screening, get_script_run_ctx()
    if now.review.project is None or now.review.reviewer is None:
        return
    if work.restored and not (context is not None and context.is_history_navigation):
        return
    work.restored = True
    work.sit_down(now.review.project, now.review.reviewer)
    if item := st.query_params.get("item"):
        work.go_to(item)
        work.settling = st.query_params.get("do") == _CONFLICTS


def item_address(now: Session) -> dict[str, str]:
    """What the page's address says of the place."""
    work = now.screening
    values = {
        "project": now.review.project,
        "reviewer": now.review.reviewer,
        "item": work.item if work.project == now.review.project else None,
        "do": _CONFLICTS if work.settling else None,
    }
    return {name: value for name, value in values.items() if value is not None}


def write_item(now: Session) -> None:
    """Write the place into the page's address."""
    wanted = item_address(now)
    for name in ("project", "reviewer", "item", "do"):
        if name not in wanted:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != wanted[name]:
            st.query_params[name] = wanted[name]


# ---- paper on the page of evidence ----

EVIDENCE_TAB = "Evidence table"
_PAPER_NAMES = ("project", "paper", "question", "sentence")


def go_to_sentence(now: Session, paper: str, hypothesis: str, sentence: int) -> bool:
    """Put the paper on the desk with the hypothesis and what was found for it, at this sentence; whether that worked."""
    now.problem = None
    if now.review.project is None or not open_paper(now, paper) or now.open is None:
        return False
    opened = now.open
    try:
        with the_store().reading() as store:
            found = store.findings(now.review.project, questions=[question_key(hypothesis)])
            engine = with_full_names(store.project(now.review.project).record.plan).evidence
    except VouchError as error:
        now.problem = str(error)
        return False
    here = [saved for saved in found if saved.record.paper == paper]
    if here:
        _fill(opened, hypothesis, finding_shown(here, engine))
    opened.begin_at = (opened.begin_at[0] + 1, sentence)
    now.review.opened = OpenedPaper(opened.paper.id, hypothesis, sentence)
    return True


def go_to_paper(now: Session, paper: str) -> bool:
    """Put the paper on the desk as it is; whether that worked."""
    now.problem = None
    if not open_paper(now, paper):
        return False
    now.review.opened = OpenedPaper(paper)
    return True


def go_to_cited(now: Session, project: str, paper: str, sentences: Sequence[int]) -> bool:
    """Put a paper of the project on the desk at the sentences that an answer cites; whether that worked."""
    now.problem = None
    now.review.enter(project)
    if not open_paper(now, paper) or now.open is None:
        return False
    opened = now.open
    opened.begin_at = (opened.begin_at[0] + 1, sentences[0])
    now.review.opened = OpenedPaper(opened.paper.id, cited=tuple(sentences))
    return True


def restore_paper(now: Session) -> None:
    """In a new window: go to what its address names. Where that is not there any more, the page says so."""
    project, paper, question, sentence = (st.query_params.get(name) for name in _PAPER_NAMES)
    if now.review.restored or not (project and paper):
        return
    now.review.restored = True
    now.review.enter(project, st.query_params.get("reviewer"))
    saved = open_project(now)
    if saved is None:
        return
    hypothesis = next((one for one in saved.record.hypotheses if question_key(one) == question), None)
    if question is None:
        there = go_to_paper(now, paper)
    elif hypothesis is None:
        there, now.problem = False, "The review does not ask this hypothesis any more."
    else:
        there = go_to_sentence(now, paper, hypothesis, int(sentence) if sentence and sentence.isdecimal() else 0)
    if there:
        st.rerun()  # the sidebar lists it


def paper_address(now: Session) -> dict[str, str]:
    """What the page's address says of it; nothing where another paper is on the desk."""
    there = came_from(now)
    if there is None or there.cited:  # an answer is not kept where an address could find it
        return {}
    whole = {name: value for name, value in project_address(now, there.paper).items() if name != "do"}
    if not there.hypothesis:
        return whole
    return whole | {"question": question_key(there.hypothesis), "sentence": str(there.sentence)}


def write_paper(now: Session) -> None:
    """Write it into the page's address, which stays while there is nothing on the desk: it may be there again later."""
    wanted = paper_address(now)
    if now.open is None:
        return
    for name in (*_PAPER_NAMES, "reviewer"):
        if name not in wanted:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != wanted[name]:
            st.query_params[name] = wanted[name]


def came_from(now: Session) -> OpenedPaper | None:
    """What was opened, while its paper is on the desk."""
    there = now.review.opened
    if there is None or now.open is None or now.review.project is None:
        return None
    return there if there.paper == now.open.paper.id else None


def finding_shown(found: list[Saved[StoredFinding]], engine: str | None) -> Finding:
    """The finding that the table shows: the plan's engine's, or else the newest."""
    return max(found, key=lambda saved: (saved.record.engine == engine, saved.changed)).record.finding


def _fill(opened: OpenPaper, hypothesis: str, finding: Finding) -> None:
    """Show what was found as the answer to the hypothesis, unless a search has answered it here already."""
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


def link_back(now: Session) -> None:
    """A link to where the paper was opened, also where that could not be done again."""
    there = came_from(now)
    lost = now.open is None and now.review.restored and now.problem is not None and now.review.project is not None
    where: dict[str, str]
    if there is not None and there.cited:
        to, words, name, where = frame.ASK, "Back to the answer", "Back to the answer", {}
    elif there is not None and not there.hypothesis:
        to, words, name = frame.SCREENING, "Back to screening", "Back to the item"
        where = item_address(now) | {"item": there.paper}
    elif there is not None or lost:
        to, words, where = frame.REVIEW, "Back to the evidence table", project_address(now)
        name = "Back to the table"
        now.review.tab = EVIDENCE_TAB
    else:
        return
    st.page_link(to, label=plain(words), icon=":material/arrow_back:", query_params=where)
    with st.sidebar:  # in view also where the sentence stands far down in the paper
        st.page_link(to, label=plain(name), icon=":material/arrow_back:", query_params=where)
