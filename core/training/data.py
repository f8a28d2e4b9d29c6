"""Real questions with known answers, for training, fitting and measuring."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from core.benchmarks.articles import Article
from core.benchmarks.evidencebench import read_evidencebench
from core.benchmarks.gold import Gold, aspect_recall, optimal
from core.entailment import Direction, InContext, in_context, part_of, readable
from core.evidence import EvidenceEngine, EvidenceQuery
from core.paper import Paper, read_paper
from core.text.encoder import Matrix
from core.text.similarity import nearest

# Real questions with known answers, for fitting and measuring the evidence engines.
#
# The data folder is VOUCH_DATA, or ../shared/data beside the repository. It is not part of the repository.

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class AspectQuestion:
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
        """Aspect recall at 10 and at optimal, and if there are results, their recall at 5 and at optimal."""
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
class SpanQuestion:
    """A prompt of Evidence Inference (annotations MIT, articles CC BY) on the article's JATS file.

    The hypothesis consists of intervention, comparator and outcome; the direction of the effect is not used.
    """

    hypothesis: str
    paper: Paper
    gold: frozenset[int]  # the sentences that overlap an annotated span; empty if no span was found in the file

    def sources(self, *, results_only: bool) -> set[int]:
        """The sentences that overlap an annotated span, all of which report results."""
        return set(self.gold)

    def score(self, engine: EvidenceEngine) -> dict[str, float]:
        """Whether one of the first 1, 3 and 10 sentences is a source, when results are asked for."""
        chosen = engine.find(self.paper, EvidenceQuery(self.hypothesis, k=10, results_only=True)).indices
        return {f"hit@{k}": float(not self.gold.isdisjoint(chosen[:k])) for k in (1, 3, 10)}


Question = AspectQuestion | SpanQuestion


def data_folder() -> Path:
    """The folder of real data. Exits the program if there is none."""
    folder = Path(os.environ.get("VOUCH_DATA") or ROOT.parent / "shared" / "data").expanduser()
    if not folder.is_dir():
        sys.exit(f"There is no data folder at {folder}. Name it in VOUCH_DATA.")
    return folder


def evidencebench() -> list[AspectQuestion]:
    """The 96 instances of the published training file."""
    path = data_folder() / "evidencebench" / "evidencebench_train_set.json"
    file = read_evidencebench(path.read_bytes(), name=path.name)
    return [AspectQuestion(instance.hypothesis, instance.paper, instance.gold) for instance in file.instances]


def evidence_inference(papers: int | None = None) -> list[SpanQuestion]:
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
            questions.append(SpanQuestion(_as_query(item), paper, _overlapping(paper, letters, places, spans)))
    return questions


def _as_query(item: dict[str, Any]) -> str:
    words = f"{item['intervention']} compared with {item['comparator']}: {item['outcome']}".split()
    return " ".join(words[:400])


def _letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text in lower case, and their positions in it."""
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
    """Each metric's mean with a 95% interval, in percent, from 2,000 bootstrap samples of papers (not of questions)."""
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
    """The metrics as one line of text."""
    return "  ".join(f"{metric} {mean:.1f} ({low:.1f}-{high:.1f})" for metric, (mean, low, high) in summary.items())


# Trials in full, and the readings that ship with this code: hypotheses, right and wrong plain sentences, and judgements in
# their authors' words, which refer to sentences of trials by number and contain none of their text.

READINGS = Path(__file__).parent / "readings" / "trials.jsonl"
WRITTEN = READINGS.with_name("results.jsonl")  # results of invented trials
TOLD = READINGS.with_name("directions.jsonl")  # the results that each sentence of a trial tells
REVIEWS = READINGS.with_name("reviews.jsonl")  # hypotheses as reviews put them, of several trials or of one
SPANS = {
    "significantly increased": Direction.UP,
    "significantly decreased": Direction.DOWN,
    "no significant difference": Direction.SAME,
}
WAYS = {"up": Direction.UP, "down": Direction.DOWN, "same": Direction.SAME}
_COLD = frozenset({"introduction", "methods"})  # parts without results of the trial


@dataclass(frozen=True)
class Trial:
    """A paper with its vectors, whose sentences can be found by their text."""

    paper: Paper
    vectors: Matrix

    @cached_property
    def _article(self) -> Article:
        return Article(self.paper)

    def find(self, text: str) -> list[int]:
        """The sentences that a quotation overlaps; none if it is not in the paper."""
        return sorted(self._article.overlapping(text))

    def at(self, number: int) -> InContext:
        return in_context(self.paper, self.paper.sentences[number])

    def near(self, question: str, vector: Matrix) -> list[int]:
        """The sentences by similarity to a question, nearest first."""
        pool = readable(self.paper)
        cosines = (self.vectors[[one.index for one in pool]] @ vector).astype(np.float64)
        return [pool[place].index for place in nearest(question, pool, cosines)]

    def is_cold(self, number: int) -> bool:
        return part_of(self.paper, self.paper.sentences[number]) in _COLD


def mark(text: str) -> str:
    """A hash that identifies a sentence even if papers are later split differently."""
    return hashlib.sha256("".join(text.split()).encode()).hexdigest()[:8]


def rows(path: Path) -> list[dict[str, Any]]:
    """The records of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def readings(
    trials: Mapping[str, Trial], file: Path
) -> Iterator[tuple[Trial, dict[str, Any], Callable[[Iterable[int]], list[int]]]]:
    """Each reading of an available paper, with a function that maps its sentence numbers to the paper's sentences."""
    for row in rows(file):
        trial = trials.get(row["paper"])
        if trial is None:
            continue
        yield trial, row, places_of(row, trial.paper)


def places_of(reading: Mapping[str, Any], paper: Paper) -> Callable[[Iterable[int]], list[int]]:
    """A function from a reading's sentence numbers to the paper's sentences.

    Those that no longer exist are left out.
    """
    marks, places = reading["marks"], {mark(sentence.text): sentence.index for sentence in paper.sentences}

    def found(numbers: Iterable[int]) -> list[int]:
        return [places[marks[str(number)]] for number in numbers if marks[str(number)] in places]

    return found
