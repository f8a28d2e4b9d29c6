"""What a reviewer sets on a screen and what is stored of it: there and back is identity."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.bias import Answer, Level, tool_named
from core.bias.assessment import OwnJudgement
from core.evidence.model import Decision
from core.store import ReviewerJudgement
from core.store.judging import own_judgement, stored_judgement

ROB1, ROB2 = tool_named("rob1"), tool_named("rob2")
ANSWERS = {"1.1": Answer.YES, "1.2": Answer.YES, "1.3": Answer.NO}
PLACE = {"project": "walking", "paper": "1", "reviewer": "Ann"}


@pytest.mark.parametrize(
    ("tool", "own", "level"),
    [
        ("rob1", OwnJudgement(), None),
        ("rob1", OwnJudgement(level=Level.UNCLEAR, comment="Why?"), Level.UNCLEAR),
        ("rob2", OwnJudgement({"1.1": Answer.YES}), None),
        ("rob2", OwnJudgement(ANSWERS), Level.LOW),
        ("rob2", OwnJudgement(ANSWERS, Level.HIGH), Level.LOW),  # no comment says why: what the answers give stands
        ("rob2", OwnJudgement(ANSWERS, Level.HIGH, "By date of birth."), Level.HIGH),
        ("rob2", OwnJudgement(decisions={7: Decision.ADDED, 2: Decision.ACCEPTED, 5: Decision.REJECTED}), None),
    ],
)
def test_there_and_back_is_identity(tool: str, own: OwnJudgement, level: Level | None) -> None:
    domain = tool_named(tool).domains[0]
    record = stored_judgement(own, domain, **PLACE, seen=["offline", "bm25", "offline"])
    assert record.level is level
    assert record.suggestions_seen == ("bm25", "offline")
    assert own_judgement(record, domain) == own


def test_sentences_that_were_turned_down_are_no_support() -> None:
    own = OwnJudgement(decisions={7: Decision.ADDED, 2: Decision.ACCEPTED, 5: Decision.REJECTED})
    assert stored_judgement(own, ROB1.domains[0], **PLACE).support == (2, 7)


def test_a_record_without_details_comes_to_the_same_level() -> None:
    record = ReviewerJudgement("walking", "1", "D1", "Ann", Level.HIGH, ANSWERS, (3, 5), "By date of birth.")
    own = own_judgement(record, ROB2.domains[0])
    assert own == OwnJudgement(ANSWERS, Level.HIGH, record.comment, {3: Decision.ADDED, 5: Decision.ADDED})
    assert own.level_in(ROB2.domains[0]) is Level.HIGH
    assert own_judgement(replace(record, level=Level.LOW), ROB2.domains[0]).level is None
