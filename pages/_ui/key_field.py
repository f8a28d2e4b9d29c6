"""The key to a provider: whether there is one, a field that takes one for this session, and how to set it for good."""

from __future__ import annotations

import streamlit as st

from core.llm import Provider, Typed, key_variable, why_not
from pages._ui.escape import plain
from pages._ui.model_choice import TITLES
from pages._ui.state import Session


def say(now: Session, provider: Provider) -> None:
    """One quiet line: where the key is from, with a way to forget one typed in, or how to set one."""
    missing = why_not(provider, key=now.keys.of(provider))
    if missing is not None:
        st.caption(f":material/key: {plain(missing)}", width="content")
    elif now.keys.has(provider):
        st.caption(":material/key: A key is set for this session.", width="content")
        st.button(
            "Forget it", key=f"forget-{provider}", type="tertiary", on_click=now.keys.forget, args=(provider,)
        )  # fmt: skip
    elif provider is not Provider.COMPATIBLE:
        st.caption(f":material/key: A key is set in the environment (`{key_variable(provider)}`).", width="content")


def draw(now: Session, provider: Provider) -> None:
    """The field, where a key is missing, or where a server may want one."""
    slot = st.empty()  # always there: a search runs long, and what is no longer drawn goes only after it
    missing = why_not(provider, key=now.keys.of(provider))
    wanted = missing is None if provider is Provider.COMPATIBLE else missing is not None
    if now.keys.has(provider) or not wanted:
        return
    optional = ", if it wants one" if provider is Provider.COMPATIBLE else ""
    field = f"typed-key-{provider}"
    form = slot.form(f"key-{provider}", border=False, clear_on_submit=True)
    with form.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            f"{TITLES[provider]}: key for this session{optional}",
            key=field,
            type="password",
            autocomplete="off",
            width=380,
            help="It stays in this session's memory: it is not stored, logged, exported or shown again, and it goes to "
            "the provider alone.",
        )
        st.form_submit_button("Use this key", on_click=_take, args=(now, provider, field))


def _take(now: Session, provider: Provider, field: str) -> None:
    """Take the key out of the field: neither it nor what Streamlit keeps of it holds the key any longer."""
    typed = str(st.session_state.pop(field, "")).strip()
    if not typed:
        now.problem = "The field for the key is empty. Paste the key, then press the button again."
        return
    address = now.keys.address if provider is Provider.COMPATIBLE else None
    refused = why_not(provider, key=Typed(typed, address))
    if refused is None:
        now.keys.take(provider, typed)
    now.problem = refused
