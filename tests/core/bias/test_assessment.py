"""What a reviewer sets, and what follows from it."""

from __future__ import annotations

from dataclasses import replace

from core.bias import Answer, Judgement, tool_named
from core.bias.assessment import Assessment, OwnJudgement, Suggestion
from core.bias.model import HIGH, LOW, Support
from core.bias.tools.rob1 import UNCLEAR
from core.bias.tools.rob2 import SOME_CONCERNS
from core.evidence.model import Decision

ROB1 = tool_named("rob1")
ROB2 = tool_named("rob2")
D1 = ROB2.domain("D1")
ANSWERED = {"1.1": Answer.YES, "1.2": Answer.YES, "1.3": Answer.NO}
SOME = {**ANSWERED, "1.1": Answer.NO}
SOME_EVERYWHERE = {
    "D1": OwnJudgement(SOME),
    "D2": OwnJudgement({"2.1": Answer.NO, "2.2": Answer.NO, "2.6": Answer.NO, "2.7": Answer.NO}),
    "D3": OwnJudgement({"3.1": Answer.YES}),
    "D4": OwnJudgement({"4.1": Answer.NO, "4.2": Answer.NO, "4.3": Answer.NO}),
    "D5": OwnJudgement({"5.1": Answer.YES, "5.2": Answer.NO, "5.3": Answer.NO}),
}


def test_without_questions_the_level_is_the_reviewers() -> None:
    domain = ROB1.domain("sequence")
    assert OwnJudgement().level_in(domain) is None
    assert OwnJudgement(level=UNCLEAR).level_in(domain) == UNCLEAR


def test_answers_give_the_level_and_a_missing_one_gives_none() -> None:
    assert OwnJudgement(ANSWERED).level_in(D1) == LOW
    assert OwnJudgement({"1.1": Answer.YES}).level_in(D1) is None
    assert OwnJudgement({"1.1": Answer.YES}, level=HIGH, comment="It is.").level_in(D1) is None


def test_another_level_than_the_answers_give_needs_a_comment() -> None:
    other = OwnJudgement(ANSWERED, level=HIGH)
    assert other.overrides(D1)
    assert other.level_in(D1) == LOW
    assert replace(other, comment="  ").level_in(D1) == LOW
    assert replace(other, comment="The list hung on the wall.").level_in(D1) == HIGH
    assert not OwnJudgement(ANSWERED, level=LOW).overrides(D1)


def test_the_whole_is_its_worst_domain_unless_the_reviewer_says_why_not() -> None:
    whole = ROB2.whole
    assert whole is not None
    assessment = Assessment(ROB2, SOME_EVERYWHERE)
    assert (assessment.rule, assessment.overall) == (SOME_CONCERNS, SOME_CONCERNS)
    for level in (LOW, HIGH):
        set_ = assessment.with_own(whole, OwnJudgement(level=level))
        assert set_.overall == SOME_CONCERNS, "without a reason what follows from the domains stands"
        explained = assessment.with_own(
            whole, OwnJudgement(level=level, comment="Small concerns, all in one direction.")
        )
        assert (explained.rule, explained.overall) == (SOME_CONCERNS, level)
        missing = explained.with_own(D1, OwnJudgement())
        assert (missing.rule, missing.overall) == (None, None)
    assert Assessment(ROB1, {d.id: OwnJudgement(level=LOW) for d in ROB1.domains}).overall is None
    assert ROB1.whole is None


def test_blind_hides_every_suggestion_until_the_own_level_is_in() -> None:
    assessment = Assessment(ROB2)
    for domain in ROB2.domains:
        assessment = assessment.with_suggestion(Suggestion("offline", Judgement(domain.id, LOW, "So.")))
    assert assessment.as_seen(blind=False).suggestions.keys() == {"D1", "D2", "D3", "D4", "D5"}
    assert assessment.as_seen(blind=True).suggestions == {}
    begun = assessment.with_own(D1, OwnJudgement({"1.1": Answer.YES}, comment="Half-way."))
    assert begun.as_seen(blind=True).suggestions == {}
    done = assessment.with_own(D1, OwnJudgement(ANSWERED))
    assert done.as_seen(blind=True).suggestions.keys() == {"D1"}


def test_decisions_move_with_their_sentences_and_suggestions_do_not() -> None:
    own = OwnJudgement(ANSWERED, comment="Yes.", decisions={1: Decision.ADDED, 2: Decision.REJECTED})
    suggestion = Suggestion("offline", Judgement("D1", None, "No.", (Support(1),)))
    moved = Assessment(ROB2).with_own(D1, own).with_suggestion(suggestion).moved({1: 5})
    assert moved.of(D1) == replace(own, decisions={5: Decision.ADDED})
    assert moved.suggestions == {}


def test_where_the_answers_do_not_decide_the_reviewers_level_stands_without_a_reason() -> None:
    flow = tool_named("quadas-2").domain("flow")
    answers = dict.fromkeys((question.id for question in flow.questions), Answer.YES)
    assert OwnJudgement(answers).level_in(flow) == LOW
    open_ones = answers | {"4.4": Answer.NO}
    assert OwnJudgement(open_ones).level_in(flow) is None
    judged = OwnJudgement(open_ones, level=HIGH)
    assert (judged.level_in(flow), judged.overrides(flow)) == (HIGH, False)
    assert replace(judged, answers={"4.4": Answer.NO}).level_in(flow) is None, "some answers are missing"
