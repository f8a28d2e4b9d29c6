"""An answer from a library as a file: JSON for programs."""

from __future__ import annotations

from typing import Any

from core.answering.model import Answer, Gathered, PaperAnswer


def answer_document(answer: Answer) -> dict[str, Any]:
    """The JSON document of `ask --json`. Every text of a paper in it is the paper's own."""
    titles = {paper.id: paper.title for paper in answer.sources}
    return {
        "question": answer.question.text,
        "engine": answer.engine,
        "searched": answer.searched,
        "cannot_answer": answer.cannot_answer,
        "answer": [] if answer.cannot_answer else [_quotation(one) for one in answer.papers],
        "evidence": [_passage(one, titles.get(one.passage.paper)) for one in answer.evidence],
        "papers": [_paper(one) for one in answer.papers],
        "seconds": round(answer.seconds, 4),
        "cost_usd": answer.cost_usd,
    }


def _quotation(one: PaperAnswer) -> dict[str, Any]:
    citation = {
        "paper": one.paper.id,
        "passage": one.strongest.passage.id,
        "sentences": [one.strongest.strongest],
        "status": "quoted",
    }
    return {"text": one.sentence, "citations": [citation]}


def _passage(one: Gathered, title: str | None) -> dict[str, Any]:
    passage = one.passage
    return {
        "paper": passage.paper,
        "title": title,
        "section": passage.section,
        "page": passage.page,
        "first": passage.first,
        "last": passage.last,
        "score": round(one.score, 4),
        "strongest": one.strongest,
        "text": passage.text,
    }


def _paper(one: PaperAnswer) -> dict[str, Any]:
    return {
        "paper": one.paper.id,
        "file": one.paper.name,
        "title": one.paper.title,
        "year": one.paper.year,
        "doi": one.paper.doi,
        "reports": one.reports,
        "verdict": one.told.value if one.told else None,
        "probability": one.probability if one.told else None,
    }
