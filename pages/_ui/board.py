"""Work that runs in a thread, on the page: how far it is, what it has cost, and a way to stop it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages._ui.escape import plain
from pages._ui.live import row_in_words, spent_so_far, time_left
from pages._ui.running import Running

_LOOK = 0.5  # seconds between two looks at work that runs


@st.fragment(run_every=_LOOK)
def show(
    running: Running[Any],
    *,
    key: str,
    stop: Callable[[], None],
    about: str = "",
    has_news: Callable[[], bool] = lambda: False,
    tells_time: bool = False,
) -> None:
    """Draw the board, and the whole page again once the work has ended, or has something new to show.

    `about`: what it is for, if not what is on show. `tells_time`: its own words say how much time is left.
    """
    if running.ended or has_news():
        st.rerun()
    done, step = running.report
    left = "" if tells_time else time_left(running.elapsed, done)
    text = "Stopping" if running.stopped else step + spent_so_far(running.spent) + left
    with st.container(key=key, gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(done, text=plain(f"{about}: {text}" if about else text))
            st.button(
                "Cancel",
                key=f"cancel-{key}",
                disabled=running.stopped,
                on_click=stop,
                help="What has been answered by then is kept",
            )
        if running.rows:
            st.caption("\u2003".join(map(row_in_words, running.rows)))


def watched() -> Callable[[], bool]:
    """Whether this session's window is still connected, to be asked from any thread.

    Not whether it has looked lately: browsers slow down the clocks of windows in the background.
    """
    context = get_script_run_ctx()
    return partial(get_instance().is_active_session, context.session_id) if context else lambda: True
