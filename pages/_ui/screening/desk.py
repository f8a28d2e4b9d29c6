"""The desk of screening: an item's text with the criteria's sentences, and the panel to decide on it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.errors import VouchError
from core.screening.model import CriterionSuggestion
from core.store import Reading
from pages._ui import paper_view, serving
from pages._ui.escape import plain
from pages._ui.open_paper import OpenPaper
from pages._ui.paper_view.screening import (
    criteria_payload,
    item_payload,
    others_payload,
    own_payload,
    sent_from,
    settled_from,
    sides_payload,
    went_from,
)
from pages._ui.review.stored import the_store
from pages._ui.screening import deciding, place, start, suggesting
from pages._ui.screening.seen import Seen, by_criterion, look
from pages._ui.screening.texts import opened as opened_text
from pages._ui.screening.work import ScreeningWork
from pages._ui.state import Session, session, widget

KEY = "screening-desk"


@st.fragment
def show() -> None:
    """Draw it. A decision draws this part of the page again, no more."""
    now = session()
    work = now.screening
    try:
        with the_store().reading() as store:
            seen = look(store, work.project or "", work.reviewer or "")
            _arrive(work, seen)
            item = seen.items.get(work.item or "")
            if item is None:
                _nothing(now, seen)
                return
            missing = not work.hide and suggesting.is_missing(store, seen.project, item.id)
        opened = opened_text(now, the_store(), seen.project.id, item, who=seen.reviewer)
        if missing:
            suggesting.go_on(now, seen, [item.id, *_ahead(work, seen)])
        with the_store().reading() as store:
            suggestions = _suggestions(store, work, seen)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    place.write(now)
    start.line(now, seen.project, item)
    view = _view(now, seen, opened) | {
        "screening": _screening(seen, work)
        | suggesting.stand(now, seen, item.id, missing=missing)
        | {"criteria": criteria_payload(seen.project.criteria, suggestions, sentences=len(opened.paper.sentences))}
    }
    paper_view.show(
        key=KEY,
        data={"opening": opened.opening, "view": view, **serving.supply(opened)},
        on_decided=partial(_keep, seen),
        on_asked=partial(serving.keep_question, KEY, opened),
        on_settled=partial(_settle, seen),
        on_went=partial(_go, seen),
    )
    suggesting.watch(now)


def _arrive(work: ScreeningWork, seen: Seen) -> None:
    """There is an item on the desk, if there is any."""
    if work.settling:
        view = seen.view(work.item or "")
        if work.item not in seen.items or not (view.differ or view.consensus):
            work.go_to(next(iter(seen.conflicts), work.item))
    elif work.item not in seen.items:
        work.go_to(next(iter([*order_of(work, seen), *seen.items]), None))
    if work.onward and work.item is not None and seen.decided(work.item):  # in another window, a moment ago
        work.go_to(work.after(order_of(work, seen)) or work.item)
    work.onward = False
    if work.item is not None:
        entry, view = work.entry(work.item), seen.view(work.item)
        if view.own_version > entry.version:  # another window has decided
            entry.meet(view.own, view.own_version)
            if work.shown == work.item:  # it has changed before the reviewer's eyes
                entry.tell()
    work.shown = work.item


def order_of(work: ScreeningWork, seen: Seen) -> list[str]:
    """What is not decided yet, in the order that it is to come."""
    return work.ordering.of(seen) if work.by_promise else seen.undecided


def _ahead(work: ScreeningWork, seen: Seen) -> list[str]:
    """The item that comes next, if there is one."""
    after = None if work.settling else work.after(order_of(work, seen))
    return [after] if after is not None else []


def _suggestions(store: Reading, work: ScreeningWork, seen: Seen) -> dict[str, CriterionSuggestion]:
    if work.item is None or work.hide:
        return {}
    return by_criterion(store.criteria(seen.project.id, item=work.item), engine=seen.project.plan.criteria)


def _nothing(now: Session, seen: Seen) -> None:
    st.info("No papers and no references yet. Add them on the project's page.", icon=":material/library_add:")
    start.to_project(now, seen.project)


def _view(now: Session, seen: Seen, opened: OpenPaper) -> dict[str, object]:
    work = now.screening
    return {
        "question": f"{opened.opening}:{seen.project.id}:{seen.reviewer}",
        "open": [other.opening for other in (*now.texts.values(), *now.papers.values())],
        "number": work.entry(work.item or "").number,
        "stored": True,
        "canDecide": False,
        "empty": "",
    }


def _screening(seen: Seen, work: ScreeningWork) -> dict[str, object]:
    item = seen.items[work.item or ""]
    view, entry, standing = seen.view(item.id), work.entry(item.id), seen.standing
    undone = seen.items.get(work.taken_back[-1][0]) if work.taken_back else None
    return {
        "mode": "settle" if work.settling else "decide",
        "item": item_payload(item),
        "own": own_payload(view.own, entry.version),
        "reasons": seen.project.reasons,
        "decided": standing.decided,
        "total": standing.total,
        "conflicts": standing.conflicts,
        "byPromise": work.by_promise,
        "hide": work.hide,
        "previous": work.previous(seen.items) is not None,
        "undo": undone and _taken(seen, undone.id),
        "problem": entry.problem,
        "failed": entry.failed,
        "went": work.number,
        "settled_number": work.settled,
        "unsettled": work.unsettled,
        **others_payload(view, seen.project.reviewers, seen.reviewer),
        **(sides_payload(view, seen.project.reviewers) if work.settling else {}),
    }


def _taken(seen: Seen, item: str) -> dict[str, object] | None:
    own = seen.view(item).own
    return None if own is None else {"title": seen.items[item].title, "verdict": own.verdict, "reason": own.reason}


def _item_named(seen: Seen, question: object) -> str | None:
    """The item that the browser speaks of, if it is this work's."""
    for item, opened in session().texts.items():
        if question == f"{opened.opening}:{seen.project.id}:{seen.reviewer}":
            return item
    return None


