"""Quotations of an article: every sentence in one section only, and no table's row."""

from __future__ import annotations

from dataclasses import replace

from core.answering import Answer, Gathered, PaperAnswer, Question
from core.answering.record import answer_from, answer_record
from core.articles import Section, nothing_left
from core.articles.quoting import quoted_once
from core.library import Passage
from tests.core.answering.made import says

SAME, LESS, PAIN = "Both groups slept alike.", "Fewer woke at night.", "Pain was rare."
ROW = "All | 12 (6.1) | 0.04"


def passage(text: str, score: float, *, paper: str = "a", part: str = "results") -> Gathered:
    """One sentence of a paper, at a place of its own."""
    first = len(text) * 100
    return Gathered(Passage(paper, first, "Results", part, 1, (text,), (0.9,)), score, first)


def section(heading: str, *found: Gathered, answered: bool = True) -> Section:
    """The first passage of each paper is what it would quote; the others were gathered, too."""
    papers: dict[str, PaperAnswer] = {}
    for one in found:
        papers.setdefault(one.passage.paper, replace(says(one.passage.paper), strongest=one))
    sources = tuple(one.paper for one in papers.values())
    question = Question(f"What of {heading}?")
    return Section(heading, Answer("offline", question, tuple(papers.values()), not answered, found, sources, 3))


def quoted(section: Section) -> list[str]:
    return [one.sentence for one in section.answer.papers]


def test_a_sentence_stands_where_its_evidence_is_better_and_the_other_section_takes_its_next() -> None:
    effects, harms = quoted_once(
        [
            section("Effects", passage(SAME, 0.3), passage(LESS, 0.2)),
            section("Harms", passage(SAME, 0.6), passage(LESS, 0.5)),
        ]
    )
    assert (quoted(effects), quoted(harms)) == ([LESS], [SAME])
    assert effects.answer.answered
    [instead], [first] = effects.answer.papers, harms.answer.papers
    assert (instead.told, instead.probability) == (None, None), "what was told of another sentence"
    assert first.told is says("a").told
    assert answer_from(answer_record(effects.answer)) == effects.answer, "it can be kept"


def test_a_section_with_nothing_left_says_so_and_is_not_answered() -> None:
    effects, harms, course = quoted_once(
        [
            section("Effects", passage(SAME, 0.6)),
            section("Harms", passage(SAME, 0.3), passage(PAIN, 0.01)),
            section("Course", passage(SAME, 0.2)),
        ]
    )
    assert effects.answer.answered
    assert effects.answer.notes == ()
    assert quoted(harms) == [PAIN], "too unlikely for an answer, and still the nearest"
    assert not harms.answer.answered
    assert nothing_left("Harms") in harms.answer.notes
    assert (quoted(course), course.answer.answered) == ([], False)


def test_an_answer_goes_before_what_is_merely_near() -> None:
    near, effects = quoted_once(
        [section("Harms", passage(SAME, 0.9), answered=False), section("Effects", passage(SAME, 0.2))]
    )
    assert (quoted(near), near.answer.cannot_answer) == ([], True)
    assert near.answer.notes == (), "it never seemed to be answered"
    assert (quoted(effects), effects.answer.answered) == ([SAME], True)


def test_what_is_quoted_first_is_not_taken_away_by_anothers_next() -> None:
    first, second, third = quoted_once(
        [
            section("A", passage(SAME, 0.9)),
            section("B", passage(SAME, 0.8), passage(LESS, 0.7), passage(PAIN, 0.6)),
            section("C", passage(LESS, 0.2)),
        ]
    )
    assert [quoted(one) for one in (first, second, third)] == [[SAME], [PAIN], [LESS]]


def test_who_has_a_next_gives_way_to_who_would_have_nothing() -> None:
    first, second, third = quoted_once(
        [
            section("A", passage(SAME, 0.9), passage(PAIN, 0.4)),
            section("B", passage(LESS, 0.8), passage(SAME, 0.7)),
            section("C", passage(LESS, 0.3)),
        ]
    )
    assert [quoted(one) for one in (first, second, third)] == [[PAIN], [SAME], [LESS]]


def test_a_tables_row_is_no_answer() -> None:
    row = passage(ROW, 0.9, part="table")
    with_text, alone = quoted_once([section("Effects", row, passage(LESS, 0.4)), section("Harms", row)])
    assert quoted(with_text) == [LESS]
    assert (quoted(alone), alone.answer.answered) == ([], False)


def test_other_papers_answer_on() -> None:
    harms, effects = quoted_once(
        [section("Harms", passage(SAME, 0.3), passage(SAME, 0.3, paper="b")), section("Effects", passage(SAME, 0.6))]
    )
    assert [one.paper.id for one in harms.answer.papers] == ["b"], "the same words of another paper are its own"
    assert harms.answer.answered
    assert quoted(effects) == [SAME]
