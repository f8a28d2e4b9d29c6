"""The fields for an encoder or reranker of the reviewer's choice: the model, and whether it gets an instruction."""

from __future__ import annotations

import streamlit as st

from core.errors import QueryError
from core.text.model_files import ModelKind
from pages._ui.state import Session, prime

_KINDS = {f"{kind}:MODEL": kind for kind in ModelKind}


def kind_of(engine: str) -> ModelKind | None:
    """The kind of model that an engine's name still lacks; None if it lacks none."""
    return _KINDS.get(engine)


def draw(session: Session, engine: str) -> None:
    """Draw the fields, if the engine takes a model."""
    kind = kind_of(engine)
    if kind is None:
        return
    field, told = _fields(kind)
    prime(**{field: session.choice.sentence_models.get(kind, ""), told: session.choice.instructed})
    with st.container(key="sentence-model", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Encoder" if kind is ModelKind.ENCODER else "Reranker",
            key=field,
            placeholder="A folder, or ORGANISATION/MODEL",
            autocomplete="off",
            width=420,
            help="A model of sentence-transformers: its folder on this machine, or its name on the Hugging Face hub, from "
            "which it is fetched once. The paper stays here",
        )
        if kind is ModelKind.ENCODER:
            st.toggle(
                "Tell it what to look for",
                key=told,
                help="An instruction stands before the question. For models that were trained to follow one, such as "
                "E5-Mistral, GritLM or Qwen3-Embedding",
            )
    _keep(session, kind)
    name = session.choice.sentence_models[kind]
    st.caption(
        "It runs on this machine, on its graphics card where there is one." if name else "Name a model to use it."
    )


def name_in_fields(session: Session, engine: str) -> str:
    """The engine's full name with the current values of the fields. Raises `QueryError` if no model is named."""
    kind = kind_of(engine)
    if kind is None:
        return engine
    _keep(session, kind)
    if (name := session.choice.full_name(engine)) == engine:
        raise QueryError(
            "No model is named. Type its folder, or its name on the hub, into the field beside the engine."
        )
    return name


def _fields(kind: ModelKind) -> tuple[str, str]:
    return f"sentence-model-{kind}", "sentence-model-told"


def _keep(session: Session, kind: ModelKind) -> None:
    field, told = _fields(kind)
    if field not in st.session_state:  # the row is not drawn yet
        return
    session.choice.sentence_models[kind] = str(st.session_state[field] or "").strip()
    if told in st.session_state:
        session.choice.instructed = bool(st.session_state[told])
