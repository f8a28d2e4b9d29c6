"""The reading order: by the question first, then by what was decided; and the hint to stop."""

from __future__ import annotations

import pickle

import pytest

from core.paper import read_paper
from core.screening.ordering import Corpus, may_stop, title_and_abstract

SLEEP = "Exercise and sleep quality in older adults"
SLEEP_TOO = "Evening light and insomnia in older adults"
PAIN = "Paracetamol for pain after dental surgery"
PAIN_TOO = "Ibuprofen for headache after dental surgery"
TEXTS = (PAIN, SLEEP, PAIN_TOO, SLEEP_TOO)


def test_without_decisions_the_question_decides() -> None:
    assert Corpus(TEXTS).order({}, question="insomnia and sleep quality") == (1, 3, 0, 2)


def test_without_question_or_decisions_the_order_stays() -> None:
    assert Corpus(TEXTS).order({}) == (0, 1, 2, 3)


@pytest.mark.parametrize("decision", [True, False])
def test_decisions_of_one_kind_say_nothing_yet(decision: bool) -> None:
    assert Corpus(TEXTS).order({0: decision}, question="headache") == (2, 1, 3)


def test_decisions_of_both_kinds_are_learnt_from() -> None:
    assert Corpus(TEXTS).order({0: True, 1: False}) == (2, 3)
    assert Corpus(TEXTS).order({0: False, 1: True}) == (3, 2)


def test_the_question_keeps_its_say() -> None:
    """Nothing that was decided tells the last two apart: they share nothing that the first two do not share too."""
    texts = ("study alpha", "study delta", "study zeta", "study theta")
    assert Corpus(texts).order({0: True, 1: False}, question="theta") == (3, 2)
    assert Corpus(texts).order({0: True, 1: False}, question="zeta") == (2, 3)


def test_a_paper_read_but_undecided_is_left_out_and_not_learnt_from() -> None:
    assert Corpus(TEXTS).order({0: None}, question="insomnia") == (3, 1, 2)
    # One kind of decision is left, so that the question decides, not the likeness to the paper included.
    assert Corpus(TEXTS).order({0: True, 1: None}, question="insomnia") == (3, 2)


def test_texts_that_share_no_word_go_by_the_question() -> None:
    assert Corpus(("alpha", "beta", "gamma", "delta")).order({0: True, 1: False}, question="delta") == (3, 2)


def test_texts_without_a_word_wait() -> None:
    assert Corpus(("", "!?", "")).order({0: True, 1: False}, question="sleep") == (2,)
    assert Corpus(()).order({}, question="sleep") == ()
    assert Corpus(("", *TEXTS)).order({1: True, 2: False})[0] == 3


def test_the_order_follows_from_the_decisions_not_from_their_sequence() -> None:
    texts = [f"{word} in adults, trial {number % 3}" for number in range(20) for word in ("headache", "sleep", "pain")]
    decisions = {place: place % 3 == 0 for place in range(0, 60, 2)}
    corpus = Corpus(texts)
    assert corpus.order(dict(reversed(decisions.items()))) == corpus.order(decisions)


def test_one_text_is_enough() -> None:
    assert Corpus((PAIN,)).order({}, question="pain") == (0,)
    assert Corpus((PAIN,)).order({0: True}, question="pain") == ()


def test_a_decision_on_no_paper_is_refused() -> None:
    with pytest.raises(IndexError, match="4 texts"):
        Corpus(TEXTS).order({4: True})
    with pytest.raises(IndexError, match="-1"):
        Corpus(TEXTS).order({-1: True})


def test_a_corpus_can_be_used_again_and_pickled() -> None:
    corpus = Corpus(TEXTS)
    first = corpus.order({0: True, 1: False}, question="sleep")
    assert corpus.order({}, question="insomnia")[0] == 3  # another question is not answered from the one before
    again: Corpus = pickle.loads(pickle.dumps(corpus))
    assert again.order({0: True, 1: False}, question="sleep") == first
    assert len(again) == 4


@pytest.mark.parametrize(
    ("decisions", "hint"),
    [
        ([], False),
        ([True, False, False], True),
        ([True, False], False),  # fewer than two after the last one to include
        ([False, False, False], False),  # nothing was found at all: the order has not begun to work
        ([True, True, False, None], True),
        ([True, False, False, True], False),
    ],
)
def test_the_hint_to_stop(decisions: list[bool | None], hint: bool) -> None:
    assert may_stop(decisions, quiet=2) is hint


def test_papers_are_ordered_by_title_and_abstract() -> None:
    paper = read_paper(b"# Aspirin\n\n## Abstract\n\nIt was tried.\n\n## Methods\n\nHow it went.\n", name="a.md")
    assert title_and_abstract(paper) == "Aspirin\nIt was tried."


def test_without_an_abstract_the_body_begins() -> None:
    body = " ".join(f"Number {number} was tried." for number in range(20))
    paper = read_paper(f"# Aspirin\n\n## Methods\n\n{body}\n".encode(), name="a.md")
    assert title_and_abstract(paper).splitlines() == ["Aspirin", *(f"Number {n} was tried." for n in range(10))]
