"""A project of Ann and Ben as it comes out of the store, made by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from core.bias import Answer, Judgement, Level, StudyContext, Support
from core.bias.model import HIGH, LOW, OVERALL
from core.bias.tools.rob2 import SOME_CONCERNS
from core.store.model import (
    Consensus,
    Project,
    ProjectState,
    ReviewerJudgement,
    Saved,
    StoredPaper,
    StoredSuggestion,
)

DATE = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
HOSTILE = '<script>alert(1)</script> & "Co" ]]> $x^2$ \u202eevil\x00 {{ 7*7 }}'
PEOPLE = ("Ann", "Ben")
SOME = SOME_CONCERNS
TOOL = "rob2"  # unless the project names another

_OF_A_TOOL = ReviewerJudgement | StoredSuggestion | Consensus


def saved(record: Any, *, by: str = "Ann", removed: bool = False, at: datetime = DATE) -> Saved[Any]:
    """A record as the store has it."""
    return Saved(record, 1, by, at, at, removed)


def paper(id: str, study: str = "", **rest: Any) -> StoredPaper:
    """A paper of the project."""
    return StoredPaper("p", id, f"{id}.pdf", study=study, **rest)


def judged(who: str, id: str, domain: str, level: Level | None, **rest: Any) -> ReviewerJudgement:
    """What a reviewer made of a domain."""
    return ReviewerJudgement("p", id, TOOL, domain, who, level, **rest)


def both(id: str, domain: str, level: Level) -> list[ReviewerJudgement]:
    """What Ann and Ben agree on."""
    return [judged(who, id, domain, level) for who in PEOPLE]


def settled(id: str, domain: str, level: Level, reason: str = "We looked again.") -> Consensus:
    """What Ann and Ben settled."""
    return Consensus("p", id, TOOL, domain, level, reason, PEOPLE)


def suggested(
    id: str, domain: str, level: Level | None, *, engine: str = "offline", cost: float | None = 0.0, **rest: Any
) -> StoredSuggestion:
    """What an engine suggested; its sentence is the paper's third."""
    made = {"rationale": "Because.", "support": (Support(2, 0.9, "says so"),)} | rest
    judgement = Judgement(domain, level, **made)
    return StoredSuggestion("p", id, TOOL, engine, judgement, (("bias-judge", "a" * 64),), cost)


def state(*records: Any, removed: Iterable[Any] = (), **project: Any) -> ProjectState:
    """A project with these records."""
    known = {"reviewers": PEOPLE, "tool": TOOL, "study": StudyContext("Does tea help?", outcome="sleep")} | project
    everything = [*map(saved, records), *(saved(record, removed=True) for record in removed)]
    judged_with = known["tool"]
    everything = [
        replace(one, record=replace(one.record, tool=judged_with)) if isinstance(one.record, _OF_A_TOOL) else one
        for one in everything
    ]

    def of(kind: type) -> tuple[Saved[Any], ...]:
        return tuple(one for one in everything if isinstance(one.record, kind))

    return ProjectState(
        saved(Project("p", known.pop("name", "Tea and sleep"), **known)),
        of(StoredPaper),
        of(ReviewerJudgement),
        of(StoredSuggestion),
        of(Consensus),
        (),
        (),
    )


DOMAINS = ("D1", "D2", "D3", "D4", "D5")
ANSWERS = {"1.1": Answer.YES, "1.2": Answer.PROBABLY_YES, "1.3": Answer.NO}


def small_review(first: str = "a" * 64, second: str = "b" * 64, third: str = "c" * 64) -> ProjectState:
    """Three papers: one done by consensus and agreement, one in dispute, one begun; and a deleted one."""
    agreed = [one for domain in DOMAINS[1:] for one in both(first, domain, SOME)]
    return state(
        paper(first, "Ito et al. 2019"),
        paper(second, "Müller 2020"),
        paper(third, "Müller 2020"),
        judged("Ann", first, "D1", LOW, answers=ANSWERS, support=(2, 3), comment="Drawn by lot", suggestions_seen=("offline",)),
        judged("Ben", first, "D1", HIGH, support=(3,)),
        settled(first, "D1", LOW),
        *agreed,
        settled(first, OVERALL, HIGH, "Four domains of some concerns."),
        judged("Ann", second, "D1", LOW),
        judged("Ben", second, "D1", SOME),
        *both(second, "D2", HIGH),
        judged("Ann", second, "D3", LOW),
        suggested(first, "D1", SOME),
        suggested(second, "D1", LOW, engine="openai:m", cost=None),
        suggested(third, "D1", None, searched=("Methods",), support=()),
        removed=[paper("d" * 64, "Gone 2000"), settled(second, "D3", HIGH), judged("Zoe", second, "D2", LOW)],
    )  # fmt: skip
