"""Export an article: JSON for programs, Markdown, Word and HTML for people, RIS and BibTeX of the works it cites."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from core.articles.model import Article
from core.export.answer import about_lines, answer_document, plain, statement_document, text_lines, work_lines
from core.export.answer_docx import document_docx
from core.export.answer_page import document_page
from core.export.answer_view import NO_NOTICES, DocumentShown, cited_work, dollars, sentences_of, shown
from core.export.bibtex import bibtex
from core.export.effects import HEADS, EffectTable
from core.export.evidence import model_run_document
from core.export.ris import DecidedReference, ris
from core.export.table import displayable, table_markdown

Effects = Sequence[EffectTable]  # the tables of effects below the sections


def article_document(
    article: Article, date: datetime, notices: Mapping[str, str] = NO_NOTICES, effects: Effects = ()
) -> dict[str, Any]:
    """The whole article as JSON: the overview, and each section as an answer of `ask --json` with its heading."""
    overview = article.overview
    papers = {one.passage.id: one.passage.paper for section in article.sections for one in section.answer.evidence}
    return {
        "title": article.title,
        "topic": article.topic,
        "template": article.template,
        "template_hash": article.template_hash,
        "engine": article.engine,
        "date": date.isoformat(),
        "overview": [statement_document(one, papers) for one in overview.statements] if overview else None,
        "overview_run": model_run_document(overview.run) if overview else None,
        "sections": [
            {"heading": one.heading} | answer_document(one.answer, notices=notices) for one in article.sections
        ],
        "effects": [
            {
                "hypothesis": one.hypothesis,
                "papers": one.papers,
                "rows": [dict(zip(HEADS, row, strict=True)) for row in one.rows],
            }
            for one in effects
        ],
        "problems": list(article.problems),
        "cost_usd": article.cost_usd,
    }


def article_shown(
    article: Article, date: datetime, notices: Mapping[str, str] = NO_NOTICES, effects: Effects = ()
) -> DocumentShown:
    """The content of the files for people. Works are numbered through the whole article."""
    numbers: dict[str, int] = {}
    passages = {one.passage.id: one.passage for section in article.sections for one in section.answer.evidence}
    overview = article.overview.statements if article.overview else ()
    first = sentences_of(overview, passages, numbers)
    sections = tuple((one.heading, shown(one.answer, None, notices, numbers)) for one in article.sections)
    papers = {paper.id: paper for one in article.sections for paper in one.answer.sources} | {
        paper.paper.id: paper.paper for one in article.sections for paper in one.answer.papers
    }
    answered = sum(one.answer.answered for one in article.sections)
    searched = max((one.answer.searched for one in article.sections), default=0)
    lead = f"Papers searched: {searched:,}. Sections that they answer: {answered} of {len(article.sections)}."
    return DocumentShown(
        kind="Article from a library of papers",
        title=article.title,
        lead=lead,
        overview=first,
        sections=sections,
        effects=tuple(effects),
        works=tuple(cited_work(number, papers[id], notices) for id, number in numbers.items()),
        made=(
            ("Template", f"{article.template} {article.template_hash}"),
            ("Engine", article.engine),
            ("Date", date.strftime("%Y-%m-%d %H:%M %Z").strip()),
            ("Cost", dollars(article.cost_usd)),
        ),
        notes=(*article.problems, *dict.fromkeys(note for one in article.sections for note in one.answer.notes)),
    )


def article_markdown(
    article: Article, date: datetime, notices: Mapping[str, str] = NO_NOTICES, effects: Effects = ()
) -> str:
    """The article as Markdown. What the sentences rest on is listed below each section."""
    return "\n".join(_lines(article_shown(article, date, notices, effects)))


def _lines(view: DocumentShown) -> Iterator[str]:
    yield from (f"# {plain(view.title)}", "", plain(view.lead), "")
    if view.overview:
        yield from text_lines(view.overview, "###")
    for heading, section in view.sections:
        yield from (f"## {plain(heading)}", "", f"*{plain(section.question)}* {plain(section.lead)}", "")
        yield from text_lines(section.sentences, "###")
    for table in view.effects:
        rows = [dict(zip(HEADS, row, strict=True)) for row in table.rows]
        yield from (f"## Effects: {plain(table.hypothesis)}", "", table.lead, "")
        yield from (table_markdown(HEADS, rows), "")
    yield from work_lines(view.works)
    yield from about_lines(view)


def _cited(article: Article, date: datetime, notices: Mapping[str, str]) -> list[DecidedReference]:
    note = displayable(f"cited in “{article.title}”; engine: {article.engine}")
    works = article_shown(article, date, notices).works
    return [DecidedReference(one.reference, notes=tuple(filter(None, (one.mark, note)))) for one in works]


def _bibtex(article: Article, date: datetime, notices: Mapping[str, str]) -> str:
    return bibtex((one.reference, ". ".join(one.notes)) for one in _cited(article, date, notices))


ARTICLE_FILES: Mapping[str, Callable[[Article, datetime, Mapping[str, str], Effects], bytes]] = {
    ".md": lambda article, date, notices, effects: article_markdown(article, date, notices, effects).encode(),
    ".html": lambda article, date, notices, effects: document_page(
        article_shown(article, date, notices, effects)
    ).encode(),
    ".docx": lambda article, date, notices, effects: document_docx(
        article_shown(article, date, notices, effects), date
    ),
    ".ris": lambda article, date, notices, _: ris(_cited(article, date, notices)).encode(),
    ".bib": lambda article, date, notices, _: _bibtex(article, date, notices).encode(),
    ".json": lambda article, date, notices, effects: json.dumps(
        article_document(article, date, notices, effects), ensure_ascii=False, indent=1
    ).encode(),
}  # by file extension
