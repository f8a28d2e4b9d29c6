"""What the ranker is trained on: features of every candidate, and how much of the evidence it covers.

Gold meets the features only here, as the target of training; `core.evidence.ranker.features` never sees it.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.benchmarks.evidence_inference import Prompt, read_evidence_inference
from core.benchmarks.evidencebench import read_evidencebench
from core.benchmarks.gold import Gold, Instance
from core.benchmarks.max_coverage import optimal
from core.benchmarks.record_fields import all_whole
from core.errors import DatasetError
from core.evidence.embedding import Embedder
from core.evidence.model import EvidenceQuery
from core.evidence.ranker.features import Features, Meaning, features, meaning_of
from core.evidence.ranker.likeness import clauses_of
from core.paper import Paper, read_paper

Vector = NDArray[np.float64]
_Item = TypeVar("_Item")

EVIDENCEBENCH = Path("evidencebench") / "evidencebench_train_set.json"
EVIDENCE_INFERENCE = Path("evidence_inference")
_SAMPLE = Path(__file__).resolve().parents[2] / "sample_data" / "leg-cramps.xml"
_SAMPLE_HYPOTHESIS = "Stretching before sleep reduces leg cramps in older adults, compared with no stretching."
_TELLING_LENGTH = 80  # letters: two papers do not share such sentences by chance
_SHARED = 5  # so many of them make two files one paper


@dataclass(slots=True)
class Question:
    """One hypothesis on one paper, as numbers. `index` and the rows of all arrays are the candidates."""

    id: str
    hypothesis: str
    paper: Paper
    group: str  # questions on one paper share it, whatever the paper's id or source
    features: Features
    vectors: NDArray[np.float16]
    index: NDArray[np.intp]


@dataclass(slots=True)
class Aspects(Question):
    """A question of EvidenceBench."""

    gold: Gold
    optimal: int
    results_optimal: int

    def target(self, *, results_only: bool) -> Vector:
        """How much of the evidence set each candidate covers, 0 to 1: the mean of three measures.

        Its share of the aspects; the same with an aspect worth less the more sentences cover it; the root of the share.
        """
        aspects = self._aspects(results_only)
        whole = max(1, len(aspects))
        share, rare = np.zeros(len(self.index)), np.zeros(len(self.index))
        for covering in aspects:
            covers = np.isin(self.index, list(covering))
            share += covers / whole
            rare += covers * 1.5 / whole / max(1, len(covering)) ** 0.5
        mean: Vector = (np.minimum(1, share) + np.minimum(1, rare) + np.sqrt(np.minimum(1, share))) / 3
        return mean

    def _aspects(self, results_only: bool) -> list[frozenset[int]]:
        gold = self.gold.results_only if results_only else self.gold
        return list(gold.aspects.values())


@dataclass(slots=True)
class Spans(Question):
    """A question of Evidence Inference. `reworded` are the features of the same question in other words."""

    gold: frozenset[int]
    reworded: Features

    @property
    def target(self) -> Vector:
        """1 for a sentence that overlaps an annotated span."""
        return np.isin(self.index, list(self.gold)).astype(np.float64)


def load_questions(data: Path, embedder: Embedder) -> tuple[list[Aspects], list[Spans]]:
    """Both sources, with questions on one paper grouped."""
    aspects, spans = load_aspects(data, embedder), load_spans(data, embedder)
    group_by_paper([*aspects, *spans])
    return aspects, spans


def load_aspects(data: Path, embedder: Embedder) -> list[Aspects]:
    """Every instance of the EvidenceBench training file."""
    path = data / EVIDENCEBENCH
    file = read_evidencebench(path.read_bytes(), name=path.name)
    if file.broken:
        raise DatasetError(str(file.broken[0]))
    return [_aspects(instance, embedder) for instance in _shown(file.instances, "EvidenceBench")]


def load_spans(data: Path, embedder: Embedder) -> list[Spans]:
    """Every prompt of the trials."""
    prompts = all_whole(read_evidence_inference(data / EVIDENCE_INFERENCE))
    return [_spans(prompt, embedder) for prompt in _shown(prompts, "Evidence Inference")]


def _aspects(instance: Instance, embedder: Embedder) -> Aspects:
    found, vectors, index = _describe(instance.paper, instance.hypothesis, embedder)
    gold = instance.gold
    results = optimal(gold.results_only.aspects) if gold.results else 0
    return Aspects(
        instance.id,
        instance.hypothesis,
        instance.paper,
        "",
        found,
        vectors,
        index,
        gold,
        optimal(gold.aspects),
        results,
    )


def _spans(prompt: Prompt, embedder: Embedder) -> Spans:
    found, vectors, index = _describe(prompt.paper, prompt.hypothesis, embedder)
    reworded, *_ = _describe(prompt.paper, reword(prompt.hypothesis), embedder)
    return Spans(prompt.id, prompt.hypothesis, prompt.paper, "", found, vectors, index, prompt.gold, reworded)


def reword(hypothesis: str) -> str:
    """A trial's question in another order, so that the model does not lean on one: the outcome first or in the middle."""
    arms, _, outcome = hypothesis.rpartition(": ")
    intervention, _, comparator = arms.partition(" compared with ")
    if hashlib.sha256(hypothesis.encode()).digest()[0] % 2:
        return f"Effect of {intervention} versus {comparator} on {outcome}"
    return f"{outcome}: {intervention} or {comparator}"


