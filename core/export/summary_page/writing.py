"""The page's text: the summary with its labels, then each sentence with what it stands on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.export.html_page import render
from core.paper import Paper, cite
from core.summary.agreement import Agreement, Pieces, beside_each_other
from core.summary.model import FaithfulnessReport, Label, Measures, SentenceCheck
from core.summary.score import how_often_right

_FOLDER = Path(__file__).parent
SIGNS = {
    Label.SUPPORTED: "✓",
    Label.CONTRADICTS: "✕",
    Label.NOT_IN_PAPER: "∅",
    Label.CANNOT_TELL: "?",
    Label.NOT_JUDGED: "–",
}

AGREEMENTS = {Agreement.AGREES: "=", Agreement.DIFFERS: "≠", Agreement.NOT_FOUND: "?"}


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the summary, its label as it stands, and the support that is in the paper: (pieces, place)."""

    number: int
    before: str  # what stands between it and the sentence before
    check: SentenceCheck
    label: Label
    words: str  # the label, as people read it
    engine_words: str  # the engine's label
    own: bool  # whether the label is the reviewer's
    said: Pieces
    support: tuple[tuple[Pieces, str], ...]


def summary_page(
    report: FaithfulnessReport, paper: Paper, measures: Measures, own: Mapping[int, Label], *, date: datetime
) -> str:
    """The page as HTML text, complete in itself."""
    claims = _claims(report, paper, own)
    counts = [(SIGNS[label], report.in_words(label), sum(claim.label is label for claim in claims)) for label in Label]
    return render(
        _FOLDER / "page.html",
        _FOLDER / "page.css",
        report=report,
        paper=paper,
        citation=" · ".join(cite(paper)),
        measures=measures,
        claims=claims,
        rest=report.summary[report.sentences[-1].end :] if report.sentences else "",
        counts=[count for count in counts if count[2]],
        signs=SIGNS,
        agreements=AGREEMENTS,
        worth=how_often_right() if report.engine == "offline" else "",
        date=date,
    )


def _claims(report: FaithfulnessReport, paper: Paper, own: Mapping[int, Label]) -> list[Claim]:
    claims, done = [], 0
    for number, (check, label) in enumerate(zip(report.sentences, report.standing(own), strict=True)):
        beside = beside_each_other(check, paper)
        support = tuple((pieces, _place(paper, index)) for index, pieces in beside.nearest)
        before, words = report.summary[done : check.start], report.in_words(label).capitalize()
        engine_words = report.in_words(check.label)
        claims.append(Claim(number + 1, before, check, label, words, engine_words, number in own, beside.said, support))
        done = check.end
    return claims


def _place(paper: Paper, index: int) -> str:
    sentence = paper.sentences[index]
    page = "" if sentence.page is None else f"p. {sentence.page}"
    return ", ".join(filter(None, (paper.section_of(sentence).title, page)))
