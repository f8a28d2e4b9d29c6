"""Engines and data: what can run on this machine, where data is kept and how to clear it, and the keyboard."""

import streamlit as st

from core.evidence import EngineStatus, engine_statuses
from core.settings import load_settings
from pages._ui import frame, storage
from pages._ui.escape import plain

KEYBOARD = {
    "n or j": "next evidence sentence",
    "p or k": "previous evidence sentence",
    ". and ,": "next and previous sentence of the paper",
    "a": "accept the sentence, or add it as evidence",
    "r": "reject it",
    "u": "undo your decision",
    "?": "show these keys",
    "Ctrl or ⌘ + Enter": "find evidence",
}


def show_engine(status: EngineStatus) -> None:
    """One engine: whether it can run here, what it does, and why it cannot or what it lacks."""
    with st.container(border=True, gap="xxsmall"):
        state = "✓ ready" if status.available else "✕ cannot run here"
        st.markdown(f"**{plain(status.name)}** · {state}")
        st.markdown(plain(status.description))
        if status.reason:
            st.caption(plain(status.reason))


def show_storage() -> None:
    """Where data is kept, and the button that clears it."""
    cache = load_settings().cache
    st.markdown(
        "Papers, hypotheses and decisions stay in the memory of this browser session. They are gone when the window is "
        "closed, unless you have downloaded them, and they are never sent to another machine."
    )
    st.markdown(
        "The numbers that stand for a paper's sentences (its embeddings) are kept on disk, so that a second search is fast:"
    )
    st.code(str(cache), language=None)
    size = storage.size_of(cache)
    st.button(
        f"Clear the cache ({storage.in_words(size)})",
        on_click=storage.clear,
        args=(cache,),
        disabled=size == 0,
        help="Open papers and decisions stay. Embeddings are computed again when they are needed.",
    )


frame.draw("pages/engines.py")
frame.show_problem()
_, middle, _ = st.columns([1, 5, 1])
with middle:
    st.header("Engines", anchor=False)
    st.markdown("An engine is a way of finding the sentences that bear on a hypothesis.")
    for engine in engine_statuses():
        show_engine(engine)
    st.header("Your data", anchor=False)
    show_storage()
    st.header("Keyboard", anchor=False)
    st.markdown("While a paper is on the desk, and no field is being typed into:")
    st.table({"Key": list(KEYBOARD), "What it does": list(KEYBOARD.values())}, border="horizontal", hide_index=True)