def _describe(
    paper: Paper, hypothesis: str, embedder: Embedder
) -> tuple[Features, NDArray[np.float16], NDArray[np.intp]]:
    candidates = EvidenceQuery(hypothesis).candidates(paper)
    index = np.array([sentence.index for sentence in candidates], dtype=np.intp)
    meaning = meaning_of(embedder, paper, hypothesis)
    found = features(paper, candidates, hypothesis, meaning)
    return Features(found.names, found.values), meaning.vectors[index].astype(np.float16), index


def sample_paper() -> Paper:
    """A made-up paper, by which a test sees that the models were trained on what is read now."""
    return read_paper(_SAMPLE.read_bytes(), name=_SAMPLE.name)


def sample_features() -> dict[str, float]:
    """Each feature's mean over a sample paper with made-up vectors: when it changes, the models must be trained again."""
    paper = sample_paper()
    vectors = np.random.default_rng(0).normal(size=(len(paper.sentences) + 1, 32))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    candidates = EvidenceQuery(_SAMPLE_HYPOTHESIS).candidates(paper)
    meaning = Meaning(vectors[1:], vectors[0], vectors[: len(clauses_of(_SAMPLE_HYPOTHESIS))])
    found = features(paper, candidates, _SAMPLE_HYPOTHESIS, meaning)
    return {name: round(float(mean), 6) for name, mean in zip(found.names, found.values.mean(axis=0), strict=True)}


def group_by_paper(questions: Sequence[Question]) -> None:
    """Give questions on one paper one group: the same file, or files that share long sentences (one paper, two ids)."""
    leader: dict[str, str] = {}

    def find(name: str) -> str:
        while leader.setdefault(name, name) != name:
            name = leader[name]
        return name

    first_with: dict[str, list[str]] = {}
    shared: dict[tuple[str, str], int] = {}
    papers = {question.paper.id: question.paper for question in questions}
    for paper in papers.values():
        for sentence in {_letters(sentence.text) for sentence in paper.sentences}:
            if len(sentence) >= _TELLING_LENGTH:
                for other in first_with.setdefault(sentence, []):
                    shared[other, paper.id] = shared.get((other, paper.id), 0) + 1
                first_with[sentence].append(paper.id)
    for (one, other), count in shared.items():
        if count >= _SHARED:
            leader[find(other)] = find(one)
    for question in questions:
        question.group = find(question.paper.id)


def folds(questions: Sequence[Question], count: int, seed: int) -> dict[str, int]:
    """Group -> fold, drawn at random; every group in one fold, and as many of each source in every fold."""
    groups = sorted({question.group for question in questions})
    np.random.default_rng(seed).shuffle(groups)
    with_aspects = {question.group for question in questions if isinstance(question, Aspects)}
    groups.sort(key=lambda group: group not in with_aspects)
    return {group: number % count for number, group in enumerate(groups)}


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()


def _shown(items: Sequence[_Item], name: str) -> Iterator[_Item]:
    for number, item in enumerate(items, 1):
        if number % 25 == 0 or number == len(items):
            print(f"{name}: {number} of {len(items)} questions described", file=sys.stderr, flush=True)
        yield item
