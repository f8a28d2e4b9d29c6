"""Answers on a sentence held against the paper, reply by reply."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from core.llm import Reply, Usage
from core.llm.model import Form
from core.llm.replies import answer_in
from core.summary import Label, QuoteStatus, SentenceCheck, Span
from core.summary.llm.answers import LabelAndParts
from core.summary.llm.judging import WITHOUT_SUPPORT, checked, judge, span_of
from core.summary.llm.wording import Strategy, Wording
from core.summary.matching import Matcher
from core.summary.splitting import split_summary
from tests.core.summary.llm.test_engine import PAPER

SENTENCES = split_summary("In all, 50 students were given tea or water.")
RIGHT = {
    "sentences": ["We gave 40 students tea or water every morning."],
    "reason": "It was 40.",
    "label": "contradicts the paper",
    "part": "50 students",
}


def reply(said: dict[str, Any] | str) -> Reply:
    """A reply as the providers' clients give it."""
    text = said if isinstance(said, str) else json.dumps(said)
    data, problem = answer_in(text, LabelAndParts, Form.SCHEMA)
    return Reply(text, data, problem, Usage(1, 1), 0.1, "demo", Form.SCHEMA)


def answered(*replies: Reply) -> tuple[SentenceCheck, Sequence[str]]:
    """What becomes of the sentence with these replies, and the faults of the first one. Every reply is asked for."""
    wording = Wording(Strategy.PARTS, PAPER, PAPER.sentences)
    request = wording.judgement(SENTENCES[0], (), label="Sentence 1")
    asking = judge(request, SENTENCES[0], wording, Matcher(PAPER, PAPER.sentences), lambda _: 0.0)
    next(asking)
    for number, each in enumerate(replies, 1):
        try:
            asking.send(each)
        except StopIteration as end:
            assert number == len(replies)
            return checked(SENTENCES[0], end.value), end.value.step.faults
    raise AssertionError("one more reply was wanted")


def test_a_right_answer_is_taken_as_it_is() -> None:
    sentence, faults = answered(reply(RIGHT))
    assert faults == ()
    assert sentence.label is Label.CONTRADICTS
    assert (sentence.part, sentence.reason) == (Span(8, 19), "It was 40.")
    [support] = sentence.support
    assert (support.status, support.score) == (QuoteStatus.EXACT, None)


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ({"part": "60 students"}, "The words that are wrong were not copied"),
        ({"part": None}, "The words that are wrong were not copied"),
        ({"label": "supported", "sentences": ["Nobody ever wrote this here."]}, "no sentence was copied that stands"),
        ({"label": "supported", "sentences": []}, "no sentence was copied that stands"),
    ],
)
def test_a_fault_is_asked_about_once(wrong: dict[str, Any], fault: str) -> None:
    sentence, [said] = answered(reply(RIGHT | wrong), reply(RIGHT))
    assert fault in said
    assert sentence.part == Span(8, 19)


def test_what_is_still_wrong_the_second_time_is_left_out() -> None:
    sentence, _ = answered(reply(RIGHT | {"part": "60"}), reply(RIGHT | {"part": "70"}))
    assert (sentence.label, sentence.part) == (Label.CONTRADICTS, None)


def test_words_that_are_wrong_belong_to_unsupported_sentences_only() -> None:
    sentence, faults = answered(reply(RIGHT | {"label": "supported"}))
    assert faults == ()
    assert (sentence.label, sentence.part) == (Label.SUPPORTED, None)


def test_supported_by_nothing_is_no_judgement() -> None:
    nothing = reply(RIGHT | {"label": "supported", "sentences": ["Nobody ever wrote this here."]})
    sentence, _ = answered(nothing, nothing)
    assert (sentence.label, sentence.reason) == (Label.CANNOT_TELL, WITHOUT_SUPPORT)
    assert [support.index for support in sentence.support] == [None]


def test_unsupported_may_stand_without_a_sentence() -> None:
    sentence, faults = answered(reply(RIGHT | {"sentences": [], "label": "not in the paper"}))
    assert (sentence.label, sentence.support, faults) == (Label.NOT_IN_PAPER, (), ())


def test_a_sentence_copied_twice_is_one() -> None:
    copied = ["Tea made people happier than water did.", "tea made people happier", "Invented it was by me."]
    sentence, _ = answered(reply(RIGHT | {"sentences": copied}))
    assert [support.status for support in sentence.support] == [QuoteStatus.EXACT, QuoteStatus.NOT_IN_PAPER]


def test_an_unreadable_second_answer_leaves_the_first() -> None:
    sentence, faults = answered(reply(RIGHT | {"part": None}), reply("Sorry!"))
    assert (sentence.label, sentence.part) == (Label.CONTRADICTS, None)
    assert faults[-1].startswith("Asked again, it gave no answer")


def test_an_unreadable_answer_is_none() -> None:
    sentence, _ = answered(reply("It is supported, I think."))
    assert sentence.label is Label.CANNOT_TELL
    assert sentence.reason.startswith("There is no answer. The model's reply is not JSON")


@pytest.mark.parametrize(
    ("words", "span"),
    [
        ("red wine", Span(2, 10)),
        ("“RED  wine”", Span(2, 10)),
        ("Wine (", Span(6, 12)),
        ("white", None),
        ("", None),
        (" ” ", None),
    ],
)
def test_where_words_stand(words: str, span: Span | None) -> None:
    assert span_of(words, "A red wine (dry)") == span
