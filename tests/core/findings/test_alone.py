"""A sentence read by itself: as the network has it, and as its words do."""

from __future__ import annotations

import numpy as np
import pytest

from core.entailment import InContext, Reader, installed_reader
from core.findings.alone import joined, read_alone
from core.findings.question_parts import QuestionParts
from core.findings.wording import PartStarts, shares_of

PARTS = QuestionParts("magnesium citrate", "placebo", "nocturnal cramps")
UP, DOWN, SAME = range(3)


def test_both_readers_count_alike_and_neither_rules_a_direction_out() -> None:
    assert joined(np.array([[0.8, 0.1, 0.1]]), np.array([[0.1, 0.8, 0.1]])) == pytest.approx(
        np.array([[0.4249, 0.4249, 0.1502]]), abs=0.001
    )
    assert joined(np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, 1.0, 0.0]])).min() > 0


def test_the_network_is_asked_in_the_template_without_surroundings() -> None:
    asked: list[tuple[str, list[InContext]]] = []

    class Canned(Reader):
        def __init__(self) -> None:
            pass

        def directions(self, question: str, sentences: list[InContext]) -> np.ndarray:  # type: ignore[override]
            asked.append((question, list(sentences)))
            return np.tile([0.2, 0.6, 0.1, 0.1], (len(sentences), 1))

    sentences = ["Cramps were rarer.", "Sleep was deeper."]
    read = read_alone(PARTS, sentences, Canned())
    assert asked == [
        ("nocturnal cramps: magnesium citrate compared with placebo", list(map(InContext, sentences))),
        ("nocturnal cramps: placebo compared with magnesium citrate", list(map(InContext, sentences))),
    ]
    assert read.about == pytest.approx([0.8, 0.8])
    assert read.told.sum(axis=1) == pytest.approx([1, 1])
    # “Up” of either arm alike: by the network alone that is neither up nor down.
    by_words = shares_of(PartStarts.of(PARTS), sentences)
    up, down = read.told[:, UP] / by_words[:, UP] ** (1 / 3), read.told[:, DOWN] / by_words[:, DOWN] ** (1 / 3)
    assert up == pytest.approx(down)


def test_without_a_comparator_no_arms_are_exchanged() -> None:
    asked: list[str] = []

    class Canned(Reader):
        def __init__(self) -> None:
            pass

        def directions(self, question: str, sentences: list[InContext]) -> np.ndarray:  # type: ignore[override]
            asked.append(question)
            return np.tile([0.2, 0.6, 0.1, 0.1], (len(sentences), 1))

    read_alone(QuestionParts("magnesium citrate", "", "nocturnal cramps"), ["Cramps were rarer."], Canned())
    assert asked == ["nocturnal cramps: magnesium citrate"]


@pytest.mark.parametrize(
    ("sentence", "way"),
    [
        (
            "Magnesium citrate reduced nocturnal cramps significantly compared with placebo (P = 0.01).",
            DOWN,
        ),
        (
            "Nocturnal cramps were significantly higher in the magnesium citrate group than in the placebo group (P = 0.01).",
            UP,
        ),
        ("Nocturnal cramps did not differ between magnesium citrate and placebo (P = 0.40).", SAME),
    ],
)
def test_plain_results_are_told(sentence: str, way: int) -> None:
    read = read_alone(PARTS, [sentence], installed_reader())
    assert int(read.told[0].argmax()) == way
    assert read.about[0] > 0.5
