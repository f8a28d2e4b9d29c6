"""Questions and hypotheses are taken apart, and what is no claim stays whole."""

from __future__ import annotations

import time

import pytest

from core.findings.question_parts import QuestionParts, parts_of


@pytest.mark.parametrize(
    "question",
    [
        "magnesium citrate compared with placebo: nocturnal cramps",
        "nocturnal cramps: magnesium citrate compared with placebo",
        "magnesium citrate versus placebo: nocturnal cramps",
        "magnesium citrate vs. placebo: nocturnal cramps",
        "Magnesium citrate reduces nocturnal cramps more than placebo.".lower(),
        "In older adults, magnesium citrate reduces nocturnal cramps compared with placebo",
        "magnesium citrate does not change nocturnal cramps compared with placebo in older adults",
        "compared with placebo, magnesium citrate lowers nocturnal cramps",
        "there is no difference in nocturnal cramps between magnesium citrate and placebo",
        "nocturnal cramps do not differ between magnesium citrate and placebo.",
        "nocturnal cramps are rarer with magnesium citrate than with placebo",
        "magnesium citrate has no effect on nocturnal cramps compared with placebo",
        "magnesium citrate leads to fewer nocturnal cramps than placebo",
        "fewer nocturnal cramps with magnesium citrate than with placebo",
    ],
)
def test_a_question_is_taken_apart_however_it_is_put(question: str) -> None:
    assert parts_of(question) == QuestionParts("magnesium citrate", "placebo", "nocturnal cramps")


@pytest.mark.parametrize(
    "question",
    [
        "Does magnesium citrate reduce nocturnal cramps compared with placebo?",
        "In older adults, does magnesium citrate cause fewer nocturnal cramps than placebo?",
        "How does magnesium citrate affect nocturnal cramps compared with placebo?",
        "What is the effect of magnesium citrate on nocturnal cramps compared with placebo?",
        "What is the effect of magnesium citrate compared with placebo on nocturnal cramps?",
        "Is magnesium citrate better than placebo for nocturnal cramps?",
        "magnesium citrate compared with placebo: nocturnal cramps?",
    ],
)
def test_a_question_in_plain_words_is_taken_apart(question: str) -> None:
    assert parts_of(question) == QuestionParts("magnesium citrate", "placebo", "nocturnal cramps")


@pytest.mark.parametrize("question", ["What is the effect of tea on sleep?", "Can tea improve sleep?"])
def test_a_question_may_name_no_comparator(question: str) -> None:
    assert parts_of(question) == QuestionParts("tea", "", "sleep")


def test_a_claim_may_name_no_comparator() -> None:
    parts = parts_of("Tea improves sleep")
    assert parts == QuestionParts("Tea", "", "sleep")
    assert parts.template == "sleep: Tea"


@pytest.mark.parametrize("question", ["What of tea and sleep", "tea compared with water", "", ": ", "a\n" * 9_999])
def test_another_question_is_its_outcome_as_a_whole(question: str) -> None:
    assert parts_of(question) == QuestionParts("", "", question)
    assert parts_of(question).template == question


def test_the_template_joins_what_is_known() -> None:
    assert QuestionParts("tea", "water", "sleep").template == "sleep: tea compared with water"


@pytest.mark.parametrize(
    "words",
    [
        "is with than ",
        "a reduces ",
        "no difference in x between y ",
        "in a, ",
        "more with than ",
        "what is the effect of a on ",
    ],
)
def test_no_question_takes_long(words: str) -> None:
    started = time.process_time()
    parts_of(words * (1000 // len(words)))
    assert time.process_time() - started < 1
