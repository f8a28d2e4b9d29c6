"""The fields for a language model: its name, key, strategy and budget, with the estimate of a run."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.errors import QueryError, VouchError
from core.llm import CostEstimate, ModelName, Provider, Typed, key_variable, model_named, suggested_models, why_not
from pages._ui import served_row
from pages._ui.escape import plain
from pages._ui.model_choice import TITLES, StrategyOptions, estimate_in_words, tally_in_words
from pages._ui.state import Session, prime

# ---- key ----


def say_key(session: Session, provider: Provider) -> None:
    """Draw where the key comes from, with a button to forget a typed one, or how to set one."""
    missing = why_not(provider, key=session.keys.of(provider))
    if missing is not None:
        st.caption(f":material/key: {plain(missing)}", width="content")
    elif session.keys.has(provider):
        st.caption(":material/key: A key is set for this session.", width="content")
        st.button(
            "Forget it", key=f"forget-{provider}", type="tertiary", on_click=session.keys.forget, args=(provider,)
        )  # fmt: skip
    elif provider is not Provider.COMPATIBLE:
        st.caption(f":material/key: A key is set in the environment (`{key_variable(provider)}`).", width="content")


def draw_key(session: Session, provider: Provider) -> None:
    """Draw the field for a key, if one is missing or a compatible server may want one."""
    slot = st.empty()  # always there: otherwise the field would stay visible until a long run ends
    missing = why_not(provider, key=session.keys.of(provider))
    wanted = missing is None if provider is Provider.COMPATIBLE else missing is not None
    if session.keys.has(provider) or not wanted:
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
        st.form_submit_button("Use this key", on_click=_take, args=(session, provider, field))


def _take(session: Session, provider: Provider, field: str) -> None:
    """Take the key from the field, and remove it from the field and from Streamlit's state."""
    typed = str(st.session_state.pop(field, "")).strip()
    if not typed:
        session.problem = "The field for the key is empty. Paste the key, then press the button again."
        return
    address = session.keys.address if provider is Provider.COMPATIBLE else None
    refused = why_not(provider, key=Typed(typed, address))
    if refused is None:
        session.keys.take(provider, typed)
    session.problem = refused


# ---- row ----

_MOST_OFFERED = 12  # models of a server, at most


def draw(
    session: Session, provider: Provider, reading: StrategyOptions, estimated: Callable[[ModelName], CostEstimate]
) -> None:
    """Draw the fields, the estimate, and the key. `estimated` returns what a run would use with these settings."""
    choice = session.choice
    prime(
        **{_field(provider): choice.models.get(provider, ""), reading.key: choice.strategy(reading)},
        usd=choice.usd,
        tokens=choice.tokens,
    )
    with st.container(key="model", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Model",
            key=_field(provider),
            placeholder="The model's name",
            autocomplete="off",
            width=230,
            help="Any name that the server knows; it is sent as it stands here",
        )
        st.selectbox(
            reading.label, list(reading.ways), key=reading.key, format_func=reading.ways.__getitem__, width=370
        )
        st.number_input(
            "Budget in $", key="usd", value=None, placeholder="none", step=0.1, width=140,
            help="A run stops before it costs more. What was answered until then is kept.",
        )  # fmt: skip
        st.number_input(
            "Budget in tokens", key="tokens", value=None, placeholder="none", step=10_000, width=170,
            help="Input and output together",
        )  # fmt: skip
    _keep(session, provider, reading)
    _offer_models(session, provider, choice.models[provider])
    name = choice.name(provider, reading)
    used, words = _estimate(name, estimated)
    st.caption(plain(words))
    served_row.draw(session, name, used)
    with st.container(key="model-notes", horizontal=True, vertical_alignment="center", gap="small"):
        say_key(session, provider)
        st.caption(plain(tally_in_words(session.tally)), width="content")
    draw_key(session, provider)


def _offer_models(session: Session, provider: Provider, named: str) -> None:
    """Draw the names of current models. A click fills one into the field."""
    slot = st.container(key="models", horizontal=True, vertical_alignment="center", gap="small")
    known = [name.partition(":")[2] for name in suggested_models(provider)]
    known += session.choice.known[:_MOST_OFFERED] if provider is Provider.COMPATIBLE else ()
    if not known:
        return
    slot.caption("Its models:" if provider is Provider.COMPATIBLE else "Current models:", width="content")
    for name in known:
        slot.button(
            plain(name),
            key=f"model-{provider}-{name}",
            type="tertiary",
            disabled=name == named,
            on_click=_fill,
            args=(provider, name),
        )


def _fill(provider: Provider, name: str) -> None:
    st.session_state[_field(provider)] = name


def check_model(session: Session, provider: Provider, reading: StrategyOptions) -> ModelName:
    """Take over the fields before a run. Raises `VouchError` if no run is possible with them."""
    _keep(session, provider, reading)
    name = session.choice.name(provider, reading)
    if name is None:
        raise QueryError("No model is named. Type its name into the field “Model”.")
    model_named(str(name))
    for limit in (session.choice.usd, session.choice.tokens):
        if limit is not None and limit <= 0:
            raise QueryError(f"The budget is {limit:g}: set one above 0, or none.")
    return name


def _field(provider: Provider) -> str:
    return f"model-{provider}"


def _keep(session: Session, provider: Provider, reading: StrategyOptions) -> None:
    fields, choice = st.session_state, session.choice
    if _field(provider) not in fields:  # the row is not drawn yet
        return
    choice.models[provider] = (fields[_field(provider)] or "").strip()
    choice.strategies[reading.key] = fields[reading.key]
    choice.usd, choice.tokens = fields["usd"], fields["tokens"]


def _estimate(
    name: ModelName | None, estimated: Callable[[ModelName], CostEstimate]
) -> tuple[CostEstimate | None, str]:
    """The estimate of a run, if there is one, and the same (or why there is none) in words."""
    if name is None:
        return None, "Name a model to see what a run will cost."
    try:
        used = estimated(name)
    except VouchError as error:
        return None, str(error)
    return used, estimate_in_words(used)
