"""Export an assessment as CSV and JSON, and read it back from JSON, with every value checked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt

from core import __version__
from core.bias.assessment import Assessment, OwnJudgement, Suggestion
from core.bias.model import (
    LONGEST_OUTCOME,
    OVERALL,
    RAISED_BECAUSE,
    Answer,
    Domain,
    Judgement,
    Level,
    StudyContext,
    Support,
    Tool,
)
from core.bias.own import OwnTool, own_tool_document, read_own_tool
from core.engines import asks_model
from core.errors import AssessmentError
from core.evidence.model import Decision
from core.export.evidence import paper_document
from core.export.table import table_csv
from core.grounding.model import Match
from core.paper import Paper
from core.untrusted_json import holds_more, parsed

# ---- The parts of the file that are checked when it is read back; its other fields are for people ----

_MOST = 100_000  # values in a file; a file that Vouch writes for a long paper has thousands


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", from_attributes=True)


class StudyFile(_Part):
    objective: str = ""
    population: str = ""
    intervention: str = ""
    comparator: str = ""
    outcome: str = ""
    confounders: str = ""


class SentenceFile(_Part):
    sentence: NonNegativeInt
    decision: Decision
    text: str


class SupportFile(_Part):
    sentence: NonNegativeInt
    text: str
    score: float
    reason: str
    match: Match | None = None


class SuggestionFile(_Part):
    engine: str
    level: Level | None
    rationale: str
    answers: dict[str, Answer]
    support: list[SupportFile]
    deciding_words: list[str]
    searched: list[str]
    rejected: list[NonNegativeInt]
    not_in_paper: list[str] = []
    cost_usd: float | None = Field(None, ge=0, allow_inf_nan=False)
    prompts: dict[str, str] = {}


class DomainFile(_Part):
    domain: str
    answers: dict[str, Answer]
    set_level: Level | None
    comment: str
    sentences: list[SentenceFile]
    suggestion: SuggestionFile | None


class PaperFile(_Part):
    id: str
    title: str
    file: str


class AssessmentFile(_Part):
    paper: PaperFile
    tool: str
    study: StudyFile
    outcome: str = Field("", max_length=LONGEST_OUTCOME)
    overall_set: Level | None = None
    overall_reason: str = ""
    raised: bool = False  # in older files without a reason: several domains made the whole worse
    domains: list[DomainFile]
    own_tool: dict[str, Any] | None = None


def read_assessment(data: bytes, paper: Paper, tools: Mapping[str, Tool]) -> tuple[Assessment, StudyContext]:
    """Read an assessment that `assessment_json` wrote for this paper.

    Raises `AssessmentError` if it is another kind of file, is of another paper, or does not fit its tool.
    """
    file = _file(data)
    if file.paper.id != paper.id:
        raise AssessmentError(
            f"This assessment is of “{file.paper.title or file.paper.file}”, and another paper is open. Open that one first."
        )
    tool = tools.get(file.tool)
    if tool is None:
        raise AssessmentError(f"This assessment was made with a tool that is not known here: “{file.tool}”.")
    domains = {domain.id: domain for domain in tool.domains}
    for part in file.domains:
        _check(part, domains, tool, paper)
    whole = _whole(file, tool)
    return Assessment(
        tool=tool,
        own={part.domain: own for part in file.domains if (own := _own(part)).begun}
        | ({OVERALL: whole} if whole.begun else {}),
        suggestions={
            part.domain: _suggestion(part.domain, part.suggestion) for part in file.domains if part.suggestion
        },
        outcome=file.outcome,
    ), StudyContext(**file.study.model_dump())


def own_tool_of(data: bytes) -> OwnTool | None:
    """The reviewers' own tool in an assessment's file; None if the assessment was made with a published tool.

    Raises `AssessmentError` if it is another kind of file, and `QueryError` if the tool cannot be used.
    """
    told = _file(data).own_tool
    return None if told is None else read_own_tool(json.dumps(told), "the tool of this file")


def _file(data: bytes) -> AssessmentFile:
    try:
        document = parsed(data)
        if not holds_more(document, _MOST):
            return AssessmentFile.model_validate(document)
    except ValueError:  # not JSON, too much of it, or another document
        pass
    raise AssessmentError(
        "This is no assessment that Vouch wrote. Choose the JSON file that was downloaded on this page."
    )


def _check(part: DomainFile, domains: Mapping[str, Domain], tool: Tool, paper: Paper) -> None:
    """Raises `AssessmentError` unless Vouch could have written this part."""
    domain = domains.get(part.domain)
    if domain is None:
        raise AssessmentError(f"This file has been changed: {tool.name} has no domain “{part.domain}”.")
    allowed = {question.id: question.allowed for question in domain.questions}
    suggested = part.suggestion
    levels = {part.set_level, suggested.level if suggested else None} - {None, *tool.scale}
    answers = [*part.answers.items(), *(suggested.answers.items() if suggested else ())]
    quoted = [*part.sentences, *(suggested.support if suggested else ())]
    nearest = suggested.rejected if suggested else []
    sentences = paper.sentences
    if (
        levels
        or any(answer not in allowed.get(id, ()) for id, answer in answers)
        or any(one.sentence >= len(sentences) or sentences[one.sentence].text != one.text for one in quoted)
        or any(index >= len(sentences) for index in nearest)
    ):
        raise AssessmentError(
            f"This file has been changed: what it says of “{domain.name}” fits neither {tool.name} nor the paper."
        )


def _own(part: DomainFile) -> OwnJudgement:
    decisions = {one.sentence: one.decision for one in part.sentences}
    return OwnJudgement(part.answers, part.set_level, part.comment, decisions)


def _whole(file: AssessmentFile, tool: Tool) -> OwnJudgement:
    """The overall judgement that was set. Raises `AssessmentError` if it does not fit the tool."""
    level, reason = file.overall_set, file.overall_reason
    if file.raised and tool.raising:
        level, reason = tool.raising.to, RAISED_BECAUSE
    if (level or reason) and (tool.whole is None or level not in {None, *tool.scale}):
        raise AssessmentError(f"This file has been changed: what it says of the whole does not fit {tool.name}.")
    return OwnJudgement(level=level, comment=reason)


def _suggestion(domain: str, file: SuggestionFile) -> Suggestion:
    judgement = Judgement(
        domain=domain,
        level=file.level,
        rationale=file.rationale,
        support=tuple(Support(one.sentence, one.score, one.reason, one.match) for one in file.support),
        answers=file.answers,
        deciding_words=tuple(file.deciding_words),
        searched=tuple(file.searched),
        rejected=tuple(file.rejected),
        not_in_paper=tuple(file.not_in_paper),
    )
    # Older files do not say what a suggestion cost: only that of an engine of this machine is known.
    cost = 0.0 if file.cost_usd is None and not asks_model(file.engine) else file.cost_usd
    return Suggestion(file.engine, judgement, cost_usd=cost, prompts=tuple(file.prompts.items()))


# ---- Writing it: CSV for spreadsheets, JSON to come back to ----

_COLUMNS = (
    *("tool", "domain", "domain_name", "level", "answers", "comment", "suggested_level", "suggested_reason", "engine"),
    *(
        "sentence",
        "text",
        "section",
        "page",
        "decision",
        "suggested",
        "outcome",
        "overall",
        "overall_rule",
        "overall_reason",
    ),
    *("paper_title", "file", "paper_id", "date", "vouch_version"),
)


def assessment_csv(paper: Paper, assessment: Assessment, *, date: datetime) -> str:
    """One line per sentence of each domain, or one for a domain without sentences. A missing level is an empty cell."""
    rows = (
        _domain_columns(domain, assessment)
        | sentence
        | {
            "tool": assessment.tool.name,
            "outcome": assessment.outcome,
            "overall": assessment.overall,
            "overall_rule": assessment.rule,
            "overall_reason": _of_whole(assessment).comment,
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


def assessment_json(
    paper: Paper, assessment: Assessment, study: StudyContext, *, date: datetime, own_tool: OwnTool | None = None
) -> str:
    """Everything as one JSON document, including the tool if it is the reviewers' own. `read_assessment` reads it back.

    `overall` is the overall level, and `overall_rule` the level that follows from the domains.
    """
    whole = _of_whole(assessment)
    document = {
        "vouch_version": __version__,
        "date": date.isoformat(),
        "paper": paper_document(paper),
        "tool": assessment.tool.id,
        "study": StudyFile.model_validate(study).model_dump(),
        "outcome": assessment.outcome,
        "overall": assessment.overall,
        "overall_rule": assessment.rule,
        "overall_set": whole.level,
        "overall_reason": whole.comment,
        "domains": [_domain_document(paper, domain, assessment) for domain in assessment.tool.domains],
        "own_tool": None if own_tool is None else own_tool_document(own_tool),
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _of_whole(assessment: Assessment) -> OwnJudgement:
    """The reviewer's overall judgement."""
    return assessment.own.get(OVERALL, OwnJudgement())


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
    """The document with the section and page of every sentence added."""
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
        cost_usd=suggestion.cost_usd,
        prompts=dict(suggestion.prompts),
    )
