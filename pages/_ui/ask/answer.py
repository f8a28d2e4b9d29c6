"""An answer on the page: how many papers report and which way, and each in its own words."""

from __future__ import annotations

import json

import streamlit as st

from core.answering import Answer, Gathered, PaperAnswer, Told
from core.export.answer import answer_document, answer_markdown
from core.library import LibraryPaper
from core.paper import cite_authors
from pages._ui import frame
from pages._ui.ask.state import ProjectAnswer
from pages._ui.downloads import download
from pages._ui.escape import counted, plain
from pages._ui.review import navigation
from pages._ui.state import Session

SIGNS = {Told.INCREASED: "↑", Told.DECREASED: "↓", Told.NO_DIFFERENCE: "="}


def show(now: Session, project: str) -> None:
    """Draw the last answer from the project's papers, if there is any."""
    found = now.asking.answers.get(project)
    if found is None:
        return
    answer = found.answer
    st.markdown(f"**{plain(found.question)}**")
    if answer.cannot_answer:
        st.warning("These papers do not seem to answer it.", icon=":material/help:")
        st.caption(f"{counted(answer.searched, 'paper')} searched." + " The nearest sentences:" * bool(answer.papers))
    else:
        if answer.disagree:
            st.warning(f"The papers do not agree: {_tally(answer)}.", icon=":material/call_split:")
        st.markdown(
            f"{counted(answer.searched, 'paper')} searched, {len(answer.papers):,} "
            f"{'seems' if len(answer.papers) == 1 else 'seem'} to report on it: {_tally(answer)}."
        )
    _show_unread(found)
    for number, one in enumerate(_ordered(answer)):
        _show_paper(now, project, number, one, answered=not answer.cannot_answer)
    _show_evidence(answer)
    with st.container(horizontal=True, gap="small"):
        _show_files(answer)


def _show_files(answer: Answer) -> None:
    download(
        "Markdown",
        lambda: answer_markdown(answer).encode(),
        name="answer.md",
        mime="text/markdown",
        about="The question, and each paper's sentence with its citation and place",
        keeps=False,
    )
    download(
        "JSON",
        lambda: json.dumps(answer_document(answer), ensure_ascii=False, indent=1).encode(),
        name="answer.json",
        mime="application/json",
        about="The question, each paper's sentence with its place, and all passages gathered",
        keeps=False,
    )


def _tally(answer: Answer) -> str:
    """How many papers tell which direction, in words."""
    counts = {way: sum(one.told is way for one in answer.papers) for way in Told}
    told = [f"{number} {SIGNS[way]} {way.value}" for way, number in counts.items() if number]
    untold = sum(one.told is None for one in answer.papers)
    return ", ".join(told + [f"{untold} cannot be told which way"] * bool(untold))


def _ordered(answer: Answer) -> list[PaperAnswer]:
    """Likeliest first; where papers disagree those that tell a direction come first, direction by direction."""
    if not answer.disagree:
        return list(answer.papers)
    order = [*answer.directions, None]
    return sorted(answer.papers, key=lambda one: order.index(one.told))


def _show_unread(found: ProjectAnswer) -> None:
    if found.unread:
        names = ", ".join(plain(name, limit=80) for name in found.unread[:5])
        more = f" and {len(found.unread) - 5:,} more" if len(found.unread) > 5 else ""
        st.caption(f":material/warning: Not searched, as their text is not kept: {names}{more}.")


def _show_paper(now: Session, project: str, number: int, one: PaperAnswer, *, answered: bool) -> None:
    with st.container(border=True, gap="xxsmall", key=f"ask-paper-{number}"):
        st.button(
            f"**{plain(one.paper.title or one.paper.name, limit=200)}**",
            key=f"ask-open-{number}",
            type="tertiary",
            help="Open the paper at this sentence",
            on_click=_open,
            args=(now, project, one),
        )
        st.caption(" · ".join(filter(None, (_citation(one.paper), _place(one.strongest)))))
        st.markdown(f"“{plain(one.sentence)}”")
        if answered:
            st.caption(_direction(one))


def _direction(one: PaperAnswer) -> str:
    reports = f"reports on it: {one.reports:.2f}"
    if one.told is None or one.probability is None:
        return f"Which way cannot be told · {reports}"
    return f"**{SIGNS[one.told]} {one.told.value}** · probability {one.probability:.2f}, {reports}"


def _citation(paper: LibraryPaper) -> str:
    published = " ".join(filter(None, (paper.journal, str(paper.year or ""))))
    return " · ".join(plain(part) for part in (cite_authors(paper.authors), published) if part)


def _place(one: Gathered) -> str:
    page = f"page {one.passage.page}" if one.passage.page else ""
    return plain(", ".join(filter(None, (one.passage.section, page))))


def _show_evidence(answer: Answer) -> None:
    names = {paper.id: paper.title or paper.name for paper in answer.sources}
    with st.expander(f"All passages gathered ({len(answer.evidence)})"):
        for one in answer.evidence:
            place = " · ".join(filter(None, (plain(names.get(one.passage.paper, ""), limit=120), _place(one))))
            st.caption(f"{place} · {one.score:.2f}")
            st.markdown(plain(one.passage.text))


def _open(now: Session, project: str, one: PaperAnswer) -> None:
    """Put the paper on the desk at the sentence; the page goes there with its next run."""
    now.problem = None
    now.review.enter(project)
    if navigation.open_paper(now, one.paper.id) and now.open is not None:
        opened = now.open
        opened.begin_at = (opened.begin_at[0] + 1, one.strongest.strongest)
        now.review.opened = None
        now.asking.leaves = True


def follow(now: Session) -> None:
    """Go to the paper that was pressed on."""
    if now.asking.leaves:
        now.asking.leaves = False
        st.switch_page(frame.EVIDENCE)
