"""What the reader is shown of a question and a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.entailment.nearest import nearest, share, stems
from core.entailment.pairs import LONGEST, LONGEST_OF_SEVERAL, InContext, Writer, in_context, part_of, readable
from core.entailment.regression import Regression, log_odds
from core.paper import Kind
from tests.core.evidence.papers import bee_trial

START, STOP = 1, 2


class Letters:
    """Word pieces that are words, numbered as they come up."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def __call__(self, texts: Sequence[str]) -> list[list[int]]:
        return [
            [START, *(self.known.setdefault(word, len(self.known) + 10) for word in text.split()), STOP]
            for text in texts
        ]

    def words(self, pieces: Sequence[int]) -> str:
        names = {number: word for word, number in self.known.items()} | {START: "<", STOP: ">"}
        return " ".join(names[piece] for piece in pieces)


def test_a_pair_is_the_question_then_title_part_sentence_before_and_sentence() -> None:
    pieces = Letters()
    pair = Writer(pieces).pairs("naps help", [InContext("bees slept", "the title", "results", "before it")])[0]
    assert pieces.words(pair.pieces) == "< naps help > the title # results : before it # bees slept >"
    assert pieces.words(pair.pieces[pair.second :]) == "the title # results : before it # bees slept >"


def test_what_is_empty_leaves_no_trace_and_what_is_long_is_cut() -> None:
    pieces = Letters()
    pair = Writer(pieces).pairs("naps", [InContext("bees")])[0]
    assert pieces.words(pair.pieces) == "< naps > bees >"
    long = Writer(pieces).pairs("why " * 200, [InContext("word " * 300)])[0]
    assert len(long.pieces) == LONGEST
    assert long.pieces[-1] == STOP


def test_several_sentences_share_the_room() -> None:
    pieces = Letters()
    pair = Writer(pieces).of_several("naps", [InContext("one " * 200, part="results"), InContext("two", part="table")])
    assert len(pair.pieces) <= LONGEST_OF_SEVERAL
    assert "two" in pieces.words(pair.pieces), "the first leaves room for the second"


def test_a_sentence_is_seen_with_the_one_before_it_in_its_section() -> None:
    paper = bee_trial()
    by_text = {sentence.text: sentence for sentence in paper.sentences}
    fled = in_context(paper, by_text["Two bees flew away."])
    assert fled.before.startswith("Napping bees remembered")
    assert (fled.part, fled.title) == ("results", "Naps")
    first = in_context(paper, by_text["Hives stood in a quiet garden."])
    assert first.before == "", "no sentence of another section"
    row = by_text["Nap | 82 | 64 | 0.003"]
    assert part_of(paper, row) == "table"
    assert all(sentence.kind not in (Kind.TITLE, Kind.HEADING) for sentence in readable(paper))


def test_the_nearest_share_meaning_and_words() -> None:
    pool = readable(bee_trial())
    none = np.zeros(len(pool))
    first = pool[nearest("memory scores with a nap", pool, none)[0]]
    assert first.text.startswith("Memory scores were higher")
    liked = none.copy()
    liked[0] = 2.0
    assert nearest("memory scores with a nap", pool, liked)[0] == 0
    assert stems("Remembering, remembered: a") == {"rememb"}
    assert share(stems("naps and memory"), stems("memory")) == 1 / 3
    assert share(frozenset(), stems("memory")) == 0.0


def test_a_regression_comes_back_from_its_file() -> None:
    model = Regression(np.array([1.0]), np.array([2.0]), np.array([3.0]), -1.0)
    again = Regression.from_json(model.to_json())
    # (3 - 1) / 2 * 3 - 1 = 2
    assert again.probability(np.array([3.0])) == model.probability(np.array([3.0])) == 1 / (1 + np.exp(-2))
    assert log_odds(0.5) == 0
    assert abs(log_odds(1.0) + log_odds(0.0)) < 1e-9 < log_odds(1.0) < 6
