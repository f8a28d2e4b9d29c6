"""Parts of the page “Engines & data”: the compatible server, and the folders on disk."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from pathlib import Path

import streamlit as st

from core.llm import Provider, Server, Typed, access_to, models_of, servers_here, why_not
from core.text.words import counted
from pages._ui.escape import plain
from pages._ui.jobs import BackgroundJob
from pages._ui.state import Session, current_session

# ---- compatible server ----

_LOOK = 0.5  # seconds between two checks for a server's answer
_FIELD = "server-address"
_MODEL = f"model-{Provider.COMPATIBLE}"  # the key of the field, shared with the other pages
_SET_UP = Path(__file__).resolve().parents[2] / "docs" / "local-models.md"
_ANEW = 30.0  # seconds after which the next drawing searches this machine again

Here = BackgroundJob[tuple[Server, ...]]
Models = BackgroundJob[tuple[str, ...]]


def draw_server(session: Session) -> None:
    """Draw the field for the address, the servers found on this machine, and the models of the server in use."""
    with st.form("server", border=False), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Address of the server",
            key=_FIELD,
            placeholder="http://localhost:11434/v1",
            autocomplete="off",
            width=380,
            help="Papers are sent there when you ask its models. For this session; VOUCH_COMPATIBLE_URL sets it for good",
        )
        st.form_submit_button("Use this address", on_click=_take, args=(session,))
    if session.keys.address:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f":material/dns: Used in this session: {plain(session.keys.address)}", width="content")
            st.button("Forget the address", key="forget-address", type="tertiary", on_click=_use, args=(session, None))
    _offer(session)
    if not _SET_UP.is_file():  # an installation without the documentation
        return
    with st.expander("A model on this machine: what to install, and what it costs in memory", icon=":material/memory:"):
        words = _SET_UP.read_text(encoding="utf-8").partition("\n")[2]
        st.markdown(re.sub(r"\[(\w+\.md)\]\(\1\)", r"docs/\1", words))  # links between documents do not work here


def _offer(session: Session) -> None:
    here, asked = _search(session), _models(session)
    waiting = not _all_ended(here, asked)
    st.fragment(_draw, run_every=_LOOK if waiting else None)(session, here, asked, waiting=waiting)


def _all_ended(here: Here, asked: Models | None) -> bool:
    return here.ended and (asked is None or asked.ended)


def _draw(session: Session, here: Here, asked: Models | None, *, waiting: bool) -> None:
    if waiting and _all_ended(here, asked):
        st.rerun()
    with st.container(key="servers", gap="xxsmall"):
        for number, server in enumerate(here.result or ()):
            if server.address != session.keys.address:
                models = counted(len(server.models), "model")
                st.button(
                    plain(f"Use what answers on this machine: {server.name}, {server.address}, {models}"),
                    key=f"server-{number}",
                    icon=":material/dns:",
                    on_click=_use,
                    args=(session, server.address),
                )
        if asked is not None and asked.error is not None:
            st.caption(f":material/warning: {plain(str(asked.error))}")
    if asked is not None and asked.result is not None:
        session.choice.known = asked.result
        _choose_model(session)


def _choose_model(session: Session) -> None:
    named = session.choice.models.get(Provider.COMPATIBLE, "")
    options = list(dict.fromkeys([*session.choice.known, *([named] if named else [])]))
    chosen = st.selectbox(
        "Model",
        options,
        index=options.index(named) if named else None,
        key=f"server-model-{session.keys.address}",
        accept_new_options=True,
        placeholder="Choose one of its models, or type a name",
        width=380,
    )
    if chosen and chosen != named:
        session.choice.models[Provider.COMPATIBLE] = chosen.strip()
        st.session_state.pop(_MODEL, None)  # drawn again, it takes the new name


def _take(session: Session) -> None:
    typed = str(st.session_state[_FIELD] or "").strip()
    session.problem = None
    if not typed:
        session.problem = (
            "The field for the address is empty. Type in where the server is, such as http://localhost:11434/v1."
        )
    elif wrong := why_not(Provider.COMPATIBLE, key=Typed("", typed)):
        session.problem = wrong
    else:
        _use(session, typed)


def _use(session: Session, address: str | None) -> None:
    """Use this server from now on. A typed key is forgotten, as it was for another server."""
    session.keys.forget(Provider.COMPATIBLE)
    session.keys.address, session.choice.known, session.problem = address, (), None
    session.choice.models.pop(Provider.COMPATIBLE, None)
    st.session_state.pop(_MODEL, None)
    session.server_models = None


def _models(session: Session) -> Models | None:
    """The request for the models of the server in use; None without one. Only another key or address repeats it."""
    key = session.keys.of(Provider.COMPATIBLE)
    if why_not(Provider.COMPATIBLE, key=key) is not None:
        return None
    if session.server_models is None or session.server_models[0] != (key, session.keys.address):
        access = access_to(Provider.COMPATIBLE, key=key)
        session.server_models = (key, session.keys.address), BackgroundJob(lambda _: models_of(access))
    return session.server_models[1]


def _search(session: Session) -> Here:
    """The search for servers on this machine, repeated if the last one is too old."""
    if session.servers_here is None or (session.servers_here.ended and session.servers_here.elapsed > _ANEW):
        session.servers_here = BackgroundJob(lambda _: servers_here())
    return session.servers_here


# ---- data kept on disk ----


def size_of(folder: Path) -> int:
    """The bytes of all files below `folder`; 0 if there is no folder."""
    size = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):  # another window may be writing or clearing
            size += path.stat().st_size if path.is_file() else 0
    return size


def size_in_words(size: int) -> str:
    """A size in bytes, in a readable unit."""
    if size == 0:
        return "empty"
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{max(1, round(size / 1e3))} kB"


def clear_folder(folder: Path) -> None:
    """Delete `folder` with its content. If the system refuses, say so on the page."""
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        current_session().problem = (
            f"The cache could not be cleared ({error.strerror}). Delete the folder {folder} yourself."
        )
