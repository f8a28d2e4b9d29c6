"""What the desk is given of risk of bias, and what is believed of what comes back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.bias import Answer, Judgement, Level, tool_named
from core.bias.assessment import Assessment, OwnJudgement, Suggestion
from core.bias.model import Support
from core.evidence.model import Decision
from core.store.judging import OVERALL
from pages._ui.paper_view.judging import Edit, Sent, judging_payload, sent_from

ROB2 = tool_named("rob2")
D1 = ROB2.domain("D1")
ANSWERS = {"1.1": Answer.YES, "1.2": Answer.YES, "1.3": Answer.NO}
SUGGESTION = Suggestion(
    "offline",
    Judgement("D1", Level.HIGH, "A secret reason.", (Support(7, 0.5, "a hint"),), {"1.1": Answer.NO}, ("wall",)),
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
    own = OwnJudgement({"1.1": Answer.YES}, Level.HIGH, "Why", {3: Decision.ADDED})
    edits = {"D1": Edit(2, 7), OVERALL: Edit(1, 0)}
    assert sent_from(sent(), ROB2, sentences=9) == Sent({"D1": own}, True, edits)
    there = payload(Assessment(ROB2, {"D1": own}, raised=True), edits=edits)
    back = {"raised": there["raised"], "domains": {domain["id"]: domain["own"] for domain in there["domains"]}}
    again = sent_from(back, ROB2, sentences=9)
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
    assert sent_from(value, ROB2, sentences=9) is None


def test_only_what_is_not_stored_is_told_not_to_be_saved() -> None:
    told = payload(Assessment(ROB2), unsaved={"D1"})
    assert [domain["saved"] for domain in told["domains"]] == [False, True, True, True, True]
    assert told["overall"]["saved"]
    assert not payload(Assessment(ROB2), unsaved={OVERALL})["overall"]["saved"]
