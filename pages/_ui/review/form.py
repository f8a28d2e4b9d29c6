"""The fields of a project: to begin one, and to change one."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import streamlit as st

from core.bias import StudyContext, tools
from core.errors import EngineError, NotStorable, VouchError
from core.review.status import queue_status
from core.store import Plan, Project, Saved
from pages._ui.bias.settings import STUDY_FIELDS
from pages._ui.escape import plain
from pages._ui.review import hands, questions
from pages._ui.review.saved_words import queue_in_words, saved_in_words
from pages._ui.review.stored import the_store
from pages._ui.state import Session


def begin(now: Session) -> None:
    """Draw the form of a new project."""
    with st.form("new-project", border=False):
        name = st.text_input("Name", placeholder="Magnesium for leg cramps, 2026 update")
        reviewers = st.text_input(
            "Reviewers",
            placeholder="Ann, Ben",
            help="Names with commas between, your own first. Two reviewers judge every paper twice.",
        )
        left, right = st.columns(2, vertical_alignment="bottom")
        tool = left.selectbox(
            "Tool", list(tools()), format_func=lambda tool: tools()[tool].name, help="It stays the same"
        )
        blind = right.toggle("Blind", value=True, help=BLIND)
        with st.expander("Review question"):
            study = _study(StudyContext(), "new")
        with st.expander("Criteria and hypotheses"):
            st.caption("They can wait: until then the review's PICO stands for the criteria.")
            asked = questions.fields(questions.Questions(), StudyContext(), "new")
        if st.form_submit_button("Create the project", type="primary"):
            criteria = asked.criteria or questions.criteria_in(questions.of_study(study))
            project = Project(
                uuid4().hex,
                name.strip(),
                names_in(reviewers),
                tool,
                study,
                blind,
                criteria,
                asked.reasons,
                asked.hypotheses,
            )
            now.problem = asked.wrong
            if asked.wrong is None and _save(now, project):
                now.review.enter(project.id, project.reviewers[0])
            st.rerun()  # to the project, or to the message that says what is wrong


BLIND = "Hides suggestions and the other's judgement until one's own is in, where two or more review"


@st.dialog("Settings of the project", width="medium")
def change(now: Session, saved: Saved[Project]) -> None:
    """Draw the form of a project that is there."""
    project = saved.record
    people, asks, engines = st.tabs(["Project", "Criteria and hypotheses", "Engines"], key="settings-tabs")
    with people:
        name = st.text_input("Name", value=project.name)
        more = st.text_input("Add reviewers", placeholder="Cleo", help="Names, with commas between")
        st.caption(f"Reviewers: {plain(', '.join(project.reviewers))} · {tools()[project.tool].name}")
        blind = st.toggle("Blind", value=project.blind, help=BLIND)
        study = _study(project.study, "change")
    with asks:
        before = questions.Questions(project.criteria, project.reasons, project.hypotheses)
        asked = questions.fields(before, project.study, "change")
    with engines:
        plan, wrong = _plan(project)
        wrong = wrong or asked.wrong
    if st.button("Save", type="primary", key="save-project", disabled=wrong is not None):
        reviewers = tuple(dict.fromkeys((*project.reviewers, *names_in(more))))
        changed = replace(project, name=name.strip(), reviewers=reviewers, blind=blind, study=study, plan=plan)
        changed = replace(changed, criteria=asked.criteria, reasons=asked.reasons, hypotheses=asked.hypotheses)
        if changed == project or _save(now, changed, seen=saved.version):
            now.review.notice = _told(project, changed)
        if changed != project and now.problem is None:
            hands.go_on(now, changed, now.review.reviewer or project.reviewers[0])
        st.rerun()
    if wrong is not None:
        st.error(plain(wrong), icon=":material/error:")


def show_notice(now: Session) -> None:
    """What was saved just now, in the corner of the page for a few seconds."""
    if now.review.notice:
        st.toast(plain(now.review.notice), icon=":material/check:", duration="long")
        now.review.notice = ""


def _told(before: Project, after: Project) -> str:
    """What was saved, and what the queue makes of it."""
    words = saved_in_words(before, after)
    try:
        with the_store().reading() as store:
            return f"{words} {queue_in_words(queue_status(store, after), after)}".strip() if before != after else words
    except VouchError:
        return words


def _plan(project: Project) -> tuple[Plan, str | None]:
    """The engines that were chosen, or why they cannot be."""
    try:
        return questions.plan_fields(project.plan, "change"), None
    except EngineError as error:
        return project.plan, str(error)


def names_in(text: str) -> tuple[str, ...]:
    """The names in a field, commas between."""
    return tuple(name for part in text.split(",") if (name := " ".join(part.split())))


def _study(study: StudyContext, place: str) -> StudyContext:
    values = {}
    for name, (label, hint) in STUDY_FIELDS.items():
        write = st.text_area if name == "objective" else st.text_input
        values[name] = write(label, value=getattr(study, name), placeholder=hint, key=f"{place}-{name}")
    return StudyContext(**values)


def _save(now: Session, project: Project, *, seen: int = 0) -> bool:
    """Store it; whether that worked. What is wrong is told on the page."""
    now.problem = None
    try:
        if not project.reviewers and not project.name:
            raise NotStorable("The project has no name and no reviewers. Name both, each reviewer once.")
        if not project.reviewers:
            raise NotStorable("Name the project's reviewers, each once.")
        with the_store().writing(now.review.reviewer or project.reviewers[0]) as change:
            change.save(project, seen=seen)
    except VouchError as error:
        now.problem = str(error)
        return False
    return True
