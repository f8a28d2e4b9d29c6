"""The list of saved runs: open, resume or remove them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.benchmarks.model import SavedRun
from core.benchmarks.tasks import task_named
from core.errors import VouchError
from pages._ui.benchmarks.state import BenchmarkWork
from pages._ui.escape import plain
from pages._ui.model_choice import dollars
from pages._ui.state import Session
from pages._ui.stored import the_store


def show(session: Session) -> None:
    """Draw the list, and the actions for the ticked runs."""
    bench = session.part(BenchmarkWork)
    try:
        saved = the_store().runs.all()
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if not saved:
        st.caption("No run is saved yet. Every run of this page is saved while it goes on.")
        return
    with st.expander(f"Saved runs ({len(saved)})", expanded=not bench.shown, icon=":material/history:"):
        picked = st.dataframe(
            [row(run) for run in saved],
            key=f"saved-{bench.tables}",
            on_select="rerun",
            selection_mode="multi-row",
            hide_index=True,
            height="auto" if len(saved) <= 10 else 390,  # ten rows
        )
        chosen = [saved[number] for number in picked.selection.rows if number < len(saved)]
        _actions(session, chosen)


def row(run: SavedRun) -> Mapping[str, Any]:
    """A run as a row of the list."""
    setup = run.setup
    return {
        "Task": setup.task,
        "Engine": setup.engine,
        "Data": run.origin.data,
        "Limit": "all" if setup.limit is None else f"{setup.limit:,}",
        "Seed": setup.seed,
        "State": "✓ finished" if run.finished else "… not finished",
        "Items": run.done,
        "Failed": run.failed,
        "Cost": "" if run.cost_usd is None else dollars(run.cost_usd),
        "Seconds": round(run.seconds, 1),
        "Begun": run.origin.started.astimezone().strftime("%Y-%m-%d %H:%M"),
    }


def _actions(session: Session, chosen: Sequence[SavedRun]) -> None:
    bench = session.part(BenchmarkWork)
    finished = [run for run in chosen if run.finished]
    tasks = {run.setup.task for run in finished}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Show results",
            key="open-runs",
            type="primary",
            disabled=len(tasks) != 1,
            on_click=bench.show,
            args=(tuple(run.setup.id for run in finished),),
            help="Several runs of one task are shown side by side",
        )
        st.button(
            "Set up again",
            key="again-run",
            disabled=len(chosen) != 1,
            on_click=fill,
            args=(bench, chosen[0] if chosen else None),
            help="Fill in the fields as they were. A run that was stopped goes on where it was, on the same data.",
        )
        if st.button("Remove", key="remove-runs", type="tertiary", icon=":material/delete:", disabled=not chosen):
            _ask(session, chosen)
        st.caption(_hint(chosen, tasks), width="content")


def _hint(chosen: Sequence[SavedRun], tasks: set[str]) -> str:
    if not chosen:
        return "Tick one run, or several of one task."
    if len(tasks) > 1:
        return "These are of several tasks. Tick runs of one task to open them together."
    if not tasks:
        return "A run that was stopped has no figures yet. Set it up again, and run it to its end."
    return ""


def fill(bench: BenchmarkWork, run: SavedRun | None) -> None:
    """Fill a run's setup into the form. Not the data's path: only the data's name and checksum are stored."""
    if run is None:
        return
    setup, fields = run.setup, st.session_state
    fields["bench-task"], fields["bench-limit"], fields["bench-seed"] = setup.task, setup.limit, setup.seed
    bench.task, bench.tables, bench.setting_up = setup.task, bench.tables + 1, True
    for kind_key in [key for key in fields if str(key).startswith("bench-engines-")]:
        del fields[kind_key]
    bench.engines[task_named(setup.task).kind] = [setup.engine]


@st.dialog("Remove these runs?")
def _ask(session: Session, chosen: Sequence[SavedRun]) -> None:
    for run in chosen[:10]:
        st.markdown(plain(f"{run.setup.task}, {run.setup.engine}: {run.done:,} items"))
    if len(chosen) > 10:
        st.markdown(f"and {len(chosen) - 10:,} more")
    st.markdown("Their results are gone for good, unless they have been downloaded.")
    with st.container(horizontal=True):
        if st.button("Keep them", key="keep-runs", type="primary"):
            st.rerun()
        if st.button("Remove", key="remove-runs-anyway", icon=":material/delete:"):
            remove(session, [run.setup.id for run in chosen])
            st.rerun()


def remove(session: Session, ids: Sequence[str]) -> None:
    """Delete runs by their ids, and close them on the page."""
    bench = session.part(BenchmarkWork)
    session.problem = None
    bench.tables += 1
    bench.shown = tuple(run for run in bench.shown if run not in ids)
    try:
        for run in ids:
            the_store().runs.remove(run)
    except VouchError as error:
        session.problem = str(error)
