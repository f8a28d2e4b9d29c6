"""EvidenceBench's published alignments through the pipeline's last step: sets, optimum and best possible as published."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.benchmarks.evidencebench import read_evidencebench
from core.making.sets import instance_of, published_record


@pytest.mark.slow
def test_all_published_records_come_out_as_published(shared_data: Path) -> None:
    file = shared_data / "evidencebench" / "evidencebench_train_set.json"
    data = file.read_bytes()
    published = json.loads(data)
    instances = read_evidencebench(data, name=file.name).instances
    assert len(instances) == len(published) == 96
    for known in instances:
        theirs = published[known.id]
        labels = dict.fromkeys(theirs["aspect_list_ids"], "")
        instance = instance_of(
            known.id,
            known.hypothesis,
            known.paper,
            aspects=labels,
            aligned=theirs["aspect2sentence_indices"],
            results=known.gold.results,
        )
        assert instance is not None
        ours = published_record(instance, paper_id=theirs["paper_id"])
        assert theirs.keys() <= ours.keys()
        for same in (
            "hypothesis",
            "paper_as_candidate_pool",
            "sentence_types_in_candidate_pool",
            "aspect_list_ids",
            "sentence_index2aspects",
            "paper_id",
        ):
            assert ours[same] == theirs[same], (known.id, same)
        assert set(ours["results_aspect_list_ids"] or ()) == set(theirs["results_aspect_list_ids"] or ())
        for aspect, sentences in theirs["aspect2sentence_indices"].items():
            assert ours["aspect2sentence_indices"][aspect] == sorted(sentences)
        for task, k in (
            ("evidence_retrieval_at_optimal_evaluation", None),
            ("evidence_retrieval_at_10_evaluation", 10),
            ("results_evidence_retrieval_at_optimal_evaluation", None),
            ("results_evidence_retrieval_at_5_evaluation", 5),
        ):
            mine, other = ours[task], theirs[task]
            if other is None:
                assert mine is None
                continue
            assert mine.get("optimal") == other.get("optimal"), (known.id, task)
            # Several choices may be as good: the number of aspects is what both must share, and ours must be a choice.
            assert len(mine["covered_aspects"]) == len(other["covered_aspects"]), (known.id, task)
            covering = theirs["sentence_index2aspects"]
            seen = {aspect for index in mine["one_selection_of_sentences"] for aspect in covering[str(index)]}
            assert seen >= set(mine["covered_aspects"])
            assert len(mine["one_selection_of_sentences"]) == (k or mine["optimal"])


def test_an_aspect_without_a_sentence_is_left_out() -> None:
    known = read_evidencebench(_record(), name="one.json").instances[0]
    made = instance_of("x", "H", known.paper, aspects={"a": "one", "b": "two"}, aligned={"a": [1]}, results=["b"])
    assert made is not None
    assert dict(made.gold.aspects) == {"a": frozenset({1})}
    assert published_record(made)["results_aspect_list_ids"] is None
    assert instance_of("x", "H", known.paper, aspects={"a": "one"}, aligned={"a": []}, results=[]) is None


def _record() -> bytes:
    return json.dumps(
        {
            "hypothesis": "H",
            "paper_as_candidate_pool": ["Title of it", "One sentence.", "Two sentences."],
            "sentence_types_in_candidate_pool": ["section_name", "normal_paragraph", "normal_paragraph"],
            "aspect_list_ids": ["a"],
            "aspect2sentence_indices": {"a": [1]},
        }
    ).encode()
