"""Blind grading of an article's statements, mixed with another text's, by people and a model; and the figures."""

from __future__ import annotations

import secrets
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import streamlit as st

from core.articles import Article
from core.errors import QueryError, VouchError
from core.export.grades import origins_json, statements_csv
from core.grading import Grade
from core.grading.llm import ModelGrades, grade_by_model
from core.grading.statements import drawn, statements_of, statements_of_text
from core.llm import model_named
from core.settings import Settings, load_settings
from core.store import Saved, StatementGrades, Store, StoredGrading
from core.text.words import counted
from pages._ui.ask import form
from pages._ui.ask.state import AskChoices, GradingRequest
from pages._ui.ask.work import indexed, papers_asked
from pages._ui.downloads import download
from pages._ui.escape import date_in_words, plain, short
from pages._ui.jobs import BackgroundJob, JobSlot
from pages._ui.model_choice import Keys, dollars
from pages._ui.page_jobs import PageJob, Work
from pages._ui.state import Session, prime
from pages._ui.stored import the_store

if TYPE_CHECKING:
    from core.grading.figures import GradeShare

_BESIDE, _CHOSEN, _WHO = "grading-beside", "grading-chosen", "grading-who"
_INDEXING = 0.3  # the share of the progress bar for indexing new papers
_ORIGINS = {"article": "the article", "other": "the other text"}


# ---- a model ----


class _Grading(PageJob[GradingRequest, ModelGrades]):
    key = "grading"
    names_questions = False

    def slot(self, session: Session) -> JobSlot[GradingRequest, ModelGrades]:
        return session.part(AskChoices).gradings

    def begin(self, session: Session, request: GradingRequest) -> Work[ModelGrades] | None:
        asked = replace(request.asked, reader=request.who)
        return partial(_graded, replace(request, asked=asked), the_store(), load_settings(), session.keys)

    def keep(self, session: Session, request: GradingRequest, result: ModelGrades) -> None:
        record = StatementGrades(
            request.asked.project, request.grading, result.run.model, result.grades, True, result.run.cost_usd
        )
        try:
            with the_store().writing(request.who) as change:
                change.put(record)
        except VouchError as error:
            session.problem = f"The grades could not be kept. {error} What was answered costs nothing another time."


GRADING = _Grading()


def _graded(
    request: GradingRequest, store: Store, settings: Settings, keys: Keys, job: BackgroundJob[Any]
) -> ModelGrades:
    job(0.0, "Opening the library")
    of_project, _ = papers_asked(request.asked, store, settings)
    indexed(request.asked, store, of_project, lambda done, step: job(done * _INDEXING, step))
    with store.reading() as now:
        statements = now.grading(request.asked.project, request.grading).record.statements
    if (model := model_named(request.asked.engine)) is None:
        raise QueryError("Statements are graded by a language model. Choose one under “Answered by”.")
    with job.asking(replace(model, strategy=None), keys, request.asked.budget) as asker:
        return grade_by_model(
            statements,
            asker,
            of_project.library,
            progress=lambda done, step: job(_INDEXING + done * (1 - _INDEXING), step),
        )


# ---- an article's statements ----


def offer(session: Session, project: str, article: Article) -> None:
    """Draw a field for another article, and a button that draws statements from both."""
    with st.popover("Grade it blind", icon=":material/rule:", key="grading-offer"):
        st.caption(
            "Each sentence is graded by whether what it cites says it. Paste another article on the topic, an encyclopaedia's "
            "for example, with its list of references in numbered lines: its sentences go among them, and nobody is "
            "told which are from where until all are graded. Let people grade who have not read either."
        )
        st.text_area("Another article", key=_BESIDE, height=160)
        st.button(
            "Draw the statements", key="grading-draw", on_click=_draw_statements, args=(session, project, article)
        )


