"""What holds of every finding on real papers: the 320 trials, the PDFs and the samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.errors import VouchError
from core.evidence.baselines import Bm25Engine
from core.findings import Finding, effects, find
from core.paper import Paper, read_paper
from run import ROOT

Read = Callable[[Path], Paper]
HYPOTHESIS = "The treatment reduces pain compared with placebo"
SAMPLES = ("leg-cramps.xml", "pharmacy-ecg-screening.md", "sleep-app.pdf", "stair-climbing.tei.xml")


def check(paper: Paper, finding: Finding) -> None:
    for passage in filter(None, (finding.strongest_for, finding.strongest_against)):
        sentence = paper.sentences[passage.index]
        assert (passage.text, passage.page) == (sentence.text, sentence.page)
        assert passage.section == paper.section_of(sentence).title
    if finding.effect:
        assert finding.effect.text in paper.sentences[finding.effect.sentence].text
    chosen = {one.index for one in finding.sentences}
    assert {passage.index for passage in (finding.strongest_for, finding.strongest_against) if passage} <= chosen
    assert finding.reason.endswith(".")
    assert "\n" not in finding.reason


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_the_samples(name: str) -> None:
    path = ROOT / "sample_data" / name
    paper = read_paper(path.read_bytes(), name=name)
    finding = find(paper, HYPOTHESIS, engine=Bm25Engine())
    assert finding.sentences
    check(paper, finding)


def papers_in(folder: Path, pattern: str, read: Read) -> Iterator[Paper]:
    for path in sorted(folder.glob(pattern)):
        try:
            yield read(path)
        except VouchError:
            continue


@pytest.mark.repetition("digit")
@pytest.mark.parametrize("digit", range(10))
def test_the_trials(digit: int, shared_data: Path, read_once: Read) -> None:
    stated = 0
    for number, paper in enumerate(papers_in(shared_data / "evidence_inference" / "xml", f"*{digit}.nxml", read_once)):
        if number % 20 == 0:
            check(paper, find(paper, HYPOTHESIS, engine=Bm25Engine()))
        for sentence in paper.sentences:
            for effect in effects(sentence.text, sentence=sentence.index):
                stated += 1
                assert effect.text in sentence.text
                assert (effect.low is None) == (effect.high is None)
                if effect.low is not None and effect.high is not None:
                    assert effect.low <= effect.value <= effect.high
    assert stated > 10


def test_pages_are_those_of_the_pdf(shared_data: Path, read_once: Read) -> None:
    read = 0
    for paper in papers_in(shared_data / "pdf", "PMC7*.pdf", read_once):
        finding = find(paper, HYPOTHESIS, engine=Bm25Engine())
        check(paper, finding)
        passages = [passage for passage in (finding.strongest_for, *finding.nearest) if passage]
        assert all(passage.page is not None and passage.page >= 1 for passage in passages)
        read += bool(passages)
    assert read
