"""What changed between two answers: hand-made ones, the changes known."""

from __future__ import annotations

from dataclasses import replace

from core.answering import ReportedChange
from core.answering.changes import AnswerChanges, changes
from tests.core.answering.made import quoted, says, statement, written


def test_the_same_answer_has_not_changed() -> None:
    for answer in (quoted(), quoted(says("a")), written()):
        found = changes(answer, answer)
        assert found == AnswerChanges(answer.answered, answer.answered, 0)
        assert found.none


def test_papers_that_came_that_went_and_that_turned() -> None:
    down, told_nothing = says("b", ReportedChange.DECREASED), says("d", None)
    before = quoted(says("a"), says("b"), says("c"), says("d"), searched=5)
    after = quoted(says("e"), down, says("c", first=9), told_nothing, searched=8)
    found = changes(before, after)
    assert found == AnswerChanges(
        True,
        True,
        3,
        new=(says("e"),),
        gone=(says("a"),),
        turned=((says("b"), down), (says("d"), told_nothing)),
    )
    assert not found.none


def test_the_nearest_papers_of_no_answer_report_nothing() -> None:
    none = replace(quoted(says("a"), says("b")), cannot_answer=True)
    some = quoted(says("b", ReportedChange.DECREASED), searched=4)
    answered = changes(none, some)
    assert (answered.could_answer, answered.can_answer, answered.searched) == (False, True, 1)
    assert (answered.new, answered.gone, answered.turned) == (some.papers, (), ())
    lost = changes(some, none)
    assert (lost.could_answer, lost.can_answer, lost.searched) == (True, False, -1)
    assert (lost.new, lost.gone) == ((), some.papers)
    assert not lost.none


def test_written_statements_are_compared_by_their_words_and_signs() -> None:
    before = replace(written(), statements=(statement("Sleep improves (P < 0.05)."), statement("Mood may.")))
    after = replace(before, statements=(statement("mood \u2009may"), statement("Sleep improves (P > 0.05).")))
    found = changes(before, after)
    assert found.new_statements == after.statements[1:]
    assert found.gone_statements == before.statements[:1]
    assert not found.none


def test_quotations_and_a_written_answer_share_no_statements() -> None:
    offline = quoted(*written().papers)
    for found in (changes(offline, written()), changes(written(), offline)):
        assert found.none


def test_a_model_that_failed_takes_no_paper_away() -> None:
    failed = replace(written(), statements=(), problem="The server is down.", searched=9)
    assert changes(written(), failed) == AnswerChanges(True, False, 6)
    assert changes(failed, written()) == AnswerChanges(False, True, -6)
