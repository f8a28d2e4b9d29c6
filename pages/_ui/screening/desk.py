"""The desk of the Screening page: an item's text, suggestions made meanwhile, and the panel to decide."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.engines import TaskKind
from core.errors import VouchError
from core.llm import Budget, model_named
from core.screening.model import CriterionSuggestion, suggest
from core.store import Project, QueueMode, ReviewItem, Saved, StoredCriterion, StoreReader
from pages._ui import frame
from pages._ui.escape import plain
from pages._ui.jobs import BackgroundJob, RunningJob, window_is_open
from pages._ui.model_choice import Keys
from pages._ui.open_paper import OpenPaper
from pages._ui.paper_view import component
from pages._ui.paper_view.screening import (
    command_from,
    criteria_payload,
    decision_from,
    item_payload,
    others_payload,
    own_payload,
    screening_consensus_from,
    sides_payload,
)
from pages._ui.review import navigation
from pages._ui.review.marks import show_mark
from pages._ui.screening import items
from pages._ui.screening.items import open_text, text_of
from pages._ui.screening.state import (
    ScreeningSnapshot,
    ScreeningWork,
    by_criterion,
    is_by,
    read_screening,
)
from pages._ui.state import Session, current_session, widget
from pages._ui.stored import the_store

# ---- around the desk ----


def show_start(session: Session, saved: Saved[Project] | None) -> None:
    """Draw the start screen, while the project or the reviewer is unknown."""
    _, middle, _ = st.columns([1, 5, 1])
    with middle:
        st.title("Screen papers", anchor=False)
        st.markdown(
            "Decide what a review includes: one paper after the other, with its criteria beside it and a key for each "
            "decision. Two reviewers decide apart, and settle what they see differently."
        )
        if saved is None:
            st.markdown("Open a project first, or begin one.")
            st.page_link(frame.REVIEW, label="To the projects", icon=":material/library_books:")
            return
        st.markdown(f"**{plain(saved.record.name, limit=200)}**: who are you?")
        with st.container(horizontal=True, gap="small"):
            for number, name in enumerate(saved.record.reviewers):
                st.button(
                    plain(name), key=f"screen-as-{number}", on_click=session.review.enter, args=(saved.record.id, name)
                )


def link_to_project(session: Session, project: Project) -> None:
    """Draw a link to the project's page."""
    st.page_link(
        frame.REVIEW,
        label=plain(project.name, limit=80),
        icon=":material/library_books:",
        query_params=navigation.project_address(session),
    )


def show_line(session: Session, project: Project, item: ReviewItem) -> None:
    """Draw the line above the desk: the reviewer, and links to other pages."""
    with st.container(key="screening-line", horizontal=True, vertical_alignment="center", gap="small"):
        link_to_project(session, project)
        st.caption(f"You are **{plain(session.screening.reviewer or '')}**. Saved as you work.", width="content")
        st.space("stretch")
        for page in (frame.EVIDENCE, frame.BIAS):
            entry = frame.PAGES[page]
            # Always there, so that the desk keeps its place in the page.
            open_it = st.button(
                entry.title,
                key=f"screen-to-{entry.title}",
                icon=entry.icon,
                type="tertiary",
                disabled=not item.is_paper,
                help=f"Open this paper under {entry.title}" if item.is_paper else "Its full text is not here",
            )
            if open_it and page == frame.EVIDENCE and navigation.go_to_paper(session, item.id):
                st.switch_page(page, query_params=navigation.paper_address(session))
            if open_it and page == frame.BIAS and navigation.open_paper(session, item.id):
                st.switch_page(page, query_params=navigation.project_address(session, item.id))


# ---- suggestions while a reviewer screens ----
# The queue makes suggestions for all items; this is for reviewers who start before it. An engine of this machine is
# asked without a request, a language model (which costs money) only on request.

_LOOK = 0.7  # seconds between two looks at running work


def suggestion_is_missing(store: StoreReader, project: Project, item: str) -> bool:
    """Whether the project's engine lacks a suggestion for the item, and the queue is not running."""
    engine = project.plan.criteria
    if engine is None or not project.criteria or store.queue.state(project.id).mode is QueueMode.RUNNING:
        return False
    done = {one.criterion for one in store.criteria(project.id, item=item) if is_by(one.engine, engine)}
    return any(criterion.id not in done for criterion in project.criteria)


