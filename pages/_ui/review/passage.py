"""From a review to a paper on the page of evidence, and back. The page's address brings a reloaded window there again."""

from __future__ import annotations

import streamlit as st

from core.errors import VouchError
from core.evidence import Evidence, EvidenceQuery
from core.findings.model import Finding
from core.review.working import in_full
from core.store import Saved, StoredFinding, question_key
from pages._ui import frame
from pages._ui.escape import plain
from pages._ui.open_paper import OpenPaper
from pages._ui.review import place
from pages._ui.review.stored import the_store
from pages._ui.review.work import Opened
from pages._ui.screening import place as screening_place
from pages._ui.state import Session

TAB = "Evidence table"
_NAMES = ("project", "paper", "question", "sentence")


def go_to(now: Session, paper: str, hypothesis: str, sentence: int) -> bool:
    """Put the paper on the desk with the hypothesis and what was found for it, at this sentence; whether that worked."""
    now.problem = None
    if now.review.project is None or not place.open_paper(now, paper) or now.open is None:
        return False
    opened = now.open
    try:
        with the_store().reading() as store:
            found = store.findings(now.review.project, questions=[question_key(hypothesis)])
            engine = in_full(store.project(now.review.project).record.plan).evidence
    except VouchError as error:
        now.problem = str(error)
        return False
    here = [saved for saved in found if saved.record.paper == paper]
    if here:
        _fill(opened, hypothesis, wanted(here, engine))
    opened.begin_at = (opened.begin_at[0] + 1, sentence)
    now.review.opened = Opened(opened.paper.id, hypothesis, sentence)
    return True


def go_to_paper(now: Session, paper: str) -> bool:
    """Put the paper on the desk as it is; whether that worked."""
    now.problem = None
    if not place.open_paper(now, paper):
        return False
    now.review.opened = Opened(paper)
    return True


def restore(now: Session) -> None:
    """In a new window: go to what its address names. Where that is not there any more, the page says so."""
    project, paper, question, sentence = (st.query_params.get(name) for name in _NAMES)
    if now.review.restored or not (project and paper):
        return
    now.review.restored = True
    now.review.enter(project, st.query_params.get("reviewer"))
    saved = place.open_project(now)
    if saved is None:
        return
    hypothesis = next((one for one in saved.record.hypotheses if question_key(one) == question), None)
    if question is None:
        there = go_to_paper(now, paper)
    elif hypothesis is None:
        there, now.problem = False, "The review does not ask this hypothesis any more."
    else:
        there = go_to(now, paper, hypothesis, int(sentence) if sentence and sentence.isdecimal() else 0)
    if there:
        st.rerun()  # the sidebar lists it


def address(now: Session) -> dict[str, str]:
    """What the page's address says of it; nothing where another paper is on the desk."""
    there = came_from(now)
    if there is None:
        return {}
    whole = {name: value for name, value in place.address(now, there.paper).items() if name != "do"}
    if not there.hypothesis:
        return whole
    return whole | {"question": question_key(there.hypothesis), "sentence": str(there.sentence)}


def write(now: Session) -> None:
    """Write it into the page's address, which stays while there is nothing on the desk: it may be there again later."""
    wanted = address(now)
    if now.open is None:
        return
    for name in (*_NAMES, "reviewer"):
        if name not in wanted:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != wanted[name]:
            st.query_params[name] = wanted[name]


def came_from(now: Session) -> Opened | None:
    """What was opened, while its paper is on the desk."""
    there = now.review.opened
    if there is None or now.open is None or now.review.project is None:
        return None
    return there if there.paper == now.open.paper.id else None


def wanted(found: list[Saved[StoredFinding]], engine: str | None) -> Finding:
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


def way_back(now: Session) -> None:
    """A link to where the paper was opened, also where that could not be done again."""
    there = came_from(now)
    lost = now.open is None and now.review.restored and now.problem is not None and now.review.project is not None
    if there is not None and not there.hypothesis:
        to, words, name = frame.SCREENING, "Back to screening", "Back to the item"
        where = screening_place.address(now) | {"item": there.paper}
    elif there is not None or lost:
        to, words, where = frame.REVIEW, "Back to the evidence table", place.address(now)
        name = "Back to the table"
        now.review.tab = TAB
    else:
        return
    st.page_link(to, label=plain(words), icon=":material/arrow_back:", query_params=where)
    with st.sidebar:  # in view also where the sentence stands far down in the paper
        st.page_link(to, label=plain(name), icon=":material/arrow_back:", query_params=where)
