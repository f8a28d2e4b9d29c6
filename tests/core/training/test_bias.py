"""Training what finds support sentences: no label reaches a feature, and no paper stands on both sides of a fold."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from core.benchmarks.consort_tm import read_consort_tm
from core.benchmarks.records import all_whole
from core.bias.levels import TopicText
from core.bias.model import HIGH, LOW, Topic
from core.bias.ranker.features import COLUMNS
from core.bias.ranker.model import from_json, ranked_by, to_json
from core.bias.tools.rob1 import UNCLEAR
from core.paper import read_paper
from core.training.bias import (
    FOLDS,
    TOPICS,
    LevelRow,
    SupportExample,
    check_apart,
    cross_validated,
    cross_validated_levels,
    fit,
    fit_levels,
    folds,
    papers_judged,
    threshold,
    wordings,
)
from tests.core.benchmarks.trial_file import trial_file


def examples(data: bytes) -> list[SupportExample]:
    return [SupportExample.of(labelled) for labelled in all_whole(read_consort_tm(data, name="made-up.json"))]


@pytest.fixture(scope="module")
def six() -> list[SupportExample]:
    return examples(trial_file(6))


def test_no_label_reaches_a_feature(six: list[SupportExample]) -> None:
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


def test_a_papers_scores_do_not_know_its_labels(six: list[SupportExample]) -> None:
    """Cross-validated scores of a paper stay the same when its own labels change."""
    turned = json.loads(trial_file(6))
    for row in turned["PMC2"]:
        row["consort_items"] = ["8a", "9", "11a", "13a", "23", "15"]
    before, after = (cross_validated(papers, FOLDS, seed=0) for papers in (six, examples(json.dumps(turned).encode())))
    assert np.array_equal(before["PMC2"]["sequence"], after["PMC2"]["sequence"])
    assert not np.array_equal(before["PMC3"]["sequence"], after["PMC3"]["sequence"])


def test_folds_share_no_paper(six: list[SupportExample]) -> None:
    fold_of = folds([example.paper for example in six], FOLDS, 0)
    assert sorted(fold_of) == sorted(example.paper.id for example in six)
    assert set(fold_of.values()) == set(range(FOLDS))
    with pytest.raises(ValueError, match="1 papers are in training and test"):
        check_apart(six[:3], six[2:])


def test_the_model_finds_what_it_learned_in_a_paper_it_has_not_seen(six: list[SupportExample]) -> None:
    scores = cross_validated(six, FOLDS, seed=0)
    for example in six:
        for topic in ("sequence", "concealment", "blinding", "attrition", "reporting"):
            assert example.targets[topic][int(np.argmax(scores[example.id][topic]))] == 1


def test_a_model_is_the_same_after_writing_and_reading(six: list[SupportExample]) -> None:
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


def test_a_model_of_other_features_is_refused(six: list[SupportExample]) -> None:
    text = to_json(fit(six)).replace(json.dumps(COLUMNS[0]), '"cue: gone"')
    with pytest.raises(ValueError, match=r"core\.training bias"):
        from_json(text)


def test_what_was_written_about_a_paper_is_not_learned_from() -> None:
    told = "Bees were drawn by lot. " * 9
    front = f'<abstract abstract-type="editor"><title>Key points</title><p>{told}</p></abstract>'
    body = "<body><p>Bees nap. Lots were drawn.</p></body>"
    data = f"<article><front><article-meta>{front}</article-meta></front>{body}</article>"
    paper = read_paper(data.encode(), name="bees.xml")
    assert len(paper.sentences) > len(paper.pool)
    assert SupportExample.read("T", paper, {"sequence": [1]}).rows == [0, 1]


def test_deciding_sentences_of_trials_that_were_read_are_learned_beside(six: list[SupportExample]) -> None:
    """Readers' sentences are topics of their own, and a sentence counts by the mean of both models."""
    domains = ("concealment", "performance", "detection", "attrition", "reporting")
    read = [
        SupportExample.read(
            f"T{number}",
            example.paper,
            {domain: np.flatnonzero(example.targets["sequence"]).tolist() for domain in domains}
            | {"sequence": np.flatnonzero(example.targets["concealment"]).tolist()},
        )
        for number, example in enumerate(six)
    ]
    scores = cross_validated(read, FOLDS, seed=0)
    assert read[0].targets["read sequence"].sum() > 0
    odds = {"sequence": np.zeros(len(six[0].paper.sentences)), "read sequence": scores["T0"]["read sequence"]}
    (first,) = ranked_by(odds, [Topic.SEQUENCE], six[0].paper, k=1)
    assert six[0].targets["concealment"][first.index] == 1


# Training the model of levels: thresholds, and no paper of a development set.


def test_the_threshold_is_the_least_from_which_enough_are_right() -> None:
    found = [(LOW, {LOW: 0.9, UNCLEAR: 0.1, HIGH: 0.0})] * 6 + [(HIGH, {LOW: 0.6, UNCLEAR: 0.4, HIGH: 0.0})] * 2
    assert threshold(found, (LOW,), 0.85) == 0.62  # with those of 0.6 it is 6 of 8
    assert threshold(found, (HIGH,), 0.85) == 1.0  # never the likeliest: never shown


def test_a_paper_of_a_development_set_stops_training(tmp_path: Path) -> None:
    for folder, name, paper in (("rob1_papers", "train.jsonl", "T1"), ("review_matrix", "dev.jsonl", "T1")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text(json.dumps({"paper": paper}) + "\n")
    with pytest.raises(ValueError, match=r"1 papers of development sets .*T1"):
        papers_judged(tmp_path)


def test_every_domain_and_level_has_wordings_of_its_own() -> None:
    rows = wordings()
    counts = {(row.read.topic, row.level): 0 for row in rows}
    for row in rows:
        counts[row.read.topic, row.level] += 1
    assert len(counts) == 18
    assert min(counts.values()) >= 20


def rows() -> list[LevelRow]:
    told = {LOW: "lots were drawn for tea", UNCLEAR: "nothing is said of tea", HIGH: "the cook chose who got tea"}
    return [
        LevelRow(f"T{n}", level, TopicText(Topic(domain), (words,), (0.9,) if paper else ()))
        for n in range(12)
        for domain in ("sequence", "concealment", "performance", "detection", "attrition", "reporting")
        for level, words in told.items()
        for paper in (True, False)
    ]


def test_a_level_is_learned_from_words_and_told_of_rows_not_seen() -> None:
    known = rows()
    found = cross_validated_levels(known)
    assert all(max(one, key=one.__getitem__) == row.level for row, one in zip(known, found, strict=True))
    model = fit_levels(
        known, {"paper": dict.fromkeys((LOW, UNCLEAR, HIGH), 0.99), "given": dict.fromkeys((LOW, UNCLEAR, HIGH), 0.4)}
    )
    assert model.likeliest(TopicText(Topic.SEQUENCE, ("lots were drawn for tea",)))[::2] == (LOW, True)
    assert model.likeliest(TopicText(Topic.SEQUENCE, ("lots were drawn for tea",), (0.9,)))[::2] == (LOW, False)