def begin_suggestions(session: Session, seen: ScreeningSnapshot, items: Sequence[str], *, asked: bool = False) -> None:
    """Make missing suggestions for `items`: first the one on the desk, then the others. `asked`: on request."""
    work, name = session.screening, seen.project.plan.criteria
    running = work.suggesting
    if name is None or (running is not None and not running.job.ended and items[0] in running.request):
        return
    if not asked and (model_named(name) is not None or items[0] in work.tried):
        return
    if running is not None:
        running.job.stop()
    work.tried.add(items[0])
    wanted = [seen.items[item] for item in items]
    make = partial(_make, seen, wanted, name=name, keys=session.keys, budget=session.choice.budget)
    work.suggesting = RunningJob(tuple(items), BackgroundJob(make, watched=window_is_open()))


def suggestion_state(session: Session, seen: ScreeningSnapshot, item: str, *, missing: bool) -> dict[str, object]:
    """What the panel says in place of a missing suggestion, and whether one can be requested."""
    running, name = session.screening.suggesting, seen.project.plan.criteria
    if name is None or not missing:
        return {"waiting": None, "suggestable": False}
    if running is not None and item in running.request:
        if not running.job.ended:
            return {"waiting": "Reading for a suggestion …", "suggestable": False}
        error = running.job.error
        if isinstance(error, VouchError):
            return {"waiting": f"No suggestion: {error}", "suggestable": True}
        if error is not None:  # a bug stays visible
            session.screening.suggesting = None
            raise error
    return {"waiting": f"No suggestion by {name} yet.", "suggestable": True}


def watch_suggestions(session: Session) -> None:
    """Redraw the desk when a suggestion has come for its item."""
    running = session.screening.suggesting
    if running is None or (running.job.ended and running.taken == len(running.job.pieces)):
        return
    running.taken = len(running.job.pieces)
    _look(running, session.screening.item or "")


@st.fragment(run_every=_LOOK)
def _look(running: RunningJob[tuple[str, ...], None], item: str) -> None:
    if running.job.ended or item in running.job.pieces[running.taken :]:
        st.rerun()


def _make(
    seen: ScreeningSnapshot,
    items: Sequence[ReviewItem],
    job: BackgroundJob[None],
    *,
    name: str,
    keys: Keys,
    budget: Budget,
) -> None:
    """Make the suggestions, in the job's thread. An error ends the work, which can then be requested again."""
    store, project, who = the_store(), seen.project, seen.reviewer
    with job.engine(TaskKind.SCREENING, name, keys, budget) as engine:
        for item in items:
            paper = text_of(store, project.id, item, who=who)
            with store.reading() as now:
                done = {one.criterion for one in now.criteria(project.id, item=item.id) if one.engine == engine.name}
            for criterion in project.criteria:
                if criterion.id in done:
                    continue
                job(0.0, item.title)
                made = suggest(criterion, paper, engine=engine)
                with store.writing(who) as change:
                    change.put(StoredCriterion(project.id, item.id, made))
                job.put(item.id)


# ---- desk ----

KEY = "screening-desk"


@st.fragment
def show() -> None:
    """Draw the desk. A decision redraws only this part of the page."""
    session = current_session()
    work = session.screening
    try:
        with the_store().reading() as store:
            seen = read_screening(store, work.project or "", work.reviewer or "")
            _arrive(work, seen)
            item = seen.items.get(work.item or "")
            if item is None:
                _nothing(session, seen)
                return
            missing = not work.hide and suggestion_is_missing(store, seen.project, item.id)
        opened = open_text(session, the_store(), seen.project.id, item, who=seen.reviewer)
        if missing:
            begin_suggestions(session, seen, [item.id, *_ahead(work, seen)])
        with the_store().reading() as store:
            suggestions = _suggestions(store, work, seen)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    navigation.write_item(session)
    show_line(session, seen.project, item)
    show_mark(seen.project.id, item.id)
    view = _view(session, seen, opened) | {
        "screening": _screening(seen, work)
        | suggestion_state(session, seen, item.id, missing=missing)
        | {"criteria": criteria_payload(seen.project.criteria, suggestions, sentences=len(opened.paper.sentences))}
    }
    component.show(
        key=KEY,
        data={"opening": opened.opening, "view": view, **component.supply(opened)},
        on_decided=partial(_keep, seen),
        on_asked=partial(component.keep_question, KEY, opened),
        on_settled=partial(_settle, seen),
        on_went=partial(_go, seen),
    )
    watch_suggestions(session)


