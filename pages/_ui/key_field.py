"""The key to a provider: whether there is one, a field that takes one for this session, and how to set it for good."""

from __future__ import annotations

import streamlit as st

from core.llm import Provider, key_variable, why_not
from pages._ui.escape import plain
from pages._ui.model_choice import TITLES
from pages._ui.state import Session


def draw(now: Session, provider: Provider, *, place: str = "row") -> None:
    """One quiet line where there is a key; the field where there is none. `place` keeps two fields apart."""
    if now.keys.has(provider):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(":material/key: A key is set for this session.", width="content")
            st.button(
                "Forget it",
                key=f"forget-{place}-{provider}",
                type="tertiary",
                on_click=now.keys.forget,
                args=(provider,),
            )
        return
    missing = why_not(provider)
    if missing is None and provider is not Provider.COMPATIBLE:
        st.caption(f":material/key: A key is set in the environment (`{key_variable(provider)}`).")
        return
    if missing is not None:
        st.caption(f":material/key: {plain(missing)}")
    if provider is Provider.COMPATIBLE and missing is not None:
        return  # what is missing is the server's address
    _field(now, provider, place)


def _field(now: Session, provider: Provider, place: str) -> None:
    """Takes the key once: after that neither the field nor what Streamlit keeps of it holds the key."""
    field = f"typed-key-{place}-{provider}"
    optional = ", if it wants one" if provider is Provider.COMPATIBLE else ""
    form = st.form(f"key-{place}-{provider}", border=False, clear_on_submit=True)
    with form.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            f"Key for the {TITLES[provider]}, for this session only{optional}",
            key=field,
            type="password",
            autocomplete="off",
            width=380,
            help="It stays in this session's memory: it is not stored, logged, exported or shown again, and it goes to "
            "the provider alone.",
        )
        st.form_submit_button("Use this key", on_click=_take, args=(now, provider, field))


def _take(now: Session, provider: Provider, field: str) -> None:
    typed = str(st.session_state.pop(field, "")).strip()
    if not typed:
        now.problem = "The field for the key is empty. Paste the key, then press the button again."
        return
    refused = why_not(provider, key=typed)
    if refused is None:
        now.keys.take(provider, typed)
    now.problem = refused
