"""Reviewers side by side on the desk, as the plain data that its scripts expect, and what is believed of what comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, NonNegativeInt, StringConstraints, ValidationError

from core.bias import Domain, Level, Tool
from core.store import DomainView, ReviewerJudgement
from core.store.judging import OVERALL, own_judgement
from pages._ui.paper_view.judging import MOST_COMMENT

_RAISE = {
    Level.SOME_CONCERNS: "As the domains give it.",
    Level.HIGH: "Raised: the concerns together lower confidence in the result so much.",
}


class Settled(BaseModel):
    """What the browser sends: the level and the reason that the reviewers settled on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    number: NonNegativeInt
    domain: str
    level: Level
    reason: Annotated[str, StringConstraints(max_length=MOST_COMMENT)]
    version: NonNegativeInt  # of the consensus that was in view; 0: none


def settled_from(value: object, tool: Tool) -> Settled | None:
    """What the browser sent, or None if it is no such thing."""
    try:
        sent = Settled.model_validate(value)
    except ValidationError:
        return None
    if sent.domain == OVERALL:
        return sent if tool.overall and sent.level in _RAISE else None
    known = sent.domain in {domain.id for domain in tool.domains} and sent.level in tool.scale
    return sent if known else None


def settling_payload(tool: Tool, views: Mapping[str, DomainView], reviewers: Sequence[str]) -> list[dict[str, object]]:
    """Every domain with what each reviewer makes of it, as far as the reader may see it, and what was settled.

    Where several domains come to some concerns, the whole follows: whether to raise it is for the reviewers to settle.
    """
    found = [_domain(tool, domain, views.get(domain.id, DomainView()), reviewers) for domain in tool.domains]
    levels = {domain.id: _final(views.get(domain.id, DomainView()), reviewers) for domain in tool.domains}
    if tool.overall and tool.may_be_raised(levels):
        found.append(_whole(views.get(OVERALL, DomainView()), reviewers))
    return found


def _present(view: DomainView) -> dict[str, ReviewerJudgement]:
    """The judgements to compare, by reviewer; while the others' are hidden, none."""
    return {} if view.hidden else {one.record.reviewer: one.record for one in (view.own, *view.others) if one}


def _final(view: DomainView, reviewers: Sequence[str]) -> Level | None:
    """What was settled, or else what all reviewers say, where it may be seen."""
    if view.consensus:
        return view.consensus.record.level
    present = _present(view)
    levels = {present[name].level if name in present else None for name in reviewers}
    return levels.pop() if len(levels) == 1 else None


def _whole(view: DomainView, reviewers: Sequence[str]) -> dict[str, object]:
    present = _present(view)
    return {
        "id": OVERALL,
        "name": "Overall",
        "bias": "",
        "definition": "Several domains are of some concerns. Together they may lower confidence so much that the whole is high.",
        "criteria": list(_RAISE.items()),
        "state": "settled" if view.consensus else "free",
        "level": view.consensus.record.level if view.consensus else Level.SOME_CONCERNS,
        "judgements": [
            {"reviewer": name, "level": present[name].level, "comment": "", "answers": (), "support": 0}
            for name in reviewers
            if name in present
        ],
        "settled": _settled(view),
        "ranked": (),
        "near": (),
        "suggestion": None,
    }


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


def _domain(tool: Tool, domain: Domain, view: DomainView, reviewers: Sequence[str]) -> dict[str, object]:
    present = _present(view)
    levels = [present[name].level if name in present else None for name in reviewers]
    settled = view.consensus.record if view.consensus else None
    return {
        "id": domain.id,
        "name": domain.name,
        "bias": domain.bias,
        "definition": domain.definition,
        "criteria": [(level, domain.criteria[level]) for level in tool.scale if level in domain.criteria],
        "state": "settled" if settled else "hidden" if view.hidden else _state(levels),
        "level": settled.level if settled else levels[0] if len(set(levels)) == 1 else None,
        "judgements": [_judgement(domain, name, present.get(name)) for name in reviewers],
        "settled": _settled(view),
        "ranked": _sentences(reviewers, present),
        "near": (),
        "suggestion": None,
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
    """The sentences that any of them took as support, in the paper's order, each with who did."""
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
    """A letter for each reviewer; a number where two names begin alike."""
    letters = [name.strip()[:1].upper() for name in reviewers]
    return letters if len(set(letters)) == len(letters) else [str(number) for number in range(1, len(letters) + 1)]
