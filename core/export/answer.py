"""An answer from a library as a file: JSON for programs, Markdown for people."""

from __future__ import annotations

import re
from typing import Any

from core.answering.model import Answer, Gathered, PaperAnswer
from core.paper import cite_authors


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


_ACTIVE = re.compile(r"([\\`*_{}\[\]<>#|~!])")


def answer_markdown(answer: Answer) -> str:
    """The answer as Markdown: each paper's sentence with its citation, place and direction."""
    lines = [f"# {_plain(answer.question.text)}", ""]
    if answer.cannot_answer:
        lines += ["These papers do not seem to answer it. The nearest sentences:", ""]
    else:
        disagree = " They do not agree." if answer.disagree else ""
        lines += [
            f"Papers searched: {answer.searched}. Papers that seem to report on it: {len(answer.papers)}.{disagree}",
            "",
        ]
    for one in answer.papers:
        paper, passage = one.paper, one.strongest.passage
        published = " ".join(filter(None, (paper.journal, str(paper.year or ""))))
        doi = f"doi:{paper.doi}" if paper.doi else ""
        page = f"page {passage.page}" if passage.page else ""
        cited = (cite_authors(paper.authors), paper.title or paper.name, published, doi, passage.section, page)
        told = f" **{one.told.value}** ({one.probability:.2f})." if one.told and one.probability else ""
        lines += [
            f"> {_plain(one.sentence)}",
            "",
            _plain(". ".join(filter(None, cited))) + "." + told * (not answer.cannot_answer),
            "",
        ]
    return "\n".join(lines)


def _plain(text: str) -> str:
    """A text of a paper on one line, without meaning for Markdown."""
    return _ACTIVE.sub(r"\\\1", " ".join(text.split()))


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
