"""Export an answer, or an article of several answers, as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from core.answering.model import Answer
from core.export.answer_view import NO_NOTICES, NO_SOURCE, DocumentShown, answer_shown, in_paragraphs
from core.export.effects import HEADS
from core.export.html_page import render


def answer_page(answer: Answer, *, date: datetime, notices: Mapping[str, str] = NO_NOTICES) -> str:
    """The page of one answer."""
    return document_page(answer_shown(answer, date, notices))


def document_page(view: DocumentShown) -> str:
    """The page: sentences with numbered citations and their quotations, works, evidence, and how it was made."""
    return render(
        "answer",
        view=view,
        overview=in_paragraphs(view.overview),
        evidence=list(view.evidence),
        no_source=NO_SOURCE,
        heads=HEADS,
    )
