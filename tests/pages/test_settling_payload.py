"""Reviewers side by side: what the desk is given, and what is believed of what comes back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from core.bias import Answer, Level, tool_named
from core.store import Consensus, DomainView, ReviewerJudgement, Saved
from core.store.judging import OVERALL
from pages._ui.paper_view.settling import Settled, settled_from, settling_payload

ROB1, ROB2 = tool_named("rob1"), tool_named("rob2")
WHEN = datetime(2026, 1, 2, tzinfo=UTC)


def saved(record: Any) -> Saved[Any]:
    return Saved(record, 1, "Ann", WHEN, WHEN)


def judged(reviewer: str, level: Level | None, *, domain: str = "sequence", **rest: Any) -> Saved[ReviewerJudgement]:
    return saved(ReviewerJudgement("p", "1", domain, reviewer, level, **rest))


def settled(domain: str, level: Level) -> Saved[Consensus]:
    return saved(Consensus("p", "1", domain, level, "By date of birth.", ("Ann", "Ben")))


def first(view: DomainView, reviewers: tuple[str, ...] = ("Ann", "Ben")) -> dict[str, Any]:
    domain: dict[str, Any] = settling_payload(ROB1, {"sequence": view}, reviewers)[0]
    return domain


@pytest.mark.parametrize(
    ("view", "state", "level"),
    [
        (DomainView(), "open", None),
        (DomainView(own=judged("Ann", Level.LOW)), "open", None),
        (DomainView(judged("Ann", Level.LOW), (judged("Ben", None),)), "open", None),
        (DomainView(judged("Ann", Level.LOW), (judged("Ben", Level.LOW),)), "agreed", Level.LOW),
        (DomainView(judged("Ann", Level.LOW), (judged("Ben", Level.HIGH),)), "conflict", None),
        (DomainView(judged("Ann", None), hidden=True), "hidden", None),
        (
            DomainView(
                judged("Ann", Level.LOW),
                (judged("Ben", Level.HIGH),),
                consensus=settled("sequence", Level.UNCLEAR),
            ),
            "settled",
            Level.UNCLEAR,
        ),
    ],
)
def test_a_domain_is_open_agreed_in_conflict_or_settled(view: DomainView, state: str, level: Level | None) -> None:
    assert (first(view)["state"], first(view)["level"]) == (state, level)


def test_each_sentence_names_who_chose_it() -> None:
    view = DomainView(judged("Ann", Level.LOW, support=(9, 3)), (judged("Ben", Level.HIGH, support=(3,)),))
    told = [(one["index"], one["rank"], one["rationale"]) for one in first(view)["ranked"]]
    assert told == [(3, "AB", "Chosen by Ann and Ben"), (9, "A", "Chosen by Ann")]
    alike = DomainView(judged("Ann", Level.LOW, support=(9,)), (judged("Ada", Level.LOW, support=(9,)),))
    assert [one["rank"] for one in first(alike, ("Ann", "Ada"))["ranked"]] == ["12"]


def test_answers_that_do_not_apply_are_not_compared() -> None:
    answers = {"2.1": Answer.NO, "2.2": Answer.NO, "2.3": Answer.YES, "2.6": Answer.YES}
    view = DomainView(own=judged("Ann", Level.LOW, domain="D2", answers=answers))
    domain: dict[str, Any] = settling_payload(ROB2, {"D2": view}, ("Ann", "Ben"))[1]
    assert [id for id, *_ in domain["judgements"][0]["answers"]] == ["2.1", "2.2", "2.6"]


def test_the_whole_follows_where_several_domains_come_to_some_concerns() -> None:
    def views(*levels: Level) -> dict[str, DomainView]:
        return {
            domain.id: DomainView(judged("Ann", level, domain=domain.id), (judged("Ben", level, domain=domain.id),))
            for domain, level in zip(ROB2.domains, levels, strict=True)
        }

    some, low = Level.SOME_CONCERNS, Level.LOW
    assert len(settling_payload(ROB2, views(some, low, low, low, low), ("Ann", "Ben"))) == 5
    several = views(some, some, low, low, low)
    whole = settling_payload(ROB2, several, ("Ann", "Ben"))[-1]
    assert (whole["id"], whole["state"], whole["level"]) == (OVERALL, "free", some)
    several[OVERALL] = DomainView(consensus=settled(OVERALL, Level.HIGH))
    assert settling_payload(ROB2, several, ("Ann", "Ben"))[-1]["level"] is Level.HIGH


SENT = {"question": "q", "number": 1, "domain": "D1", "level": "high", "reason": "Why", "version": 0}


def test_what_the_browser_sends_is_believed_if_it_fits_the_tool() -> None:
    assert settled_from(SENT, ROB2) == Settled(
        question="q", number=1, domain="D1", level=Level.HIGH, reason="Why", version=0
    )
    assert settled_from(SENT | {"domain": OVERALL}, ROB2) is not None
    for wrong in (
        None,
        {},
        SENT | {"domain": "D9"},
        SENT | {"level": "unclear"},
        SENT | {"reason": "x" * 4001},
        SENT | {"version": -1},
        SENT | {"more": 1},
        SENT | {"domain": OVERALL, "level": "low"},
    ):
        assert settled_from(wrong, ROB2) is None
    assert settled_from(SENT | {"domain": OVERALL}, ROB1) is None
