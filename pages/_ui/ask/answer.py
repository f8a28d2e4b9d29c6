"""An answer on the page: the text or quotations, the count of papers by direction, the evidence, and the files."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.answering import Answer, PaperAnswer, ReportedChange
from core.answering.gathering import HIGHEST
from core.library import LibraryPaper
from core.paper import cite_authors
from core.text.words import counted
from pages._ui.ask import earlier, evidence_panel, files, trail, written
from pages._ui.ask.earlier import told_in_words
from pages._ui.ask.leaving import open_at
from pages._ui.ask.state import AskChoices, ProjectAnswer
from pages._ui.escape import date_in_words, plain
from pages._ui.model_choice import run_cost
from pages._ui.review.marks import mark_of
from pages._ui.state import Session


def show(session: Session, project: str) -> None:
    """Draw the last answer from the project's papers, if there is one."""
    found = session.part(AskChoices).answers.get(project)
    if found is None:
        return
    answer = found.answer
    st.subheader(plain(answer.question.text), anchor=False)
    st.caption(_made(found))
    if answer.problem is not None:
        st.error(plain(answer.problem), icon=":material/error:")
    elif answer.cannot_answer:
        st.warning("These papers do not seem to answer it.", icon=":material/help:")
        st.caption(f"{counted(answer.searched, 'paper')} searched." + " The nearest sentences:" * bool(answer.papers))
    else:
        if answer.disagree:
            st.warning(f"The papers do not agree: {_tally(answer)}.", icon=":material/call_split:")
        if answer.statements:
            written.show(session, project, answer)
        _show_count(answer)
    earlier.show_changes(found)
    for note in answer.notes:
        st.caption(f":material/info: {plain(note)}")
    _show_unread(found)
    if answer.problem is None:
        numbers = written.numbers(answer)
        for place, one in enumerate(_ordered(answer, numbers)):
            _show_paper(session, found, place, one, numbers.get(one.paper.id))
    trail.show(answer)
    evidence_panel.show(session, project, found)
    files.show(found)


def _made(found: ProjectAnswer) -> str:
    """When it was asked, which engine answered, how long it took, and what it cost."""
    answer = found.answer
    parts = [date_in_words(found.asked), answer.engine, f"{answer.seconds:.1f} s", answer.question.limits]
    if answer.run is not None and not answer.run.from_cache:  # a cached answer has a note that says so
        parts.append(run_cost(answer.run))
    if answer.question.passages is not None:
        parts.append(f"from {counted(len(answer.question.passages), 'chosen passage')}")
    return plain(" · ".join(filter(None, parts)))


def _show_count(answer: Answer) -> None:
    count = len(answer.papers)
    if answer.statements:
        told = f" Which way they report: {_tally(answer)}." if answer.directions else ""
        st.markdown(f"{counted(answer.searched, 'paper')} searched, the answer rests on {count:,}.{told}")
        return
    seem = "seems" if count == 1 else "seem"
    which = f": {_tally(answer)}" if answer.directions else "; which way cannot be told"
    st.markdown(f"{counted(answer.searched, 'paper')} searched, {count:,} {seem} to report on it{which}.")
    if answer.of_what:
        st.caption(plain(answer.of_what))


def _tally(answer: Answer) -> str:
    """How many papers report each direction, in words."""
    counts = {way: sum(one.told is way for one in answer.papers) for way in ReportedChange}
    told = [f"{number} {told_in_words(way)}" for way, number in counts.items() if number]
    untold = sum(one.told is None for one in answer.papers)
    return ", ".join(told + [f"{untold} cannot be told which way"] * bool(untold))


def _ordered(answer: Answer, numbers: Mapping[str, int]) -> list[PaperAnswer]:
    """Order by citation number if papers are cited, by direction if they disagree, and by likelihood otherwise."""
    if numbers:
        return sorted(answer.papers, key=lambda one: numbers.get(one.paper.id, len(numbers) + 1))
    if not answer.disagree:
        return list(answer.papers)
    order = [*answer.directions, None]
    return sorted(answer.papers, key=lambda one: order.index(one.told))


def _show_unread(found: ProjectAnswer) -> None:
    if found.unread:
        names = ", ".join(plain(name, limit=80) for name in found.unread[:5])
        more = f" and {len(found.unread) - 5:,} more" if len(found.unread) > 5 else ""
        st.caption(f":material/warning: Not searched, as their text is not kept: {names}{more}.")


def _show_paper(session: Session, found: ProjectAnswer, place: int, one: PaperAnswer, number: int | None) -> None:
    title = plain(one.paper.title or one.paper.name, limit=200)
    with st.container(border=True, gap="xxsmall", key=f"ask-paper-{place}"):
        st.button(
            f"**\\[{number}\\] {title}**" if number else f"**{title}**",
            key=f"ask-open-{place}",
            type="tertiary",
            help="Open the paper at this sentence",
            on_click=open_at,
            args=(session, found.request.project, one.paper.id, [one.strongest.strongest]),
        )
        st.caption(" · ".join(filter(None, (_citation(one.paper), plain(written.place(one.strongest.passage))))))
        if mark := mark_of(found.request.project, one.paper.id):
            st.markdown(f":material/report: **{mark}**")
        st.markdown(f"“{plain(one.sentence)}”")
        if not found.answer.cannot_answer:
            st.caption(_direction(one, by_model=found.answer.run is not None))


def _direction(one: PaperAnswer, *, by_model: bool) -> str:
    told = f"**{told_in_words(one.told)}**" if one.told else ""
    if by_model:
        return f"{told or 'Which way is not told'} · best passage scores {one.strongest.score:g} of {HIGHEST}"
    reports = f"reports on it: {one.reports:.2f}"
    if one.told is None or one.probability is None:
        return f"Which way cannot be told · {reports}"
    return f"{told} · probability {one.probability:.2f}, {reports}"


def _citation(paper: LibraryPaper) -> str:
    published = " ".join(filter(None, (paper.journal, str(paper.year or ""))))
    cited = f"cited by {counted(paper.cited, 'paper')} here" if paper.cited else ""
    parts = [plain(part) for part in (cite_authors(paper.authors), published, cited) if part]
    return " · ".join([*parts, *[":material/warning: **retracted**"] * paper.retracted])
