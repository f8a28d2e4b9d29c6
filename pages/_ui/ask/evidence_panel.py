"""All gathered passages: reject or restore each, add others, and ask the question again from the selection."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.answering import Gathered
from core.answering.gathering import HIGHEST
from core.engines import asks_model
from core.errors import VouchError
from core.library import Passage
from core.paper import study_name
from core.settings import load_settings
from core.text.words import counted
from pages._ui.ask.leaving import open_at
from pages._ui.ask.state import AskChoices, EarlierAnswer, EvidencePanel, ProjectAnswer
from pages._ui.ask.work import library_of
from pages._ui.ask.written import place
from pages._ui.escape import plain, short
from pages._ui.state import Session, prime

_ADD_AT_ONCE = 10


@st.fragment
def show(session: Session, project: str, found: ProjectAnswer) -> None:
    """Draw the panel, folded. Ticking a passage redraws only this part of the page."""
    panel = session.part(AskChoices).panels.get(project)
    if panel is None:
        return
    with st.expander(f"All passages gathered ({len(found.answer.evidence)})", key=f"ask-evidence-{project}"):
        by_model = asks_model(found.request.engine)
        st.caption("Best first. Untick what the answer should not rest on, add what is missing, and ask again below.")
        for number, passage in enumerate(panel.passages.values()):
            _show_passage(session, project, panel, number, passage, by_model=by_model)
        _show_search(project, panel, everywhere=found.answer.question.everywhere)
        _show_again(session, found, panel)


def _show_passage(
    session: Session, project: str, panel: EvidencePanel, number: int, passage: Passage, *, by_model: bool
) -> None:
    read = panel.read.get(passage.id)
    with st.container(key=f"ask-passage-{number}", gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            key = f"use-{project}-{passage.id}"
            st.session_state[key] = passage.id not in panel.rejected
            st.checkbox(
                f"**{plain(_study(panel, passage), limit=60)}**",
                key=key,
                on_change=_turn,
                args=(panel, passage.id, key),
            )
            where = filter(None, (place(passage), _score(read, by_model=by_model)))
            st.caption(plain(" · ".join(where), limit=110), width="content")
            if st.button("Open", key=f"open-passage-{number}", type="tertiary", help=plain(_title(panel, passage))):
                first = read.strongest if read else passage.first
                open_at(session, project, passage.paper, [first, *(i for i in _sentences(passage) if i != first)])
                st.rerun()
        if read is not None and read.summary:
            st.markdown(plain(read.summary))
        for name, value in read.fields if read else ():
            st.caption(f"{plain(name)}: {plain(value)}")
        (st.caption if by_model else st.markdown)(plain(passage.text))


def _title(panel: EvidencePanel, passage: Passage) -> str:
    paper = panel.papers.get(passage.paper)
    return (paper.title or paper.name) if paper else passage.paper


def _study(panel: EvidencePanel, passage: Passage) -> str:
    paper = panel.papers.get(passage.paper)
    title = short(_title(panel, passage), 60)
    return study_name(paper.authors, paper.year, otherwise=title) if paper else title


def _sentences(passage: Passage) -> range:
    return range(passage.first, passage.last + 1)


def _score(read: Gathered | None, *, by_model: bool) -> str:
    if read is None:
        return "added, not read yet"
    return f"score {read.score:g} of {HIGHEST}" if by_model else f"score {read.score:.2f}"


def _turn(panel: EvidencePanel, passage: str, key: str) -> None:
    if st.session_state[key]:
        panel.rejected.discard(passage)
    else:
        panel.rejected.add(passage)


# ---- adding ----


def _show_search(project: str, panel: EvidencePanel, *, everywhere: bool) -> None:
    field = f"add-passages-{project}"
    prime(**{field: panel.words})
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        words = st.text_input("Add passages", key=field, placeholder="Words to search the papers for")
        st.button("Search", key="search-passages", on_click=_search, args=(project, panel, field, everywhere))
    if panel.problem:
        st.error(plain(panel.problem), icon=":material/error:")
    elif words and panel.words == words and not panel.found:
        st.caption("Nothing else was found.")
    for number, passage in enumerate(panel.found):
        if passage.id in panel.passages:
            continue
        with st.container(horizontal=True, vertical_alignment="top", gap="small"):
            st.button("Add", key=f"add-passage-{number}", icon=":material/add:", on_click=_add, args=(panel, passage))
            where = " · ".join(filter(None, (_title(panel, passage), place(passage))))
            st.caption(f"{plain(where, limit=160)}  \n{plain(passage.text, limit=300)}", width="stretch")


def _search(project: str, panel: EvidencePanel, field: str, everywhere: bool) -> None:
    panel.words, panel.found, panel.problem = st.session_state[field].strip(), (), ""
    if not panel.words:
        return
    try:
        library = library_of(project, load_settings(), everywhere=everywhere)
        near = library.search(panel.words, depth=_ADD_AT_ONCE)
        papers = {paper.id: paper for paper in library.papers()}
    except VouchError as error:
        panel.problem = str(error)
        return
    panel.found = tuple(one.passage for one in near if one.passage.id not in panel.passages)[:_ADD_AT_ONCE]
    panel.papers |= {one.paper: papers[one.paper] for one in panel.found if one.paper in papers}


def _add(panel: EvidencePanel, passage: Passage) -> None:
    panel.passages[passage.id] = passage
    panel.rejected.discard(passage.id)


# ---- again ----


def _show_again(session: Session, found: ProjectAnswer, panel: EvidencePanel) -> None:
    used = panel.used
    rejected, added = len(panel.asked - used), len(used - panel.asked)
    changed = ", ".join([f"{rejected} turned down"] * bool(rejected) + [f"{added} added"] * bool(added))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        again = st.button("Answer again from these", key="answer-again", disabled=not used or used == panel.asked)
        kept = " Replies on those that were read come from the cache." if asks_model(found.request.engine) else ""
        st.caption(f"{counted(len(used), 'passage')} in use{f' ({changed})' if changed else ''}.{kept}")
    if again:
        request = found.request
        question = replace(request.question, passages=used)
        budget = session.choice.budget if request.budget is not None else None
        session.problem = None
        before = EarlierAnswer(found.answer, found.asked)
        session.part(AskChoices).questions.ask(replace(request, question=question, budget=budget, before=before))
        st.rerun()
