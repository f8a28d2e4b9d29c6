"""The desk of the Risk of bias page, and above it the judgements that could not be stored."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from core.benchmarks.bias_gold import for_tool
from core.benchmarks.domain_gold import DomainGold
from core.bias import Domain, Level
from core.bias.assessment import OwnJudgement
from core.bias.model import OVERALL
from core.errors import VouchError
from core.export.gold import settled_gold
from core.text.words import counted
from pages._ui import autosave
from pages._ui.bias import settings
from pages._ui.bias.state import JudgedPaper
from pages._ui.escape import plain
from pages._ui.open_paper import OpenPaper
from pages._ui.paper_view import component
from pages._ui.paper_view.bias import (
    consensus_from,
    judgements_from,
    judging_payload,
    levels_payload,
    settling_payload,
)
from pages._ui.review import board
from pages._ui.review.sheet import DomainEntry, Sheet
from pages._ui.state import current_session, prime, widget
from pages._ui.stored import the_store


def level_in_words(level: Level | None) -> str:
    """A level as a capitalized word."""
    return level.capitalize() if level else "Not judged"


# ---- what could not be stored ----


def show_clashes(sheet: Sheet) -> None:
    """Read the stored judgements again, and draw errors and clashes that the reviewer has to resolve."""
    try:
        sheet.refresh(the_store())
    except VouchError as error:
        sheet.problem = str(error)
    if sheet.problem:
        kept = "" if sheet.all_stored else " What you set is kept in this window, and is saved with your next change."
        st.error(plain(sheet.problem) + kept, icon=":material/cloud_off:")
        st.button("Try again", key="save-again", on_click=_again, args=(sheet,))
    for id, entry in sheet.clashes.items():
        _clash(sheet, id, entry)


def _clash(sheet: Sheet, id: str, entry: DomainEntry) -> None:
    domain, other = sheet.tool.domain(id), entry.saved
    if other is None:
        return
    with st.container(border=True, key=f"clash-{id}"):
        st.markdown(
            f":material/warning: **{plain(domain.name)}** was changed in another window as "
            f"{plain(other.by)}, on {other.changed.astimezone():%d %B at %H:%M}, after you read it here. Nothing was "
            "overwritten: choose."
        )
        mine, theirs = st.columns(2)
        with mine:
            st.caption("In this window")
            st.markdown(_in_words(domain, entry.own))
            st.button("Keep this one", key=f"keep-{id}", on_click=_keep_mine, args=(sheet, id))
        with theirs:
            st.caption("Saved from the other window")
            st.markdown(_in_words(domain, sheet.own_of(id, other)))
            st.button("Take that one", key=f"take-{id}", on_click=sheet.take_other, args=(id,))


def _again(sheet: Sheet) -> None:
    try:
        sheet.store_waiting(the_store())
    except VouchError as error:
        sheet.problem = str(error)


def _keep_mine(sheet: Sheet, id: str) -> None:
    try:
        sheet.keep_mine(the_store(), id)
    except VouchError as error:
        sheet.problem = str(error)


def _in_words(domain: Domain, own: OwnJudgement) -> str:
    answers = ", ".join(f"{id} {answer}" for id, answer in sorted(own.answers.items()))
    sentences = len(own.decisions)
    parts = [
        "As the domains give it" if domain.id == OVERALL and not own.level else level_in_words(own.level_in(domain)),
        plain(answers),
        f"{counted(sentences, 'decision')} on sentences" if sentences else "",
        f"“{plain(own.comment, limit=300)}”" if own.comment.strip() else "",
    ]
    return " · ".join(filter(None, parts))


# ---- desk ----

_LOOK = 3.0  # seconds between two checks for others' decisions


@st.fragment
def show(opened: OpenPaper, sheet: Sheet | None = None) -> None:
    """Draw the desk, with the sheet for a paper of a project. A change redraws only this part of the page."""
    autosave.at_desk(opened)
    session = current_session()
    with st.container(key="clashes"):  # always there, so that the desk keeps its place in the page
        if sheet is not None:
            show_clashes(sheet)
            if session.review.settling:
                board.show_conflicts(session, sheet)
    with st.container(key="bias-gold", horizontal=True, vertical_alignment="center", gap="small"):
        _offer_gold(opened, sheet)
    key = f"bias-desk-{opened.paper.id}"
    component.show(
        key=key,
        data={"opening": opened.opening, "view": _view(opened, sheet), **component.supply(opened)},
        on_decided=partial(_keep_sent, key, opened, sheet),
        on_asked=partial(component.keep_question, key, opened),
        on_settled=partial(_settle, key, opened, sheet),
    )


def _golds(opened: OpenPaper, sheet: Sheet | None) -> dict[str, DomainGold]:
    """Gold by domain: what reviewers settled if the paper is in a project, otherwise what files provide."""
    if sheet is not None:
        return settled_gold(opened.paper, sheet.views, sheet.reviewers)
    return for_tool(opened.bias.labelled, current_session().bias.tool)


def _offer_gold(opened: OpenPaper, sheet: Sheet | None) -> None:
    if current_session().review.settling or not _golds(opened, sheet):
        return
    work, key = opened.bias, f"bias-gold-{opened.paper.id}"
    prime(**{key: work.show_gold})
    work.show_gold = st.toggle(
        "Show gold",
        key=key,
        help="Compare suggestions and your judgements with what was settled"
        if sheet is not None
        else "Compare suggestions and your judgements with the levels and sentences that experts gave",
    )
    if work.gold_note and work.show_gold:
        st.caption(plain(work.gold_note, limit=200))


@st.fragment(run_every=_LOOK)
def watch(opened: OpenPaper, sheet: Sheet | None) -> None:
    """Redraw the page if others, or this reviewer in another window, have decided, or `without_row` has changed.

    Nothing is redrawn for a judgement just taken here. The desk would be sent to the browser twice at once, and
    Streamlit may then rebuild it while the reviewer is using it.
    """
    session, changed = current_session(), False
    if sheet is not None:
        before = sheet.views
        sheet.refresh(the_store())
        changed = sheet.views != before
    if not session.review.settling:
        changed = changed or settings.without_row(session, opened, sheet) != session.bias.without_row
    if changed:
        st.rerun()


def _view(opened: OpenPaper, sheet: Sheet | None) -> dict[str, object]:
    session = current_session()
    judged = sheet or opened.bias.with_tool(session.bias.tool, session.bias.outcome)
    view = {
        "question": _question(opened, judged),
        "open": [other.opening for other in session.papers.values()],
        "number": judged.number,
        "stored": (sheet or opened).all_stored,
        "noun": "Support",
    }
    if sheet is not None and session.review.settling:
        return view | {
            "canDecide": False,
            "note": "In the paper's order, with the reviewers who chose them.",
            "empty": "Nobody chose a sentence here.",
            "settling": {
                "levels": levels_payload(sheet.tool),
                "domains": settling_payload(sheet.tool, sheet.views, sheet.reviewers),
                "number": sheet.settled,
                "problem": sheet.unsettled,
                "beginAt": session.review.begin_at,
            },
        }
    golds = _golds(opened, sheet) if opened.bias.show_gold else {}
    judging = _judging(judged, golds, blind=session.bias.blind)
    return view | {
        "canDecide": True,
        "empty": "No sentence is suggested. Click any sentence of the paper to add it as support.",
        "judging": judging | {"beginAt": session.review.begin_at},
    }


def _judging(judged: JudgedPaper | Sheet, golds: Mapping[str, DomainGold], *, blind: bool) -> dict[str, object]:
    """The data for judging, without what is hidden by blinding."""
    if isinstance(judged, Sheet):
        return judging_payload(
            judged.assessment,
            hidden=judged.hidden,
            edits=judged.edits,
            views=judged.views,
            unsaved=judged.unsaved,
            golds=golds,
        )
    seen = judged.assessment.as_seen(blind=blind)
    hidden = judged.assessment.suggestions.keys() - seen.suggestions.keys()
    return judging_payload(seen, hidden=hidden, failures={} if blind else judged.failures, golds=golds)


def _question(opened: OpenPaper, judged: JudgedPaper | Sheet) -> str:
    """Identifies the work, so that the browser's messages can be matched to it."""
    return f"{opened.opening}:{judged.key}"


