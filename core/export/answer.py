"""Export an answer from a library: JSON for programs, Markdown for people, RIS and BibTeX of the works it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from core.answering.model import Answer, Gathered, PaperAnswer, Statement, TrailStep
from core.export.answer_view import (
    NO_NOTICES,
    NO_SOURCE,
    CitationShown,
    CitedWorkShown,
    DocumentShown,
    SentenceShown,
    answer_shown,
    cited_references,
    in_paragraphs,
    made_in_one_line,
)
from core.export.bibtex import bibtex
from core.export.evidence import model_run_document
from core.export.ris import DecidedReference, ris
from core.export.table import displayable

# ---- JSON ----


def answer_document(
    answer: Answer, *, date: datetime | None = None, notices: Mapping[str, str] = NO_NOTICES
) -> dict[str, Any]:
    """The JSON document of `ask --json`. Texts of papers are quoted verbatim.

    `notices`: what services say about retracted or corrected papers, by paper.

    The field `answer` holds the sentences that a model wrote; without a model, one quoted sentence per paper.
    """
    titles = {paper.id: paper.title for paper in answer.sources}
    return {
        "question": answer.question.text,
        "papers_asked": answer.question.limits or None,
        "engine": answer.engine,
        "date": date.isoformat() if date else None,
        "searched": answer.searched,
        "cannot_answer": answer.cannot_answer,
        "problem": answer.problem,
        "answer": _sentences(answer),
        "option": None if answer.option is None else answer.question.options[answer.option],
        "evidence": [_passage(one, titles.get(one.passage.paper), notices) for one in answer.evidence],
        "papers": [_paper(one, notices) for one in answer.papers],
        "steps": [_step(one) for one in answer.steps],
        "notes": list(answer.notes),
        "run": model_run_document(answer.run),
        "seconds": round(answer.seconds, 4),
        "cost_usd": answer.cost_usd,
    }


def _sentences(answer: Answer) -> list[dict[str, Any]]:
    if answer.statements:
        papers = {one.passage.id: one.passage.paper for one in answer.evidence}
        return [statement_document(one, papers) for one in answer.statements]
    return [_quotation(one) for one in answer.papers] if answer.answered else []


def statement_document(one: Statement, papers: Mapping[str, str]) -> dict[str, Any]:
    """A written sentence; `papers` maps the ids of passages to those of their papers."""
    citations = [
        {
            "paper": papers[each.passage],
            "passage": each.passage,
            "sentences": list(each.sentences),
            "status": each.status.value,
        }
        for each in one.citations
    ]
    return {"text": one.text, "citations": citations, "begins_paragraph": one.begins_paragraph}


def _quotation(one: PaperAnswer) -> dict[str, Any]:
    citation = {
        "paper": one.paper.id,
        "passage": one.strongest.passage.id,
        "sentences": [one.strongest.strongest],
        "status": "quoted",
    }
    return {"text": one.sentence, "citations": [citation]}


def _passage(one: Gathered, title: str | None, notices: Mapping[str, str]) -> dict[str, Any]:
    passage = one.passage
    return {
        "paper": passage.paper,
        "passage": passage.id,
        "title": title,
        "notice": notices.get(passage.paper),
        "section": passage.section,
        "page": passage.page,
        "first": passage.first,
        "last": passage.last,
        "score": round(one.score, 4),
        "strongest": one.strongest,
        "text": passage.text,
        "summary": one.summary,
        "fields": dict(one.fields),
    }


def _paper(one: PaperAnswer, notices: Mapping[str, str]) -> dict[str, Any]:
    return {
        "paper": one.paper.id,
        "file": one.paper.name,
        "title": one.paper.title,
        "year": one.paper.year,
        "doi": one.paper.doi,
        "designs": list(one.paper.designs),
        "retracted": one.paper.retracted,
        "notice": notices.get(one.paper.id),
        "cited": one.paper.cited,
        "reports": one.reports,
        "verdict": one.told.value if one.told else None,
        "probability": one.probability if one.told else None,
    }


def _step(one: TrailStep) -> dict[str, Any]:
    return {
        "action": one.action.value,
        "words": one.words,
        "came": one.came,
        "details": list(one.details),
        "reason": one.reason,
        "seconds": round(one.seconds, 4),
        "cost_usd": one.cost_usd,
    }


# ---- Markdown ----

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>#|~!&$@])")
_BEGINS_SOMETHING = re.compile(r"^(?:[-+=:]|\d+(?=[.)](?:\s|$)))")  # a list, a rule, or the underline of a heading


def answer_markdown(answer: Answer, *, date: datetime | None = None, notices: Mapping[str, str] = NO_NOTICES) -> str:
    """The answer as Markdown: sentences with numbered citations and their quotations, the works cited, all evidence."""
    view = answer_shown(answer, date, notices)
    parts = [
        [f"# {plain(view.title)}", "", plain(view.lead), ""],
        *(text_lines(section.sentences) for _, section in view.sections),
        work_lines(view.works),
        _evidence(view),
        about_lines(view),
    ]
    return "\n".join(line for part in parts for line in part)


def text_lines(sentences: Sequence[SentenceShown], heading: str = "##") -> Iterator[str]:
    """Quotations, or written sentences by paragraph followed by what each rests on, under a heading of this level."""
    written = [one for one in sentences if not one.quoted]
    for one in (one for one in sentences if one.quoted):
        [citation] = one.citations
        told = f" **{one.told}**" if one.told else ""
        yield from (
            f"> {plain(one.text)}",
            "",
            f"[{citation.number}] {plain(citation.where + citation.words)}.{told}",
            "",
        )
    if not written:
        return
    for paragraph in in_paragraphs(written):
        yield from (" ".join(map(_with_numbers, paragraph)), "")
    yield from (f"{heading} What each sentence rests on", "")
    for number, one in enumerate(written, 1):
        yield f"{number}. {plain(one.text)}"
        if not one.citations:
            yield f"   - **{NO_SOURCE}**"
        yield from map(_citation, one.citations)
    yield ""


def _with_numbers(one: SentenceShown) -> str:
    if not one.citations:
        return f"{plain(one.text)} **[{NO_SOURCE}]**"
    doubts = dict.fromkeys((each.number, each.words if each.doubtful else "") for each in one.citations)
    return " ".join([plain(one.text), *(f"[{number}{f': {words}' * bool(words)}]" for number, words in doubts)])


def _citation(one: CitationShown) -> str:
    words = f"**{one.words}**" if one.doubtful else one.words
    where = f"{plain(one.place)}: " if one.place else ""
    quotes = " … ".join(f"“{plain(quote)}”" for quote in one.quotes)
    return f"   - [{one.number}] {where}{words}. {quotes}".rstrip()


def work_lines(works: Sequence[CitedWorkShown]) -> Iterator[str]:
    """The lines of the works cited."""
    if works:
        yield from ("## Works cited", "")
        yield from (f"{work.number}. {plain(work.line)}" for work in works)
        yield ""


def _evidence(view: DocumentShown) -> Iterator[str]:
    evidence = list(view.evidence)
    if not evidence:
        return
    yield from ("## Evidence gathered", "")
    for one in evidence:
        number = f"[{one.number}] " if one.number else ""
        where = ", ".join(filter(None, (plain(one.title), plain(one.place), f"score {one.one.score:.2f}")))
        yield f"- {number}{where}: “{plain(one.one.passage.text)}”"
        if one.one.summary:
            yield f"  - In a model's words: {plain(one.one.summary)}"
        yield from (f"  - {plain(name)}: {plain(value)}" for name, value in one.one.fields)
    yield ""


def about_lines(view: DocumentShown) -> Iterator[str]:
    """The lines on how it was made."""
    yield from ("## How it was made", "")
    yield from (f"- {name}: {plain(value)}" for name, value in view.made)
    yield from (f"- Note: {plain(note)}" for note in view.notes)
    yield from (f"- Step {number}: {plain(step)}" for number, step in enumerate(view.steps, 1))
    yield ""


def plain(text: str) -> str:
    """A text of a paper or a model on one line, escaped for Markdown."""
    escaped = _ACTIVE.sub(r"\\\1", " ".join(displayable(text).split()))
    begins = _BEGINS_SOMETHING.match(escaped)
    if not begins:
        return escaped
    return f"\\{escaped}" if not begins[0].isdigit() else f"{begins[0]}\\{escaped[begins.end() :]}"


# ---- Reference managers ----


def answer_ris(answer: Answer, *, date: datetime, notices: Mapping[str, str] = NO_NOTICES) -> str:
    """The works that the answer cites or quotes, each with its mark and a note on how the answer was made."""
    note = displayable(f"cited in an answer to “{answer.question.text}”; {made_in_one_line(answer, date)}")
    cited = cited_references(answer, notices)
    return ris(DecidedReference(reference, notes=tuple(filter(None, (mark, note)))) for reference, mark in cited)


def answer_bibtex(answer: Answer, *, date: datetime, notices: Mapping[str, str] = NO_NOTICES) -> str:
    """The same for BibTeX; mark and note are in `annote`, which no usual style prints."""
    note = f"Cited in an answer to “{answer.question.text}”; {made_in_one_line(answer, date)}"
    cited = cited_references(answer, notices)
    return bibtex((reference, f"{mark}. {note}" if mark else note) for reference, mark in cited)
