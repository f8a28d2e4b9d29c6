"""The reader on sentences made up for the purpose: what everybody would read the same way."""

from __future__ import annotations

import numpy as np
import pytest

from core.entailment import Direction, Entailment, InContext, Reader, reader
from core.entailment.reader import packed, unpacked
from run import ROOT

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


def test_layers_are_shipped_in_eight_bits_and_come_back_nearly_as_they_were() -> None:
    random = np.random.default_rng(0)
    weights = {
        "encoder.weight": random.normal(size=(8, 16)).astype(np.float32),
        "encoder.bias": random.normal(size=8).astype(np.float32),
        "head.D.weight": random.normal(size=(4, 16)).astype(np.float32),
    }
    shipped = packed(weights)
    assert shipped["encoder.weight"].dtype == np.int8
    back = unpacked(shipped)
    assert back.keys() == weights.keys()
    step = np.abs(weights["encoder.weight"]).max(axis=1, keepdims=True) / 127
    assert (np.abs(back["encoder.weight"] - weights["encoder.weight"]) <= step / 2 + 1e-6).all()
    assert np.array_equal(back["head.D.weight"], weights["head.D.weight"])


def test_all_weights_of_the_repository_stay_within_sixty_megabytes() -> None:
    files = [
        *(ROOT / "core").rglob("*.safetensors"),
        *(ROOT / "core").rglob("*.onnx"),
        *(ROOT / "core").rglob("*.json"),
    ]
    assert sum(file.stat().st_size for file in files) < 60e6
