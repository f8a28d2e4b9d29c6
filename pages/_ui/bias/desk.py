"""The desk on the page of risk of bias: the same paper, with the domains and the panel to judge them."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.errors import VouchError
from pages._ui import keeping, paper_view, serving
from pages._ui.bias.work import Judged
from pages._ui.open_paper import OpenPaper
from pages._ui.paper_view.judging import judging_payload, sent_from
from pages._ui.paper_view.settling import settled_from, settling_payload
from pages._ui.review import clashes, conflicts
from pages._ui.review.sheet import Sheet
from pages._ui.review.stored import the_store
from pages._ui.state import session, widget

_LOOK = 3.0  # seconds between two looks at what others decide


@st.fragment
def show(opened: OpenPaper, sheet: Sheet | None = None) -> None:
    """Draw the desk, for a paper of a project with its sheet. A change draws this part of the page again, no more."""
    keeping.at_desk(opened)
    with st.container(key="clashes"):  # always there, so that the desk keeps its place in the page
        if sheet is not None:
            clashes.show(sheet)
            if session().review.settling:
                conflicts.show(session(), sheet)
    key = f"bias-desk-{opened.paper.id}"
    paper_view.show(
        key=key,
        data={"opening": opened.opening, "view": _view(opened, sheet), **serving.supply(opened)},
        on_decided=partial(_keep, key, opened, sheet),
        on_asked=partial(serving.keep_question, key, opened),
        on_settled=partial(_settle, key, opened, sheet),
    )


@st.fragment(run_every=_LOOK)
def hear(sheet: Sheet) -> None:
    """Look whether others, or this reviewer in another window, have decided; then the page is drawn again."""
    before = sheet.views
    sheet.refresh(the_store())
    if sheet.views != before:
        st.rerun()


def _view(opened: OpenPaper, sheet: Sheet | None) -> dict[str, object]:
    now = session()
    judged = sheet or opened.bias.with_tool(now.bias.tool)
    view = {
        "question": _question(opened, judged),
        "open": [other.opening for other in now.papers.values()],
        "number": judged.number,
        "stored": (sheet or opened).all_stored,
        "noun": "Support",
    }
    if sheet is not None and now.review.settling:
        return view | {
            "canDecide": False,
            "note": "In the paper's order, with the reviewers who chose them.",
            "empty": "Nobody chose a sentence here.",
            "settling": {
                "domains": settling_payload(sheet.tool, sheet.views, sheet.reviewers),
                "number": sheet.settled,
                "problem": sheet.unsettled,
                "beginAt": now.review.begin_at,
            },
        }
    judging = _judging(judged, blind=now.bias.blind)
    return view | {
        "canDecide": True,
        "empty": "No sentence is suggested. Click any sentence of the paper to add it as support.",
        "judging": judging | {"beginAt": now.review.begin_at},
    }


def _judging(judged: Judged | Sheet, *, blind: bool) -> dict[str, object]:
    """What there is to judge, without what must be hidden."""
    if isinstance(judged, Sheet):
        return judging_payload(
            judged.assessment, hidden=judged.hidden, edits=judged.edits, views=judged.views, unsaved=judged.unsaved
        )
    seen = judged.assessment.as_seen(blind=blind)
    hidden = judged.assessment.suggestions.keys() - seen.suggestions.keys()
    return judging_payload(seen, hidden=hidden, failures={} if blind else judged.failures)


def _question(opened: OpenPaper, judged: Judged | Sheet) -> str:
    """Names in the browser whose work it is."""
    return f"{opened.opening}:{judged.key}"


def _settle(key: str, opened: OpenPaper, sheet: Sheet | None) -> None:
    """Store what the reviewers settled on, if the browser sent it of this work."""
    if sheet is None:
        return
    sent = settled_from(widget(key).get("settled"), sheet.tool)
    if sent is None or sent.question != _question(opened, sheet) or sent.number <= sheet.settled:
        return
    try:
        sheet.settle(the_store(), sent)
    except VouchError as error:
        sheet.problem = str(error)


def _keep(key: str, opened: OpenPaper, sheet: Sheet | None) -> None:
    """Store what the browser sent, if it is what the desk sends and its paper is still open."""
    message = widget(key).get("decided")
    if not isinstance(message, dict) or not isinstance(number := message.get("number"), int):
        return
    known: list[Judged | Sheet] = [*opened.bias.by_tool.values(), *([sheet] if sheet else [])]
    judged = next((one for one in known if message.get("question") == _question(opened, one)), None)
    if judged is None:
        return
    sent = sent_from(message.get("value"), judged.tool, sentences=len(opened.paper.sentences))
    if sent is None:
        return
    if isinstance(judged, Judged):
        judged.take(sent, number)
        return
    try:
        judged.take(the_store(), sent, number)
    except VouchError as error:
        judged.problem = str(error)
