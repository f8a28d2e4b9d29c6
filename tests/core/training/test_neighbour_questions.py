"""Questions of neighbouring trials, made of trials written for the purpose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.benchmarks.evidence_inference import Prompt
from core.evidence.embedding_model import Matrix
from core.paper import Kind
from core.paper.draft import Block
from core.training.neighbour_questions import neighbours
from tests.core.evidence.papers import paper_of


class Letters:
    """Vectors of length 1: titles are alike that begin with the same letter."""

    def encode(self, texts: list[str]) -> Matrix:
        return np.eye(26, dtype=np.float32)[[ord(text[0].lower()) - ord("a") for text in texts]]


def prompt(number: int, article: str, title: str, outcome: str) -> Prompt:
    paper = replace(paper_of(Block(Kind.TITLE, title)), title=title)
    return Prompt(str(number), article, "", f"{article} naps", f"{article} walks", outcome, paper, frozenset())


NAPS = [prompt(1, "A", "Naps of bees", "stings"), prompt(2, "A", "Naps of bees", "honey yield")]
NEAR = [prompt(3, "B", "Naps of wasps", "number of stings"), prompt(4, "B", "Naps of wasps", "flight length")]
FAR = [prompt(5, "C", "Tea", "memory")]


def test_an_outcome_that_no_word_of_its_own_shares_comes_from_the_nearest_trial_first() -> None:
    made = list(neighbours([*NAPS, *FAR, *NEAR], ["A"], Letters(), 2))  # type: ignore[arg-type]
    assert [(one.article, one.of) for one in made] == [("A", "4"), ("A", "5")]
    assert made[0].hypothesis == "A naps increases flight length compared with A walks"
    assert made[1].hypothesis == "A naps reduces memory compared with A walks"


def test_there_are_no_more_questions_than_asked_for() -> None:
    assert [one.of for one in neighbours([*NAPS, *FAR, *NEAR], ["A"], Letters(), 1)] == ["4"]  # type: ignore[arg-type]
