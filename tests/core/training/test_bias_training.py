"""Training what finds support sentences: no label reaches a feature, and no paper stands on both sides of a fold."""

from __future__ import annotations

import json

import numpy as np
import pytest

from core.benchmarks.consort_tm import read_consort_tm
from core.benchmarks.record_fields import all_whole
from core.bias.ranker.features import COLUMNS
from core.bias.ranker.model import from_json, to_json
from core.bias.ranker.ranking import ranked_by
from core.training.bias_training import FOLDS, TOPICS, Example, check_apart, cross_validated, fit, folds
from tests.core.benchmarks.trial_file import trial_file


def examples(data: bytes) -> list[Example]:
    return [Example.of(labelled) for labelled in all_whole(read_consort_tm(data, name="made-up.json"))]


@pytest.fixture(scope="module")
def six() -> list[Example]:
    return examples(trial_file(6))


def test_no_label_reaches_a_feature(six: list[Example]) -> None:
    """The same papers with every label turned round are described alike."""
    turned = json.loads(trial_file(6))
    for rows in turned.values():
        for row in rows:
            row["consort_items"] = ["9"] if not row["consort_items"] else []
    for one, other in zip(six, examples(json.dumps(turned).encode()), strict=True):
        assert not np.array_equal(one.targets["sequence"], other.targets["sequence"])
        assert one.described.words == other.described.words
        assert one.described.headings == other.described.headings
        assert np.array_equal(one.described.columns, other.described.columns)


def test_a_papers_scores_do_not_know_its_labels(six: list[Example]) -> None:
    """Cross-validated scores of a paper stay the same when its own labels change."""
    turned = json.loads(trial_file(6))
    for row in turned["PMC2"]:
        row["consort_items"] = ["8a", "9", "11a", "13a", "23", "15"]
    before, after = (cross_validated(papers, seed=0) for papers in (six, examples(json.dumps(turned).encode())))
    assert np.array_equal(before["PMC2"]["sequence"], after["PMC2"]["sequence"])
    assert not np.array_equal(before["PMC3"]["sequence"], after["PMC3"]["sequence"])


def test_folds_share_no_paper(six: list[Example]) -> None:
    fold_of = folds([example.paper for example in six], FOLDS, 0)
    assert sorted(fold_of) == sorted(example.paper.id for example in six)
    assert set(fold_of.values()) == set(range(FOLDS))
    with pytest.raises(ValueError, match="1 papers are in training and test"):
        check_apart(six[:3], six[2:])


def test_the_model_finds_what_it_learned_in_a_paper_it_has_not_seen(six: list[Example]) -> None:
    scores = cross_validated(six, seed=0)
    for example in six:
        for topic in ("sequence", "concealment", "blinding", "attrition", "reporting"):
            assert example.targets[topic][int(np.argmax(scores[example.id][topic]))] == 1


def test_a_model_is_the_same_after_writing_and_reading(six: list[Example]) -> None:
    model = fit(six, sha256={"made-up.json": "00"})
    again = from_json(to_json(model))
    assert again.topics == tuple(TOPICS)
    assert again.sha256 == {"made-up.json": "00"}
    assert list(again.words.place) == list(model.words.place)
    described = six[0].described
    assert again.scores(described) == pytest.approx(
        model.scores(described), abs=0.05
    )  # it is written to three decimals
    assert "alphamab" not in model.words.place  # one trial's own word


def test_a_model_of_other_features_is_refused(six: list[Example]) -> None:
    text = to_json(fit(six)).replace(json.dumps(COLUMNS[0]), '"cue: gone"')
    with pytest.raises(ValueError, match="train_bias"):
        from_json(text)


def test_deciding_sentences_of_trials_that_were_read_are_learned_beside(six: list[Example]) -> None:
    """Readers' sentences are topics of their own, and a sentence counts by the mean of both models."""
    domains = ("concealment", "performance", "detection", "attrition", "reporting")
    read = [
        Example.read(
            f"T{number}",
            example.paper,
            {domain: np.flatnonzero(example.targets["sequence"]).tolist() for domain in domains}
            | {"sequence": np.flatnonzero(example.targets["concealment"]).tolist()},
        )
        for number, example in enumerate(six)
    ]
    scores = cross_validated(read, seed=0)
    assert read[0].targets["read sequence"].sum() > 0
    odds = {"sequence": np.zeros(len(six[0].paper.sentences)), "read sequence": scores["T0"]["read sequence"]}
    (first,) = ranked_by(odds, "sequence", six[0].paper, k=1)
    assert six[0].targets["concealment"][first.index] == 1
