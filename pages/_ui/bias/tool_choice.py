"""Choosing a tool: a definition of one's own, or a published tool with its design and effect."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from uuid import uuid4

import streamlit as st

from core.bias import Tool, known_tools
from core.bias.own import UNNAMED, OwnTool
from core.errors import VouchError
from core.store.own_tools import known_own_tools
from pages._ui.bias import own_tools
from pages._ui.escape import short
from pages._ui.state import Session
from pages._ui.stored import the_store

OWN = "own"  # stands for own definitions among the families of tools
NEW = "new"


def families() -> dict[str, list[Tool]]:
    """The published tools by family. Each family has the id of its first tool."""
    found: dict[str, list[Tool]] = {}
    for tool in known_tools().values():
        first = next((one[0].id for one in found.values() if one[0].family == tool.family), tool.id)
        found.setdefault(first, []).append(tool)
    return found


def draw(session: Session) -> Tool:
    """Draw the fields into the open row, and return the chosen tool."""
    by_family, chosen = families(), session.bias.tool
    family = OWN if chosen.own else next(id for id, tools in by_family.items() if chosen in tools)
    titles = {OWN: UNNAMED} | {id: tools[0].family for id, tools in by_family.items()}
    _select("Tool", "tool", titles, family, partial(_choose_family, session), width=185)
    if chosen.own:
        mine = {own.id: own.title for own in session.bias.own_tools}
        if len(mine) > 1 or chosen.name != UNNAMED:
            listed = mine | {NEW: "Another one …"}
            # The browser keeps showing the chosen item's old name; a key that depends on the names makes it a new list.
            key = f"own-tool-{hash(tuple(listed.items()))}"
            with st.container(key="own-tool", width=230):
                _select("Definition", key, listed, chosen.id, partial(_choose_own, session), width=230)
        return chosen
    variants = by_family[family]
    designs = {tool.design: _capital(tool.design) for tool in variants}
    if len(designs) > 1:
        _select("Design", "tool-design", designs, chosen.design, partial(_choose_variant, session, "design"), width=230)
    effects = {tool.effect: _capital(tool.effect) for tool in variants if tool.design == chosen.design}
    if len(effects) > 1:
        _select(
            "Effect of", "tool-effect", effects, chosen.effect, partial(_choose_variant, session, "effect"), width=260
        )
    return chosen


# ---- for a new review ----


def known_by_title(session: Session) -> Mapping[str, tuple[str, OwnTool | None]]:
    """All tools for a new review, by id, own definitions first; each with its title and own definition, if any."""
    try:
        with the_store().reading() as store:
            known = list(known_own_tools(store, session.person))
    except VouchError:
        known = []  # the page reports the error when the project is saved
    mine = {own.id: (f"{own.title} ({where})", own) for where, own in known}
    return {OWN: (f"{UNNAMED} (below)", None)} | mine | {id: (tool.name, None) for id, tool in known_tools().items()}


def _select(label: str, key: str, options: Mapping[str, str], value: str, choose: partial[None], *, width: int) -> None:
    """Draw a list that always shows the current value, even if it was changed elsewhere."""
    if st.session_state.get(key) != value:
        st.session_state[key] = value
    st.selectbox(
        label,
        list(options),
        key=key,
        width=width,
        format_func=lambda value: short(options.get(value, value), 60),
        on_change=lambda: choose(st.session_state[key]),
    )


def _choose_family(session: Session, family: str) -> None:
    if family != OWN:
        session.bias.tool_id = family
    elif session.bias.own_tools:
        session.bias.tool_id = session.bias.own_tools[-1].id
    else:
        _begin_own(session)


def _choose_own(session: Session, id: str) -> None:
    if id == NEW:
        _begin_own(session)
    elif any(own.id == id for own in session.bias.own_tools):  # a redrawn list may return nothing
        session.bias.tool_id = id


def _begin_own(session: Session) -> None:
    """Add an empty definition."""
    own_tools.add(session, own_tools.own_home(session), OwnTool(f"own-{uuid4().hex[:12]}"))


def _choose_variant(session: Session, what: str, value: str) -> None:
    """Choose the variant with this design or effect, keeping the other choice if there is such a variant."""
    chosen = session.bias.tool
    wanted = {"design": chosen.design, "effect": chosen.effect} | {what: value}
    variants = [
        tool for tool in known_tools().values() if tool.family == chosen.family and getattr(tool, what) == value
    ]
    exact = [tool for tool in variants if (tool.design, tool.effect) == (wanted["design"], wanted["effect"])]
    session.bias.tool_id = (exact or variants)[0].id


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
