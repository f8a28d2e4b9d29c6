"""What the reader is shown in training: wordings, and readings that point at sentences."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import numpy as np

from core.entailment import Direction
from core.training.data import READINGS, REVIEWS, Trial, mark, readings, rows
from core.training.reader_pairs import claimed, typed
from tests.core.evidence.papers import bee_trial


def test_a_question_is_worded_as_people_type() -> None:
    draw = random.Random(0)
    for _ in range(20):
        text = typed("naps", "walks", "stings", draw)
        assert all(word in text for word in ("naps", "walks", "stings"))
    assert "stings" in claimed("naps", "", "stings", Direction.DOWN, draw)


def test_a_quotation_is_found_whatever_its_spaces() -> None:
    paper = bee_trial()
    trial = Trial(paper, np.zeros((len(paper.sentences), 1)))
    index = next(one.index for one in paper.sentences if one.text == "Two bees flew away.")
    assert trial.find("Two  bees\nflew away.") == [index]
    assert trial.find("No such words stand here.") == []


def test_readings_point_at_sentences_by_what_they_say(tmp_path: Path) -> None:
    paper = bee_trial()
    sentence = paper.sentences[3]
    row = {"paper": "bees", "marks": {"99": mark(sentence.text), "5": "00000000"}, "hypotheses": []}
    (tmp_path / "trials.jsonl").write_text(json.dumps(row) + "\n" + json.dumps(row | {"paper": "elsewhere"}) + "\n")
    trials = {"bees": Trial(paper, np.zeros((len(paper.sentences), 1)))}
    found = list(readings(trials, tmp_path / "trials.jsonl"))
    assert len(found) == 1
    _, _, places = found[0]
    assert places([99]) == [3], "wherever the paper is cut today"
    assert places([5]) == [], "what is no longer there is left out"


def test_the_hypotheses_of_reviews_are_whole() -> None:
    found = rows(REVIEWS)
    cells = [cell for row in found for cell in row["hypotheses"]]
    assert (len(found), len({cell["hypothesis"] for cell in cells}), len(cells)) == (719, 3010, 10462)
    counts = Counter(cell["label"] for cell in cells)
    assert counts == {"not reported": 7105, "refutes": 1698, "supports": 1314, "mixed": 345}
    assert sum("cluster" in cell for cell in cells) == 8304, "the others were asked of one trial each"
    assert sum(len(row["sentences"]) for row in found) == 1440
    for row in found:
        for cell in row["hypotheses"]:
            assert {str(number) for number in cell["decide"]} <= row["marks"].keys()
            assert bool(cell["decide"]) == (cell["label"] != "not reported")
            if cell["label"] in ("supports", "refutes") and cell["found"]:
                assert (cell["label"] == "supports") == (cell["found"] == cell["claim"])


def test_the_shipped_readings_are_whole() -> None:
    found = rows(READINGS)
    assert len(found) == 246
    assert sum(len(row["hypotheses"]) for row in found) == 4282
    assert 2 * sum(len(row["sentences"]) for row in found) == 7736
    assert sum(len(row["bias"]) for row in found) == 1320
    for row in found:
        pointed = {number for cell in row["hypotheses"] for number in (*cell["decide"], *cell["near"])}
        assert {str(number) for number in pointed} <= row["marks"].keys()
        for cell in row["hypotheses"]:
            assert (cell["label"] == "not reported") == (cell["found"] is None) or cell["label"] == "mixed"
