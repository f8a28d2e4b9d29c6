"""Real questions with known answers, for fitting and measuring the evidence engines.

The data folder is VOUCH_DATA, or ../shared/data beside the repository. It is never part of the repository.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from core.benchmarks.aspect_recall import aspect_recall
from core.benchmarks.evidencebench import read_evidencebench
from core.benchmarks.gold import Gold
from core.benchmarks.max_coverage import optimal
from core.evidence import EvidenceEngine, EvidenceQuery
from core.paper import Paper, read_paper

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Aspects:
    """An instance of EvidenceBench's published training set (CC BY-NC-SA)."""

    hypothesis: str
    paper: Paper
    gold: Gold

    def sources(self, *, results_only: bool) -> set[int]:
        """The sentences that cover an aspect."""
        return set((self.gold.results_only if results_only else self.gold).by_sentence)

    @cached_property
    def optimal(self) -> tuple[int, int]:
        """The fewest sentences that cover all aspects, and all results."""
        return optimal(self.gold.aspects), optimal(self.gold.results_only.aspects)

    def score(self, engine: EvidenceEngine) -> dict[str, float]:
        """Aspect recall at 10, at optimal, and of results at 5 and at optimal, where there are results."""
        all_best, results_best = self.optimal
        recalls = {}
        for prefix, gold, fixed, best in (
            ("", self.gold, 10, all_best),
            ("result", self.gold.results_only, 5, results_best),
        ):
            if gold.aspects:
                query = EvidenceQuery(self.hypothesis, k=max(fixed, best), results_only=bool(prefix))
                chosen = engine.find(self.paper, query).indices
                recalls[f"{prefix}@{fixed}"] = aspect_recall(chosen[:fixed], gold.aspects)
                recalls[f"{prefix}@optimal"] = aspect_recall(chosen[:best], gold.aspects)
        return recalls


@dataclass(frozen=True)
class Spans:
    """A prompt of Evidence Inference (annotations MIT, articles CC BY) on the article's JATS file.

    The hypothesis is made of intervention, comparator and outcome; the direction of the effect is not read.
    """

    hypothesis: str
    paper: Paper
    gold: frozenset[int]  # the sentences that overlap an annotated span; empty where none was found in the file

    def sources(self, *, results_only: bool) -> set[int]:
        """The sentences that overlap an annotated span: all of them report results."""
        return set(self.gold)

    def score(self, engine: EvidenceEngine) -> dict[str, float]:
        """Whether one of the first 1, 3 and 10 sentences is a source, when results are asked for."""
        chosen = engine.find(self.paper, EvidenceQuery(self.hypothesis, k=10, results_only=True)).indices
        return {f"hit@{k}": float(not self.gold.isdisjoint(chosen[:k])) for k in (1, 3, 10)}


Question = Aspects | Spans


def data_folder() -> Path:
    """The folder of real data; ends the program where there is none."""
    folder = Path(os.environ.get("VOUCH_DATA") or ROOT.parent / "shared" / "data").expanduser()
    if not folder.is_dir():
        sys.exit(f"There is no data folder at {folder}. Name it in VOUCH_DATA.")
    return folder


def evidencebench() -> list[Aspects]:
    """The 96 instances of the published training file that this folder holds."""
    path = data_folder() / "evidencebench" / "evidencebench_train_set.json"
    file = read_evidencebench(path.read_bytes(), name=path.name)
    return [Aspects(instance.hypothesis, instance.paper, instance.gold) for instance in file.instances]


def evidence_inference(papers: int | None = None) -> list[Spans]:
    """The prompts on the first `papers` articles (all of them by default)."""
    folder = data_folder() / "evidence_inference"
    prompts: dict[str, list[dict[str, Any]]] = {}
    for item in json.loads((folder / "items.json").read_text(encoding="utf-8")):
        prompts.setdefault(item["pmcid"], []).append(item)
    questions = []
    for pmcid in list(prompts)[:papers]:
        paper = read_paper((folder / "xml" / f"{pmcid}.nxml").read_bytes(), name=f"{pmcid}.nxml")
        letters, places = _letters(paper.text)
        for item in prompts[pmcid]:
            spans = {annotation["evidence"] or "" for annotation in item["annotations"]}
            questions.append(Spans(_as_query(item), paper, _overlapping(paper, letters, places, spans)))
    return questions


def _as_query(item: dict[str, Any]) -> str:
    words = f"{item['intervention']} compared with {item['comparator']}: {item['outcome']}".split()
    return " ".join(words[:400])


def _letters(text: str) -> tuple[str, list[int]]:
    """Only letters and digits, in lower case, and where each stood."""
    places = [place for place, character in enumerate(text) if character.isalnum()]
    return "".join(text[place].lower()[0] for place in places), places


def _overlapping(paper: Paper, letters: str, places: list[int], spans: set[str]) -> frozenset[int]:
    found = set()
    for span in spans:
        wanted = _letters(span)[0]
        at = letters.find(wanted) if len(wanted) >= 5 else -1
        while at >= 0:
            start, end = places[at], places[at + len(wanted) - 1] + 1
            found |= {s.index for s in paper.sentences if s.start < end and s.end > start}
            at = letters.find(wanted, at + 1)
    return frozenset(found)


def mean_scores(
    questions: Sequence[Question], scores: Sequence[dict[str, float]]
) -> dict[str, tuple[float, float, float]]:
    """Each metric's mean with a 95% interval, in percent: 2,000 bootstrap samples of papers, not of questions."""
    papers = sorted({question.paper.id for question in questions})
    rows: dict[str, dict[str, list[float]]] = {}
    for question, score in zip(questions, scores, strict=True):
        for metric, value in score.items():
            rows.setdefault(metric, {}).setdefault(question.paper.id, []).append(100 * value)
    summary = {}
    for metric, by_paper in rows.items():
        sums = np.array([sum(by_paper.get(paper, ())) for paper in papers])
        counts = np.array([len(by_paper.get(paper, ())) for paper in papers])
        picks = np.random.default_rng(0).integers(len(papers), size=(2000, len(papers)))
        means = sums[picks].sum(axis=1) / counts[picks].sum(axis=1)
        low, high = np.percentile(means, [2.5, 97.5])
        summary[metric] = (float(sums.sum() / counts.sum()), float(low), float(high))
    return summary


def as_line(summary: dict[str, tuple[float, float, float]]) -> str:
    """One line for people."""
    return "  ".join(f"{metric} {mean:.1f} ({low:.1f}-{high:.1f})" for metric, (mean, low, high) in summary.items())