def _draw_statements(session: Session, project: str, article: Article) -> None:
    session.problem = None
    beside = list(statements_of_text(st.session_state[_BESIDE] or ""))
    statements = drawn([*statements_of(article), *beside], secrets.randbelow(2**32))
    if not statements:
        session.problem = "The article has no sentence to grade."
        return
    record = StoredGrading(project, uuid4().hex, article.title, tuple(statements))
    try:
        with the_store().reading() as store:
            who = session.review.reviewer_in(store.project(project).record)
        with the_store().writing(who) as change:
            change.save(record)
    except VouchError as error:
        session.problem = str(error)
        return
    st.session_state[_CHOSEN] = record.id


# ---- grading ----


def draw(session: Session, project: str) -> None:
    """Draw the next statement to grade, or the figures if all are graded. Raises `VouchError`."""
    with the_store().reading() as store:
        known = {saved.record.id: saved for saved in reversed(store.gradings(project))}
        if not known:
            return
        of = store.project(project).record
        chosen = st.session_state.get(_CHOSEN)
        chosen = chosen if chosen in known else next(iter(known))
        who = session.review.reviewer_in(of)
        given = store.grades(project, chosen, reader=who)
    grading = known[chosen].record
    own = next((saved for saved in given if saved.record.reviewer == who), None)
    field = f"{_WHO}-{project}"
    for key, allowed in ((_CHOSEN, known), (field, of.reviewers)):
        if st.session_state.get(key) not in allowed:
            st.session_state.pop(key, None)
    prime(**{_CHOSEN: chosen, field: who})
    with st.expander("Statements to grade", expanded=True, key="grading-statements"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.selectbox(
                "Statements of",
                list(known),
                key=_CHOSEN,
                width=420,
                format_func=lambda one: short(f"{known[one].record.title}, {date_in_words(known[one].added)}", 100),
            )
            st.selectbox(
                "You are",
                list(of.reviewers),
                key=field,
                width=140,
                on_change=_take_who,
                args=(session, project, field),
            )
        if own is not None and own.record.is_whole(grading):
            _show_figures(session, grading, who, given)
        else:
            _ask_for_one(session, grading, who, own)
        with st.container():  # always there, so that what follows keeps its place in the page
            GRADING.show(session)


def _take_who(session: Session, project: str, key: str) -> None:
    session.review.choose_reviewer(project, st.session_state[key])


def _ask_for_one(session: Session, grading: StoredGrading, who: str, own: Saved[StatementGrades] | None) -> None:
    """Show the first statement without a grade. Statements are graded in order, and none is skipped."""
    grades = own.record.grades if own else {}
    place, statement = next((place, one) for place, one in enumerate(grading.statements) if one.id not in grades)
    st.caption(f"Statement {place + 1} of {len(grading.statements)}")
    with st.container(key="grading-statement"):
        st.markdown(f"**{plain(statement.text)}**")
        for number, source in enumerate(statement.sources, 1):
            st.caption(plain(f"[{number}] {source}"))
        if not statement.sources:
            st.caption("It cites nothing.")
    before = own.record if own else StatementGrades(grading.project, grading.id, who, {})
    give = partial(_give, session, before, own.version if own else 0)
    with st.container(horizontal=True, gap="small"):
        for grade in Grade:
            st.button(
                grade.value.capitalize(),
                key=f"grade-{grade}-{statement.id}",  # so that a double click cannot grade the next statement
                help=_MEANINGS[grade],
                on_click=give,
                args=(statement.id, grade),
            )
        if place:
            last = grading.statements[place - 1].id
            st.button("Back", key="grade-back", type="tertiary", on_click=give, args=(last, None))


_MEANINGS = {
    Grade.SUPPORTED: "What it cites says all of it",
    Grade.UNCITED: "It states something and cites nothing",
    Grade.UNSUPPORTED: "What it cites does not say it, or not all of it, even if it is true",
    Grade.NOT_APPLICABLE: "It states nothing, or nobody can get at what it cites",
}


def _give(session: Session, own: StatementGrades, seen: int, id: str, grade: Grade | None) -> None:
    """Save a grade over the version that was seen; None takes the grade back."""
    session.problem = None
    grades = {one: given for one, given in own.grades.items() if one != id}
    if grade is not None:
        grades[id] = grade
    try:
        with the_store().writing(own.reviewer) as change:
            change.save(replace(own, grades=grades), seen=seen)
    except VouchError as error:
        session.problem = str(error)


# ---- figures ----


def _show_figures(
    session: Session, grading: StoredGrading, who: str, given: tuple[Saved[StatementGrades], ...]
) -> None:
    from core.grading.figures import SHARED, agreement  # loads statsmodels  # noqa: PLC0415

    own = next(saved.record for saved in given if saved.record.reviewer == who)
    st.markdown("You have graded all of them. In per cent, with 95% intervals:")
    rows = [row for saved in given for row in _rows(grading, saved.record)]
    heads = ["Graded by", "From", "Count", *(grade.value.capitalize() for grade in SHARED), "Precision"]
    lines = [heads, ["---"] * len(heads), *rows]
    st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))
    for saved in given:
        said = saved.record
        if said.reviewer != who and (agreed := agreement(own.grades, said.grades)):
            st.caption(plain(f"{said.reviewer} agrees with you on {_share(agreed)}, {agreed.count} of {agreed.of}."))
        left = len(grading.statements) - len(said.grades)
        if said.by_model and left:
            st.caption(plain(f"{said.reviewer} gave no grade that holds for {counted(left, 'statement')}."))
    st.caption("Precision: the supported among the cited. What is not applicable does not count.")
    with st.container(horizontal=True, gap="small"):
        _offer_model(session, grading, who)
        download(
            "Statements",
            lambda: statements_csv(grading.statements, own.grades).encode(),
            name="statements.csv",
            mime="text/csv",
            about="The statements with your grades, for `grades statements.csv`",
            keeps=False,
        )
        download(
            "Where they are from",
            lambda: origins_json(grading.statements).encode(),
            name="statements.key.json",
            mime="application/json",
            about="The file beside it that tells where each statement is from",
            keeps=False,
        )


