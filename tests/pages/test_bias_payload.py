"""What the desk is given of risk of bias, judged alone and side by side, and what is believed of what comes back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from core.bias import Answer, Judgement, Level, tool_named
from core.bias.assessment import Assessment, OwnJudgement, Suggestion
from core.bias.model import HIGH, LOW, Support
from core.bias.tools.rob1 import UNCLEAR
from core.bias.tools.rob2 import SOME_CONCERNS
from core.evidence.model import Decision
from core.store import Consensus, DomainView, ReviewerJudgement, Saved
from core.store.model import OVERALL
from pages._ui.paper_view.bias import (
    Edit,
    SentConsensus,
    SentJudgements,
    consensus_from,
    judgements_from,
    judging_payload,
    settling_payload,
)

# ---- what the desk is given of risk of bias, and what is believed of what comes back ----

ROB2 = tool_named("rob2")
D1 = ROB2.domain("D1")
ANSWERS = {"1.1": Answer.YES, "1.2": Answer.YES, "1.3": Answer.NO}
SUGGESTION = Suggestion(
    "offline",
    Judgement("D1", HIGH, "A secret reason.", (Support(7, 0.5, "a hint"),), {"1.1": Answer.NO}, ("wall",)),
)


def payload(assessment: Assessment, **rest: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(judging_payload(assessment, **rest)))
    return found


def test_nothing_of_a_hidden_suggestion_is_sent() -> None:
    assessment = Assessment(ROB2).with_suggestion(SUGGESTION)
    hidden = json.dumps(payload(assessment, hidden={"D1"}))
    assert not any(told in hidden for told in ("secret", "hint", "wall", "offline"))
    first = payload(assessment, hidden={"D1"})["domains"][0]
    assert first["suggestion"] == {"hidden": True}
    assert first["ranked"] == []
    assert first["questions"][0]["suggested"] is None
    shown = payload(assessment.with_own(D1, OwnJudgement(ANSWERS)))["domains"][0]
    assert shown["suggestion"]["level"] == "high"
    assert shown["ranked"][0]["index"] == 7
    assert shown["questions"][0]["suggested"] == "N"


def test_what_flips_is_told_with_every_answer_of_the_same_effect() -> None:
    first = payload(Assessment(ROB2).with_own(D1, OwnJudgement(ANSWERS)))["domains"][0]
    assert first["given"] == "low"
    assert {"question": "1.2", "answers": ["PN", "N"], "level": "high", "opens": []} in first["flips"]
    assert {"question": "1.3", "answers": ["Y", "PY"], "level": "some concerns", "opens": []} in first["flips"]


def test_questions_that_do_not_apply_say_so() -> None:
    second = payload(Assessment(ROB2))["domains"][1]
    assert [question["id"] for question in second["questions"] if question["applies"]] == ["2.1", "2.2", "2.6"]
    assert second["missing"] == ["2.1", "2.2", "2.6"]
    assert all(question["condition"] for question in second["questions"] if not question["applies"])


def sent(**part: object) -> dict[str, Any]:
    own = {"answers": {"1.1": "Y"}, "level": "high", "comment": "Why", "decisions": [[3, "added"]]}
    return {"raised": {"on": True, "edit": 1, "version": 0}, "domains": {"D1": own | {"edit": 2, "version": 7} | part}}


def test_judgements_survive_the_way_to_the_browser_and_back() -> None:
    own = OwnJudgement({"1.1": Answer.YES}, HIGH, "Why", {3: Decision.ADDED})
    edits = {"D1": Edit(2, 7), OVERALL: Edit(1, 0)}
    assert judgements_from(sent(), ROB2, sentences=9) == SentJudgements({"D1": own}, True, edits)
    there = payload(Assessment(ROB2, {"D1": own}, raised=True), edits=edits)
    back = {"raised": there["raised"], "domains": {domain["id"]: domain["own"] for domain in there["domains"]}}
    again = judgements_from(back, ROB2, sentences=9)
    assert again is not None
    assert again.own == {domain.id: own if domain is D1 else OwnJudgement() for domain in ROB2.domains}
    assert (again.raised, again.edits["D1"], again.edits[OVERALL], again.edits["D2"]) == (
        *(True, Edit(2, 7), Edit(1, 0)),
        Edit(),
    )


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {"raised": sent()["raised"]},
        sent() | {"raised": True},
        sent(edit=-1),
        sent(level="unclear"),
        sent(level="grave"),
        sent(answers={"2.1": "Y"}),
        sent(answers={"1.1": "NA"}),
        sent(comment="x" * 4001),
        sent(decisions=[[9, "added"]]),
        sent(decisions=None),
        sent(more=1),
        sent() | {"domains": {"D9": sent()["domains"]["D1"]}},
    ],
)
def test_what_no_desk_sends_is_not_believed(value: object) -> None:
    assert judgements_from(value, ROB2, sentences=9) is None


def test_only_what_is_not_stored_is_told_not_to_be_saved() -> None:
    told = payload(Assessment(ROB2), unsaved={"D1"})
    assert [domain["saved"] for domain in told["domains"]] == [False, True, True, True, True]
    assert told["overall"]["saved"]
    assert not payload(Assessment(ROB2), unsaved={OVERALL})["overall"]["saved"]


# ---- reviewers side by side ----

ROB1, TOOL = tool_named("rob1"), tool_named("rob2")
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
        (DomainView(own=judged("Ann", LOW)), "open", None),
        (DomainView(judged("Ann", LOW), (judged("Ben", None),)), "open", None),
        (DomainView(judged("Ann", LOW), (judged("Ben", LOW),)), "agreed", LOW),
        (DomainView(judged("Ann", LOW), (judged("Ben", HIGH),)), "conflict", None),
        (DomainView(judged("Ann", None), hidden=True), "hidden", None),
        (
            DomainView(
                judged("Ann", LOW),
                (judged("Ben", HIGH),),
                consensus=settled("sequence", UNCLEAR),
            ),
            "settled",
            UNCLEAR,
        ),
    ],
)
def test_a_domain_is_open_agreed_in_conflict_or_settled(view: DomainView, state: str, level: Level | None) -> None:
    assert (first(view)["state"], first(view)["level"]) == (state, level)


def test_each_sentence_names_who_chose_it() -> None:
    view = DomainView(judged("Ann", LOW, support=(9, 3)), (judged("Ben", HIGH, support=(3,)),))
    told = [(one["index"], one["rank"], one["rationale"]) for one in first(view)["ranked"]]
    assert told == [(3, "AB", "Chosen by Ann and Ben"), (9, "A", "Chosen by Ann")]
    alike = DomainView(judged("Ann", LOW, support=(9,)), (judged("Ada", LOW, support=(9,)),))
    assert [one["rank"] for one in first(alike, ("Ann", "Ada"))["ranked"]] == ["12"]


def test_answers_that_do_not_apply_are_not_compared() -> None:
    answers = {"2.1": Answer.NO, "2.2": Answer.NO, "2.3": Answer.YES, "2.6": Answer.YES}
    view = DomainView(own=judged("Ann", LOW, domain="D2", answers=answers))
    domain: dict[str, Any] = settling_payload(TOOL, {"D2": view}, ("Ann", "Ben"))[1]
    assert [id for id, *_ in domain["judgements"][0]["answers"]] == ["2.1", "2.2", "2.6"]


def test_the_whole_follows_where_several_domains_come_to_some_concerns() -> None:
    def views(*levels: Level) -> dict[str, DomainView]:
        return {
            domain.id: DomainView(judged("Ann", level, domain=domain.id), (judged("Ben", level, domain=domain.id),))
            for domain, level in zip(TOOL.domains, levels, strict=True)
        }

    some, low = SOME_CONCERNS, LOW
    assert len(settling_payload(TOOL, views(some, low, low, low, low), ("Ann", "Ben"))) == 5
    several = views(some, some, low, low, low)
    whole = settling_payload(TOOL, several, ("Ann", "Ben"))[-1]
    assert (whole["id"], whole["state"], whole["level"]) == (OVERALL, "free", some)
    several[OVERALL] = DomainView(consensus=settled(OVERALL, HIGH))
    assert settling_payload(TOOL, several, ("Ann", "Ben"))[-1]["level"] == HIGH


SENT = {"question": "q", "number": 1, "domain": "D1", "level": "high", "reason": "Why", "version": 0}


def test_what_the_browser_sends_is_believed_if_it_fits_the_tool() -> None:
    assert consensus_from(SENT, TOOL) == SentConsensus(
        question="q", number=1, domain="D1", level=HIGH, reason="Why", version=0
    )
    assert consensus_from(SENT | {"domain": OVERALL}, TOOL) is not None
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
        assert consensus_from(wrong, TOOL) is None
    assert consensus_from(SENT | {"domain": OVERALL}, ROB1) is None
