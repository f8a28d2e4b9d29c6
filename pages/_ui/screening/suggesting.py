"""Suggestions while a reviewer screens: for the item on the desk and the next one, in a thread, straight to the store.

The queue makes them for all items; this is for whoever begins before it. An engine of this machine is asked unasked; a
language model, which costs money, when the reviewer wants it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

import streamlit as st

from core.errors import VouchError
from core.llm import model_named
from core.screening.engine import ScreeningEngine, suggest
from core.screening.engines import screening_engine_named
from core.store import Project, QueueMode, Reading, ReviewItem, StoredCriterion
from pages._ui import board
from pages._ui.review.stored import the_store
from pages._ui.running import Running
from pages._ui.screening.seen import Seen, is_by
from pages._ui.screening.texts import text_of
from pages._ui.screening.work import Suggesting
from pages._ui.state import Session

_LOOK = 0.7  # seconds between two looks at work that runs


@cache
def _local_engine(name: str) -> ScreeningEngine:
    """An engine of this machine. Those that ask a model know a key, and are never shared."""
    return screening_engine_named(name)


def is_missing(store: Reading, project: Project, item: str) -> bool:
    """Whether the project's engine has yet to say something of the item, and the queue is not at it."""
    engine = project.plan.criteria
    if engine is None or not project.criteria or store.queue(project.id).mode is QueueMode.RUNNING:
        return False
    done = {one.criterion for one in store.criteria(project.id, item=item) if is_by(one.engine, engine)}
    return any(criterion.id not in done for criterion in project.criteria)


def go_on(now: Session, seen: Seen, items: Sequence[str], *, asked: bool = False) -> None:
    """Begin with the first of `items`, the one on the desk, whose suggestions are missing; the others come after it."""
    work, name = now.screening, seen.project.plan.criteria
    under_way = work.suggesting
    if name is None or (under_way is not None and not under_way.running.ended and items[0] in under_way.items):
        return
    if not asked and (model_named(name) is not None or items[0] in work.tried):
        return
    if under_way is not None:
        under_way.running.stop()
    work.tried.add(items[0])
    came: list[str] = []
    wanted = [seen.items[item] for item in items]
    make = partial(_make, seen, wanted, came, _opener(now, name))
    work.suggesting = Suggesting(tuple(items), Running(make, watched=board.watched()), came)


def _opener(now: Session, name: str) -> Callable[[], ScreeningEngine]:
    model = model_named(name)
    if model is None:
        return partial(_local_engine, name)
    return partial(screening_engine_named, name, key=now.keys.of(model.provider), budget=now.choice.budget)


def stand(now: Session, seen: Seen, item: str, *, missing: bool) -> dict[str, object]:
    """What the panel says in place of a suggestion that is missing, and whether one may be asked for."""
    under_way, name = now.screening.suggesting, seen.project.plan.criteria
    if name is None or not missing:
        return {"waiting": None, "suggestable": False}
    if under_way is not None and item in under_way.items:
        if not under_way.running.ended:
            return {"waiting": "Reading for a suggestion …", "suggestable": False}
        error = under_way.running.error
        if isinstance(error, VouchError):
            return {"waiting": f"No suggestion: {error}", "suggestable": True}
        if error is not None:  # our own mistake stays visible
            now.screening.suggesting = None
            raise error
    return {"waiting": f"No suggestion by {name} yet.", "suggestable": True}


def watch(now: Session) -> None:
    """Draw the desk again when something has come for the item on it."""
    under_way = now.screening.suggesting
    if under_way is None or (under_way.running.ended and under_way.shown == len(under_way.came)):
        return
    under_way.shown = len(under_way.came)
    _look(under_way, now.screening.item or "")


@st.fragment(run_every=_LOOK)
def _look(under_way: Suggesting, item: str) -> None:
    if under_way.running.ended or item in under_way.came[under_way.shown :]:
        st.rerun()


def _make(
    seen: Seen,
    items: Sequence[ReviewItem],
    came: list[str],
    opener: Callable[[], ScreeningEngine],
    running: Running[None],
) -> None:
    """Make them, in the thread. What goes wrong with one item ends the work: it may be asked for again."""
    store, engine, project, who = the_store(), opener(), seen.project, seen.reviewer
    for item in items:
        paper = text_of(store, project.id, item, who=who)
        with store.reading() as now:
            done = {one.criterion for one in now.criteria(project.id, item=item.id) if one.engine == engine.name}
        for criterion in project.criteria:
            if criterion.id in done:
                continue
            running(0.0, item.title)
            made = suggest(criterion, paper, engine=engine)
            with store.writing(who) as change:
                change.put(StoredCriterion(project.id, item.id, made))
            came.append(item.id)
