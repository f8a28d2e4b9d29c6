"""An answer as one HTML file, complete in itself."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from core.answering.model import Answer
from core.export.answer_view import NO_NOTICES, NO_SOURCE, shown
from core.export.html_page import render


def answer_page(answer: Answer, *, date: datetime, notices: Mapping[str, str] = NO_NOTICES) -> str:
    """The page: sentences with numbered citations, what each rests on, works, evidence and how it was made."""
    return render("answer", view=shown(answer, date, notices), written=bool(answer.statements), no_source=NO_SOURCE)
