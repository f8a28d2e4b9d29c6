"""What the reader is shown, and what it says of sentences that everybody would read the same way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from safetensors.numpy import load_file

from core.entailment import Direction, Entailment, InContext, Reader, reader
from core.entailment.reader import (
    LONGEST,
    LONGEST_OF_SEVERAL,
    WEIGHTS,
    Writer,
    in_context,
    part_of,
    readable,
)
from core.entailment.regression import Regression, log_odds
from core.paper import Kind
from core.text.encoder import Matrix, Transformer, load_encoder
from core.text.encoder_files import model_folder
from core.text.similarity import nearest
from core.text.words import share_of_words, word_starts
from run import ROOT
from tests.core.evidence.papers import bee_trial

# ---- pairs ----
# What the reader is shown of a question and a sentence.

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
    assert word_starts("Remembering, remembered: a") == {"rememb"}
    assert share_of_words(word_starts("naps and memory"), word_starts("memory")) == 1 / 3
    assert share_of_words(frozenset(), word_starts("memory")) == 0.0


def test_a_regression_comes_back_from_its_file() -> None:
    model = Regression(np.array([1.0]), np.array([2.0]), np.array([3.0]), -1.0)
    again = Regression.from_json(model.to_json())
    # (3 - 1) / 2 * 3 - 1 = 2
    assert again.probability(np.array([3.0])) == model.probability(np.array([3.0])) == 1 / (1 + np.exp(-2))
    assert log_odds(0.5) == 0
    assert abs(log_odds(1.0) + log_odds(0.0)) < 1e-9 < log_odds(1.0) < 6


# ---- reader ----
# The reader on sentences made up for the purpose: what everybody would read the same way.

QUESTION = "Daily walks reduce back pain compared with usual care in adults"
TITLE = "Daily walks for back pain: a randomised trial"


@pytest.fixture(scope="module")
def model() -> Reader:
    found = reader()
    assert found is not None, "the encoder is installed with the product"
    return found


def at(text: str, part: str = "results") -> InContext:
    return InContext(text, title=TITLE, part=part)


def test_which_way_a_result_points(model: Reader) -> None:
    found = model.directions(
        QUESTION,
        [
            at("Back pain was significantly higher with daily walks than with usual care (P = 0.01)."),
            at("Back pain was significantly lower after daily walks than after usual care (P = 0.01)."),
            at("Back pain did not differ between daily walks and usual care (P = 0.62)."),
        ],
    )
    assert found.shape == (3, len(Direction))
    assert found.sum(axis=1) == pytest.approx(1, abs=1e-3)
    for row, told in enumerate((Direction.UP, Direction.DOWN, Direction.SAME)):
        assert found[:, told].argmax() == row, "of the three, this one tells it most"
    assert found[1].argmax() == Direction.DOWN
    assert found[2].argmax() == Direction.SAME


def test_what_is_no_result_on_the_question_stands_below_one(model: Reader) -> None:
    sentences = [
        at("Back pain was significantly lower after daily walks than after usual care (P = 0.01)."),
        at("We asked whether daily walks reduce back pain compared with usual care.", "introduction"),
        at("Participants were recruited from four clinics between 2010 and 2012.", "methods"),
        at("Body weight was significantly lower after daily walks than after usual care (P = 0.01)."),
    ]
    about = 1 - model.directions(QUESTION, sentences)[:, Direction.NOT_ON_THIS]
    assert about.argmax() == 0
    assert (about[1:] < 0.5).all()


@pytest.mark.parametrize(
    ("hypothesis", "claim"),
    [
        ("Exercise lowers blood pressure compared with rest", Direction.DOWN),
        ("Exercise improves survival compared with rest", Direction.UP),
        ("There is no difference in pain between surgery and physiotherapy", Direction.SAME),
    ],
)
def test_which_way_a_hypothesis_claims(model: Reader, hypothesis: str, claim: Direction) -> None:
    claimed = model.claimed(hypothesis)
    assert claimed[Direction.NOT_ON_THIS] == 0
    assert claimed.argmax() == claim


def test_a_claim_is_held_against_its_sources(model: Reader) -> None:
    source = at("Back pain was significantly lower after daily walks than after usual care (P = 0.01).")
    right, wrong = "Walking every day eased back pain.", "Walking every day made back pain worse."
    of_right, of_wrong = (model.support(claim, [source])[0] for claim in (right, wrong))
    assert of_right[Entailment.SUPPORTED] > of_wrong[Entailment.SUPPORTED]
    together = model.support_of_all(right, [[source, at("Two people fell.")], [source]])
    assert together.shape == (2, len(Entailment))


def test_no_share_of_a_sure_answer_is_undefined(model: Reader) -> None:
    found = model.directions("Walks reduce pain", [InContext("We thank the printers of the journal.")] * 2)
    assert (found > 0).all(), "what is left beside a sure answer is divided up again"


def test_nothing_to_read_gives_nothing(model: Reader) -> None:
    assert model.directions(QUESTION, []).shape == (0, len(Direction))


def test_a_pair_that_was_read_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []  # the number of pairs in each batch

    def pooled(_: Transformer, pieces: Sequence[Sequence[int]], *, second: Sequence[int] | None = None) -> Matrix:
        read.append(len(pieces))
        return np.array([[sum(text), *[0] * 383] for text in pieces], dtype=np.float32)

    monkeypatch.setattr(Transformer, "pooled", pooled)
    folder = model_folder()
    assert folder is not None
    fresh = Reader(load_encoder(folder), load_file(WEIGHTS))
    walks, bees, tea = (InContext(text) for text in ("Walks helped.", "Bees slept.", "Tea was drunk."))
    first = fresh.directions(QUESTION, [walks, bees, walks])
    assert sum(read) == 2, "what is asked for twice is read once"
    assert np.array_equal(first[0], first[2])
    again = fresh.directions(QUESTION, [bees, tea, walks])
    assert sum(read) == 3, "the tea alone is new"
    assert np.array_equal(again[[2, 0]], first[:2]), "each has its own"

    several = [InContext(f"{number} people walked.") for number in range(5_000)]
    fresh.directions(QUESTION, several)
    before = sum(read)
    fresh.directions(QUESTION, several[-10:])
    assert sum(read) == before
    fresh.directions(QUESTION, several[:10])
    assert sum(read) == before + 10, "of so many, the first are forgotten"


def test_all_weights_of_the_repository_stay_within_sixty_mebibytes() -> None:
    kinds = ("safetensors", "onnx", "npz", "json", "txt")
    files = [file for kind in kinds for file in (ROOT / "core").rglob(f"*.{kind}")]
    assert sum(file.stat().st_size for file in files) < 60 * 2**20
