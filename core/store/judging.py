"""Between what a reviewer sets on a screen (`core.bias.assessment`) and the judgement that is stored."""

from __future__ import annotations

from collections.abc import Iterable

from core.bias.assessment import OwnJudgement
from core.bias.model import Domain, Level
from core.evidence.model import Decision
from core.store.model import ReviewerJudgement

OVERALL = "overall"  # stands for a domain where several of some concerns may be raised to high: the level says whether
TAKEN_IN = (Decision.ACCEPTED, Decision.ADDED)


def stored_judgement(
    own: OwnJudgement, domain: Domain, *, project: str, paper: str, reviewer: str, seen: Iterable[str] = ()
) -> ReviewerJudgement:
    """What to store. `seen`: the engines whose suggestions were in view."""
    return ReviewerJudgement(
        project=project,
        paper=paper,
        domain=domain.id,
        reviewer=reviewer,
        level=own.level_in(domain),
        answers=dict(own.answers),
        support=tuple(sorted(index for index, word in own.decisions.items() if word in TAKEN_IN)),
        comment=own.comment,
        suggestions_seen=tuple(sorted(set(seen))),
        set_level=own.level,
        decisions=dict(own.decisions),
    )


def own_judgement(record: ReviewerJudgement, domain: Domain) -> OwnJudgement:
    """What the reviewer had set; for a record without details, what comes to the same."""
    by_hand = record.set_level
    if by_hand is None and record.level is not domain.level(record.answers):
        by_hand = record.level
    decisions = record.decisions or dict.fromkeys(record.support, Decision.ADDED)
    return OwnJudgement(dict(record.answers), by_hand, record.comment, dict(decisions))


def stored_raise(raised: bool, *, project: str, paper: str, reviewer: str) -> ReviewerJudgement:
    """The reviewer's word on the whole, where several domains of some concerns may make it high."""
    level = Level.HIGH if raised else Level.SOME_CONCERNS
    return ReviewerJudgement(project, paper, OVERALL, reviewer, level)
