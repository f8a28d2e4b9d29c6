"""A project's queue: its state in words, who does its work, and with which key and budget."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st

from core.errors import VouchError
from core.llm import CostEstimate, ModelName, known_speed, model_named
from core.review.estimating import estimate_rest
from core.review.jobs import ModelAccess, models_of
from core.review.queue import WorkerOptions
from core.review.status import QueueStatus
from core.store import Project, QueueMode, QueueState, StoreReader
from core.store.queue import LEASE
from core.text.words import counted
from core.work.progress import WorkProgress
from pages._ui import model_row
from pages._ui.escape import plain
from pages._ui.model_choice import estimate_in_words
from pages._ui.served_row import speed_in_words
from pages._ui.state import Session, prime
from pages._ui.stored import the_runner, the_store

# ---- words ----


def is_held(status: QueueStatus) -> bool:
    """Whether somebody works on the queue: while it runs and, after a pause or cancel, until current work is done."""
    seen = status.state.seen
    return status.state.holder is not None and seen is not None and datetime.now(UTC) - seen < LEASE


def headline(status: QueueStatus, standing: WorkProgress | None, *, here: bool = False) -> str:
    """What the queue does now; empty if there is nothing to say.

    `standing` is the state of this server's own work; `here` says whether it has any, which may still be starting.
    """
    mode, held = status.state.mode, is_held(status)
    if mode is QueueMode.RUNNING:
        if standing is not None and held and standing.step:
            return f"{standing.step}: {standing.in_words}"
        if standing is not None and held and status.to_fetch:
            return f"Fetching open full texts: {standing.in_words}"
        if standing is not None and held and status.to_index:
            return f"Indexing papers for questions: {standing.in_words}"
        if standing is not None and held:
            return f"{_at_work_on(status)}: {_of_all(status, standing).in_words}"
        if held:
            return "Getting ready" if here else "At work on another machine"
        return "Getting ready" if status.state.seen is None else "Interrupted: goes on within half a minute"
    if held:
        return f"{'Pausing' if mode is QueueMode.PAUSED else 'Stopping'}: what is in hand is finished first"
    if mode is QueueMode.PAUSED:
        return "Paused"
    if status.anything_to_do:
        return "Waiting for you to start"
    if not status.papers:
        return ""
    papers = "The paper is read" if status.papers == 1 else f"All {status.papers:,} papers are read"
    return f"{papers}; {counted(status.answered, 'question')} answered by the engines" if status.answered else papers


def _at_work_on(status: QueueStatus) -> str:
    if not status.waiting:
        return "Asking the engines"
    return "Reading papers and asking the engines" if status.answered else "Reading papers"


def what_is_left(status: QueueStatus) -> str:
    """How much is left and how much is done; empty if nothing is left."""
    if not status.anything_to_do:
        return ""
    parts = []
    if status.to_fetch:
        parts.append(f"{counted(status.to_fetch, 'full text')} to fetch")
    if status.to_index:
        parts.append(f"{counted(status.to_index, 'paper')} to index for questions")
    if status.waiting:
        parts.append(f"{counted(status.waiting, 'file')} to read")
    if status.open_items:
        questions = counted(status.open_questions, "question")
        parts.append(f"{counted(status.open_items, 'paper')} to ask about, {questions} open")
    if status.answered:
        parts.append(f"{status.answered:,} answered")
    return " · ".join(parts)


def share_done(status: QueueStatus) -> float:
    """The share of all files and questions that is done, 0 to 1. Earlier runs count, so that it only grows.

    A waiting file is assumed to have as many questions as the papers have on average.
    """
    read, asked = status.papers + len(status.unreadable), status.answered + status.open_questions
    to_come = status.waiting * asked / status.papers if status.papers else status.waiting
    done, of = read + status.answered, read + asked + status.waiting + to_come
    return min(1.0, done / of) if of else 0.0


def _of_all(status: QueueStatus, standing: WorkProgress) -> WorkProgress:
    """The progress on the whole, not only of this run: on files while they are read, then on questions."""
    if status.waiting:
        read = status.papers + len(status.unreadable)
        return replace(standing, done=read, of=read + status.waiting)
    return replace(standing, done=status.answered, of=status.answered + status.open_questions)


# ---- who does the work ----

PROCESSORS = os.cpu_count() or 1


def workers_unasked(session: Session, project: Project, state: QueueState) -> WorkerOptions:
    """The workers if nobody was asked. Language models cost money, so they are left out until there is a click."""
    return WorkerOptions(
        _workers(session, project, state), _cluster(session, project, state), only_reads=bool(models_of(project.plan))
    )


def resume_queue(session: Session, project: Project, who: str) -> None:
    """Start the queue after a change of the project, unless a reviewer has paused it."""
    try:
        with the_store().reading() as store:
            state = store.queue.state(project.id)
        if state.mode is not QueueMode.PAUSED:
            the_runner().start(project.id, who, workers_unasked(session, project, state))
    except VouchError as error:
        session.problem = str(error)


def workers_chosen(session: Session, project: Project, state: QueueState) -> WorkerOptions:
    """The workers after a click."""
    providers = {model.provider for model in models_of(project.plan)}
    # A key is for one provider. With several providers, the keys of the environment are used.
    key = session.keys.of(*providers) if len(providers) == 1 else None
    access = ModelAccess(key, session.choice.budget if providers else None)
    return WorkerOptions(_workers(session, project, state), _cluster(session, project, state), access)


def worker_fields(session: Session, project: Project, state: QueueState) -> None:
    """Draw the fields for workers, while the queue is not running."""
    keys = {name: f"queue-{name}-{project.id}" for name in ("workers", "cluster")}
    prime(
        **{keys["workers"]: _workers(session, project, state), keys["cluster"]: _cluster(session, project, state) or ""}
    )
    if PROCESSORS > 1:
        st.number_input(
            "Processes", 1, PROCESSORS, key=keys["workers"], width=150,
            help=f"This computer has {PROCESSORS} processors. Fewer leave more of it to you.",
            on_change=_keep, args=(session, project.id),
        )  # fmt: skip
    st.text_input(
        "Cluster", key=keys["cluster"], placeholder="tcp://ADDRESS:8786, or none",
        help="The address of a Dask scheduler. Its machines read the papers then, and must be trusted.",
        on_change=_keep, args=(session, project.id),
    )  # fmt: skip


def budget_fields(session: Session, project: Project) -> None:
    """Draw, for a plan with language models, their names, the budget, and the key, which is never stored."""
    models = models_of(project.plan)
    if not models:
        return
    names = ", ".join(dict.fromkeys(str(ModelName(model.provider, model.model)) for model in models))
    st.caption(f"Papers are sent to {plain(names)}. The queue stops before it costs more than the budget.")
    st.caption(plain(_estimate(session, project)))
    prime(usd=session.choice.usd, tokens=session.choice.tokens)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.number_input("Budget in $", key="usd", value=None, placeholder="none", step=0.1, min_value=0.0, width=140)
        st.number_input(
            "Budget in tokens", key="tokens", value=None, placeholder="none", step=10_000, min_value=0, width=170
        )
    session.choice.usd, session.choice.tokens = st.session_state["usd"] or None, st.session_state["tokens"] or None
    for provider in dict.fromkeys(model.provider for model in models):
        model_row.say_key(session, provider)
        model_row.draw_key(session, provider)


def _estimate(session: Session, project: Project) -> str:
    """Estimate what the rest will cost, in words, or say why that is unknown."""
    try:
        with the_store().reading() as store:
            found = _estimated(project, repr(store.stamp(project.id)), store)
    except VouchError as error:
        return str(error)
    if found is None:
        return "What it will cost is not known before it begins."
    without = ", criteria not counted" if model_named(project.plan.criteria or "") else ""
    asked = {ModelName(model.provider, model.model) for model in models_of(project.plan)}
    model = asked.pop() if len(asked) == 1 else None  # the sum does not tell the time of two models
    speed = known_speed(model, key=session.keys.of(model.provider)) if model else None
    time = f" · {speed_in_words(speed, found)}" if speed else ""
    return f"{estimate_in_words(found)}{time}{without}"


@st.cache_data(max_entries=8, show_spinner=False)
def _estimated(project: Project, stamp: str, _store: StoreReader) -> CostEstimate | None:
    return estimate_rest(_store, project)


def _keep(session: Session, project: str) -> None:
    fields = st.session_state
    session.review.worker_options[project] = (
        int(fields.get(f"queue-workers-{project}") or 1), fields[f"queue-cluster-{project}"].strip()
    )  # fmt: skip


def _workers(session: Session, project: Project, state: QueueState) -> int:
    workers, _ = session.review.worker_options.get(project.id, (state.workers, ""))
    return min(workers, PROCESSORS)


def _cluster(session: Session, project: Project, state: QueueState) -> str | None:
    _, cluster = session.review.worker_options.get(project.id, (1, state.cluster or ""))
    return cluster or None
