"""The paper's own PDF with a reviewer's evidence highlighted in it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from core.errors import DamagedFile
from core.evidence.model import Decision
from core.export.evidence import EvidenceReview, EvidenceRow, rows_of
from core.paper import Paper
from core.paper.pdf.annotate import Highlight, with_highlights
from core.paper.pdf.page_view import sentence_boxes

_AUTHOR = "Vouch"
# Colours as (red, green, blue). Accepted sentences have a stronger colour; the note says the same in words.
_SUGGESTED, _CONFIRMED = (1.0, 0.93, 0.62), (1.0, 0.82, 0.3)
_DECISIONS = {
    None: ("Suggested evidence", "suggested by the engine; the reviewer has not decided"),
    Decision.ACCEPTED: ("Accepted evidence", "accepted by the reviewer"),
    Decision.ADDED: ("Added evidence", "added by the reviewer; the engine did not choose it"),
}


def annotated_pdf(data: bytes, paper: Paper, review: EvidenceReview, *, date: datetime) -> bytes:
    """The PDF `data`, which `paper` was read from, with a highlight and a note for each sentence that is not rejected.

    In a damaged file, a sentence whose position on its page is unknown gets none. Raises `DamagedFile` if that is so
    for all sentences, or if the file cannot be written to; `LockedFile` if the file needs a password; and `ValueError`
    if the review is of another paper.
    """
    rows = [row for row in rows_of(paper, review, None) if row.decision is not Decision.REJECTED]
    boxes = sentence_boxes(data, paper, [row.sentence.index for row in rows])
    if rows and not any(boxes.values()):
        raise DamagedFile(
            f"“{paper.name}” is so damaged that the places of its sentences are not known. Take them as CSV or JSON."
        )
    highlights = (
        Highlight(
            boxes[row.sentence.index],
            colour=_CONFIRMED if row.decision else _SUGGESTED,
            subject=_DECISIONS[row.decision][0],
            note="\n".join(_note(row, review)),
        )
        for row in rows
    )
    return with_highlights(data, highlights, name=paper.name, author=_AUTHOR, date=date)


def _note(row: EvidenceRow, review: EvidenceReview) -> Iterator[str]:
    yield f"Evidence for: {review.evidence.query.hypothesis}"
    yield f"Decision: {_DECISIONS[row.decision][1]}"
    if row.chosen is not None:
        yield f"Engine: {review.evidence.engine}, rank {row.rank}, score {row.chosen.score:.2f}"
        if row.chosen.stance is not None:
            yield f"Stance: {row.chosen.stance}"
        if row.chosen.rationale:
            yield f"Reason: {row.chosen.rationale}"
