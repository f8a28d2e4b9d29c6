"""The JSON file of an assessment as it is believed when it is read back. What it says beyond this is for people."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, NonNegativeInt

from core.bias.assessment import Assessment, OwnJudgement, Suggestion
from core.bias.model import Answer, Domain, Judgement, Level, StudyContext, Support, Tool
from core.errors import AssessmentError
from core.evidence.model import Decision, Match
from core.paper import Paper
from core.untrusted_json import holds_more, parsed

_MOST = 100_000  # values in a file; of ours, those of a long paper come to thousands


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", from_attributes=True)


class StudyFile(_Part):
    objective: str = ""
    population: str = ""
    intervention: str = ""
    comparator: str = ""
    outcome: str = ""


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
    raised: bool
    domains: list[DomainFile]


def read_assessment(data: bytes, paper: Paper, tools: Mapping[str, Tool]) -> tuple[Assessment, StudyContext]:
    """What `assessment_json` wrote, for the paper that it was written of.

    Raises `AssessmentError` if it is another file, of another paper, or does not fit its tool.
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
    return Assessment(
        tool=tool,
        own={part.domain: own for part in file.domains if (own := _own(part)).begun},
        suggestions={
            part.domain: _suggestion(part.domain, part.suggestion) for part in file.domains if part.suggestion
        },
        raised=file.raised,
    ), StudyContext(**file.study.model_dump())


def _file(data: bytes) -> AssessmentFile:
    try:
        document = parsed(data)
        if not holds_more(document, _MOST):
            return AssessmentFile.model_validate(document)
    except ValueError:  # no JSON, too much of it, or another document
        pass
    raise AssessmentError(
        "This is no assessment that Vouch wrote. Choose the JSON file that was downloaded on this page."
    )


def _check(part: DomainFile, domains: Mapping[str, Domain], tool: Tool, paper: Paper) -> None:
    """Nothing that the page could not have written is believed."""
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
    return Suggestion(file.engine, judgement)
