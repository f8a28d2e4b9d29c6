"""Engines and data: what can run on this machine, where data is kept and how to clear it, and the keyboard."""

from pathlib import Path

import streamlit as st

from core.engines import EngineStatus, engine_statuses
from core.llm import Provider, prices_date, why_not
from core.settings import load_settings
from pages._ui import engines_page, frame, model_row
from pages._ui.escape import plain
from pages._ui.model_choice import TITLES, tally_in_words
from pages._ui.paper_view.component import SHORTCUTS, WHERE
from pages._ui.state import Session, current_session


def show_engine(status: EngineStatus) -> None:
    """Draw an engine of this machine: whether it can run here, what it does, and what is missing."""
    with st.container(border=True, gap="xxsmall"):
        state = "✓ ready" if status.available else "✕ cannot run here"
        st.markdown(f"**{plain(status.name)}** · {state}")
        st.markdown(plain(status.description))
        if status.reason:
            st.caption(plain(status.reason))


def show_provider(session: Session, provider: Provider, description: str) -> None:
    """Draw a provider of language models: whether it can be asked, and the key or how to add one."""
    with st.container(border=True, gap="xxsmall"):
        ready = why_not(provider, key=session.keys.of(provider)) is None
        st.markdown(f"**{TITLES[provider]}** · {'✓ ready' if ready else '○ not set up'}")
        st.markdown(plain(description))
        with st.container(key=f"notes-{provider}", horizontal=True, vertical_alignment="center", gap="small"):
            model_row.say_key(session, provider)
        model_row.draw_key(session, provider)
        if provider is Provider.COMPATIBLE:
            engines_page.draw_server(session)


def show_storage() -> None:
    """Draw where data is kept, and the buttons that clear it."""
    settings = load_settings()
    st.markdown(
        "What you do is saved as you do it: projects, with the files of their papers; the papers that you have open "
        "outside projects, with your questions and decisions, until you forget them; and the results of benchmark runs. "
        "Papers are sent to another machine only if you ask a language model there, or name a database or cluster there."
    )
    _cache(
        "The numbers that stand for a paper's sentences (its embeddings) are kept on disk, so that a second search is "
        "fast:",
        settings.embeddings,
        "Clear the cache",
        "Papers and decisions stay. Embeddings are computed again when they are needed.",
    )
    _cache(
        "Replies of language models are kept on disk, so that the same question is never paid for twice. There is no "
        "key in them:",
        settings.replies,
        "Clear the replies",
        "Papers and answers stay. The same question costs again.",
    )


def _cache(about: str, folder: Path, clear: str, help: str) -> None:
    st.markdown(about)
    st.code(str(folder), language=None)
    size = engines_page.size_of(folder)
    st.button(
        f"{clear} ({engines_page.size_in_words(size)})",
        on_click=engines_page.clear_folder,
        args=(folder,),
        disabled=size == 0,
        help=help,
    )


frame.draw(frame.ENGINES)
frame.show_problem()
_, middle, _ = st.columns([1, 5, 1])
with middle:
    st.header("Engines", anchor=False)
    st.markdown("An engine is a way of finding the sentences that bear on a hypothesis.")
    engines = {engine.choice: engine for engine in engine_statuses()}
    for name, engine in engines.items():
        if name not in set(Provider):
            show_engine(engine)
    st.header("Language models", anchor=False)
    st.markdown(
        "Nothing here is needed: without a key, everything above works. A key belongs into the environment, before Vouch "
        "starts, or is typed in for this session. It is never stored, logged, exported or shown again."
    )
    for provider in Provider:
        show_provider(current_session(), provider, engines[provider].description)
    spent = tally_in_words(current_session().tally)
    st.caption(plain(" · ".join(filter(None, [f"Prices are those of {prices_date()}", spent]))))
    st.header("Your data", anchor=False)
    show_storage()
    st.header("Keyboard", anchor=False)
    st.markdown("While a paper is on the desk, and no field is being typed into:")
    st.table(
        {
            "Key": [key.keys for key in SHORTCUTS],
            "What it does": [key.does for key in SHORTCUTS],
            "Where": [WHERE[key.task] for key in SHORTCUTS],
        },
        border="horizontal",
        hide_index=True,
    )