def _rows(grading: StoredGrading, said: StatementGrades) -> list[list[str]]:
    """One table row per origin."""
    from core.grading.figures import PRECISION, SHARED, figures  # noqa: PLC0415 - as above

    try:
        found = figures(grading.statements, said.grades)
    except QueryError:  # a model that gave no grade to the first statement
        return []
    name = plain(
        said.reviewer + (f" ({dollars(said.cost_usd)})" if said.by_model and said.cost_usd is not None else "")
    )
    return [
        [name, _ORIGINS[origin], str(shares[Grade.SUPPORTED].of)]
        + [_share(shares[grade]) if grade in shares else "–" for grade in (*SHARED, PRECISION)]
        for origin, shares in found.items()
    ]


def _share(one: GradeShare) -> str:
    return f"{one.share:.1f} ({one.low:.1f} to {one.high:.1f})"


def _offer_model(session: Session, grading: StoredGrading, who: str) -> None:
    by_model = session.part(AskChoices).provider is not None
    calls = counted(len(grading.statements), "statement")
    st.button(
        "Have a model grade them",
        key="grade-by-model",
        disabled=not by_model,
        on_click=_ask_model,
        args=(session, grading, who),
        help=f"The language model under “Answered by” is asked about each of {calls}, beside what the project's papers say of it"
        if by_model
        else "Choose a language model under “Answered by”",
    )


def _ask_model(session: Session, grading: StoredGrading, who: str) -> None:
    session.problem = None
    try:
        asked = form.request_of(session, grading.project, form.question_of(session, grading.title))
    except VouchError as error:
        session.problem = str(error)
        return
    session.part(AskChoices).gradings.ask(GradingRequest(asked, grading.id, who))
