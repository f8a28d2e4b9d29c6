"""The bar above a paper: how it was read, what was left out or set aside, and where the work on it is stored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import streamlit as st

from core.errors import VouchError
from core.paper import Format, Paper, PaperWarning, SetAside, cite, read_paper
from core.store import Project
from core.text.words import counted
from pages._ui import autosave, opening
from pages._ui.escape import plain, short
from pages._ui.frame import ask_before_forgetting
from pages._ui.open_paper import OpenPaper
from pages._ui.opening import open_record
from pages._ui.review import form, queues
from pages._ui.review.marks import show_mark
from pages._ui.state import Session
from pages._ui.stored import the_store

# ---- how the paper was read ----
# What a reviewer should know about it, in as few lines as possible.

# Warnings that come once a page, worded for several pages. Pages without text come first, as they matter most. What a
# glance at the page makes up for comes last.
_ON_PAGES = {
    "page-without-text": "Pages {} have no text layer: what is printed there could not be read.",
    "table-columns": "The columns of tables on pages {} could not be told apart; check their rows on the pages.",
    "figure-text": "Text inside figures was left out on pages {}; look at the figures for what they say.",
    "equation": "Equations were left out on pages {}; look at them on the pages.",
}
_FIRST, *_LAST = _ON_PAGES


def notes_in_lines(warnings: Sequence[PaperWarning]) -> list[str]:
    """One line per warning; warnings of a kind that comes once a page share a line."""
    kinds = sorted(dict.fromkeys(warning.kind for warning in warnings), key=_place)
    return [line for kind in kinds for line in _lines(kind, [warning for warning in warnings if warning.kind == kind])]


def _place(kind: str) -> int:
    if kind == _FIRST:
        return -1
    return _LAST.index(kind) + 1 if kind in _LAST else 0


def _lines(kind: str, warnings: Sequence[PaperWarning]) -> Iterator[str]:
    pages = sorted({warning.page for warning in warnings if warning.page is not None})
    if kind in _ON_PAGES and len(pages) > 1:
        yield _ON_PAGES[kind].format(", ".join(map(str, pages)))
    else:
        yield from map(with_page, warnings)


def with_page(warning: PaperWarning) -> str:
    """The warning's message, with its page unless the message names it."""
    if warning.page is None or re.search(rf"\bpages? {warning.page}\b", warning.message, re.IGNORECASE):
        return warning.message
    return f"{warning.message} (page {warning.page})"


# ---- what was set aside or left out ----

_MOST_SHOWN = 200  # texts, because a file can be made to hold any number
_MOST_LETTERS = 8_000  # of one shown text; longer text ends with an ellipsis


def show_set_aside(session: Session, opened: OpenPaper) -> None:
    """List the texts that were set aside. Offer to read them as ordinary text, or to set them aside again.

    A project's paper is not read again: it would be another paper, and the work on it would stay behind.
    """
    slot = st.container(key="set-aside", gap="xxsmall")  # always there, so that the page is not rebuilt
    if opened.paper.set_aside and opened.original is not None:
        with slot.expander(f"**{_count(len(opened.paper.set_aside))}**", icon=":material/visibility_off:"):
            _explain(session, opened)
    if opened.without is not None:
        with slot.container(horizontal=True, vertical_alignment="center"):
            st.caption(f":material/visibility: {' '.join(_read_too(opened.paper, opened.without))}", width="content")
            if opened.home is None:
                st.button(
                    "Set aside again",
                    key="set-aside-again",
                    type="tertiary",
                    on_click=_set_aside,
                    args=(session, opened),
                )


def show_left_out(session: Session, opened: OpenPaper, *, fixed: bool = False) -> None:
    """List the texts left out of the paper, page by page, each with its kind, and offer to put them back.

    With `fixed` they cannot be put back, because that would make it another paper.
    """
    paper = opened.paper
    pages = list(dict.fromkeys(item.page for item in paper.left_out))
    if not pages:
        return
    st.markdown("All that is left out of the text, so that nothing is lost without a word:")
    page = pages[0]
    if len(pages) > 1:
        page = st.selectbox("Left out on", pages, key=f"left-out-{paper.id}", format_func=_page_name, width=200)
    for item in paper.left_out:
        if item.page == page:
            st.markdown(f"**{plain(item.kind.in_words)}**  \n{plain(item.text, limit=_MOST_LETTERS)}")
    if not fixed and opened.original is not None and _puts_back(paper):
        st.button(
            "Put back into the text",
            key="put-back",
            on_click=_read_again,
            args=(session, opened),
            kwargs={"put_back": True},
            help="Read the paper again with the texts that are left out as a section of their own behind the others, but "
            "for references, running heads and numbers. Your question and your decisions stay.",
        )


