"""An answer as one HTML file, complete in itself."""

from __future__ import annotations

from datetime import datetime

from core.answering.model import Answer
from core.export.answer_view import NO_SOURCE, shown
from core.export.html_page import render


def answer_page(answer: Answer, *, date: datetime) -> str:
    """The page: sentences with numbered citations, what each rests on, works, evidence and how it was made."""
    return render("answer", view=shown(answer, date), written=bool(answer.statements), no_source=NO_SOURCE)
