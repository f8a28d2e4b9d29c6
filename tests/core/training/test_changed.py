"""Sentences that are changed for training: turned round, made not significant, or copied rightly and wrongly."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from core.entailment import Entailment
from core.paper import read_paper
from core.training.changed import arms_by_trial, copied_from, turned_round, without_significance
from core.training.data import Trial


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("Pain was lower with walks.", "Pain was higher with walks."),
        ("Reduced stings and better sleep were seen.", "Increased stings and worse sleep were seen."),
        ("Pain was measured weekly.", None),
        ("Higher, lower, more and less were all seen.", None),
    ],
)
def test_a_sentence_is_turned_round_with_every_direction_that_it_tells(sentence: str, other: str | None) -> None:
    assert turned_round(sentence) == other


def test_significance_is_taken_away_where_it_is_told() -> None:
    draw = random.Random(0)
    found = without_significance("Pain was lower (P = 0.01).", draw)
    assert found is not None
    assert "0.01" not in found
    assert float(found.split("= ")[1].rstrip(").")) >= 0.1
    assert without_significance("Pain was significantly lower.", draw) == "Pain was not significantly lower."
    assert without_significance("Pain was not significantly lower.", draw) is None
    assert without_significance("Pain was lower (P = 0.40).", draw) is None


SENTENCE = "However, pain was lower with daily walks than with usual care after 12 weeks (P = 0.01)."
ALIKE = "Overall survival did not differ between daily walks and usual care after 24 weeks of treatment."


def made_of(sentence: str) -> set[tuple[str, Entailment]]:
    """All copies that chance makes of a paper's sentence, with a number of another sentence at hand."""
    text = f"# Walks\n\n## Results\n\n{sentence}\n\nThere were 31 people in each of the two groups at the end."
    paper = read_paper(text.encode(), name="walks.md")
    arms = [("daily walks", "usual care"), ("usual care", "daily walks")]
    trial, draw = Trial(paper, np.zeros((len(paper.sentences), 1))), random.Random(0)
    number = next(one.index for one in paper.sentences if one.text == sentence)
    return {
        copy
        for _ in range(60)
        for place, copies in copied_from(trial, arms, draw, most=9)
        if place == number
        for copy in copies
    }


def test_a_copy_is_right_as_it_is_or_shortened_and_wrong_with_one_thing_changed() -> None:
    found = made_of(SENTENCE)
    assert {text for text, label in found if label is Entailment.SUPPORTED} == {
        SENTENCE,
        "Pain was lower with daily walks than with usual care after 12 weeks (P = 0.01).",
        "However, pain was lower with daily walks than with usual care after 12 weeks.",
    }
    wrong = {text for text, label in found if label is Entailment.CONTRADICTED}
    assert SENTENCE.replace("lower", "higher") in wrong
    assert SENTENCE.replace("was lower", "was not lower") in wrong
    assert SENTENCE.replace("12", "31") in wrong
    assert SENTENCE.replace("daily walks than with usual care", "usual care than with daily walks") in wrong
    assert all(label is not Entailment.NOT_THERE for _, label in found)


def test_where_arms_are_alike_they_are_not_exchanged_and_a_name_is_not_cut() -> None:
    found = made_of(ALIKE)
    assert {text for text, label in found if label is Entailment.SUPPORTED} == {ALIKE}
    wrong = {text for text, label in found if label is Entailment.CONTRADICTED}
    assert ALIKE.replace("did not differ", "differ") in wrong
    assert all("usual care and daily walks" not in text for text in wrong), "that would be true"


def test_arms_are_known_in_both_orders(tmp_path: Path) -> None:
    (tmp_path / "evidence_inference").mkdir()
    row = {"pmcid": "P", "intervention": "walks", "comparator": "rest"}
    (tmp_path / "evidence_inference" / "annotations.jsonl").write_text(json.dumps(row) + "\n")
    assert arms_by_trial(tmp_path) == {"P": [("rest", "walks"), ("walks", "rest")]}
