"""Who does a queue's work: how many processes, or a cluster; and for a language model the key and the budget."""

from __future__ import annotations

import os

import streamlit as st

from core.errors import VouchError
from core.llm import Estimate, ModelName, model_named
from core.review.estimating import estimate_rest
from core.review.queue import Hands
from core.review.working import Access, models_of
from core.store import Project, QueueMode, QueueState, Reading
from pages._ui import key_field
from pages._ui.escape import plain
from pages._ui.money import estimate_in_words
from pages._ui.review.stored import the_runner, the_store
from pages._ui.state import Session, prime

PROCESSORS = os.cpu_count() or 1


def by_itself(now: Session, project: Project, state: QueueState) -> Hands:
    """Who works where nobody was asked. A language model costs money, so that it is asked only after a click."""
    return Hands(_workers(now, project, state), _cluster(now, project, state), only_reads=bool(models_of(project.plan)))


def go_on(now: Session, project: Project, who: str) -> None:
    """Let the queue answer what the project asks now, unless a reviewer paused it."""
    try:
        with the_store().reading() as store:
            state = store.queue(project.id)
        if state.mode is not QueueMode.PAUSED:
            the_runner().start(project.id, who, by_itself(now, project, state))
    except VouchError as error:
        now.problem = str(error)


def chosen(now: Session, project: Project, state: QueueState) -> Hands:
    """Who works after a click."""
    providers = {model.provider for model in models_of(project.plan)}
    # One key is for one provider: with several, each is asked with the key of the environment.
    key = now.keys.of(*providers) if len(providers) == 1 else None
    access = Access(key, now.choice.budget if providers else None)
    return Hands(_workers(now, project, state), _cluster(now, project, state), access)


def fields(now: Session, project: Project, state: QueueState) -> None:
    """The fields, while the queue does not work."""
    keys = {name: f"queue-{name}-{project.id}" for name in ("workers", "cluster")}
    prime(**{keys["workers"]: _workers(now, project, state), keys["cluster"]: _cluster(now, project, state) or ""})
    if PROCESSORS > 1:
        st.number_input(
            "Processes", 1, PROCESSORS, key=keys["workers"], width=150,
            help=f"This computer has {PROCESSORS} processors. Fewer leave more of it to you.",
            on_change=_keep, args=(now, project.id),
        )  # fmt: skip
    st.text_input(
        "Cluster", key=keys["cluster"], placeholder="tcp://ADDRESS:8786, or none",
        help="The address of a Dask scheduler. Its machines read the papers then, and must be trusted.",
        on_change=_keep, args=(now, project.id),
    )  # fmt: skip


def money(now: Session, project: Project) -> None:
    """For a plan with language models: which ones, the budget, and the key, which is never stored."""
    models = models_of(project.plan)
    if not models:
        return
    names = ", ".join(dict.fromkeys(str(ModelName(model.provider, model.model)) for model in models))
    st.caption(f"Papers are sent to {plain(names)}. The queue stops before it costs more than the budget.")
    st.caption(plain(_estimate(project)))
    prime(usd=now.choice.usd, tokens=now.choice.tokens)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.number_input("Budget in $", key="usd", value=None, placeholder="none", step=0.1, min_value=0.0, width=140)
        st.number_input(
            "Budget in tokens", key="tokens", value=None, placeholder="none", step=10_000, min_value=0, width=170
        )
    now.choice.usd, now.choice.tokens = st.session_state["usd"] or None, st.session_state["tokens"] or None
    for provider in dict.fromkeys(model.provider for model in models):
        key_field.say(now, provider)
        key_field.draw(now, provider)


def _estimate(project: Project) -> str:
    """What the rest will cost, as far as that can be told."""
    try:
        with the_store().reading() as store:
            found = _estimated(project, repr(store.stamp(project.id)), store)
    except VouchError as error:
        return str(error)
    if found is None:
        return "What it will cost is not known before it begins."
    without = ", criteria not counted" if model_named(project.plan.criteria or "") else ""
    return f"{estimate_in_words(found)}{without}"


@st.cache_data(max_entries=8, show_spinner=False)
def _estimated(project: Project, stamp: str, _store: Reading) -> Estimate | None:
    return estimate_rest(_store, project)


def _keep(now: Session, project: str) -> None:
    fields = st.session_state
    now.review.hands[project] = (
        int(fields.get(f"queue-workers-{project}") or 1), fields[f"queue-cluster-{project}"].strip()
    )  # fmt: skip


def _workers(now: Session, project: Project, state: QueueState) -> int:
    workers, _ = now.review.hands.get(project.id, (state.workers, ""))
    return min(workers, PROCESSORS)


def _cluster(now: Session, project: Project, state: QueueState) -> str | None:
    _, cluster = now.review.hands.get(project.id, (1, state.cluster or ""))
    return cluster or None
