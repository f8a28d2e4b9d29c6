"""What the user's own server can do for a run: how much it reads at once, and how long the run will take."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.llm import (
    CostEstimate,
    ModelName,
    Provider,
    ServedModel,
    Speed,
    access_to,
    measured_speed,
    served_model,
    why_not,
)
from core.work.progress import duration
from pages._ui.escape import plain
from pages._ui.jobs import BackgroundJob
from pages._ui.state import Session

_LOOK = 0.3  # seconds between two checks for the server's answer
_ANEW = 30.0  # seconds after which the next drawing asks again a server that did not tell


def draw(session: Session, name: ModelName | None, used: CostEstimate | None) -> None:
    """Draw the row for a compatible server. `used` is the estimate of the run, if known."""
    slot = st.container(key="served", gap="xxsmall")  # always there, so that what follows keeps its place
    key = session.keys.of(Provider.COMPATIBLE)
    if name is None or name.provider is not Provider.COMPATIBLE or why_not(name.provider, key=key) is not None:
        return
    asked = (session.keys.address, name.model, hash(key))
    told = session.served.get(asked)
    if told is None or (told.ended and told.elapsed > _ANEW and (told.result or ServedModel()).context is None):
        access = access_to(Provider.COMPATIBLE, key=key)
        session.served[asked] = BackgroundJob(lambda _: served_model(access, name.model))
    speed = session.speeds.get(asked)
    waiting = not session.served[asked].ended or (speed is not None and not speed.ended)
    with slot:
        st.fragment(_draw, run_every=_LOOK if waiting else None)(session, name, used, asked, waiting=waiting)


def _draw(
    session: Session,
    name: ModelName,
    used: CostEstimate | None,
    asked: tuple[str | None, str, int],
    *,
    waiting: bool,
) -> None:
    told, speed = session.served[asked], session.speeds.get(asked)
    if waiting and told.ended and (speed is None or speed.ended):
        st.rerun()
    served = told.result or ServedModel()
    if line := context_in_words(served, used):
        st.caption(plain(line))
    if speed is not None and not speed.ended:
        st.caption("Measuring: two short questions")
        return
    if speed is not None and speed.error is not None:
        st.caption(f":material/warning: {plain(str(speed.error))}")
    elif speed is not None and speed.result is not None:
        st.caption(plain(speed_in_words(speed.result, used)))
    measure = partial(_measure, session, name, asked)
    label = "Measure its speed" if speed is None else "Measure its speed again"
    st.button(label, key="measure-speed", type="tertiary", icon=":material/speed:", on_click=measure)


def context_in_words(served: ServedModel, used: CostEstimate | None) -> str:
    """How much the model reads at once, and whether that suffices; empty if the server does not tell."""
    if served.context is None:
        return ""
    words = f"Reads {served.context:,} tokens at once"
    if served.longest and served.longest > served.context:
        words += f" as the server is set, and could read {served.longest:,}"
    if used and used.longest_input_tokens > 0.75 * served.context:  # leaves room for an answer
        words += (
            f": too few for the longest question, of about {used.longest_input_tokens:,}, whose end is not read. "
            "Engines & data says how to set it"
        )
    return words + "."


def speed_in_words(speed: Speed, used: CostEstimate | None) -> str:
    """The model's speed, and how long the run will take."""
    rates = f"{speed.reading:,.0f} tokens a second read, {speed.writing:,.0f} written"
    if used is None:
        return rates
    return f"About {duration(speed.seconds(used.calls, used.input_tokens))} at {rates}, one question at a time"


def _measure(session: Session, name: ModelName, asked: tuple[str | None, str, int]) -> None:
    key = session.keys.of(Provider.COMPATIBLE)
    session.speeds[asked] = BackgroundJob(lambda _: measured_speed(name, key=key))
