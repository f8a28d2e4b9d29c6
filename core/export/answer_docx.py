"""Export an answer, or an article of several answers, as a Word document."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from core.answering.model import Answer
from core.export.answer_view import NO_NOTICES, NO_SOURCE, DocumentShown, SentenceShown, answer_shown, in_paragraphs
from core.export.effects import HEADS, EffectTable
from core.export.table import displayable

if TYPE_CHECKING:
    from docx.document import Document as Word
    from docx.text.paragraph import Paragraph

_LONGEST_PROPERTY = 255  # characters; Word allows no more
_QUOTE = "Intense Quote"


def answer_docx(answer: Answer, *, date: datetime, notices: Mapping[str, str] = NO_NOTICES) -> bytes:
    """The document of one answer."""
    return document_docx(answer_shown(answer, date, notices), date)


def document_docx(view: DocumentShown, date: datetime) -> bytes:
    """The document: the same content as the HTML page, with Word's own styles for headings and lists."""
    from docx import Document  # a second to load, and few need it  # noqa: PLC0415

    word = Document()
    properties = word.core_properties
    properties.title, properties.author = _line(view.title)[:_LONGEST_PROPERTY], "Vouch"
    properties.comments = ""
    properties.created = properties.modified = date.astimezone(UTC).replace(tzinfo=None) if date.tzinfo else date
    word.add_heading(_line(view.title), level=1)
    word.add_paragraph(_line(view.lead))
    if view.overview:
        _add_written(word, view.overview, level=3)
    for heading, section in view.sections:
        if heading:
            word.add_heading(_line(heading), level=2)
            word.add_paragraph(f"{_line(section.question)} {_line(section.lead)}")
        if section.written:
            _add_written(word, section.sentences, level=3 if heading else 2)
        else:
            _add_quotations(word, section.sentences)
    for table in view.effects:
        _add_effects(word, table)
    if view.works:
        word.add_heading("Works cited", level=2)
        for work in view.works:  # numbered by hand, because Word's own numbers could differ from those in the text
            word.add_paragraph(f"[{work.number}] {_line(work.line)}")
    _add_evidence(word, view)
    word.add_heading("How it was made", level=2)
    for name, value in (*view.made, *(("Note", note) for note in view.notes)):
        _add_labelled(word, name, value)
    for number, step in enumerate(view.steps, 1):
        _add_labelled(word, f"Step {number}", step)
    buffer = io.BytesIO()
    word.save(buffer)
    return buffer.getvalue()


def _add_effects(word: Word, table: EffectTable) -> None:
    word.add_heading(f"Effects: {_line(table.hypothesis)}", level=2)
    word.add_paragraph(table.lead)
    if table.rows:
        grid = word.add_table(rows=0, cols=len(HEADS), style="Table Grid")
        for row in (HEADS, *table.rows):
            for cell, text in zip(grid.add_row().cells, row, strict=True):
                cell.text = _line(text)


def _add_quotations(word: Word, sentences: Sequence[SentenceShown]) -> None:
    for one in sentences:
        word.add_paragraph(_line(one.text), style=_QUOTE)
        [citation] = one.citations
        told = f" {one.told}" if one.told else ""
        word.add_paragraph(f"[{citation.number}] {_line(citation.where + citation.words)}.{told}")


def _add_written(word: Word, sentences: Sequence[SentenceShown], *, level: int) -> None:
    for together in in_paragraphs(sentences):
        paragraph = word.add_paragraph()
        for one in together:
            paragraph.add_run(f"{_line(one.text)} ")
            _add_marks(paragraph, one)
    word.add_heading("What each sentence rests on", level=level)
    for number, one in enumerate(sentences, 1):
        word.add_paragraph(f"{number}. {_line(one.text)}")
        if not one.citations:
            word.add_paragraph(style="List Bullet").add_run(NO_SOURCE).bold = True
        for each in one.citations:
            paragraph = word.add_paragraph(
                f"[{each.number}] {_line(each.where)} ".replace("]  ", "] "), style="List Bullet"
            )
            paragraph.add_run(each.words).bold = each.doubtful
            quotes = " … ".join(f"“{_line(quote)}”" for quote in each.quotes)
            paragraph.add_run(f". {quotes}" if quotes else ".")


def _add_marks(paragraph: Paragraph, one: SentenceShown) -> None:
    if not one.citations:
        paragraph.add_run(f"[{NO_SOURCE}] ").bold = True
    for each in one.citations:
        words = f": {each.words}" if each.doubtful else ""
        paragraph.add_run(f"[{each.number}{words}] ").bold = each.doubtful


def _add_evidence(word: Word, view: DocumentShown) -> None:
    evidence = list(view.evidence)
    if not evidence:
        return
    word.add_heading("Evidence gathered", level=2)
    for each in evidence:
        number = f"[{each.number}] " if each.number else ""
        where = ", ".join(filter(None, (_line(each.title), _line(each.place), f"score {each.one.score:.2f}")))
        word.add_paragraph(f"{number}{where}")
        word.add_paragraph(_line(each.one.passage.text), style=_QUOTE)
        if each.one.summary:
            _add_labelled(word, "In a model's words", each.one.summary)
        for name, value in each.one.fields:
            _add_labelled(word, name, value)


def _add_labelled(word: Word, name: str, value: str) -> None:
    paragraph = word.add_paragraph()
    paragraph.add_run(f"{_line(name)}: ").bold = True
    paragraph.add_run(_line(value))


def _line(text: str) -> str:
    """A text on one line, without characters that are invalid in XML or that would reorder the text around them."""
    return " ".join(displayable(text).split())
