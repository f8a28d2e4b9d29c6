"""The form for a reviewer's own definition. Each field is saved as it is left, even if the definition is unfinished."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from core.bias.own import (
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_DOMAINS,
    OwnDomain,
    OwnTool,
    as_tool,
    own_tool_json,
    read_own_tool,
)
from core.errors import VouchError
from core.store.own_tools import known_own_tools
from pages._ui.bias import cutting, own_tools
from pages._ui.downloads import download
from pages._ui.escape import plain
from pages._ui.open_paper import Home
from pages._ui.opening import LARGEST_MB
from pages._ui.state import Session, current_session
from pages._ui.stored import the_store


def show(session: Session, home: Home, own: OwnTool) -> None:
    """Draw the definition: as one line, or with all fields while it is being edited or incomplete."""
    choices = session.bias
    with st.container(border=True, key="own-definition", gap="small"):
        if own.missing:
            choices.defining = True
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{plain(own.title, limit=120)}** · {plain(', '.join(own.levels))}", width="stretch")
            if not own.missing:
                label = "Done" if choices.defining else "Edit the definition"
                st.button(label, key="own-open", type="tertiary", on_click=_turn, args=(session,))
        if choices.defining:
            _fields(session, home, own)


def _turn(session: Session) -> None:
    session.bias.defining, session.bias.told = not session.bias.defining, ""


def _fields(session: Session, home: Home, own: OwnTool) -> None:
    st.caption(
        own.missing
        or "Each field is saved as you leave it. Engines look for sentences near these words, and models judge by them."
    )
    with st.expander(
        "Paste it from a methods section", icon=":material/content_paste:", expanded=bool(session.bias.pasted)
    ):
        cutting.draw(session, home, own)
    if session.bias.told:
        st.info(plain(session.bias.told), icon=":material/content_cut:")
    domain = own.domains[0] if len(own.domains) == 1 else _which(own)
    place = f"{own.id}-{domain.id}"
    edit = partial(own_tools.edit, session, home, own.id)
    _text(
        "Name",
        f"own-{place}-name",
        domain.name,
        lambda text: edit(lambda tool: _with(tool, domain.id, name=" ".join(text.split()))),
        hint="Funding by industry",
        most=LONGEST_NAME,
    )
    _text(
        "Definition: what the bias is, and what to look for",
        f"own-{place}-definition",
        domain.definition,
        lambda text: edit(lambda tool: _with(tool, domain.id, definition=text.strip())),
        hint="Whether whoever paid for the study could sway how it was done or told …",
        height=100,
    )
    styles = list(as_tool(own).levels.values())
    for column, number in zip(st.columns(len(styles)), range(len(styles)), strict=True):
        with column:
            _text(
                f"{styles[number].word} ({styles[number].sign}) if …",
                f"own-{place}-criterion-{number}",
                domain.criteria[number],
                partial(_criterion, edit, domain.id, number),
                hint="",
                height=110,
            )
    _scale(own, edit)
    _more(session, home, own, domain)


def _criterion(edit: Callable[[Callable[[OwnTool], OwnTool]], bool], domain: str, number: int, text: str) -> bool:
    def change(tool: OwnTool) -> OwnTool:
        criteria = next(one.criteria for one in tool.domains if one.id == domain)
        return _with(tool, domain, criteria=(*criteria[:number], text.strip(), *criteria[number + 1 :]))

    return edit(change)


def _with(tool: OwnTool, domain: str, **change: object) -> OwnTool:
    """The tool with one domain changed."""
    return replace(
        tool,
        domains=tuple(replace(one, **change) if one.id == domain else one for one in tool.domains),  # type: ignore[arg-type]
    )


def _text(
    label: str,
    key: str,
    value: str,
    keep: Callable[[str], bool],
    *,
    hint: str,
    height: int = 0,
    most: int = LONGEST_TEXT,
) -> None:
    """Draw a field that shows the saved text and saves what is typed, with an error below it if saving fails."""
    refused = str(st.session_state.get(_why_not(key), ""))
    if st.session_state.get(key) != value and not refused:
        st.session_state[key] = value
    write = partial(st.text_area, height=height) if height else st.text_input
    write(label, key=key, placeholder=hint, max_chars=most, on_change=_kept, args=(key, keep))
    if refused:
        st.error(plain(refused), icon=":material/error:")


def _kept(key: str, keep: Callable[[str], bool]) -> None:
    """Save what was typed. If that fails, the text stays in its field and the error is shown there."""
    session = current_session()
    saved = keep(str(st.session_state[key]))
    st.session_state[_why_not(key)] = "" if saved else session.problem
    if not saved:
        session.problem = None


def _why_not(key: str) -> str:
    """The key under which a field's error is kept."""
    return f"{key}-refused"


