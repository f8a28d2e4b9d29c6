"""BM25 over one paper."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.evidence import EvidenceQuery
from core.evidence.baselines import NO_SHARED_WORD, Bm25Engine
from core.text.bm25 import bm25_scores
from core.text.words import content_words
from tests.core.evidence.papers import HYPOTHESIS, bee_trial, body, paper_of


def test_the_score_is_okapi_bm25() -> None:
    scores = bm25_scores(["sleep sleep mice", "mice run"], "sleep")
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 2 * (1.5 + 1) / (2 + 1.5 * (1 - 0.75 + 0.75 * 3 / 2.5))
    assert scores == pytest.approx([expected, 0.0])


def test_a_word_in_every_sentence_still_counts() -> None:
    assert (bm25_scores(["mice", "mice"], "mice") > 0).all()


@pytest.mark.parametrize("texts", [[], ["", ""], ["the of", "!!!"], ["\x00\ud800", "<b>$</b>"]])
def test_texts_without_words_score_zero(texts: list[str]) -> None:
    assert bm25_scores(texts, "sleep").tolist() == [0.0] * len(texts)


def test_rarer_words_count_more() -> None:
    rare, common, _ = bm25_scores(["melatonin mice", "sleep mice", "sleep mice"], "melatonin sleep")
    assert rare > common


def test_a_query_of_stop_words_gives_the_order_of_the_paper() -> None:
    evidence = Bm25Engine().find(bee_trial(), EvidenceQuery("whether or not it is", k=3, tables=False))
    assert evidence.indices == (1, 2, 3)
    assert evidence.notes == (NO_SHARED_WORD,)


def test_ties_go_to_the_first() -> None:
    paper = paper_of(body("Bees nap.", "Wasps hunt.", "Bees nap."))
    assert Bm25Engine().find(paper, EvidenceQuery("bees nap", k=3)).indices == (0, 2, 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Naps", "nap"), ("biopsies", "biopsy"), ("IL-6", "il 6"), ("ﬁbres", "fibre"), ("losses", "loss")],
)
def test_forms_of_one_word_are_one(one: str, other: str) -> None:
    assert content_words(one) == content_words(other)


@pytest.mark.parametrize(("text", "words"), [("P < 0.05", ["p", "0.05"]), ("analysis", ["analysis"]), ("no effect", ["no", "effect"])])  # fmt: skip
def test_what_stays_as_it_is(text: str, words: list[str]) -> None:
    assert content_words(text) == words


def test_scores_fall_along_the_answer() -> None:
    scores = [s.score for s in Bm25Engine().find(bee_trial(), EvidenceQuery(HYPOTHESIS)).sentences]
    assert scores == sorted(scores, reverse=True)
    assert np.isfinite(scores).all()
