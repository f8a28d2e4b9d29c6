"""The steps towards an answer, shown as they happen and afterwards."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.answering import Action, Answer, TrailStep
from core.text.words import counted
from pages._ui.ask.state import AskChoices
from pages._ui.escape import plain
from pages._ui.model_choice import dollars
from pages._ui.state import Session

_SIGNS = {
    Action.SEARCH: ":material/search:",
    Action.SEARCH_SERVICES: ":material/travel_explore:",
    Action.GATHER: ":material/menu_book:",
    Action.FOLLOW: ":material/account_tree:",
    Action.ANSWER: ":material/edit_note:",
    Action.GIVE_UP: ":material/block:",
}
_SHORT = 0.05  # seconds; shorter times are not shown


def show_live(session: Session, project: str) -> None:
    """Draw the steps of a question that is running or ended without an answer."""
    choices = session.part(AskChoices)
    trail = choices.trails.get(project)
    busy = choices.questions.busy_with
    if trail is None:
        return
    _show_steps(trail.steps, key="ask-trail")
    if trail.failed or (busy is not None and busy.project == project):
        return
    again = " What was answered until then is kept, and costs nothing again." if trail.by_model else ""
    st.info(f"Stopped. Ask once more to go on.{again}", icon=":material/pause_circle:")


def show(answer: Answer) -> None:
    """Draw the steps of an answer, folded."""
    if answer.steps:
        with st.expander(f"How it came to this: {counted(len(answer.steps), 'step')}", icon=":material/route:"):
            _show_steps(answer.steps, key="ask-trail-of-answer")


def _show_steps(steps: Sequence[TrailStep], *, key: str) -> None:
    if not steps:
        return
    with st.container(key=key, gap="small"):
        for number, step in enumerate(steps, 1):
            words = f" “{plain(step.words, limit=160)}”" if step.words else ""
            with st.container(gap="xxsmall"):
                st.markdown(f"{_SIGNS[step.action]} {number}. **{step.action.capitalize()}**{words}")
                st.caption(" · ".join(map(plain, (step.came.removesuffix("."), *_used(step)))))
                if step.details:
                    st.caption("\n".join(f"- {plain(detail, limit=400)}" for detail in step.details))
                if step.reason:
                    st.caption(f"Why: {plain(step.reason, limit=400)}")


def _used(step: TrailStep) -> list[str]:
    """The time and cost of a step, as far as known and worth showing."""
    seconds = [f"{step.seconds:.1f} s"] if step.seconds >= _SHORT else []
    cost = "cost unknown" if step.cost_usd is None else dollars(step.cost_usd) if step.cost_usd else ""
    return [*seconds, *filter(None, [cost])]
