"""The sample papers, their gold and the readers stay in step."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.benchmarks.gold import aspect_recall, compare
from core.benchmarks.samples import SAMPLE_DATA, Sample, gold_for, samples
from core.paper import Format, Kind

ROOT = SAMPLE_DATA.parent
IDS = ("leg-cramps", "pharmacy-ecg-screening", "sleep-app", "stair-climbing")

each_sample = pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.id)


def test_there_are_four_papers_in_four_formats() -> None:
    assert tuple(sample.id for sample in samples()) == IDS
    formats = {sample.read().format for sample in samples()}
    assert formats == {Format.JATS, Format.TEI, Format.MARKDOWN, Format.PDF}


@each_sample
def test_a_sample_says_that_it_is_invented(sample: Sample) -> None:
    paper = sample.read()
    assert any("invented sample paper" in sentence.text for sentence in paper.sentences)
    assert paper.title == sample.title
    assert paper.doi is not None
    assert paper.doi.startswith("10.5555/")  # the prefix set aside for examples
    assert 40 <= len(paper.sentences) <= 100
    assert {Kind.CAPTION, Kind.TABLE} <= {sentence.kind for sentence in paper.sentences}
    assert not any("Placeholder A" in sentence.text for sentence in paper.sentences), "references are left out"


@each_sample
def test_the_pool_is_what_the_reader_yields(sample: Sample) -> None:
    own = [s.text for s in sample.read().sentences if s.kind not in {Kind.CAPTION, Kind.TABLE}]
    for instance in sample.instances:
        assert [s.text for s in instance.paper.sentences] == own


@each_sample
def test_gold_lands_on_the_same_sentences_of_the_file(sample: Sample) -> None:
    paper = sample.read()
    for instance in sample.instances:
        assert gold_for(paper, instance).unmatched == ()
        gold = sample.gold(paper, f" {instance.hypothesis.upper()} ")
        assert gold is not None
        for aspect, covering in instance.gold.aspects.items():
            expected = {instance.paper.sentences[index].text for index in covering}
            assert {paper.sentences[index].text for index in gold.aspects[aspect]} == expected
        assert 5 <= len(gold.aspects) <= 9
        assert gold.results
        assert gold.labels is not None
        assert gold.labels.keys() == gold.aspects.keys()
    assert sample.gold(paper, "Something that nobody asked.") is None


@each_sample
def test_the_evaluation_keys_hold(sample: Sample) -> None:
    raw = json.loads((SAMPLE_DATA / f"{sample.id}.gold.json").read_text(encoding="utf-8"))
    for instance in sample.instances:
        record = raw[instance.id]
        for gold, prefix, k in ((instance.gold, "", 10), (instance.gold.results_only, "results_", 5)):
            at_k, at_optimal = (record[f"{prefix}evidence_retrieval_at_{x}_evaluation"] for x in (k, "optimal"))
            best = compare(at_optimal["one_selection_of_sentences"], gold)
            assert best.recall == best.best_recall == 1.0
            assert len(best.hits) == at_optimal["optimal"]
            selected = at_k["one_selection_of_sentences"]
            assert len(set(selected)) == k
            assert aspect_recall(selected, gold.aspects) == len(at_k["covered_aspects"]) / len(gold.aspects)


@pytest.mark.slow
def test_the_gold_files_are_up_to_date() -> None:
    built = subprocess.run(
        [sys.executable, str(ROOT / "sample_data" / "build" / "gold.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert built.returncode == 0, built.stdout + built.stderr


def test_the_readme_names_every_sample_and_hypothesis() -> None:
    text = Path(SAMPLE_DATA, "README.md").read_text(encoding="utf-8")
    for sample in samples():
        assert f"`{sample.path.name}`" in text
        assert all(hypothesis in text for hypothesis in sample.hypotheses)


@pytest.mark.slow
def test_the_small_benchmark_files_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "sample_data" / "build" / "benchmarks.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_labelled_summaries_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "sample_data" / "build" / "summaries.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
