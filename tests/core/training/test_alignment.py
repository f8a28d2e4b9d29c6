"""Readings of aligned sentences, the figures that come of them, and what unseen papers are asked with."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from core.benchmarks.model import BrokenRecord, Response
from core.evidence.model import Evidence, EvidenceQuery, EvidenceSentence
from core.evidence.ranker import engine as ranker_engine
from core.evidence.ranker.model import FOLDER, Training, Trees, load_trees, model_for
from core.paper import Paper
from core.progress import Progress, silent
from core.training import alignment
from core.training.alignment import ALIGNMENT, HeldBack

SAMPLE = Path(__file__).resolve().parents[3] / "sample_data" / "evidence_inference"


@dataclass
class Fake:
    """An engine that gives the second sentence, and remembers the trees for results and for all evidence."""

    name = "offline"
    trees: tuple[Trees, ...] = ()

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        self.trees = tuple(ranker_engine.model_for(Training.ALL, results_only=mode) for mode in (True, False))
        return Evidence("offline", query, (EvidenceSentence(1, 1.0),), 0.0)


def drawn() -> list[alignment.Aspect]:
    return [item for item in alignment.aspects(SAMPLE) if not isinstance(item, BrokenRecord)]


def test_the_shipped_readings_are_whole() -> None:
    rows = [json.loads(line) for line in alignment.READINGS.read_text(encoding="utf-8").splitlines()]
    assert {frozenset(row) for row in rows} == {frozenset({"paper", "aspect", "sentence", "label"})}  # and no words
    assert len(alignment._labels()) == len(rows)
    assert {row["label"] for row in rows} == set(alignment.LABELS)


def test_a_label_that_is_none_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "READINGS", tmp_path / "r.jsonl")
    (tmp_path / "r.jsonl").write_text(
        '{"paper": "p", "aspect": "1", "sentence": 2, "label": "perhaps"}\n', encoding="utf-8"
    )
    with pytest.raises(ValueError, match="not in tuple"):
        alignment._labels()


def test_an_aspect_is_a_result_and_asks_for_results() -> None:
    assert drawn()
    assert all(item.question.query.results_only for item in drawn())


def test_unseen_papers_are_asked_with_trees_that_have_not_seen_them(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, trees = Fake(), load_trees(FOLDER / "trials.txt")
    monkeypatch.setattr(alignment, "ALIGNMENT", replace(ALIGNMENT, open=lambda _choice: engine))
    held_back = HeldBack(frozenset({drawn()[0].question.paper.id}), trees)
    some = alignment._drawn(SAMPLE, lambda _: True, held_back)
    assert {item.group for item in some} == {drawn()[0].group}
    alignment._ask(alignment.UNSEEN, some, held_back)
    assert engine.trees[0] is trees
    assert engine.trees[1] is model_for(Training.ALL, results_only=False)
    alignment._ask("offline", some, held_back)
    assert engine.trees[0] is model_for(Training.ALL, results_only=True)  # as it ships


def test_the_first_sentence_counts_as_it_was_read() -> None:
    some = drawn()[:3]
    responses = [Response((1, 5)), Response((2,)), Response()]
    labels = {(some[0].id, 1): "tells it", (some[1].id, 3): "tells it"}
    said = alignment._precision(some, responses, labels)
    assert said.startswith("precision by reading 100.0% (tells it 1,")
    assert "no sentence 1, not read 1" in said


def test_trees_are_evaluated_as_they_were_fitted() -> None:
    lightgbm = pytest.importorskip("lightgbm", reason="LightGBM is needed for training only")
    from core.training.ranker import trees_of

    values = np.random.default_rng(0).normal(size=(200, 3))
    data = lightgbm.Dataset(values, (values[:, 0] > 0).astype(float))
    model = lightgbm.train({"objective": "cross_entropy", "verbose": -1, "num_threads": 1}, data, 5)
    assert np.allclose(trees_of(model).scores(values), model.predict(values, raw_score=True))


def test_the_shipped_answers_are_numbers_and_are_measured_as_they_are() -> None:
    rows = [json.loads(line) for line in alignment.ANSWERS.read_text(encoding="utf-8").splitlines()]
    assert {frozenset(row) for row in rows} == {frozenset({"paper", "aspect", "sentences"})}  # and no words
    some = [replace(item, id=row["aspect"]) for item, row in zip(drawn()[:2], rows, strict=False)]
    responses = alignment._ask(alignment.ANSWERED, some, None)
    assert [list(response.sentences) for response in responses] == [row["sentences"] for row in rows[: len(some)]]


@pytest.mark.parametrize(("order", "only", "first"), [("everything", False, False), ("results-first", False, True)])
def test_engines_can_be_asked_otherwise(order: str, only: bool, first: bool) -> None:
    query = alignment._asking(drawn()[0], order).question.query
    assert (query.results_only, query.results_first) == (only, first)
