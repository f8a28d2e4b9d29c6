"""The runs on show, one tab for each way of looking at them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

import streamlit as st

from core.benchmarks.model import CompleteRun
from core.errors import VouchError
from core.export.run_table import told_apart
from core.runs.order import saved_run
from pages._ui.benchmarks import charts, comparing, items, results
from pages._ui.escape import plain
from pages._ui.review.stored import the_store
from pages._ui.state import Session


def show(now: Session) -> None:
    """Draw what the runs came to."""
    runs = shown(now)
    if not runs:
        return
    st.subheader(plain(runs[0].setup.task), anchor=False)
    draw: Mapping[str, Callable[[], None]] = {
        "Results": partial(results.show, runs),
        "Plot": partial(charts.figures, runs),
        "By category": partial(charts.parts, runs),
        "Place in the paper": partial(charts.places, now, runs),
        "Price": partial(charts.price, runs),
        "Pairs": partial(comparing.show, runs),
        "Items": partial(items.show, now, runs),
    }
    tabs = st.tabs(list(draw), key="bench-tabs", on_change="rerun")
    for tab, draw_tab in zip(tabs, draw.values(), strict=True):
        if tab.open:
            with tab:
                draw_tab()
    items.show_failures(runs)


def shown(now: Session) -> tuple[CompleteRun, ...]:
    """The finished runs on show."""
    return complete_runs(now.bench.shown)


def complete_runs(ids: Sequence[str]) -> tuple[CompleteRun, ...]:
    """Finished runs from the store. One that is no longer there is left out, with a word."""
    found = []
    for run in ids:
        try:
            finished = the_store().runs.one(run).finished
            if finished is not None:
                found.append(_complete(run, finished))
        except VouchError as error:
            st.error(plain(str(error)), icon=":material/error:")
    return told_apart(found)


@st.cache_resource(max_entries=16, show_spinner="Reading the run")
def _complete(run: str, finished: datetime) -> CompleteRun:
    """A run from the store; one that failed items were tried again of has been finished at another time."""
    return saved_run(run, the_store().runs)
