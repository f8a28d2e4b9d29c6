"""The file formats of an answer from a library, by file extension."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from core.answering.model import Answer
from core.export.answer import answer_bibtex, answer_document, answer_markdown, answer_ris
from core.export.answer_docx import answer_docx
from core.export.answer_page import answer_page


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """A file format."""

    name: str  # for people
    mime: str
    about: str
    content: Callable[
        [Answer, datetime, Mapping[str, str]], bytes
    ]  # from the answer, the date of the export, and the notices on papers


def _json(answer: Answer, date: datetime, notices: Mapping[str, str]) -> bytes:
    return json.dumps(answer_document(answer, date=date, notices=notices), ensure_ascii=False, indent=1).encode()


ANSWER_FILES: Mapping[str, AnswerFile] = {
    ".docx": AnswerFile(
        "Word",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "The answer with its sources, all passages gathered, and how it was made",
        lambda answer, date, notices: answer_docx(answer, date=date, notices=notices),
    ),
    ".html": AnswerFile(
        "HTML",
        "text/html",
        "The same as one page, complete in itself",
        lambda answer, date, notices: answer_page(answer, date=date, notices=notices).encode(),
    ),
    ".md": AnswerFile(
        "Markdown",
        "text/markdown",
        "The same as text with marks",
        lambda answer, date, notices: answer_markdown(answer, date=date, notices=notices).encode(),
    ),
    ".ris": AnswerFile(
        "RIS",
        "application/x-research-info-systems",
        "The works cited, for a reference manager",
        lambda answer, date, notices: answer_ris(answer, date=date, notices=notices).encode(),
    ),
    ".bib": AnswerFile(
        "BibTeX",
        "application/x-bibtex",
        "The works cited, for LaTeX",
        lambda answer, date, notices: answer_bibtex(answer, date=date, notices=notices).encode(),
    ),
    ".json": AnswerFile("JSON", "application/json", "All of it, for programs", _json),
}
