"""From the evidence table to a sentence of a paper, and back."""

from __future__ import annotations

import streamlit as st

from core.errors import VouchError
from core.evidence import Evidence, EvidenceQuery
from core.findings.model import Finding
from core.review.working import in_full
from core.store import Saved, StoredFinding, question_key
from pages._ui import frame
from pages._ui.escape import plain
from pages._ui.review import place
from pages._ui.review.stored import the_store
from pages._ui.state import OpenPaper, Session

TAB = "Evidence table"


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
        _fill(opened, hypothesis, _wanted(here, engine))
    opened.begin_at = (opened.begin_at[0] + 1, sentence)
    now.review.from_table = opened.paper.id
    return True


def _wanted(found: list[Saved[StoredFinding]], engine: str | None) -> Finding:
    """The finding that the table shows: the plan's engine's, or else the newest."""
    return max(found, key=lambda saved: (saved.record.engine == engine, saved.changed)).record.finding


def _fill(opened: OpenPaper, hypothesis: str, finding: Finding) -> None:
    """Show what was found as the answer to the hypothesis, unless a search has answered it here already."""
    if opened.evidence is not None and opened.question == hypothesis:
        return
    opened.ask(hypothesis)
    verdict = f"{finding.verdict}: {finding.reason}" if finding.verdict else finding.reason
    opened.evidence = Evidence(
        finding.engine,
        EvidenceQuery(hypothesis, results_only=True),
        finding.sentences,
        finding.seconds,
        finding.cost_usd,
        (verdict,),
    )
    opened.search, opened.unanswered, opened.changes, opened.newest = None, None, (), "evidence"
    opened.answers += 1


def way_back(now: Session) -> None:
    """A link to the table, on a paper that was opened from there."""
    if now.open is None or now.review.project is None or now.review.from_table != now.open.paper.id:
        return
    now.review.tab = TAB
    st.page_link(
        frame.REVIEW,
        label=plain("Back to the evidence table"),
        icon=":material/arrow_back:",
        query_params=place.address(now),
    )
