"""Risk of bias on the desk, as the plain data that its scripts expect, and what is believed of what comes back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, NonNegativeInt, StringConstraints, ValidationError

from core.bias import Answer, Domain, Judgement, Level, Tool
from core.bias.assessment import Assessment, OwnJudgement, Suggestion
from core.bias.flips import Flip, flips
from core.evidence.model import ModelRun
from core.store import DomainView
from core.store.judging import OVERALL
from pages._ui.money import run_cost
from pages._ui.paper_view.model_run import run_payload
from pages._ui.paper_view.payload import bars, decided, decisions_from

MOST_COMMENT = 4000  # letters, as in desk.html


@dataclass(frozen=True, slots=True)
class Edit:
    """Where a domain stands in the browser: how often it was changed there, and from which stored version."""

    number: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a language model was asked for a suggestion in vain, and what it said."""

    engine: str
    error: str
    run: ModelRun


def judging_payload(
    assessment: Assessment,
    *,
    hidden: Collection[str] = (),
    edits: Mapping[str, Edit] = MappingProxyType({}),
    views: Mapping[str, DomainView] = MappingProxyType({}),
    failures: Mapping[str, Failure] = MappingProxyType({}),
    unsaved: Collection[str] = (),
) -> dict[str, object]:
    """Every domain with its criteria, what the reviewer has set, what follows from it, and what is suggested.

    `views`, on a paper of a project: what others make of the domains; `unsaved`: the domains that are not stored as they
    are set, `OVERALL` for the whole. Nothing of a suggestion on a domain that is hidden is in it.
    """
    return {
        "domains": [
            _domain(domain, assessment, hidden=domain.id in hidden, edit=edits.get(domain.id, Edit()))
            | _others(views.get(domain.id, DomainView()))
            | {"failure": _failure(failures.get(domain.id)), "saved": domain.id not in unsaved}
            for domain in assessment.tool.domains
        ],
        "raised": {"on": assessment.raised} | _edit(edits.get(OVERALL, Edit())),
        "overall": {
            "level": assessment.overall,
            "raisable": assessment.may_be_raised,
            "saved": OVERALL not in unsaved,
        }
        if assessment.tool.overall
        else None,
    }


def _domain(domain: Domain, assessment: Assessment, *, hidden: bool, edit: Edit) -> dict[str, object]:
    own, suggestion = assessment.of(domain), None if hidden else assessment.suggestions.get(domain.id)
    judgement = suggestion.judgement if suggestion else None
    applicable = domain.applicable(own.answers)
    return {
        "id": domain.id,
        "name": domain.name,
        "bias": domain.bias,
        "definition": domain.definition,
        "criteria": [(level, domain.criteria[level]) for level in assessment.tool.scale if level in domain.criteria],
        "questions": [
            {
                "id": question.id,
                "text": question.text,
                "condition": question.condition,
                "allowed": question.allowed,
                "applies": question in applicable,
                "suggested": judgement.answers.get(question.id) if judgement else None,
            }
            for question in domain.questions
        ],
        "own": _own(own) | _edit(edit),
        "level": own.level_in(domain),
        "given": domain.level(own.answers),
        "missing": [question.id for question in domain.missing(own.answers)],
        "flips": _flips(flips(domain, own.answers)),
        "suggestion": {"hidden": True} if hidden else suggestion and _suggestion(suggestion),
        "ranked": _ranked(judgement),
        "near": judgement.rejected if judgement else (),
    }


def _others(view: DomainView) -> dict[str, object]:
    settled = view.consensus.record if view.consensus else None
    return {
        "others": [
            {"reviewer": one.record.reviewer, "level": one.record.level, "comment": one.record.comment}
            for one in view.others
        ],
        "settled": settled and {"level": settled.level, "reason": settled.reason},
    }


def _own(own: OwnJudgement) -> dict[str, object]:
    return {
        "answers": own.answers,
        "level": own.level,
        "comment": own.comment,
        "decisions": decided(own.decisions),
    }


def _edit(edit: Edit) -> dict[str, object]:
    return {"edit": edit.number, "version": edit.version}


