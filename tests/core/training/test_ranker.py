"""Training and test never share a paper, and gold enters as a target only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.benchmarks.gold import Gold
from core.evidence.ranker.features import Features
from core.evidence.ranker.model import FOLDER
from core.paper import Paper
from core.training.ranker import (
    AspectFeatures,
    check_apart,
    folds,
    group_by_paper,
    load_aspects,
    reword,
    sample_features,
)
from tests.core.benchmarks.evidencebench_records import encoded, record
from tests.core.evidence.fakes import fake_embedder
from tests.core.evidence.papers import bee_trial, body, paper_of

pytest.importorskip("lightgbm", reason="LightGBM is needed for training only")


LONG = [
    f"In the group number {number} of hives the memory for coloured discs in a quiet garden was tested again by day."
    for number in "abcdefg"
]


def question(number: int, paper: Paper, aspects: dict[str, frozenset[int]] | None = None) -> AspectFeatures:
    index = np.arange(len(paper.sentences))
    gold = Gold(aspects=aspects or {"a": frozenset({0})}, results=frozenset({"b"}))
    nothing = Features(("one",), np.zeros((len(index), 1)))
    return AspectFeatures(
        str(number), "Naps help.", paper, "", nothing, np.zeros((len(index), 2), dtype=np.float16), index, gold, 1, 1
    )


def test_one_paper_under_two_ids_is_one_group() -> None:
    one = paper_of(body(*LONG))
    two = paper_of(body("It begins in another way.", *LONG))  # another file, another id
    other = paper_of(body("Something else altogether."))
    questions = [question(number, paper) for number, paper in enumerate((one, other, two, one))]
    group_by_paper(questions)
    assert one.id != two.id
    assert [q.group == questions[0].group for q in questions] == [True, False, True, True]


def test_folds_keep_a_paper_together_and_use_every_fold() -> None:
    questions = [question(number, paper_of(body(f"Paper {number // 2}."))) for number in range(40)]
    group_by_paper(questions)
    for seed in (0, 1):
        fold_of = folds(questions, 5, seed)
        assert len(fold_of) == 20
        assert sorted(set(fold_of.values())) == [0, 1, 2, 3, 4]
        for fold in range(5):
            seen = [q for q in questions if fold_of[q.group] != fold]
            check_apart(seen, [q for q in questions if fold_of[q.group] == fold])
    assert folds(questions, 5, 0) != folds(questions, 5, 1)


def test_a_shared_paper_stops_the_training() -> None:
    paper = bee_trial()
    one, two = question(1, paper), question(2, paper)
    one.group, two.group = "a", "b"
    with pytest.raises(ValueError, match="in training and test"):
        check_apart([one], [two])


def test_the_target_is_the_share_of_aspects() -> None:
    paper = bee_trial()
    target = question(1, paper, {"a": frozenset({2}), "b": frozenset({2, 3})}).target(results_only=False)
    rare = min(1, 1.5 / 2 + 1.5 / 2 / 2**0.5)
    assert target[2] == pytest.approx((1 + rare + 1) / 3)
    assert target[3] == pytest.approx((0.5 + 1.5 / 2 / 2**0.5 + 0.5**0.5) / 3)
    assert not target[4:].any()
    results = question(1, paper, {"a": frozenset({2}), "b": frozenset({3})}).target(results_only=True)
    assert np.flatnonzero(results).tolist() == [3]


def test_no_gold_and_no_aspect_reaches_a_feature(tmp_path: Path) -> None:
    """Other gold, other words for its aspects: the same features to the last bit, and another target."""

    def described(folder: Path, **changes: Any) -> AspectFeatures:
        file = folder / "evidencebench" / "evidencebench_train_set.json"
        file.parent.mkdir(parents=True)
        file.write_bytes(encoded({"one": record(**changes)}))
        return load_aspects(folder, fake_embedder(tmp_path)[0])[0]

    one = described(tmp_path / "a", aspect_labels={"a": "Sleep was 31 minutes shorter."})
    two = described(tmp_path / "b", aspect2sentence_indices={"a": [2], "b": [3], "c": [2]}, sentence_index2aspects=None)
    np.testing.assert_array_equal(one.features.values, two.features.values)
    np.testing.assert_array_equal(one.vectors, two.vectors)
    assert one.target(results_only=False).tolist() != two.target(results_only=False).tolist()


def test_a_reworded_question_asks_the_same() -> None:
    words = set(reword("tea compared with water: sleep").replace(":", "").split())
    assert {"tea", "water", "sleep"} <= words
    assert words.isdisjoint({"increased", "decreased"})


def test_the_models_were_trained_on_the_features_as_they_are_now() -> None:
    """Fails when reading, splitting, words or features change: then run `python -m core.training.evidence`."""
    record = json.loads((FOLDER / "training.json").read_text())
    assert sample_features() == pytest.approx(record["sample"], abs=1e-4)
