"""The ranker from a paper to sentences, and its reasons in words."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import QueryError
from core.evidence import EvidenceQuery, engine_named
from core.evidence.offline import SimpleOfflineEngine
from core.evidence.ranker.engine import READING, RankedFeatures, RankerEngine, rationales
from core.evidence.ranker.features import SentenceVectors, clauses_of, features
from core.evidence.ranker.model import (
    FOLDER,
    Training,
    choose_apart,
    is_installed,
    load_trees,
    model_path,
    was_trained_on,
    with_reading,
)
from core.paper import Format, Kind, Paper, Sentence
from core.paper.draft import Block, PaperDraft
from core.paper.read import assemble
from core.settings import load_settings
from tests.core.evidence.fakes import fake_embedder
from tests.core.evidence.papers import HYPOTHESIS, bee_trial, body, paper_of

# ---- rationale ----
# Why this sentence? Reasons in words.


def explained(paper: Paper, chosen: list[Sentence], *, read: float = -np.inf, **gains: float) -> RankedFeatures:
    """The chosen sentences' true features, with made-up contributions; `read` are the cross-encoder's log-odds."""
    vectors = np.ones((len(paper.sentences), 4)) / 2
    found = features(
        paper,
        EvidenceQuery(HYPOTHESIS).candidates(paper),
        HYPOTHESIS,
        SentenceVectors(vectors, vectors[0], vectors[:2]),
    )
    rows = [[s.index for s in EvidenceQuery(HYPOTHESIS).candidates(paper)].index(sentence.index) for sentence in chosen]
    names = (*found.names, READING)
    contributions = np.zeros((len(chosen), len(names)))
    for name, gain in gains.items():
        contributions[:, names.index(name)] = gain
    return RankedFeatures(names, np.column_stack([found.values[rows], np.full(len(rows), read)]), contributions)


def sentence_with(paper: Paper, text: str) -> Sentence:
    return next(sentence for sentence in paper.sentences if text in sentence.text)


def test_what_spoke_for_it_comes_strongest_first_after_the_hypothesis() -> None:
    paper = bee_trial()
    chosen = [sentence_with(paper, "82 versus 64")]
    line = rationales(paper, chosen, HYPOTHESIS, explained(paper, chosen, p_value=2.0, cosine=1.0, in_abstract=0.5))[0]
    assert line == "Similar to the hypothesis; reports a statistical test; stands in the abstract."


def test_a_pattern_is_named_only_where_it_stands() -> None:
    paper = bee_trial()
    chosen = [
        sentence_with(paper, "Hives stood")
    ]  # the absence of a test may raise a score, but is not "reports a test"
    line = rationales(paper, chosen, HYPOTHESIS, explained(paper, chosen, p_value=2.0, cosine=1.0))[0]
    assert line == "Similar to the hypothesis."


def test_a_spread_is_no_interval_and_a_registration_no_figure() -> None:
    texts = (
        "We studied 82 bees (age 6.2 ± 1.1 days), ISRCTN04567890, grant 007149.",
        "Naps were 4.1 minutes longer (95% CI 1.2 to 7.0).",
        "Naps of 30 honey bees were 4.1 minutes longer (1.2–7.0).",
    )
    paper = paper_of(body(*texts))
    chosen = list(paper.sentences)
    lines = rationales(paper, chosen, HYPOTHESIS, explained(paper, chosen, interval=2.0, numbers=1.0))
    assert lines[0] == "Gives figures."
    assert lines[1].startswith("Reports a result with an interval; first to name “naps”")
    assert lines[2].startswith("Reports a result with an interval; first to name “honey”.")
    again = rationales(paper, [chosen[1], chosen[0]], "x", explained(paper, [chosen[1], chosen[0]], numbers=1.0))
    assert again[1].endswith("adds figures not given before (1.1, 6.2, 82).")


def test_what_speaks_against_is_no_reason() -> None:
    paper = bee_trial()
    chosen = [sentence_with(paper, "82 versus 64")]
    assert rationales(paper, chosen, HYPOTHESIS, explained(paper, chosen, cosine=-1.0)) == [
        "Ranked next by all measures together."
    ]


def test_it_says_what_each_adds_to_those_before() -> None:
    paper = bee_trial()
    chosen = [sentence_with(paper, text) for text in ("82 versus 64", "Bees visit many", "82 versus 64")]
    first, second, third = rationales(paper, chosen, HYPOTHESIS, explained(paper, chosen, cosine=1.0))
    assert "first to name" not in first
    assert second.endswith("first to name “bees”.")
    assert third.endswith("says it in another way.")


def test_a_second_reading_is_named_only_where_it_speaks_for_the_sentence() -> None:
    paper = bee_trial()
    chosen = [sentence_with(paper, "Hives stood")]

    def line(read: float, moved: float) -> str:
        return rationales(paper, chosen, HYPOTHESIS, explained(paper, chosen, read=read, reading=moved, cosine=1.0))[0]

    assert line(1.0, 2.0).startswith("Bears on the hypothesis when the two are read together")
    assert "read together" not in line(-1.0, 2.0)  # above the others that were read, and still unlikely
    assert "read together" not in line(1.0, -2.0)
    assert "read together" not in line(-np.inf, -2.0)  # not read


# ---- engine ----
# The ranker as an engine: the whole way from a paper to sentences with their reasons.


def test_offline_is_the_ranker_and_gives_reasons() -> None:
    engine = engine_named("offline")
    assert isinstance(engine, RankerEngine)
    evidence = engine.find(bee_trial(), EvidenceQuery(HYPOTHESIS, k=5))
    assert len(set(evidence.indices)) == 5
    scores = [sentence.score for sentence in evidence.sentences]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 1 for score in scores)
    assert all(sentence.rationale and sentence.rationale.endswith(".") for sentence in evidence.sentences)


def test_the_result_comes_first() -> None:
    paper = bee_trial()
    best = engine_named("offline").find(paper, EvidenceQuery(HYPOTHESIS, k=1)).sentences[0]
    assert any(result in paper.sentences[best.index].text for result in ("remembered 41% more", "82 versus 64"))


def test_the_same_question_has_the_same_answer(tmp_path: Path) -> None:
    def answers() -> list[tuple[int, float, str | None]]:
        engine = RankerEngine(fake_embedder(tmp_path)[0], Training.ALL, None)
        found = engine.find(bee_trial(), EvidenceQuery(HYPOTHESIS, k=8))
        return [(sentence.index, sentence.score, sentence.rationale) for sentence in found.sentences]

    assert answers() == answers()


@pytest.mark.parametrize("training", list(Training))
@pytest.mark.parametrize("results_only", [False, True])
def test_every_model_ranks(tmp_path: Path, training: Training, results_only: bool) -> None:
    engine = RankerEngine(fake_embedder(tmp_path)[0], training, None)
    query = EvidenceQuery(HYPOTHESIS, k=3, results_only=results_only)
    assert len(engine.find(bee_trial(), query).sentences) == 3


def test_nothing_to_choose_from_is_an_answer(tmp_path: Path) -> None:
    paper = paper_of(Block(Kind.TITLE, "A title"), Block(Kind.HEADING, "Methods", level=1))
    evidence = RankerEngine(fake_embedder(tmp_path)[0], Training.ALL, None).find(paper, EvidenceQuery(HYPOTHESIS))
    assert evidence.sentences == ()
    assert evidence.notes


@pytest.mark.parametrize(
    "texts", [("One.",), ("...", "   ", "-"), ("a" * 50_000,), ("p = 0.04 " * 3000,), ("\ud800 half", "é" * 9)]
)
def test_odd_sentences_are_ranked(tmp_path: Path, texts: tuple[str, ...]) -> None:
    paper = paper_of(body(*texts))
    evidence = RankerEngine(fake_embedder(tmp_path)[0], Training.ALL, None).find(paper, EvidenceQuery("?!", k=5))
    assert sorted(evidence.indices) == list(range(len(texts)))


def test_the_setting_chooses_the_training() -> None:
    settings = replace(load_settings({}), ranker="trials")
    assert engine_named("offline", settings=settings)._training is Training.TRIALS  # type: ignore[attr-defined]
    assert load_settings({"VOUCH_RANKER": "trials"}).ranker == "trials"
    with pytest.raises(QueryError, match="all, trials"):
        engine_named("offline", settings=replace(settings, ranker="everything"))


def test_without_models_offline_goes_on_with_less(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("core.evidence.ranker.model.FOLDER", tmp_path)
    assert isinstance(engine_named("offline"), SimpleOfflineEngine)


def test_models_and_features_agree() -> None:
    vectors = np.eye(len(bee_trial().sentences), 8) + 0.1
    paper = bee_trial()
    candidates = EvidenceQuery(HYPOTHESIS).candidates(paper)
    meaning = SentenceVectors(vectors, vectors[0], vectors[: len(clauses_of(HYPOTHESIS))])
    found = features(paper, candidates, HYPOTHESIS, meaning)
    record = json.loads((FOLDER / "training.json").read_text())
    assert list(found.names) == record["features"]
    for training in Training:
        assert is_installed(training)
        for mode in (False, True):
            assert load_trees(model_path(training, results_only=mode)).features == found.names
    assert np.isfinite(found.values).all()


def test_models_load_in_milliseconds() -> None:
    for file in FOLDER.glob("*.txt"):
        assert file.stat().st_size < 3_000_000
        started = time.process_time()
        load_trees(file)
        assert time.process_time() - started < 1.0  # tens of milliseconds on an idle machine


def test_features_of_200_sentences_take_milliseconds() -> None:
    draft = PaperDraft(
        blocks=[Block(Kind.BODY, f"In group {i} pain fell by {i}.5 points (P < 0.05) [3].") for i in range(200)]
    )
    paper = assemble(draft, data=b"long", name="long", format=Format.TEXT)
    vectors = np.random.default_rng(0).normal(size=(200, 384))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    meaning = SentenceVectors(vectors, vectors[0], vectors[: len(clauses_of(HYPOTHESIS))])
    started = time.process_time()
    features(paper, paper.sentences, HYPOTHESIS, meaning)
    assert time.process_time() - started < 1.0  # 0.03 s on an idle machine


def test_a_repeated_sentence_waits() -> None:
    vectors = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    chosen = choose_apart(np.array([2.0, 1.9, 1.0]), vectors, 3, results_only=False)
    assert [choice.place for choice in chosen] == [0, 2, 1]


def test_the_cross_encoder_moves_what_it_has_read() -> None:
    trees = np.array([2.0, 1.5, 1.0, -3.0])
    both = with_reading(trees, [0, 1, 2], np.array([-2.0, 4.0, 1.0]), results_only=True)
    np.testing.assert_allclose(both.contributions, [-0.9, 0.9, 0.0, -0.9])  # 0.3 of the distance to the mean
    np.testing.assert_allclose(both.scores, trees + both.contributions)
    assert both.reading.tolist() == [-2.0, 4.0, 1.0, -np.inf]
    alone = with_reading(trees, [0, 1, 2], np.zeros(3), results_only=False)  # as without a cross-encoder
    np.testing.assert_array_equal(alone.scores, trees)


def test_what_the_models_were_trained_on_is_known() -> None:
    sums = json.loads((FOLDER / "training.json").read_text())["sha256"]
    aspects, spans = sums["evidencebench_train_set.json"], sums["items.json"]
    assert [was_trained_on(Training.ALL, digest) for digest in (aspects, spans, "0" * 64)] == [True, True, False]
    assert [was_trained_on(Training.TRIALS, digest) for digest in (aspects, spans)] == [False, True]