def _keep(seen: Seen) -> None:
    message = widget(KEY).get("decided")
    if not isinstance(message, dict) or not isinstance(number := message.get("number"), int):
        return
    item = _item_named(seen, message.get("question"))
    sent = sent_from(message.get("value"), [criterion.id for criterion in seen.project.criteria])
    if item is not None and sent is not None:
        work = session().screening
        deciding.decide(the_store(), work, item, sent, number, order=order_of(work, seen))


def _settle(seen: Seen) -> None:
    sent = settled_from(widget(KEY).get("settled"))
    item = _item_named(seen, sent.question) if sent else None
    if sent is not None and item is not None:
        deciding.settle(the_store(), session().screening, item, sent)


def _go(seen: Seen) -> None:
    sent, work = went_from(widget(KEY).get("went")), session().screening
    if sent is None or sent.number <= work.number:
        return
    work.number = sent.number
    match sent.do:
        case "next" if work.settling:
            work.go_to(deciding.next_conflict(seen.conflicts, seen.conflicts, work.item or "") or work.item)
        case "next":
            work.go_to(work.next(order_of(work, seen), seen.items) or work.item)
        case "previous" if work.settling:
            back = seen.conflicts[::-1]
            work.go_to(deciding.next_conflict(back, back, work.item or "") or work.item)
        case "previous":
            work.go_to(work.previous(seen.items) or work.item)
        case "undo":
            deciding.undo(the_store(), work)
        case "order":
            work.by_promise = sent.on
        case "hide":
            work.hide = sent.on
        case "conflicts":
            work.settling = sent.on
            if not sent.on:
                work.go_to(next(iter(order_of(work, seen)), work.item))
        case "suggest" if work.item is not None:
            suggesting.go_on(session(), seen, [work.item], asked=True)
