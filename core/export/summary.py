"""A checked summary as a document: every label with what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from core.export.model_run import run_document
from core.paper import Paper
from core.summary.model import FaithfulnessReport, Flag, Label, Measures, SentenceCheck, Span, Support


def summary_document(
    report: FaithfulnessReport,
    paper: Paper,
    measures: Measures,
    own: Mapping[int, Label] = MappingProxyType({}),
) -> dict[str, Any]:
    """The report for JSON. What is missing is null; a support sentence that is not in the paper has no index.

    `own`: the reviewer's labels by sentence, beside the engine's.
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
        "run": run_document(report.run),
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
    """The words of a text that a span tells; None without a span."""
    return None if span is None else text[span.start : span.end]
