"""An article on a topic from the papers of a project: its fields, the work, and how it is shown."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from core.answering import Answer, Question
from core.articles import TEMPLATES, Article, Section, template_named, write_article
from core.errors import VouchError
from core.export.article import ARTICLE_FILES
from core.review.marks import marks
from core.settings import Settings, load_settings
from core.store import Store
from pages._ui.ask import form, grading, written
from pages._ui.ask.leaving import open_at
from pages._ui.ask.state import ArticleRequest, ProjectArticle
from pages._ui.ask.work import engine_of, indexed, papers_asked
from pages._ui.downloads import download, now_here
from pages._ui.escape import counted, plain, short
from pages._ui.jobs import BackgroundJob, JobSlot
from pages._ui.model_choice import Keys, dollars
from pages._ui.page_jobs import PageJob, Work
from pages._ui.state import Session, prime
from pages._ui.stored import the_store

_INDEXING = 0.3  # the share of the progress bar that indexing takes, where papers are new
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
        return session.articles

    def begin(self, session: Session, request: ArticleRequest) -> Work[ProjectArticle] | None:
        asked = replace(request.asked, reader=session.review.reviewer or "")
        return partial(_write, replace(request, asked=asked), the_store(), load_settings(), session.keys)

    def keep(self, session: Session, request: ArticleRequest, result: ProjectArticle) -> None:
        session.asking.articles[request.asked.project] = result


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


def draw(session: Session, project: str) -> None:
    """The fields, the work and the last article of a project."""
    prime(**{_TEMPLATE: session.asking.template, _TOPIC: session.asking.topic})
    keep = partial(_keep, session)
    with st.expander("Write an article on a topic", expanded=project in session.asking.articles):
        st.caption(
            "A template asks its questions one by one, each a section, by who answers above and with the settings above. Offline "
            "a section is what papers say in their own words; a model writes it with sources, and an overview from the sections."
        )
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.selectbox("Template", list(TEMPLATES), format_func=_TITLES.__getitem__, key=_TEMPLATE, on_change=keep)
            st.text_input("Topic", key=_TOPIC, placeholder="Metformin in pregnancy", on_change=keep)
            st.button("Write", key="article-button", on_click=_ask, args=(session, project))
        with st.container():  # always there, so that what follows keeps its place in the page
            WRITING.show(session)
        if found := session.asking.articles.get(project):
            _show(session, project, found)


def _keep(session: Session) -> None:
    session.asking.template, session.asking.topic = st.session_state[_TEMPLATE], st.session_state[_TOPIC]


def _ask(session: Session, project: str) -> None:
    _keep(session)
    session.problem = None
    topic = " ".join(session.asking.topic.split())
    try:
        first = template_named(session.asking.template).sections(topic)[0]
        asked = form.request_of(session, project, form.question_of(session, first.question))
    except VouchError as error:
        session.problem = str(error)
        return
    session.articles.ask(ArticleRequest(asked, session.asking.template, topic))


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
    if article.overview and article.overview.statements:
        written.show(session, project, _as_answer(article), key="overview")
    for place, section in enumerate(article.sections):
        _show_section(session, project, place, section)
    with st.popover("Download", icon=":material/download:", key="article-files"), st.container(gap="xsmall"):
        for ending in ARTICLE_FILES:
            download(
                ending.removeprefix("."),
                partial(_content, ending, project, found),
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
        st.caption(f":material/help: These papers do not seem to answer it.{nearest}")
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


def _as_answer(article: Article) -> Answer:
    """The overview as an answer that rests on what its sections rest on."""
    evidence = {one.passage.id: one for section in article.sections for one in section.answer.evidence}
    sources = {one.id: one for section in article.sections for one in section.answer.sources}
    statements = article.overview.statements if article.overview else ()
    return Answer(
        article.engine,
        Question(article.topic),
        (),
        cannot_answer=False,
        evidence=tuple(evidence.values()),
        sources=tuple(sources.values()),
        searched=0,
        statements=statements,
    )


def _content(ending: str, project: str, found: ProjectArticle) -> bytes:
    with the_store().reading() as store:
        notices = {item: one.in_words for item, one in marks(store, project).items()}
    return ARTICLE_FILES[ending](found.article, found.written, notices)
