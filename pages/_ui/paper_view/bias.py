"""Risk of bias on the desk, by one reviewer or several: data for the scripts, and validation of their messages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, NonNegativeInt, StringConstraints, ValidationError

from core.benchmarks.domain_gold import DomainGold
from core.bias import Answer, Domain, Judgement, Level, Tool
from core.bias.assessment import Assessment, OwnJudgement, Suggestion
from core.bias.engine import SUPPORT_SENTENCES
from core.bias.model import OVERALL
from core.bias.signalling import Flip, flips
from core.grounding.model import ModelRun
from core.store import DomainView, ReviewerJudgement
from core.store.model import own_judgement
from pages._ui.model_choice import run_cost
from pages._ui.paper_view.payload import bars, decisions_from, decisions_payload, gold_marks, run_payload

# ---- one reviewer ----

MOST_COMMENT = 4000  # letters, as in desk.html


@dataclass(frozen=True, slots=True)
class Edit:
    """A domain's state in the browser: how often it was changed there, and from which stored version."""

    number: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class SuggestionFailure:
    """Why a language model gave no suggestion, and what it said."""

    engine: str
    error: str
    run: ModelRun


def judging_payload(
    assessment: Assessment,
    *,
    hidden: Collection[str] = (),
    edits: Mapping[str, Edit] = MappingProxyType({}),
    views: Mapping[str, DomainView] = MappingProxyType({}),
    failures: Mapping[str, SuggestionFailure] = MappingProxyType({}),
    unsaved: Collection[str] = (),
    golds: Mapping[str, DomainGold] = MappingProxyType({}),
) -> dict[str, object]:
    """Every domain with its criteria, the reviewer's judgement, the level that follows, and the suggestion.

    The overall judgement, if the tool has one, comes last, because its level follows from the others. For a paper of a
    project, `views` holds the others' judgements, and `unsaved` the domains whose current judgement is not stored.
    Suggestions on `hidden` domains are left out completely.
    """
    return {
        "levels": levels_payload(assessment.tool),
        "outcome": assessment.outcome,
        "domains": [
            _domain(domain, assessment, hidden=domain.id in hidden, edit=edits.get(domain.id, Edit()))
            | _others(views.get(domain.id, DomainView()))
            | {"failure": _failure(failures.get(domain.id)), "saved": domain.id not in unsaved}
            | {"gold": _gold(golds.get(domain.id), assessment, domain, hidden=domain.id in hidden)}
            for domain in assessment.tool.with_whole
        ],
    }


def levels_payload(tool: Tool) -> list[dict[str, object]]:
    """The tool's levels from best to worst, with their styles."""
    return [{"id": level, **asdict(style)} for level, style in tool.levels.items()]


def _domain(domain: Domain, assessment: Assessment, *, hidden: bool, edit: Edit) -> dict[str, object]:
    own, suggestion = assessment.of(domain), None if hidden else assessment.suggestions.get(domain.id)
    judgement = suggestion.judgement if suggestion else None
    applicable = domain.applicable(own.answers)
    if domain.id == OVERALL:
        levels = assessment.levels
        level, given = assessment.overall, assessment.rule
        missing = [one.name for one in assessment.tool.domains if levels[one.id] is None]
    else:
        level, given = own.level_in(domain), domain.level(own.answers)
        missing = [question.id for question in domain.missing(own.answers)]
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
        "level": level,
        "follows": "domains" if domain.id == OVERALL else None if domain.by_hand(own.answers) else "answers",
        "given": given,
        "missing": missing,
        "flips": _flips(flips(domain, own.answers)),
        "suggestion": {"hidden": True} if hidden else suggestion and _suggestion(suggestion),
        "ranked": _ranked(judgement),
        "near": judgement.rejected if judgement else (),
    }


def _gold(gold: DomainGold | None, assessment: Assessment, domain: Domain, *, hidden: bool) -> dict[str, object] | None:
    """The gold, and whether the suggested level (unless hidden) and the reviewer's own level are right."""
    if gold is None:
        return None
    own, suggestion = assessment.of(domain), None if hidden else assessment.suggestions.get(domain.id)
    suggested = suggestion.judgement if suggestion else None
    found = tuple(one.index for one in suggested.support) if suggested else None
    return {
        "levels": gold.levels,
        "suggested": gold.is_right(suggested.level) if suggested else None,
        "own": gold.is_right(own.level_in(domain)),
        "sentences": gold_marks(gold.gold, found, own.decisions, k=len(found or ()) or SUPPORT_SENTENCES)
        if gold.gold is not None
        else None,
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
        "decisions": decisions_payload(own.decisions),
    }