def _settle(key: str, opened: OpenPaper, sheet: Sheet | None) -> None:
    """Store what the reviewers settled on, if the browser's message is about this work."""
    if sheet is None:
        return
    sent = consensus_from(widget(key).get("settled"), sheet.tool)
    if sent is None or sent.question != _question(opened, sheet) or sent.number <= sheet.settled:
        return
    try:
        sheet.settle(the_store(), sent)
    except VouchError as error:
        sheet.problem = str(error)


def _keep_sent(key: str, opened: OpenPaper, sheet: Sheet | None) -> None:
    """Store the browser's changes, if the message is valid and its paper is still open."""
    message = widget(key).get("decided")
    if not isinstance(message, dict) or not isinstance(number := message.get("number"), int):
        return
    known: list[JudgedPaper | Sheet] = [*opened.bias.by_tool.values(), *([sheet] if sheet else [])]
    judged = next((one for one in known if message.get("question") == _question(opened, one)), None)
    if judged is None:
        return
    sent = judgements_from(message.get("value"), judged.tool, sentences=len(opened.paper.sentences))
    if sent is None:
        return
    if isinstance(judged, JudgedPaper):
        judged.take(sent, number)
        return
    try:
        judged.take(the_store(), sent, number)
    except VouchError as error:
        judged.problem = str(error)
