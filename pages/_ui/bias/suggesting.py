"""Suggestions while they are made, domain by domain, with progress and a way to stop."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.bias.assessment import Suggestion
from core.bias.engine import BiasEngine, judge
from core.bias.engines import bias_engine_named
from core.errors import VouchError
from pages._ui.bias.work import Wanted
from pages._ui.escape import plain
from pages._ui.review.stored import the_store
from pages._ui.state import Session, session


@st.cache_resource(show_spinner=False)
def _engine(name: str) -> BiasEngine:
    return bias_engine_named(name)


def run_wanted(now: Session, slot: DeltaGenerator) -> None:
    """Make the suggestions that were asked for, if any. What has come when it is stopped is kept."""
    wanted = now.bias.wanted
    if wanted is None or wanted.paper not in now.papers:
        return
    with slot.container(key="suggesting", horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, text="Starting")
        st.button("Cancel", key="stop-suggesting", on_click=_stop)
    try:
        _carry_out(now, wanted, bar)
    except VouchError as error:
        now.problem = str(error)
    except Exception:
        now.bias.wanted = None  # our own mistake stays visible, and is not met again at every click
        raise
    now.bias.wanted = None
    st.rerun()


def _carry_out(now: Session, wanted: Wanted, bar: DeltaGenerator) -> None:
    opened = now.papers[wanted.paper]
    engine = _engine(wanted.engine)
    for number, domain in enumerate(wanted.tool.domains):
        bar.progress(number / len(wanted.tool.domains), text=plain(domain.name))
        judgement = judge(domain, opened.paper, wanted.study, engine=engine)
        if wanted.sheet is not None:
            wanted.sheet.keep_suggestion(the_store(), engine.name, judgement)
        else:
            judged = opened.bias.with_tool(wanted.tool)
            judged.assessment = judged.assessment.with_suggestion(Suggestion(engine.name, judgement))


def _stop() -> None:
    """Forget it. The click alone has stopped the work: Streamlit ends the run at its next report."""
    session().bias.wanted = None