def _flips(found: Sequence[Flip]) -> list[dict[str, object]]:
    """Each question's other answers, those with the same effect together."""
    grouped: dict[tuple[str, Level | None, tuple[str, ...]], list[str]] = {}
    for flip in found:
        answers = grouped.setdefault((flip.question.id, flip.level, flip.opens), [])
        answers += [answer for answer in flip.question.allowed if _alike(answer, flip.answer)]
    return [
        {"question": question, "answers": answers, "level": level, "opens": opens}
        for (question, level, opens), answers in grouped.items()
    ]


def _alike(one: Answer, other: Answer) -> bool:
    return (one.yes, one.no) == (other.yes, other.no)


def _suggestion(suggestion: Suggestion) -> dict[str, object]:
    judgement = suggestion.judgement
    return {
        "engine": suggestion.engine,
        "level": judgement.level,
        "rationale": judgement.rationale,
        "words": [word.removesuffix("…").rstrip() for word in judgement.deciding_words],  # a long one may be cut short
        "support": [support.index for support in judgement.support],
        "searched": judgement.searched,
        # Where the run is at hand, it tells this question by question.
        "notInPaper": [] if suggestion.run else suggestion.judgement.not_in_paper,
        "run": run_payload(suggestion.run, answered=True),
        "cost": suggestion.run and _cost(suggestion.run),
    }


def _cost(run: ModelRun) -> str:
    return "kept from an earlier run, so it cost nothing" if run.from_cache else run_cost(run)


def _failure(failure: Failure | None) -> dict[str, object] | None:
    if failure is None:
        return None
    return {"engine": failure.engine, "error": failure.error, "run": run_payload(failure.run, answered=False)}


def _ranked(judgement: Judgement | None) -> list[dict[str, object]]:
    """The support sentences, best first, as in a search for evidence."""
    support = judgement.support if judgement else ()
    return [
        {
            "index": one.index,
            "rank": rank,
            "bar": bar if one.match is None else None,  # a model gives ranks alone
            "scoreNote": f"Score {one.score:.3g}, to compare within this domain only",
            "rationale": one.reason,
            "match": one.match,
        }
        for rank, (one, bar) in enumerate(zip(support, bars([one.score for one in support]), strict=True), start=1)
    ]


class _Edited(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    edit: NonNegativeInt
    version: NonNegativeInt

    @property
    def place(self) -> Edit:
        return Edit(self.edit, self.version)


class _Raised(_Edited):
    on: bool


class _Own(_Edited):
    answers: dict[str, Answer]
    level: Level | None
    comment: Annotated[str, StringConstraints(max_length=MOST_COMMENT)]
    decisions: list[Any]


class _Sent(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    raised: _Raised
    domains: dict[str, _Own]


@dataclass(frozen=True, slots=True)
class Sent:
    """What the browser sent: the reviewer's judgements by domain, and whether the whole is raised."""

    own: Mapping[str, OwnJudgement]
    raised: bool
    edits: Mapping[str, Edit]  # by domain, and `OVERALL` for the whole


def sent_from(value: object, tool: Tool, *, sentences: int) -> Sent | None:
    """What the browser sent, or None if it is no such thing."""
    try:
        sent = _Sent.model_validate(value)
    except ValidationError:
        return None
    domains = {domain.id: domain for domain in tool.domains}
    judged: dict[str, OwnJudgement] = {}
    for id, part in sent.domains.items():
        decisions = decisions_from(part.decisions, sentences=sentences)
        if decisions is None or id not in domains or not _fits(part, domains[id], tool):
            return None
        judged[id] = OwnJudgement(part.answers, part.level, part.comment, decisions)
    edits = {id: part.place for id, part in sent.domains.items()} | {OVERALL: sent.raised.place}
    return Sent(judged, sent.raised.on, edits)


def _fits(part: _Own, domain: Domain, tool: Tool) -> bool:
    allowed = {question.id: question.allowed for question in domain.questions}
    answers_fit = all(answer in allowed.get(id, ()) for id, answer in part.answers.items())
    return answers_fit and (part.level is None or part.level in tool.scale)
