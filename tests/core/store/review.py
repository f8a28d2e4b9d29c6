"""A small review for the tests: Ann and Ben, two papers, three domains."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.bias.model import HIGH, LOW, Answer, Judgement, Level, StudyContext, Support
from core.evidence.model import Decision
from core.grounding.model import Match
from core.store import (
    Consensus,
    Project,
    ReviewerJudgement,
    Scope,
    SentenceDecisions,
    Store,
    StoredPaper,
    StoredSuggestion,
)

DOMAINS = ("D1", "D2", "D3")
SCOPE = Scope("rob2", DOMAINS)
PROJECT = Project(
    "walking", "Walking and sleep", ("Ann", "Ben"), study=StudyContext("Does walking help?", outcome="sleep")
)
FIRST, SECOND = (
    StoredPaper("walking", f"{number:064x}", f"{number}.pdf", title=f"Trial {number}") for number in (1, 2)
)


def judgement(reviewer: str, level: Level | None = LOW, *, domain: str = "D1", **rest: Any) -> ReviewerJudgement:
    """What a reviewer says of the first paper."""
    given = ReviewerJudgement(
        "walking", FIRST.id, "rob2", domain, reviewer, level, {"1.1": Answer.YES}, (3, 5), "drawn by lot"
    )
    return replace(given, **rest)


def suggestion(domain: str = "D1") -> StoredSuggestion:
    """What an engine says of the first paper."""
    made = Judgement(
        domain,
        HIGH,
        "“by date of birth”",
        (Support(4, 0.5, "how", Match.REPAIRED),),
        {"1.1": Answer.NO},
        ("date",),
        not_in_paper=("[9]",),
    )
    return StoredSuggestion("walking", FIRST.id, "rob2", "offline", made, prompts=(("bias", "ab12"),))


def consensus(domain: str = "D1") -> Consensus:
    """What Ann and Ben settled on."""
    return Consensus("walking", FIRST.id, "rob2", domain, LOW, "The supplement says how.", ("Ann", "Ben"))


def decisions(hypothesis: str = "Walking helps", **rest: Any) -> SentenceDecisions:
    """Ann's decisions on the first paper."""
    made = SentenceDecisions("walking", FIRST.id, "Ann", hypothesis, {3: Decision.ACCEPTED, 12: Decision.ADDED})
    return replace(made, **rest)


def begin(store: Store, **changes: Any) -> None:
    """Put the project and its papers into the store."""
    with store.writing("Ann") as change:
        change.save(replace(PROJECT, **changes))
        change.save(FIRST)
        change.save(SECOND)


def save(store: Store, *records: Any, who: str | None = None) -> None:
    """Save new records, each by its reviewer, or by Ann."""
    for record in records:
        with store.writing(who or getattr(record, "reviewer", "Ann")) as change:
            change.save(record)
