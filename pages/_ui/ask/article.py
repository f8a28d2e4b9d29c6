"""Writing an article on a topic from the papers of a project: the form, the background work, and the display."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from core.articles import TEMPLATES, Section, nothing_left, template_named, write_article
from core.errors import VouchError
from core.export.article import ARTICLE_FILES
from core.export.effects import HEADS, EffectTable, effect_tables
from core.review.articles import delete_article, keep_article, kept_article, on_topic
from core.review.marks import marks
from core.review.outputs import table_rows
from core.settings import Settings, load_settings
from core.store import Saved, Store, StoredArticle
from core.text.words import counted
from pages._ui import standing_checks
from pages._ui.ask import form, grading, written
from pages._ui.ask.leaving import open_at
from pages._ui.ask.state import ArticleRequest, AskChoices, ProjectArticle
from pages._ui.ask.work import engine_of, indexed, papers_asked
from pages._ui.downloads import download, now_here
from pages._ui.escape import date_in_words, plain, short
from pages._ui.jobs import BackgroundJob, JobSlot
from pages._ui.model_choice import Keys, dollars
from pages._ui.page_jobs import PageJob, Work
from pages._ui.state import Session, prime
from pages._ui.stored import the_store

_INDEXING = 0.3  # the share of the progress bar for indexing new papers
_TEMPLATE, _TOPIC = "article-template", "article-topic"
_TITLES = {
    "treatment": "A treatment: effects, harms, for whom",
    "condition": "A condition: who has it, course, treatment",
    "gene": "A gene: structure, function, interactions",
}


class _Writing(PageJob[ArticleRequest, ProjectArticle]):
    key = "writing-article"
    names_questions = False

    def slot(self, session: Session) -> JobSlot[ArticleRequest, ProjectArticle]:
        return session.part(AskChoices).writings

    def about(self, session: Session, request: ArticleRequest) -> str:
        """The topic. The form may hold another one meanwhile, or another project may be open."""
        return f"“{request.topic}”"

    def begin(self, session: Session, request: ArticleRequest) -> Work[ProjectArticle] | None:
        asked = replace(request.asked, reader=session.review.reader_in(request.asked.project))
        return partial(_write, replace(request, asked=asked), the_store(), load_settings(), session.keys)

    def keep(self, session: Session, request: ArticleRequest, result: ProjectArticle) -> None:
        session.part(AskChoices).articles[request.asked.project] = _kept(session, request.asked.project, result)


WRITING = _Writing()


def _write(
    request: ArticleRequest, store: Store, settings: Settings, keys: Keys, job: BackgroundJob[Any]
) -> ProjectArticle:
    job(0.0, "Opening the library")
    template = template_named(request.template)
    of_project, question = papers_asked(request.asked, store, settings)
    unread = indexed(request.asked, store, of_project, lambda done, step: job(done * _INDEXING, step))
    with engine_of(request.asked, keys, job) as engine:
        article = write_article(
            template,
            request.topic,
            of_project.library,
            engine,
            settings=question,
            kept_in=settings.home / "articles",
            progress=lambda done, step: job(_INDEXING + done * (1 - _INDEXING), step),
        )
    return ProjectArticle(article, now_here(), unread)


def _kept(session: Session, project: str, found: ProjectArticle) -> ProjectArticle:
    """Save the article in its project and return it. If saving fails, it stays on the page, which says why."""
    try:
        with the_store().reading() as store:
            who = session.review.reviewer_in(store.project(project).record)
        with the_store().writing(who) as change:
            saved = keep_article(change, project, found.article, found.unread)
    except VouchError as error:
        session.problem = f"The article could not be kept in the project. {error}"
        return found
    return replace(found, written=saved.added.astimezone(), kept=saved.record.id)


def draw(session: Session, project: str) -> None:
    """Draw the form, the progress, the project's last article, and a list of earlier ones. Raises `VouchError`."""
    choices = session.part(AskChoices)
    with the_store().reading() as store:
        earlier = list(reversed(store.articles(project)))
    prime(**{_TEMPLATE: choices.template, _TOPIC: choices.topic})
    keep, busy = partial(_keep, session), choices.writings.busy_with is not None
    with st.expander("Write an article on a topic", expanded=busy or project in choices.articles):
        st.caption(
            "A template asks its questions one by one, each a section, by who answers above and with the settings above. Offline "
            "a section is what papers say in their own words; a model writes it with sources, and an overview from the sections."
        )
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.selectbox("Template", list(TEMPLATES), format_func=_TITLES.__getitem__, key=_TEMPLATE, on_change=keep)
            st.text_input("Topic", key=_TOPIC, placeholder="Metformin in pregnancy", on_change=keep)
            st.button(
                "Write",
                key="article-button",
                disabled=busy,
                help="An article is being written. Cancel it to begin another" if busy else None,
                on_click=_ask,
                args=(session, project),
            )
        with st.container():  # always there, so that what follows keeps its place in the page
            WRITING.show(session)
        here = choices.articles.get(project)
        if here is not None:
            _show(session, project, here)
        for saved in earlier:
            if here is None or saved.record.id != here.kept:
                _show_earlier(session, saved)


def _show_earlier(session: Session, saved: Saved[StoredArticle]) -> None:
    """Draw one line for a saved article, with buttons to open and to delete it."""
    one = saved.record
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            f"**{plain(short(one.title, 100))}**",
            key=f"article-show-{one.id}",
            type="tertiary",
            help="Show this article",
            on_click=_open,
            args=(session, saved),
        )
        st.caption(plain(f"{date_in_words(saved.added)} · {saved.by} · {one.engine}"), width="content")
        with st.popover("", icon=":material/delete:", type="tertiary", help="Delete it"):
            st.markdown("It goes for all reviewers, and cannot be brought back. Statements drawn for grading stay.")
            st.button("Delete", key=f"article-delete-{one.id}", on_click=_delete, args=(session, saved))


