"""What a review says of the engines that its queue ran, counted by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from core.bias import tool_named
from core.evidence.model import PaperVerdict
from core.export.project.disclosure import disclosure
from core.export.project.machines import machines
from core.findings.model import Finding
from core.screening.model import CriterionSuggestion, Fit, ScreeningVerdict
from core.store import (
    GivenVerdict,
    Plan,
    ScreeningConsensus,
    ScreeningDecision,
    Sitting,
    StoredCriterion,
    StoredFinding,
)
from core.store.model import ProjectState
from tests.core.export.reviews import DATE, paper, saved, state


def fit(item: str, criterion: str = "adults", *, cost: float | None = 0.0, engine: str = "offline") -> StoredCriterion:
    return StoredCriterion("p", item, CriterionSuggestion(engine, criterion, Fit.MET, "So.", cost_usd=cost))


def reviewed() -> ProjectState:
    """Two papers, of which one is deleted; two engines; Ann has decided twice, once beside a suggestion."""
    made = Finding("openai:m", "Tea helps", None, "", cost_usd=0.25, prompts=(("finding", "ab12"),))
    sitting = Sitting("p", "s", DATE, DATE + timedelta(days=1), Plan(), "2 processes", 3, 1, 0.5, (("vouch", "1.0"),))
    decided = (
        ScreeningDecision("p", "x", "Ann", ScreeningVerdict.INCLUDE, suggestions_seen=("offline",)),
        ScreeningDecision("p", "x", "Ben", ScreeningVerdict.EXCLUDE),
        ScreeningDecision("p", "gone", "Ben", ScreeningVerdict.EXCLUDE),
    )
    return replace(
        state(paper("x"), removed=[paper("gone")]),
        criteria=tuple(map(saved, (fit("x"), fit("x", "design", cost=None), fit("gone")))),
        findings=tuple(saved(StoredFinding("p", item, made)) for item in ("x", "gone")),
        sittings=(saved(sitting),),
        screenings=tuple(map(saved, decided)),
        screening_consensus=(saved(ScreeningConsensus("p", "x", ScreeningVerdict.INCLUDE, "", "So.", ("Ann", "Ben"))),),
    )


def test_engines_people_and_sittings_are_told() -> None:
    assert list(machines(reviewed())) == [
        "Screening: 2 suggestions on criteria, for 1 item (papers and references), came from the engine offline on "
        "2026-11-20, at no cost, the cost of 1 unknown.",
        "People gave 2 decisions in screening, 1 of them with a suggestion in view; no suggestion became a decision by "
        "itself, and 1 was settled by consensus.",
        "Evidence table: 1 verdict on hypotheses, for 1 paper, came from the language model openai:m on 2026-11-20, for "
        "0.25 USD (prompts, with hash: finding ab12).",
        "These verdicts are the engine's; no person has given one of their own yet.",
        "Engines were run by the queue of Vouch in 1 sitting from 2026-11-20 to 2026-11-21, with 2 processes, for 0.50 "
        "USD; 1 piece of its work failed.",
        "Versions in the last sitting: vouch 1.0.",
    ]


def test_verdicts_of_people_are_counted_beside_the_engines() -> None:
    given = (
        GivenVerdict("p", "x", "Tea helps", "Ann", PaperVerdict.SUPPORTS, suggestions_seen=("openai:m",)),
        GivenVerdict("p", "x", "Tea helps", "Ben", None),
        GivenVerdict("p", "gone", "Tea helps", "Ben", PaperVerdict.REFUTES),
    )
    told = list(machines(replace(reviewed(), verdicts=tuple(map(saved, given)))))
    assert told[3] == (
        "People gave 1 verdict of their own, 1 of them with an engine's in view; no engine's became a person's by itself, "
        "and 0 were settled by consensus."
    )


def test_nothing_is_said_where_there_is_nothing() -> None:
    assert list(machines(state(paper("x")))) == []


def test_suggestions_that_nobody_has_decided_beside_are_no_decisions() -> None:
    alone = replace(reviewed(), screenings=(), screening_consensus=(), findings=(), sittings=())
    *_, last = machines(alone)
    assert last == "No person has decided on a paper or reference yet."
    assert disclosure(alone, tool_named("rob2")).endswith(last)
