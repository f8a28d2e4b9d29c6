"""A reviewer's assessment of a paper as CSV for spreadsheets and as JSON for programs and for coming back to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from core import __version__
from core.bias.assessment import Assessment, Suggestion
from core.bias.model import Domain, StudyContext
from core.export.assessment_file import DomainFile, SentenceFile, StudyFile, SuggestionFile, SupportFile
from core.export.evidence import paper_document
from core.export.table import table_csv
from core.paper import Paper

_COLUMNS = (
    *("tool", "domain", "domain_name", "level", "answers", "comment", "suggested_level", "suggested_reason", "engine"),
    *("sentence", "text", "section", "page", "decision", "suggested", "overall", "paper_title", "file", "paper_id"),
    *("date", "vouch_version"),
)


def assessment_csv(paper: Paper, assessment: Assessment, *, date: datetime) -> str:
    """A line for each sentence of each domain, and one for a domain without any. No level is an empty cell."""
    rows = (
        _domain_columns(domain, assessment)
        | sentence
        | {
            "tool": assessment.tool.name,
            "overall": assessment.overall,
            "paper_title": paper.title,
            "file": paper.name,
            "paper_id": paper.id,
            "date": date.isoformat(),
            "vouch_version": __version__,
        }
        for domain in assessment.tool.domains
        for sentence in _sentence_columns(paper, domain, assessment)
    )
    return table_csv(_COLUMNS, rows)


def _domain_columns(domain: Domain, assessment: Assessment) -> dict[str, Any]:
    own, suggestion = assessment.of(domain), assessment.suggestions.get(domain.id)
    applicable = {question.id for question in domain.applicable(own.answers)}
    return {
        "domain": domain.id,
        "domain_name": domain.name,
        "level": own.level_in(domain),
        "answers": "; ".join(f"{id}: {answer}" for id, answer in sorted(own.answers.items()) if id in applicable),
        "comment": own.comment,
        "suggested_level": suggestion and suggestion.judgement.level,
        "suggested_reason": suggestion and suggestion.judgement.rationale,
        "engine": suggestion and suggestion.engine,
    }


def _sentence_columns(paper: Paper, domain: Domain, assessment: Assessment) -> Iterator[dict[str, Any]]:
    own, suggestion = assessment.of(domain), assessment.suggestions.get(domain.id)
    suggested = [support.index for support in suggestion.judgement.support] if suggestion else []
    indices = [*suggested, *sorted(own.decisions.keys() - set(suggested))]
    for index in indices:
        sentence = paper.sentences[index]
        yield {
            "sentence": index,
            "text": sentence.text,
            "section": paper.section_of(sentence).title,
            "page": sentence.page,
            "decision": own.decisions.get(index, "undecided"),
            "suggested": "yes" if index in suggested else "no",
        }
    if not indices:
        yield dict.fromkeys(("sentence", "text", "section", "page", "decision", "suggested"))


def assessment_json(paper: Paper, assessment: Assessment, study: StudyContext, *, date: datetime) -> str:
    """Everything as one JSON document. What `read_assessment` reads is under `domains`, `study` and `raised`."""
    document = {
        "vouch_version": __version__,
        "date": date.isoformat(),
        "paper": paper_document(paper),
        "tool": assessment.tool.id,
        "study": StudyFile.model_validate(study).model_dump(),
        "overall": assessment.overall,
        "raised": assessment.raised,
        "domains": [_domain_document(paper, domain, assessment) for domain in assessment.tool.domains],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _domain_document(paper: Paper, domain: Domain, assessment: Assessment) -> dict[str, Any]:
    own, suggestion = assessment.of(domain), assessment.suggestions.get(domain.id)
    file = DomainFile(
        domain=domain.id,
        answers=dict(own.answers),
        set_level=own.level,
        comment=own.comment,
        sentences=[
            SentenceFile(sentence=index, decision=decision, text=paper.sentences[index].text)
            for index, decision in own.decisions.items()
        ],
        suggestion=_suggestion_file(paper, suggestion) if suggestion else None,
    )
    return {"name": domain.name, "level": own.level_in(domain)} | _with_places(paper, file.model_dump(mode="json"))


def _with_places(paper: Paper, document: dict[str, Any]) -> dict[str, Any]:
    """The same with the section and page of every sentence."""
    for listed in (document["sentences"], (document["suggestion"] or {}).get("support", ())):
        for entry in listed:
            sentence = paper.sentences[entry["sentence"]]
            entry |= {"section": paper.section_of(sentence).title, "page": sentence.page}
    return document


def _suggestion_file(paper: Paper, suggestion: Suggestion) -> SuggestionFile:
    judgement = suggestion.judgement
    return SuggestionFile(
        engine=suggestion.engine,
        level=judgement.level,
        rationale=judgement.rationale,
        answers=dict(judgement.answers),
        support=[
            SupportFile(
                sentence=one.index,
                text=paper.sentences[one.index].text,
                score=one.score,
                reason=one.reason,
                match=one.match,
            )
            for one in judgement.support
        ],
        deciding_words=list(judgement.deciding_words),
        searched=list(judgement.searched),
        rejected=list(judgement.rejected),
        not_in_paper=list(judgement.not_in_paper),
    )