def _open(session: Session, saved: Saved[StoredArticle]) -> None:
    session.problem = None
    try:
        with the_store().reading() as store:
            article = kept_article(store, saved.record)
    except VouchError as error:
        session.problem = str(error)
        return
    one = saved.record
    session.part(AskChoices).articles[one.project] = ProjectArticle(
        article, saved.added.astimezone(), one.unread, one.id
    )


def _delete(session: Session, saved: Saved[StoredArticle]) -> None:
    session.problem = None
    try:
        with the_store().writing(session.review.reader_in(saved.record.project) or saved.by) as change:
            delete_article(change, saved)
    except VouchError as error:
        session.problem = str(error)


def _keep(session: Session) -> None:
    choices = session.part(AskChoices)
    choices.template, choices.topic = st.session_state[_TEMPLATE], st.session_state[_TOPIC]


def _ask(session: Session, project: str) -> None:
    choices = session.part(AskChoices)
    if choices.writings.busy_with is not None:  # pressed twice before the page could disable the button
        return
    _keep(session)
    session.problem = None
    topic = " ".join(choices.topic.split())
    try:
        first = template_named(choices.template).sections(topic)[0]
        asked = form.request_of(session, project, form.question_of(session, first.question))
    except VouchError as error:
        session.problem = str(error)
        return
    choices.writings.ask(ArticleRequest(asked, choices.template, topic))


def _show(session: Session, project: str, found: ProjectArticle) -> None:
    article = found.article
    st.subheader(plain(article.title), anchor=False)
    answered = sum(one.answer.answered for one in article.sections)
    st.caption(
        plain(
            f"{article.engine} · {answered} of {counted(len(article.sections), 'section')} answered"
            f" · cost {dollars(article.cost_usd) if article.cost_usd is not None else 'unknown'}"
        )
    )
    for problem in article.problems:
        st.error(plain(problem), icon=":material/error:")
    if found.unread:
        st.caption(f":material/warning: Not searched, as their text is not kept: {plain(', '.join(found.unread[:5]))}")
    overview = article.overview_as_answer
    if overview and overview.statements:
        written.show(session, project, overview, key="overview")
    for place, section in enumerate(article.sections):
        _show_section(session, project, place, section)
    effects = _show_effects(session, project, article.topic)
    with st.popover("Download", icon=":material/download:", key="article-files"), st.container(gap="xsmall"):
        for ending in ARTICLE_FILES:
            download(
                ending.removeprefix("."),
                partial(_content, ending, project, found, effects),
                name=f"article{ending}",
                mime="application/octet-stream",
                about=f"The article as {ending}",
                keeps=False,
            )
    grading.offer(session, project, article)


def _show_section(session: Session, project: str, place: int, section: Section) -> None:
    answer = section.answer
    st.markdown(f"#### {plain(section.heading)}")
    st.caption(plain(answer.question.text))
    if answer.cannot_answer:
        nearest = " The nearest sentences:" if answer.papers else ""
        left = nothing_left(section.heading)
        why = left if left in answer.notes else "These papers do not seem to answer it."
        st.caption(f":material/help: {plain(why)}{nearest}")
    if answer.statements:
        written.show(session, project, answer, key=f"section-{place}")
        return
    for number, one in enumerate(answer.papers):
        st.markdown(f"“{plain(one.sentence)}”")
        st.button(
            plain(short(one.paper.title or one.paper.name, 100)),
            key=f"article-open-{place}-{number}",
            type="tertiary",
            help="Open the paper at this sentence",
            on_click=open_at,
            args=(session, project, one.paper.id, [one.strongest.strongest]),
        )


def _show_effects(session: Session, project: str, topic: str) -> tuple[EffectTable, ...]:
    """Let the reader choose hypotheses, by default those with every word of the topic, and draw a table for each."""
    reader = session.review.reader_in(project)
    with the_store().reading() as store:
        hypotheses = list(store.project(project).record.hypotheses)
        if not hypotheses:
            return ()
        chosen = [
            one
            for one in session.part(AskChoices).effects.get(project, on_topic(hypotheses, topic))
            if one in hypotheses
        ]
        tables = effect_tables(table_rows(store, project, reader=reader), chosen) if chosen else ()
    key = f"article-effects-{project}"
    prime(**{key: chosen})
    st.multiselect(
        "Tables of effects",
        hypotheses,
        key=key,
        format_func=lambda one: short(one, 100),
        on_change=_keep_effects,
        args=(session, project, key),
        help="What the evidence table of the review has on its hypotheses. They go into the files, too",
    )
    for table in tables:
        st.caption(plain(f"{table.hypothesis}: {table.lead}"))
        if table.rows:
            st.dataframe([dict(zip(HEADS, row, strict=True)) for row in table.rows], hide_index=True)
    return tables


def _keep_effects(session: Session, project: str, key: str) -> None:
    session.part(AskChoices).effects[project] = list(st.session_state[key])


def _content(ending: str, project: str, found: ProjectArticle, effects: tuple[EffectTable, ...]) -> bytes:
    standing_checks.before_export(project)
    with the_store().reading() as store:
        notices = {item: one.in_words for item, one in marks(store, project).items()}
    return ARTICLE_FILES[ending](found.article, found.written, notices, effects)