def _arrive(work: ScreeningWork, seen: ScreeningSnapshot) -> None:
    """Make sure that an item is on the desk if there is one, and take in decisions from another window."""
    if work.settling:
        view = seen.view(work.item or "")
        if work.item not in seen.items or not (view.differ or view.consensus):
            work.go_to(next(iter(seen.conflicts), work.item))
    elif work.item not in seen.items:
        work.go_to(next(iter([*order_of(work, seen), *seen.items]), None))
    if work.onward and work.item is not None and seen.decided(work.item):  # it was just decided in another window
        work.go_to(work.after(order_of(work, seen)) or work.item)
    work.onward = False
    if work.item is not None:
        entry, view = work.entry(work.item), seen.view(work.item)
        if view.own_version > entry.version:  # decided in another window
            entry.meet(view.own, view.own_version)
            if work.shown == work.item:  # it changed while shown
                entry.tell()
    work.shown = work.item


def order_of(work: ScreeningWork, seen: ScreeningSnapshot) -> list[str]:
    """The undecided items, in the order in which they come."""
    return work.ordering.of(seen) if work.by_promise else seen.undecided


def _ahead(work: ScreeningWork, seen: ScreeningSnapshot) -> list[str]:
    """The next item, in a list that is empty if there is none."""
    after = None if work.settling else work.after(order_of(work, seen))
    return [after] if after is not None else []


def _suggestions(store: StoreReader, work: ScreeningWork, seen: ScreeningSnapshot) -> dict[str, CriterionSuggestion]:
    if work.item is None or work.hide:
        return {}
    return by_criterion(store.criteria(seen.project.id, item=work.item), engine=seen.project.plan.criteria)


def _nothing(session: Session, seen: ScreeningSnapshot) -> None:
    st.info("No papers and no references yet. Add them on the project's page.", icon=":material/library_add:")
    link_to_project(session, seen.project)


def _view(session: Session, seen: ScreeningSnapshot, opened: OpenPaper) -> dict[str, object]:
    work = session.screening
    return {
        "question": f"{opened.opening}:{seen.project.id}:{seen.reviewer}",
        "open": [other.opening for other in (*session.texts.values(), *session.papers.values())],
        "number": work.entry(work.item or "").number,
        "stored": True,
        "canDecide": False,
        "empty": "",
    }


def _screening(seen: ScreeningSnapshot, work: ScreeningWork) -> dict[str, object]:
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


def _taken(seen: ScreeningSnapshot, item: str) -> dict[str, object] | None:
    own = seen.view(item).own
    return None if own is None else {"title": seen.items[item].title, "verdict": own.verdict, "reason": own.reason}


def _item_named(seen: ScreeningSnapshot, question: object) -> str | None:
    """The item that the browser's message is about, if it belongs to this work."""
    for item, opened in current_session().texts.items():
        if question == f"{opened.opening}:{seen.project.id}:{seen.reviewer}":
            return item
    return None


def _keep(seen: ScreeningSnapshot) -> None:
    message = widget(KEY).get("decided")
    if not isinstance(message, dict) or not isinstance(number := message.get("number"), int):
        return
    item = _item_named(seen, message.get("question"))
    sent = decision_from(message.get("value"), [criterion.id for criterion in seen.project.criteria])
    if item is not None and sent is not None:
        work = current_session().screening
        items.decide(the_store(), work, item, sent, number, order=order_of(work, seen))


def _settle(seen: ScreeningSnapshot) -> None:
    sent = screening_consensus_from(widget(KEY).get("settled"))
    item = _item_named(seen, sent.question) if sent else None
    if sent is not None and item is not None:
        items.settle(the_store(), current_session().screening, item, sent)


def _go(seen: ScreeningSnapshot) -> None:
    sent, work = command_from(widget(KEY).get("went")), current_session().screening
    if sent is None or sent.number <= work.number:
        return
    work.number = sent.number
    match sent.do:
        case "next" if work.settling:
            work.go_to(items.next_conflict(seen.conflicts, seen.conflicts, work.item or "") or work.item)
        case "next":
            work.go_to(work.next(order_of(work, seen), seen.items) or work.item)
        case "previous" if work.settling:
            back = seen.conflicts[::-1]
            work.go_to(items.next_conflict(back, back, work.item or "") or work.item)
        case "previous":
            work.go_to(work.previous(seen.items) or work.item)
        case "undo":
            items.undo(the_store(), work)
        case "order":
            work.by_promise = sent.on
        case "hide":
            work.hide = sent.on
        case "conflicts":
            work.settling = sent.on
            if not sent.on:
                work.go_to(next(iter(order_of(work, seen)), work.item))
        case "suggest" if work.item is not None:
            begin_suggestions(current_session(), seen, [work.item], asked=True)
