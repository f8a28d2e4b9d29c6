"""Questions of neighbouring trials, made of trials written for the purpose."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.benchmarks.evidence_tasks import TrialQuestion
from core.paper import Kind
from core.paper.draft import Block
from core.text.encoder import Matrix
from core.training.verdicts import gold_labels, hypothesis_of, neighbours
from tests.core.evidence.papers import bee_trial, paper_of


class Letters:
    """Vectors of length 1: titles are alike that begin with the same letter."""

    def encode(self, texts: list[str]) -> Matrix:
        return np.eye(26, dtype=np.float32)[[ord(text[0].lower()) - ord("a") for text in texts]]


def prompt(number: int, article: str, title: str, outcome: str) -> TrialQuestion:
    paper = replace(paper_of(Block(Kind.TITLE, title)), title=title)
    return TrialQuestion(str(number), article, "", f"{article} naps", f"{article} walks", outcome, paper, frozenset())


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


# How the reader is measured, on prompts made for the purpose.


def items(folder: Path, *labels: tuple[str, ...]) -> Path:
    made = [
        {"prompt_id": number, "annotations": [{"label": label} for label in of_prompt]}
        for number, of_prompt in enumerate(labels)
    ]
    (folder / "items.json").write_text(json.dumps(made), encoding="utf-8")
    return folder


def test_gold_is_what_most_annotators_say(tmp_path: Path) -> None:
    up, down, none = "significantly increased", "significantly decreased", "no significant difference"
    assert gold_labels(items(tmp_path, (up, up, down), (none,), (up, down), ())) == {"0": "up", "1": "no difference"}


def test_each_prompt_is_asked_one_way_by_its_number() -> None:
    def asked(number: str) -> tuple[str, str]:
        return hypothesis_of(TrialQuestion(number, "A", "", "naps", "no naps", "stings", bee_trial(), frozenset()))

    assert asked("0") == ("up", "naps increases stings compared with no naps")
    assert asked("1") == ("down", "naps reduces stings compared with no naps")