def _edit(edit: Edit) -> dict[str, object]:
    return {"edit": edit.number, "version": edit.version}


def _flips(found: Sequence[Flip]) -> list[dict[str, object]]:
    """The other answers to each question; answers with the same effect are grouped."""
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
        "words": [word.removesuffix("…").rstrip() for word in judgement.deciding_words],  # a long one may be cut
        "support": [support.index for support in judgement.support],
        "searched": judgement.searched,
        # with a run, this is shown question by question
        "notInPaper": [] if suggestion.run else suggestion.judgement.not_in_paper,
        "run": run_payload(suggestion.run, answered=True),
        "cost": suggestion.run and _cost(suggestion.run),
    }


def _cost(run: ModelRun) -> str:
    return "kept from an earlier run, so it cost nothing" if run.from_cache else run_cost(run)


def _failure(failure: SuggestionFailure | None) -> dict[str, object] | None:
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
            "bar": bar if one.match is None else None,  # a model gives only ranks
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


class _Own(_Edited):
    answers: dict[str, Answer]
    level: Level | None
    comment: Annotated[str, StringConstraints(max_length=MOST_COMMENT)]
    decisions: list[Any]


class _Sent(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    domains: dict[str, _Own]


@dataclass(frozen=True, slots=True)
class SentJudgements:
    """The reviewer's judgements sent by the browser, by domain and overall."""

    own: Mapping[str, OwnJudgement]
    edits: Mapping[str, Edit]


def judgements_from(value: object, tool: Tool, *, sentences: int) -> SentJudgements | None:
    """Validate the browser's message. Returns None if it is invalid."""
    try:
        sent = _Sent.model_validate(value)
    except ValidationError:
        return None
    domains = {domain.id: domain for domain in tool.with_whole}
    judged: dict[str, OwnJudgement] = {}
    for id, part in sent.domains.items():
        decisions = decisions_from(part.decisions, sentences=sentences)
        if decisions is None or id not in domains or not _fits(part, domains[id], tool):
            return None
        judged[id] = OwnJudgement(part.answers, part.level, part.comment, decisions)
    return SentJudgements(judged, {id: part.place for id, part in sent.domains.items()})


def _fits(part: _Own, domain: Domain, tool: Tool) -> bool:
    allowed = {question.id: question.allowed for question in domain.questions}
    answers_fit = all(answer in allowed.get(id, ()) for id, answer in part.answers.items())
    return answers_fit and (part.level is None or part.level in tool.scale)


# ---- reviewers side by side ----


class SentConsensus(BaseModel):
    """The level and the reason that the reviewers settled on, as the browser sends them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    number: NonNegativeInt
    domain: str
    level: Level
    reason: Annotated[str, StringConstraints(max_length=MOST_COMMENT)]
    version: NonNegativeInt  # of the consensus that was shown; 0: none


def consensus_from(value: object, tool: Tool) -> SentConsensus | None:
    """Validate the browser's message. Returns None if it is invalid."""
    try:
        sent = SentConsensus.model_validate(value)
    except ValidationError:
        return None
    known = sent.domain in {domain.id for domain in tool.with_whole} and sent.level in tool.scale
    return sent if known else None


def settling_payload(tool: Tool, views: Mapping[str, DomainView], reviewers: Sequence[str]) -> list[dict[str, object]]:
    """Every domain with each reviewer's judgement, as far as the reader may see it, and what was settled.

    The overall judgement comes last. It is settled like a domain if a reviewer has set another level than follows.
    """
    found = [_domain_side_by_side(domain, views.get(domain.id, DomainView()), reviewers) for domain in tool.domains]
    levels = {domain.id: _final(views.get(domain.id, DomainView()), reviewers) for domain in tool.domains}
    if tool.whole is not None:
        found.append(_whole(tool.whole, tool.overall_level(levels), views.get(OVERALL, DomainView()), reviewers))
    return found


def _present(view: DomainView) -> dict[str, ReviewerJudgement]:
    """The judgements to compare, by reviewer; empty while the others' are hidden."""
    return {} if view.hidden else {one.record.reviewer: one.record for one in (view.own, *view.others) if one}


def _final(view: DomainView, reviewers: Sequence[str]) -> Level | None:
    """The settled level, or else the level that all reviewers agree on, if it may be seen."""
    if view.consensus:
        return view.consensus.record.level
    present = _present(view)
    levels = {present[name].level if name in present else None for name in reviewers}
    return levels.pop() if len(levels) == 1 else None


def _whole(whole: Domain, rule: Level | None, view: DomainView, reviewers: Sequence[str]) -> dict[str, object]:
    """The overall judgement. A reviewer who set no level agrees with the level that follows from the final domains."""
    present = _present(view)
    stated = {name: present[name].level if name in present else None for name in reviewers}
    shown = _side_by_side(whole, view, {name: rule and (level or rule) for name, level in stated.items()})
    judged = [
        {
            "reviewer": name,
            "level": rule and (level or rule),
            "comment": present[name].comment if level else "As it follows from the domains." if rule else "",
            "answers": (),
            "support": len(present[name].support) if name in present else 0,
        }
        for name, level in stated.items()
    ]
    return shown | {"judgements": judged, "ranked": _sentences(reviewers, present)}


def _settled(view: DomainView) -> dict[str, object] | None:
    saved = view.consensus
    if saved is None:
        return None
    return {
        "level": saved.record.level,
        "reason": saved.record.reason,
        "by": saved.record.by,
        "who": saved.by,
        "when": f"{saved.changed.astimezone():%d %B %Y, %H:%M}",
        "version": saved.version,
    }


def _domain_side_by_side(domain: Domain, view: DomainView, reviewers: Sequence[str]) -> dict[str, object]:
    present = _present(view)
    shown = _side_by_side(domain, view, {name: present[name].level if name in present else None for name in reviewers})
    judged = [_judgement(domain, name, present.get(name)) for name in reviewers]
    return shown | {"judgements": judged, "ranked": _sentences(reviewers, present)}


def _side_by_side(domain: Domain, view: DomainView, by_reviewer: Mapping[str, Level | None]) -> dict[str, object]:
    levels = list(by_reviewer.values())
    settled = view.consensus.record if view.consensus else None
    return {
        "id": domain.id,
        "name": domain.name,
        "bias": domain.bias,
        "definition": domain.definition,
        "criteria": list(domain.criteria.items()),
        "state": "settled" if settled else "hidden" if view.hidden else _state(levels),
        "level": settled.level if settled else levels[0] if len(set(levels)) == 1 else None,
        "settled": _settled(view),
        "near": (),
        "suggestion": None,
        "gold": None,
    }


def _state(levels: Sequence[Level | None]) -> str:
    known = {level for level in levels if level is not None}
    if len(known) > 1:
        return "conflict"
    return "open" if None in levels else "agreed"


def _judgement(domain: Domain, reviewer: str, record: ReviewerJudgement | None) -> dict[str, object]:
    answers = own_judgement(record, domain).answers if record else {}
    return {
        "reviewer": reviewer,
        "level": record.level if record else None,
        "comment": record.comment if record else "",
        "answers": [(one.id, answers[one.id], one.text) for one in domain.applicable(answers) if one.id in answers],
        "support": len(record.support) if record else 0,
    }


def _sentences(reviewers: Sequence[str], present: Mapping[str, ReviewerJudgement]) -> list[dict[str, object]]:
    """The sentences that any reviewer took as support, in the paper's order, with their reviewers."""
    signs = dict(zip(reviewers, _signs(reviewers), strict=True))
    chosen: dict[int, list[str]] = {}
    for name in reviewers:
        for index in present[name].support if name in present else ():
            chosen.setdefault(index, []).append(name)
    return [
        {
            "index": index,
            "rank": "".join(signs[name] for name in names),
            "bar": None,
            "rationale": f"Chosen by {' and '.join(names)}",
            "fixed": True,
        }
        for index, names in sorted(chosen.items())
    ]


def _signs(reviewers: Sequence[str]) -> list[str]:
    """An initial for each reviewer, or a number for each if two names begin alike."""
    letters = [name.strip()[:1].upper() for name in reviewers]
    return letters if len(set(letters)) == len(letters) else [str(number) for number in range(1, len(letters) + 1)]
