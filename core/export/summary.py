"""Export a checked summary as JSON, as a table, and as one HTML file for a co-author."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from core.engines import is_trained
from core.export.evidence import model_run_document
from core.export.html_page import place_in_words, render
from core.export.table import table_csv
from core.paper import Paper, cite
from core.summary.model import FaithfulnessReport, Flag, Label, Measures, SentenceCheck, Span, Support
from core.summary.numbers import NumberAgreement, Pieces, align_numbers
from core.summary.score import how_often_right

# ---- JSON: every label with what it rests on ----


def summary_document(
    report: FaithfulnessReport,
    paper: Paper,
    measures: Measures,
    own: Mapping[int, Label] = MappingProxyType({}),
) -> dict[str, Any]:
    """The report as JSON. Missing values are null; a support sentence that is not in the paper has no index.

    `own` holds the reviewer's labels by sentence, which are added to the engine's.
    """
    return {
        "title": paper.title,
        "engine": report.engine,
        "source": report.source,
        "summary": report.summary,
        "faithful": report.faithful,
        "threshold": report.threshold,
        "sentences": [
            _sentence(sentence, paper) | {"own": own.get(number)} for number, sentence in enumerate(report.sentences)
        ],
        "readability": asdict(measures.readability) if measures.readability else None,
        "novelty": {f"{n}-grams": share for n, share in enumerate(measures.novelty, 1)},
        "notes": list(report.notes),
        "run": model_run_document(report.run),
        "seconds": round(report.seconds, 4),
        "cost_usd": report.cost_usd,
    }


def _sentence(sentence: SentenceCheck, paper: Paper) -> dict[str, Any]:
    return {
        "text": sentence.text,
        "start": sentence.start,
        "end": sentence.end,
        "label": sentence.label,
        "score": sentence.score,
        "part": words_at(sentence.part, sentence.text),
        "reason": sentence.reason,
        "support": [_support(support, paper) for support in sentence.support],
        "flags": [_flag(flag, sentence, paper) for flag in sentence.flags],
    }


def _support(support: Support, paper: Paper) -> dict[str, Any]:
    sentence = None if support.index is None else paper.sentences[support.index]
    return {
        "index": support.index,
        "text": sentence and sentence.text,
        "section": sentence and paper.section_of(sentence).title,
        "status": support.status,
        "score": support.score,
        "quoted": support.quoted,
    }


def _flag(flag: Flag, sentence: SentenceCheck, paper: Paper) -> dict[str, Any]:
    against = "" if flag.index is None else paper.sentences[flag.index].text
    return {
        "check": flag.check,
        "label": flag.label,
        "reason": flag.reason,
        "part": words_at(flag.span, sentence.text),
        "index": flag.index,
        "paper_part": words_at(flag.paper_span, against),
    }


def words_at(span: Span | None, text: str) -> str | None:
    """The words of a text in a span; None without a span."""
    return None if span is None else text[span.start : span.end]


# ---- CSV: a line for each sentence ----

_COLUMNS = (
    *("paper_id", "paper_title", "date", "engine", "source", "sentence", "text", "label", "score"),
    *("own_label", "part", "reason", "flags", "support", "support_sentences", "not_in_paper"),
)


def summary_csv(report: FaithfulnessReport, paper: Paper, own: Mapping[int, Label], *, date: datetime) -> str:
    """One line per sentence. `sentence` counts from 0; `own_label` is empty if the reviewer kept the engine's label."""
    return table_csv(_COLUMNS, _rows(report, paper, own, date))


def _rows(
    report: FaithfulnessReport, paper: Paper, own: Mapping[int, Label], date: datetime
) -> Iterator[dict[str, Any]]:
    for number, sentence in enumerate(report.sentences):
        found = [support.index for support in sentence.support if support.index is not None]
        yield {
            "paper_id": paper.id,
            "paper_title": paper.title,
            "date": date.isoformat(),
            "engine": report.engine,
            "source": report.source,
            "sentence": number,
            "text": sentence.text,
            "label": sentence.label,
            "score": sentence.score,
            "own_label": own.get(number),
            "part": words_at(sentence.part, sentence.text),
            "reason": sentence.reason,
            "flags": "\n".join(flag.reason for flag in sentence.flags),
            "support": " ".join(map(str, found)),
            "support_sentences": "\n".join(paper.sentences[index].text for index in found),
            "not_in_paper": "\n".join(each.quoted or "" for each in sentence.support if each.index is None),
        }


# ---- The page: the summary with its labels, then each sentence with its support ----

SIGNS = {
    Label.SUPPORTED: "✓",
    Label.CONTRADICTS: "✕",
    Label.NOT_IN_PAPER: "∅",
    Label.CANNOT_TELL: "?",
    Label.NOT_JUDGED: "–",
}

AGREEMENTS = {NumberAgreement.AGREES: "=", NumberAgreement.DIFFERS: "≠", NumberAgreement.NOT_FOUND: "?"}


@dataclass(frozen=True, slots=True)
class ClaimInView:
    """A sentence of the summary, its current label, and its support in the paper as (pieces, place)."""

    number: int
    before: str  # the text between it and the sentence before
    check: SentenceCheck
    label: Label
    words: str  # the label, as text for people
    engine_words: str  # the engine's label, likewise
    own: bool  # whether the label is the reviewer's
    said: Pieces
    support: tuple[tuple[Pieces, str], ...]


def summary_page(
    report: FaithfulnessReport, paper: Paper, measures: Measures, own: Mapping[int, Label], *, date: datetime
) -> str:
    """The self-contained page."""
    claims = _claims(report, paper, own)
    counts = [(SIGNS[label], report.in_words(label), sum(claim.label is label for claim in claims)) for label in Label]
    return render(
        "summary",
        report=report,
        paper=paper,
        citation=" · ".join(cite(paper)),
        measures=measures,
        claims=claims,
        rest=report.summary[report.sentences[-1].end :] if report.sentences else "",
        counts=[count for count in counts if count[2]],
        signs=SIGNS,
        agreements=AGREEMENTS,
        worth=how_often_right() if is_trained(report.engine) else "",
        date=date,
    )


def _claims(report: FaithfulnessReport, paper: Paper, own: Mapping[int, Label]) -> list[ClaimInView]:
    claims, done = [], 0
    for number, (check, label) in enumerate(zip(report.sentences, report.standing(own), strict=True)):
        beside = align_numbers(check, paper)
        support = tuple((pieces, place_in_words(paper, index)) for index, pieces in beside.nearest)
        before, words = report.summary[done : check.start], report.in_words(label).capitalize()
        engine_words = report.in_words(check.label)
        claims.append(
            ClaimInView(number + 1, before, check, label, words, engine_words, number in own, beside.said, support)
        )
        done = check.end
    return claims
