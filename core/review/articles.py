"""Articles in a project. Sections and overview are kept as answers; a record lists which answers form the article."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from core.answering.model import Answer
from core.articles.model import Article, Overview, Section
from core.store import Saved, StoreReader, StoreWriter
from core.store.article_model import StoredArticle
from core.text.words import content_words


def keep_article(
    change: StoreWriter, project: str, article: Article, unread: tuple[str, ...] = ()
) -> Saved[StoredArticle]:
    """Keep an article that the writer has just got. Raises `StoreError`."""
    sections = tuple((one.heading, change.answers.keep(project, one.answer).id) for one in article.sections)
    overview = article.overview_as_answer
    return change.save(
        StoredArticle(
            project,
            uuid4().hex,
            article.title,
            article.topic,
            article.template,
            article.template_hash,
            article.engine,
            sections,
            None if overview is None else change.answers.keep(project, overview).id,
            unread,
        )
    )


def kept_article(now: StoreReader, kept: StoredArticle) -> Article:
    """An article as it was given. Raises `NotStored`, or `AnswerError` if a part of it is damaged."""

    def answer(id: str) -> Answer:
        return now.answers.one(kept.project, id).answer

    overview = answer(kept.overview) if kept.overview else None
    return Article(
        kept.title,
        kept.topic,
        kept.template,
        kept.template_hash,
        kept.engine,
        tuple(Section(heading, answer(id)) for heading, id in kept.sections),
        None if overview is None else Overview(overview.statements, overview.run, overview.problem),
    )


def delete_article(change: StoreWriter, saved: Saved[StoredArticle]) -> None:
    """Delete an article, and its answers for good. Raises `StoreError`."""
    change.remove(saved)
    there = {one.id for one in change.answers.listed(saved.record.project)}
    for id in saved.record.answers:
        if id in there:
            change.answers.remove(saved.record.project, id)


def on_topic(hypotheses: Sequence[str], topic: str) -> list[str]:
    """The hypotheses that contain every content word of a topic."""
    wanted = set(content_words(topic))
    return [one for one in hypotheses if wanted and wanted <= set(content_words(one))]