def _puts_back(paper: Paper) -> bool:
    """Whether the paper has left-out texts that could be put back."""
    return any(item.kind.may_be_read for item in paper.left_out)


def _page_name(page: int | None) -> str:
    return "no page" if page is None else f"page {page}"


def _explain(session: Session, opened: OpenPaper) -> None:
    items = opened.paper.set_aside
    st.markdown(
        "Readers cannot see these texts, or they are not meant for readers. They are no part of the paper below: no "
        "engine chooses them, and they are never sent to a language model."
    )
    st.markdown("\n".join(map(_entry, items[:_MOST_SHOWN])))
    if len(items) > _MOST_SHOWN:
        st.markdown(f"… and {len(items) - _MOST_SHOWN:,} more.")
    if opened.home is None:
        st.button(
            "Treat as ordinary text",
            key="keep-set-aside",
            on_click=_read_again,
            args=(session, opened),
            kwargs={"keep_set_aside": True},
            help="Read the paper again with these texts as part of it. Your question and your decisions stay.",
        )


def _entry(item: SetAside) -> str:
    place = f"Page {item.page}: it" if item.page else "It"
    return f"- “{plain(item.text, limit=600)}”  \n  :small[{place} {item.reason.in_words}.]"


def _count(texts: int, *, verb: str = "set aside") -> str:
    return f"{texts} hidden or machine-addressed text{'s are' if texts > 1 else ' is'} {verb}"


def _read_too(paper: Paper, without: Paper) -> list[str]:
    """The texts read now that were set aside or left out before, in sentences."""
    said = []
    if without.set_aside and not paper.set_aside:
        said.append(_count(len(without.set_aside), verb="read as ordinary text, as you asked."))
    back = sum(item.kind.may_be_read for item in without.left_out)
    if back and not _puts_back(paper):
        said.append(
            f"{back} text{'s' * (back > 1)} that {'were' if back > 1 else 'was'} left out {'are' if back > 1 else 'is'} put back."
        )
    return said


def _read_again(session: Session, opened: OpenPaper, *, keep_set_aside: bool = False, put_back: bool = False) -> None:
    """Read the paper again with more of its texts. Texts restored earlier stay."""
    if opened.original is None:
        return
    paper, first = opened.paper, opened.without or opened.paper
    keep_set_aside |= bool(first.set_aside) and not paper.set_aside
    put_back |= _puts_back(first) and not _puts_back(paper)
    try:
        other = read_paper(opened.original, name=paper.name, keep_set_aside=keep_set_aside, put_back=put_back)
    except VouchError as error:
        session.problem = str(error)
        return
    recognised = tuple(warning for warning in paper.warnings if warning.kind == "ocr")
    session.exchange(opened, replace(other, warnings=(*recognised, *other.warnings))).without = first


def _set_aside(session: Session, opened: OpenPaper) -> None:
    if opened.without is not None:
        session.exchange(opened, opened.without)


# ---- where the work is kept ----


def show_where_kept(session: Session, opened: OpenPaper, *, in_project: bool = False) -> None:
    """Draw where the work is kept, on the line under the paper's title.

    With `in_project`, work here belongs to the open project, wherever the paper was opened.
    """
    form.show_notice(session)
    reviewer = opened.home.reviewer if opened.home is not None else session.review.reviewer if in_project else None
    if reviewer is not None:
        st.caption(f"Kept in the project, as {plain(reviewer)}", width="content")
        return
    with st.popover("Outside projects", type="tertiary", icon=":material/lock:", key=f"belonging-{opened.paper.id}"):
        st.markdown(
            "The paper and what you do on it are saved as you work. They are yours alone: nobody else who uses the same "
            "database is shown them."
        )
        _into_project(session, opened)
        if st.button("Forget this paper", key="forget-this", icon=":material/delete_forever:"):
            ask_before_forgetting(session, opened)


