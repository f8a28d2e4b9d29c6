"""What the desk is given of risk of bias, and what is believed of what comes back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.bias import Answer, Judgement, Level, tool_named
from core.bias.assessment import Assessment, OwnJudgement, Suggestion
from core.bias.model import Support
from core.evidence.model import Decision
from pages._ui.paper_view.judging import judging_payload, own_from

ROB2 = tool_named("rob2")
D1 = ROB2.domain("D1")
ANSWERS = {"1.1": Answer.YES, "1.2": Answer.YES, "1.3": Answer.NO}
SUGGESTION = Suggestion(
    "offline",
    Judgement("D1", Level.HIGH, "A secret reason.", (Support(7, 0.5, "a hint"),), {"1.1": Answer.NO}, ("wall",)),
)


def payload(assessment: Assessment, *, blind: bool = False) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(judging_payload(assessment, blind=blind)))
    return found


def test_blind_sends_nothing_of_a_hidden_suggestion() -> None:
    assessment = Assessment(ROB2).with_suggestion(SUGGESTION)
    hidden = json.dumps(payload(assessment, blind=True))
    assert not any(told in hidden for told in ("secret", "hint", "wall", "offline"))
    first = payload(assessment, blind=True)["domains"][0]
    assert first["suggestion"] == {"hidden": True}
    assert first["ranked"] == []
    assert first["questions"][0]["suggested"] is None
    shown = payload(assessment.with_own(D1, OwnJudgement(ANSWERS)), blind=True)["domains"][0]
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


def sent(**part: object) -> dict[str, object]:
    own = {"answers": {"1.1": "Y"}, "level": "high", "comment": "Why", "decisions": [[3, "added"]]} | part
    return {"raised": True, "domains": {"D1": own}}


def test_judgements_survive_the_way_to_the_browser_and_back() -> None:
    own = OwnJudgement({"1.1": Answer.YES}, Level.HIGH, "Why", {3: Decision.ADDED})
    assert own_from(sent(), ROB2, sentences=9) == ({"D1": own}, True)
    domains = payload(Assessment(ROB2, {"D1": own}))["domains"]
    back = {"raised": True, "domains": {domain["id"]: domain["own"] for domain in domains}}
    assert own_from(back, ROB2, sentences=9) == ({"D1": own}, True)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {"raised": True},
        sent(level="unclear"),
        sent(level="grave"),
        sent(answers={"2.1": "Y"}),
        sent(answers={"1.1": "NA"}),
        sent(comment="x" * 4001),
        sent(decisions=[[9, "added"]]),
        sent(decisions=None),
        sent(more=1),
        {"raised": False, "domains": {"D9": sent()["domains"]}},
    ],
)
def test_what_no_desk_sends_is_not_believed(value: object) -> None:
    assert own_from(value, ROB2, sentences=9) is None