def _which(own: OwnTool) -> OwnDomain:
    """Draw the choice of a domain, and return the domain whose fields to draw."""
    key = f"own-{own.id}-which"
    by_id = {domain.id: domain for domain in own.domains}
    if st.session_state.get(key) not in by_id:
        st.session_state[key] = own.domains[0].id
    chosen = st.segmented_control(
        "Domain",
        list(by_id),
        key=key,
        required=True,
        format_func=lambda one: plain(by_id[one].name, limit=40) or "Without a name",
    )
    return by_id.get(chosen or "", own.domains[0])


# ---- the scale, further domains ----


def _scale(own: OwnTool, edit: Callable[[Callable[[OwnTool], OwnTool]], bool]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=380):
            _text(
                "Levels, from best to worst, with commas between",
                f"own-{own.id}-levels",
                ", ".join(own.levels),
                lambda text: edit(lambda tool: tool.with_levels(_levels_in(text))),
                hint="Low, Unclear, High",
                most=200,
            )
        if len(own.domains) > 1:
            with st.container(width=300):
                _text(
                    "Name of the tool",
                    f"own-{own.id}-name",
                    own.name,
                    lambda text: edit(lambda tool: replace(tool, name=" ".join(text.split()))),
                    hint=own.title,
                    most=LONGEST_NAME,
                )
            key = f"own-{own.id}-overall"
            if st.session_state.get(key) != own.overall:
                st.session_state[key] = own.overall
            st.toggle(
                "Judge the whole, too",
                key=key,
                help=overall_in_words(own),
                on_change=_turn_overall,
                args=(edit, key),
            )


def _turn_overall(edit: Callable[[Callable[[OwnTool], OwnTool]], bool], key: str) -> None:
    edit(lambda tool: replace(tool, overall=bool(st.session_state[key])))


def overall_in_words(own: OwnTool) -> str:
    """The rule for the overall level, in words."""
    worse = [level.lower() for level in reversed(own.levels)]
    steps = ", else ".join(f"{level} if any domain is {level}" for level in worse[:-1])
    return f"The worst domain's level: {steps}, else {worse[-1]}"


def _levels_in(text: str) -> Sequence[str]:
    return [word for part in text.split(",") if (word := " ".join(part.split()))]


def _more(session: Session, home: Home, own: OwnTool, domain: OwnDomain) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if len(own.domains) < MOST_DOMAINS and domain.name:
            st.button(
                "Add a domain", key="own-add", icon=":material/add:", on_click=_add_domain, args=(session, home, own)
            )
        with st.popover("Share or remove", icon=":material/ios_share:"):
            if not own.missing:
                download(
                    "Take away as a file",
                    lambda: own_tool_json(own).encode(),
                    name=f"{own.id}.json",
                    mime="application/json",
                    about="To use it elsewhere: Vouch and its command line read it back",
                )
            _bring(session, home)
            if len(own.domains) > 1:
                st.button(
                    f"Remove the domain “{plain(domain.name, limit=40) or 'without a name'}”",
                    key="own-remove-domain",
                    type="tertiary",
                    icon=":material/remove:",
                    on_click=_remove_domain,
                    args=(session, home, own.id, domain.id),
                )
            if home.own:
                st.button(
                    "Remove the whole definition",
                    key="own-remove",
                    type="tertiary",
                    icon=":material/delete:",
                    on_click=own_tools.remove,
                    args=(session, home, own.id),
                )


def _add_domain(session: Session, home: Home, own: OwnTool) -> None:
    new = own.with_domain().domains[-1].id
    if own_tools.edit(session, home, own.id, OwnTool.with_domain):
        st.session_state[f"own-{own.id}-which"] = new


def _remove_domain(session: Session, home: Home, id: str, domain: str) -> None:
    def without(tool: OwnTool) -> OwnTool:
        return replace(tool, domains=tuple(one for one in tool.domains if one.id != domain))

    own_tools.edit(session, home, id, without)


# ---- from elsewhere ----


def _bring(session: Session, home: Home) -> None:
    """Draw the import of a definition from a file or another project. It is added; existing definitions stay."""
    if not home.own:
        return
    key = f"own-file-{session.uploads}"
    st.file_uploader(
        "Bring one from a file",
        type=["json"],
        key=key,
        on_change=_from_file,
        args=(session, home, key),
        max_upload_size=LARGEST_MB,
    )
    try:
        with the_store().reading() as store:
            known = [(where, own) for where, own in known_own_tools(store) if own not in session.bias.own_tools]
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    for number, (where, own) in enumerate(known):
        st.button(
            f"Copy “{plain(own.title, limit=60)}” from {plain(where, limit=60)}",
            key=f"own-copy-{number}",
            type="tertiary",
            icon=":material/content_copy:",
            on_click=own_tools.add,
            args=(session, home, own),
        )


def _from_file(session: Session, home: Home, key: str) -> None:
    file = st.session_state[key]
    session.uploads += 1  # a new key empties the uploader
    try:
        own = read_own_tool(file.getvalue(), file.name)
    except VouchError as error:
        session.problem = str(error)
        return
    own_tools.add(session, home, own)