def _into_project(session: Session, opened: OpenPaper) -> None:
    try:
        with the_store().reading() as store:
            projects = {saved.record.id: saved.record for saved in store.projects()}
    except VouchError as error:
        st.caption(plain(str(error)))
        return
    if not projects:
        return
    newest = list(reversed(projects))
    chosen = st.selectbox(
        "Put it into the project",
        newest,
        index=newest.index(session.review.project) if session.review.project in projects else 0,
        key="into-project",
        format_func=lambda one: plain(projects[one].name, limit=80),
    )
    project = projects[chosen]
    reviewer = st.selectbox("You are", list(project.reviewers), key=f"into-as-{project.id}", format_func=plain)
    st.button(
        "Put it there with all that was done on it",
        key="into",
        on_click=_put,
        args=(session, opened, project, reviewer),
    )


def _put(session: Session, opened: OpenPaper, project: Project, reviewer: str) -> None:
    autosave.into_project(session, opened, project, reviewer)
    if session.problem is None:
        queues.resume_queue(session, project, reviewer)  # to be asked the same as every other paper


# ---- bar ----

_FORMAT_NAMES = {
    Format.JATS: "JATS XML",
    Format.TEI: "TEI XML",
    Format.BIOC_XML: "BioC XML",
    Format.BIOC_JSON: "BioC JSON",
    Format.PDF: "PDF",
    Format.MARKDOWN: "Markdown",
    Format.TEXT: "plain text",
    Format.EVIDENCEBENCH: "EvidenceBench",
}


def pick_record(session: Session, opened: OpenPaper) -> None:
    """Draw the choice of a record of the benchmark file that the paper is from. Typing searches the hypotheses."""
    slot = st.container()
    collection, record = session.collection, opened.record
    if collection is None or record is None or record >= len(collection.instances):
        return
    if collection.instances[record].paper.id != opened.paper.id:  # another file was opened meanwhile
        return
    st.session_state["record"] = record
    broken = f", {collection.broken} left out because they are broken" if collection.broken else ""
    slot.selectbox(
        f"Record of {plain(collection.name, limit=80)}: {len(collection.instances)} records{broken}",
        range(len(collection.instances)),
        key="record",
        format_func=lambda index: f"{index + 1}. {short(collection.instances[index].hypothesis, 160)}",
        on_change=lambda: open_record(session, st.session_state["record"]),
        help="Type some words of a hypothesis to search",
    )


def show_paper(session: Session, opened: OpenPaper, *, fixed: bool = False) -> None:
    """Draw the bar: the paper, and what a reviewer should know about how it was read.

    With `fixed`, the paper is judged in the open project. No project's paper can be read differently.
    """
    paper = opened.paper
    fixed |= opened.home is not None
    with st.container(key="paper-bar", gap="xxsmall"):
        st.subheader(plain(opened.title, limit=400), anchor=False)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(plain(" · ".join(cite(paper)) or paper.name), width="content")
            with st.popover(_reading_label(paper), type="tertiary", icon=":material/info:"):
                _reading_notes(paper)
                show_left_out(session, opened, fixed=fixed)
                if not fixed:
                    opening.offer_ocr_of_pages(session, opened)
            show_where_kept(session, opened, in_project=fixed)
        show_mark(session.review.project, paper.id)


def _reading_notes(paper: Paper) -> None:
    st.markdown(plain(_facts(paper)))
    if len(paper.authors) > 1:
        st.markdown(f"{len(paper.authors)} authors: {plain(', '.join(paper.authors))}")
    for line in notes_in_lines(paper.warnings):
        st.markdown(f":material/warning: {plain(line)}")
    if paper.sections_left_out:
        st.markdown("Sections that are left out, because they hold no evidence of their own:")
        st.markdown("\n".join(f"- {plain(title, limit=120)}" for title in paper.sections_left_out))


def _facts(paper: Paper) -> str:
    return " · ".join([paper.name, _FORMAT_NAMES[paper.format], f"{len(paper.pool):,} sentences"])


def _reading_label(paper: Paper) -> str:
    parts = [_FORMAT_NAMES[paper.format]]
    if warnings := len(notes_in_lines(paper.warnings)):
        parts.append(f"{counted(warnings, 'warning')} from reading")
    if paper.sections_left_out:
        parts.append(f"{counted(len(paper.sections_left_out), 'section')} left out")
    return " · ".join(parts)
