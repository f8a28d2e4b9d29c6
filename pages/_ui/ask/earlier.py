"""Earlier questions to a project's papers: open one, ask it again and see what changed, or delete it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.answering import Answer, PaperAnswer, ReportedChange
from core.answering.changes import AnswerChanges, changes
from core.answering.llm import sharers
from core.engines import asks_model
from core.errors import VouchError
from core.store import ListedAnswer
from core.text.words import counted
from pages._ui.ask.form import limits_of
from pages._ui.ask.state import AskChoices, AskRequest, EarlierAnswer, EvidencePanel, ProjectAnswer
from pages._ui.escape import date_in_words, plain
from pages._ui.state import Session
from pages._ui.stored import the_store

_SHOWN = 50
_SIGNS = {ReportedChange.INCREASED: "↑", ReportedChange.DECREASED: "↓", ReportedChange.NO_DIFFERENCE: "="}


def told_in_words(told: ReportedChange | None) -> str:
    """A direction as a sign and a word."""
    return f"{_SIGNS[told]} {told.value}" if told else "not told which way"


# ---- list ----


def show(session: Session, project: str) -> None:
    """Draw the list, newest first. Raises `VouchError`."""
    with the_store().reading() as store:
        of_articles = {id for saved in store.articles(project) for id in saved.record.answers}
        listed = [one for one in store.answers.listed(project) if one.id not in of_articles]
    here = session.part(AskChoices).answers.get(project)
    others = [one for one in listed if here is None or one.id != here.kept]
    if not others:
        return
    with st.expander(f"Earlier questions ({len(others):,})", expanded=here is None, key=f"ask-earlier-{here is None}"):
        for number, one in enumerate(others[:_SHOWN]):
            _show_one(session, project, number, one)
        if len(others) > _SHOWN:
            st.caption(f"{len(others) - _SHOWN:,} older ones are kept, too, and are in the project's file.")


def _show_one(session: Session, project: str, number: int, one: ListedAnswer) -> None:
    with st.container(key=f"ask-earlier-row-{number}", gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                f"**{plain(one.question, limit=200)}**",
                key=f"ask-show-{one.id}",
                type="tertiary",
                help="Show this answer",
                on_click=_open,
                args=(session, project, one.id),
            )
            st.space("stretch")
            st.button("Ask again", key=f"ask-again-{one.id}", on_click=_ask_again, args=(session, project, one.id))
            if st.button("", key=f"ask-delete-{one.id}", type="tertiary", icon=":material/delete:", help="Delete it"):
                _ask_before_deleting(session, project, one)
        came = f"{counted(one.reporting, 'paper')} of {one.searched:,}" if one.answered else "no answer"
        st.caption(plain(" · ".join((date_in_words(one.asked), one.by, one.engine, came))))


def _read(session: Session, project: str, id: str) -> ProjectAnswer | None:
    """Read a stored answer. Returns None if that fails; the session's problem says why."""
    session.problem = None
    try:
        with the_store().reading() as store:
            kept = store.answers.one(project, id)
        answer = kept.answer
    except VouchError as error:
        session.problem = str(error)
        return None
    return ProjectAnswer(_request_of(project, answer), answer, kept.asked.astimezone(), kept=id)


def _request_of(project: str, answer: Answer) -> AskRequest:
    """Rebuild the request that led to the answer."""
    return AskRequest(project, answer.question, *sharers(answer.engine))


def _open(session: Session, project: str, id: str) -> None:
    choices = session.part(AskChoices)
    found = _read(session, project, id)
    if found is None:
        return
    choices.answers[project] = found
    choices.question = st.session_state["ask-question"] = found.answer.question.text
    choices.panels[project] = EvidencePanel()
    choices.panels[project].take(found.answer)


def _ask_again(session: Session, project: str, id: str) -> None:
    found = _read(session, project, id)
    if found is None:
        return
    try:
        session.part(AskChoices).questions.ask(asked_again(session, found))
    except VouchError as error:  # invalid limits
        session.problem = str(error)


def asked_again(session: Session, found: ProjectAnswer) -> AskRequest:
    """The same question to the project's current papers, by the same engine, with the current budget and limits.

    If passages were chosen for the earlier answer, the choice is dropped: papers added since could not be among them.
    """
    request = replace(found.request, question=replace(found.request.question, passages=None))
    by_model = asks_model(request.engine)
    budget, limits = (session.choice.budget, limits_of(session)) if by_model else (None, None)
    return replace(request, budget=budget, limits=limits, before=EarlierAnswer(found.answer, found.asked))


@st.dialog("Delete this answer?")
def _ask_before_deleting(session: Session, project: str, one: ListedAnswer) -> None:
    st.markdown(f"**{plain(one.question, limit=200)}**")
    st.markdown("It goes for all reviewers, and cannot be brought back.")
    with st.container(horizontal=True):
        if st.button("Keep it", key="keep-answer", type="primary"):
            st.rerun()
        gone = st.button(
            "Delete", key="delete-answer", icon=":material/delete:", on_click=_delete, args=(session, project, one)
        )
        if gone:
            st.rerun()


def _delete(session: Session, project: str, one: ListedAnswer) -> None:
    session.problem = None
    try:
        with the_store().writing(session.review.reader_in(project) or one.by) as change:
            change.answers.remove(project, one.id)
    except VouchError as error:
        session.problem = str(error)


# ---- what changed ----


def show_changes(found: ProjectAnswer) -> None:
    """If the question was asked again, draw how the answer differs from the one before."""
    before = found.request.before
    if before is None:
        return
    told = changes(before.answer, found.answer)
    with st.container(border=True, key="ask-changes", gap="xsmall"):
        same = " It says the same." if told.none else ""
        st.markdown(f"**Since {date_in_words(before.asked)}**:{same} {_searched(told)}")
        for line in _lines(told):
            st.markdown(line)


def _searched(told: AnswerChanges) -> str:
    if not told.searched:
        return "As many papers are searched."
    more = "more" if told.searched > 0 else "fewer"
    return f"{counted(abs(told.searched), 'paper')} {more} searched."


def _lines(told: AnswerChanges) -> list[str]:
    """The changes as Markdown."""
    lines = []
    if told.could_answer != told.can_answer:
        lines.append("There is an answer now." if told.can_answer else "There is no answer any more.")
    lines += [f"\\+ {_title(one)}: {told_in_words(one.told)}" for one in told.new]
    lines += [f"− {_title(one)}: no longer reports on it" for one in told.gone]
    lines += [f"≠ {_title(now)}: {told_in_words(then.told)} → {told_in_words(now.told)}" for then, now in told.turned]
    lines += [f"\\+ {plain(one.text)}" for one in told.new_statements]
    lines += [f"− :gray[{plain(one.text)}]" for one in told.gone_statements]
    return lines


def _title(one: PaperAnswer) -> str:
    return plain(one.paper.title or one.paper.name, limit=140)
