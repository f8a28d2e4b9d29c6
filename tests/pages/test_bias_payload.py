"""The desk's data for risk of bias, judged alone or side by side, and the validation of the browser's messages."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from core.benchmarks.domain_gold import DomainGold
from core.benchmarks.gold import Gold
from core.bias import Answer, Judgement, Level, tool_named
from core.bias.assessment import Assessment, OwnJudgement, Suggestion
from core.bias.model import HIGH, LOW, OVERALL, Support
from core.bias.tools.rob1 import UNCLEAR
from core.bias.tools.rob2 import SOME_CONCERNS
from core.evidence.model import Decision
from core.export.gold import settled_gold
from core.paper import read_paper
from core.store import Consensus, DomainView, ReviewerJudgement, Saved
from pages._ui.paper_view.bias import (
    Edit,
    SentConsensus,
    SentJudgements,
    consensus_from,
    judgements_from,
    judging_payload,
    settling_payload,
)

# ---- data for the desk of risk of bias, and validation of the browser's messages ----

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
    return {"domains": {"D1": own | {"edit": 2, "version": 7} | part}}


def test_judgements_survive_the_way_to_the_browser_and_back() -> None:
    own = OwnJudgement({"1.1": Answer.YES}, HIGH, "Why", {3: Decision.ADDED})
    whole = OwnJudgement(level=HIGH, comment="All in all")
    edits = {"D1": Edit(2, 7), OVERALL: Edit(1, 0)}
    assert judgements_from(sent(), ROB2, sentences=9) == SentJudgements({"D1": own}, {"D1": Edit(2, 7)})
    there = payload(Assessment(ROB2, {"D1": own, OVERALL: whole}), edits=edits)
    back = {"domains": {domain["id"]: domain["own"] for domain in there["domains"]}}
    again = judgements_from(back, ROB2, sentences=9)
    assert again is not None
    nothing = {domain.id: OwnJudgement() for domain in ROB2.domains}
    assert again.own == nothing | {"D1": own, OVERALL: whole}
    assert (again.edits["D1"], again.edits[OVERALL], again.edits["D2"]) == (Edit(2, 7), Edit(1, 0), Edit())


def test_the_whole_follows_from_the_domains_and_can_be_set_to_another_level() -> None:
    whole = payload(Assessment(ROB2))["domains"][-1]
    assert (whole["id"], whole["level"], whole["given"], len(whole["missing"])) == (OVERALL, None, None, 5)
    own = {domain.id: OwnJudgement(level=LOW) for domain in tool_named("rob1").domains}
    assert payload(Assessment(tool_named("rob1"), own))["domains"][-1]["id"] == "other", "it has no whole"


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
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
    assert [domain["saved"] for domain in told["domains"]] == [False, True, True, True, True, True]
    assert not payload(Assessment(ROB2), unsaved={OVERALL})["domains"][-1]["saved"]


# ---- reviewers side by side ----

ROB1, TOOL = tool_named("rob1"), tool_named("rob2")
WHEN = datetime(2026, 1, 2, tzinfo=UTC)


def saved(record: Any) -> Saved[Any]:
    return Saved(record, 1, "Ann", WHEN, WHEN)


def judged(reviewer: str, level: Level | None, *, domain: str = "sequence", **rest: Any) -> Saved[ReviewerJudgement]:
    return saved(ReviewerJudgement("p", "1", "rob2", domain, reviewer, level, **rest))


def settled(domain: str, level: Level) -> Saved[Consensus]:
    return saved(Consensus("p", "1", "rob2", domain, level, "By date of birth.", ("Ann", "Ben")))


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


def test_the_whole_is_settled_where_a_reviewer_set_another_level_than_follows() -> None:
    def views(*levels: Level) -> dict[str, DomainView]:
        return {
            domain.id: DomainView(judged("Ann", level, domain=domain.id), (judged("Ben", level, domain=domain.id),))
            for domain, level in zip(TOOL.domains, levels, strict=True)
        }

    some, low = SOME_CONCERNS, LOW
    several = views(some, some, low, low, low)

    def whole(view: DomainView) -> dict[str, Any]:
        found: dict[str, Any] = settling_payload(TOOL, several | {OVERALL: view}, ("Ann", "Ben"))[-1]
        return found

    nobody = whole(DomainView())
    assert (nobody["id"], nobody["state"], nobody["level"]) == (OVERALL, "agreed", some)
    ann = DomainView(judged("Ann", HIGH, domain=OVERALL, comment="All in one direction."))
    assert whole(ann)["state"] == "conflict"
    told = [(one["reviewer"], one["level"], one["comment"]) for one in whole(ann)["judgements"]]
    assert told == [("Ann", HIGH, "All in one direction."), ("Ben", some, "As it follows from the domains.")]
    both = DomainView(judged("Ann", HIGH, domain=OVERALL), (judged("Ben", HIGH, domain=OVERALL),))
    assert (whole(both)["state"], whole(both)["level"]) == ("agreed", HIGH)
    assert whole(DomainView(consensus=settled(OVERALL, HIGH)))["level"] == HIGH
    open_ = settling_payload(TOOL, {}, ("Ann", "Ben"))[-1]
    assert (open_["state"], open_["level"]) == ("open", None)


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
        SENT | {"domain": OVERALL, "level": "unclear"},
    ):
        assert consensus_from(wrong, TOOL) is None
    assert consensus_from(SENT | {"domain": OVERALL}, ROB1) is None


def test_gold_says_what_is_right_and_nothing_of_a_hidden_suggestion() -> None:
    d3 = TOOL.domain("D3")
    support = (Support(1), Support(4))
    assessment = Assessment(TOOL).with_suggestion(Suggestion("offline", Judgement("D3", HIGH, "So.", support)))
    assessment = assessment.with_own(d3, OwnJudgement({"3.1": Answer.YES}))
    gold = {"D3": DomainGold((LOW,), Gold({"a": frozenset({1}), "b": frozenset({2})}))}

    def shown(**how: Any) -> Any:
        return json.loads(json.dumps(judging_payload(assessment, golds=gold, **how)))["domains"][2]["gold"]

    seen = shown()
    assert (seen["levels"], seen["suggested"], seen["own"]) == (["low"], False, True)
    marks = seen["sentences"]
    assert (marks["hits"], marks["extras"], marks["missed"], marks["recall"]) == ([1], [4], [2], 0.5)
    hidden = shown(hidden={"D3"})
    assert (hidden["suggested"], hidden["own"], hidden["sentences"]["recall"]) == (None, True, None)
    assert hidden["sentences"]["missed"] == [1, 2]


def test_what_reviewers_settled_or_gave_alike_is_gold() -> None:
    paper = read_paper(b"# Tea\n\nLots were drawn. They were sealed. Nobody knew.\n", name="tea.md")
    both = ("Ann", "Ben")
    alike = DomainView(judged("Ann", LOW, support=(1,)), (judged("Ben", LOW, support=(2,)),))
    gold = settled_gold(paper, {"D1": alike}, both)["D1"]
    assert gold.levels == (LOW,)
    assert gold.gold is not None
    assert set(gold.gold.by_sentence) == {1, 2}
    differ = DomainView(judged("Ann", LOW), (judged("Ben", HIGH),))
    assert settled_gold(paper, {"D1": differ}, both) == {}
    assert settled_gold(paper, {"D1": DomainView(judged("Ann", LOW))}, both) == {}
    decided = replace(differ, consensus=settled("D1", HIGH))
    assert settled_gold(paper, {"D1": decided}, both) == {"D1": DomainGold((HIGH,))}
    assert settled_gold(paper, {"D1": replace(decided, hidden=True)}, both) == {}
