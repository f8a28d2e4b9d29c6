"""The ranker: the training data of its trees, their training, and their scores on unseen papers."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import lightgbm
import numpy as np
from numpy.typing import NDArray

from core.benchmarks.evidence_tasks import TrialQuestion, read_evidence_inference
from core.benchmarks.evidencebench import read_evidencebench
from core.benchmarks.gold import Gold, Instance, aspect_recall, optimal
from core.benchmarks.records import all_whole
from core.errors import DatasetError
from core.evidence.model import EvidenceQuery
from core.evidence.ranker.features import Features, SentenceVectors, clauses_of, features, vectors_of
from core.evidence.ranker.model import Training, Trees, choose_apart, load_trees, most_promising, with_reading
from core.evidence.selection import Redundancy
from core.paper import Paper, read_paper
from core.text.similarity import Embedder

# The ranker's training data: the features of every candidate, and the share of the evidence that it covers.
#
# Gold is used only here, as the target of training; `core.evidence.ranker.features` never sees it.

Vector = NDArray[np.float64]
_Item = TypeVar("_Item")

EVIDENCEBENCH = Path("evidencebench") / "evidencebench_train_set.json"
EVIDENCE_INFERENCE = Path("evidence_inference")
_SAMPLE = Path(__file__).resolve().parents[2] / "sample_data" / "leg-cramps.xml"
_SAMPLE_HYPOTHESIS = "Stretching before sleep reduces leg cramps in older adults, compared with no stretching."
_TELLING_LENGTH = 80  # letters; two papers do not share sentences of this length by chance
_SHARED = 5  # two files that share so many of them are the same paper


@dataclass(slots=True)
class QuestionFeatures:
    """The features of one hypothesis on one paper. `index` and the rows of all arrays are for the candidates."""

    id: str
    hypothesis: str
    paper: Paper
    group: str  # the same for all questions on a paper, even if the paper has several ids or sources
    features: Features
    vectors: NDArray[np.float16]
    index: NDArray[np.intp]


@dataclass(slots=True)
class AspectFeatures(QuestionFeatures):
    """A question of EvidenceBench."""

    gold: Gold
    optimal: int
    results_optimal: int

    def target(self, *, results_only: bool) -> Vector:
        """The share of the evidence set that each candidate covers, from 0 to 1, as the mean of three measures.

        They are its share of the aspects; the same with lower weights for aspects that many sentences cover; and the
        square root of the share.
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
class SpanFeatures(QuestionFeatures):
    """A question of Evidence Inference. `reworded` holds the features of the same question in other words."""

    gold: frozenset[int]
    reworded: Features

    @property
    def target(self) -> Vector:
        """1 for a sentence that overlaps an annotated span."""
        return np.isin(self.index, list(self.gold)).astype(np.float64)


def load_questions(data: Path, embedder: Embedder) -> tuple[list[AspectFeatures], list[SpanFeatures]]:
    """The questions of both sources, grouped by paper."""
    aspects, spans = load_aspects(data, embedder), load_spans(data, embedder)
    group_by_paper([*aspects, *spans])
    return aspects, spans


def load_aspects(data: Path, embedder: Embedder) -> list[AspectFeatures]:
    """Every instance of the EvidenceBench training file."""
    path = data / EVIDENCEBENCH
    file = read_evidencebench(path.read_bytes(), name=path.name)
    if file.broken:
        raise DatasetError(str(file.broken[0]))
    return [_aspects(instance, embedder) for instance in _shown(file.instances, "EvidenceBench")]


def load_spans(data: Path, embedder: Embedder) -> list[SpanFeatures]:
    """Every prompt of the trials."""
    prompts = all_whole(read_evidence_inference(data / EVIDENCE_INFERENCE))
    return [_spans(prompt, embedder) for prompt in _shown(prompts, "Evidence Inference")]


def _aspects(instance: Instance, embedder: Embedder) -> AspectFeatures:
    found, vectors, index = _describe(instance.paper, instance.hypothesis, embedder)
    gold = instance.gold
    results = optimal(gold.results_only.aspects) if gold.results else 0
    return AspectFeatures(
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


def _spans(prompt: TrialQuestion, embedder: Embedder) -> SpanFeatures:
    found, vectors, index = _describe(prompt.paper, prompt.hypothesis, embedder)
    reworded, *_ = _describe(prompt.paper, reword(prompt.hypothesis), embedder)
    return SpanFeatures(prompt.id, prompt.hypothesis, prompt.paper, "", found, vectors, index, prompt.gold, reworded)


def reword(hypothesis: str) -> str:
    """A trial's question in another form, so that the model does not depend on the order of its parts."""
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
    meaning = vectors_of(embedder, paper, hypothesis)
    found = features(paper, candidates, hypothesis, meaning)
    return Features(found.names, found.values), meaning.vectors[index].astype(np.float16), index


def sample_paper() -> Paper:
    """An invented paper. A test uses it to check that the models were trained with the current features."""
    return read_paper(_SAMPLE.read_bytes(), name=_SAMPLE.name)


def sample_features() -> dict[str, float]:
    """Each feature's mean over a sample paper with random vectors.

    When one changes, the models must be trained again.
    """
    paper = sample_paper()
    vectors = np.random.default_rng(0).normal(size=(len(paper.sentences) + 1, 32))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    candidates = EvidenceQuery(_SAMPLE_HYPOTHESIS).candidates(paper)
    meaning = SentenceVectors(vectors[1:], vectors[0], vectors[: len(clauses_of(_SAMPLE_HYPOTHESIS))])
    found = features(paper, candidates, _SAMPLE_HYPOTHESIS, meaning)
    return {name: round(float(mean), 6) for name, mean in zip(found.names, found.values.mean(axis=0), strict=True)}


def group_by_paper(questions: Sequence[QuestionFeatures]) -> None:
    """Set the same group for all questions on a paper. Files that share several long sentences are the same paper."""
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


def folds(questions: Sequence[QuestionFeatures], count: int, seed: int) -> dict[str, int]:
    """Group -> fold, at random, with about the same number of groups of each source in every fold."""
    groups = sorted({question.group for question in questions})
    np.random.default_rng(seed).shuffle(groups)
    with_aspects = {question.group for question in questions if isinstance(question, AspectFeatures)}
    groups.sort(key=lambda group: group not in with_aspects)
    return {group: number % count for number, group in enumerate(groups)}


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()


def _shown(items: Sequence[_Item], name: str) -> Iterator[_Item]:
    for number, item in enumerate(items, 1):
        if number % 25 == 0 or number == len(items):
            print(f"{name}: {number} of {len(items)} questions described", file=sys.stderr, flush=True)
        yield item


# Fit the ranker's tree ensembles, and score them on unseen papers.

Columns = NDArray[np.intp]
Scores = Mapping[str, Vector]  # a question's key -> its candidates' scores

SEED = 0
FOLDS = 5
KEPT = 0.25  # the share of the trials' sentences outside the gold that is used, with weights to make up for the rest
TRIALS_WEIGHT = 0.08  # the weight of a trial's sentence relative to EvidenceBench, which has a tenth as many
_PARAMETERS = {
    "objective": "cross_entropy",
    "learning_rate": 0.02,
    "num_leaves": 12,
    "max_depth": 6,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 20,
    "extra_trees": True,
    "verbose": -1,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
}


@dataclass(frozen=True)
class Recipe:
    """A shipped model: its file, its training data, and its number of trees."""

    file: str
    aspects: bool
    spans: bool
    results_only: bool
    rounds: int


EVIDENCE = Recipe("evidence.txt", True, False, False, 600)
RESULTS = Recipe("results.txt", True, True, True, 600)
TRIALS = Recipe("trials.txt", False, True, True, 400)
RECIPES = (EVIDENCE, RESULTS, TRIALS)


def fit(
    recipe: Recipe, questions: Sequence[QuestionFeatures], *, columns: Columns | None = None, seed: int = SEED
) -> lightgbm.Booster:
    """A model fitted to the questions from the recipe's sources."""
    random = np.random.default_rng(seed)
    rows, targets, weights = [], [], []
    names: tuple[str, ...] = ()
    for question in questions:
        if isinstance(question, AspectFeatures) and recipe.aspects:
            values, target = question.features.values, question.target(results_only=recipe.results_only)
            weight = np.ones(len(target))
        elif isinstance(question, SpanFeatures) and recipe.spans:
            found = question.features if random.random() < 0.5 else question.reworded
            target = question.target
            kept = (target > 0) | (random.random(len(target)) < KEPT)
            values, target = found.values[kept], target[kept]
            weight = np.where(target > 0, 1.0, 1 / KEPT) * (TRIALS_WEIGHT if recipe.aspects else 1.0)
        else:
            continue
        names = question.features.names
        rows.append(values if columns is None else values[:, columns])
        targets.append(target)
        weights.append(weight)
    used = names if columns is None else tuple(names[column] for column in columns)
    data = lightgbm.Dataset(
        np.concatenate(rows), np.concatenate(targets), weight=np.concatenate(weights), feature_name=list(used)
    )
    return lightgbm.train({**_PARAMETERS, "seed": seed}, data, recipe.rounds)


def as_text(model: lightgbm.Booster) -> str:
    """A model as it ships: without importances and parameters, which follow the trees and are not needed for scores."""
    return model.model_to_string().split("\nend of trees")[0] + "\n"


def trees_of(model: lightgbm.Booster) -> Trees:
    """A model as the engine loads it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trees.txt"
        path.write_text(as_text(model), encoding="ascii")
        return load_trees(path)


def cross_validated(
    recipe: Recipe,
    questions: Sequence[QuestionFeatures],
    *,
    seed: int = SEED,
    columns: Columns | None = None,
) -> dict[str, Vector]:
    """Each question's scores from a model that has not seen its paper; for a trial's question, in both wordings.

    The question's name (`key`, `reworded`) -> (candidates,). `questions` must include all sources, even those that the
    recipe does not use, so that the folds are the same for every recipe.
    """
    fold_of = folds(questions, FOLDS, seed)
    scores: dict[str, Vector] = {}
    for fold in range(FOLDS):
        seen = [question for question in questions if fold_of[question.group] != fold]
        unseen = [question for question in questions if fold_of[question.group] == fold]
        check_apart(seen, unseen)
        model = fit(recipe, seen, columns=columns, seed=seed)
        for question in unseen:
            asked = {key(question): question.features}
            if isinstance(question, SpanFeatures):
                asked[reworded(question)] = question.reworded
            for name, found in asked.items():
                values = found.values if columns is None else found.values[:, columns]
                scores[name] = np.asarray(model.predict(values, raw_score=True, num_threads=1))
    return scores


def check_apart(seen: Sequence[QuestionFeatures], unseen: Sequence[QuestionFeatures]) -> None:
    """Raise `ValueError` if a paper is in both sets."""
    common = {question.group for question in seen} & {question.group for question in unseen}
    common |= {question.paper.id for question in seen} & {question.paper.id for question in unseen}
    if common:
        raise ValueError(f"{len(common)} papers are in training and test at once")


Pick = Callable[[QuestionFeatures, int], list[int]]  # (question, k) -> indices among its candidates, best first


def read_with(trees: Scores, reading: Scores, *, results_only: bool) -> Scores:
    """The scores of trees and cross-encoder together, as shipped, for the questions that both have scored.

    `reading` holds an array (candidates, 2) for each question, with NaN for sentences that were not read.
    """
    both = {}
    for name in trees.keys() & reading.keys():
        scores = trees[name]
        places, read = _read(scores, reading[name], results_only)
        both[name] = with_reading(scores, places, read, results_only=results_only).scores
    return both


def read_alone(trees: Scores, reading: Scores, *, results_only: bool) -> Scores:
    """The cross-encoder's scores of the sentences that it reads; all other sentences come after them."""
    alone = {}
    for name in trees.keys() & reading.keys():
        scores = trees[name]
        places, read = _read(scores, reading[name], results_only)
        alone[name] = np.full(len(scores), read.min() - 1)
        alone[name][places] = read
    return alone


def _read(trees: Vector, reading: Vector, results_only: bool) -> tuple[list[int], Vector]:
    """The indices of the sentences that the trees select and the cross-encoder has read, and its log-odds for them."""
    column = reading[:, int(results_only)]
    places = [place for place in most_promising(trees) if not np.isnan(column[place])]
    return places, column[places]


Name = Callable[[QuestionFeatures], str]


def by_scores(
    scores: Scores, *, results_only: bool, redundancy: Redundancy | None = None, name: Name | None = None
) -> Pick:
    """The ranker's choice from these scores, with the shipped redundancy or another. `name` gives a question's key."""

    def pick(question: QuestionFeatures, k: int) -> list[int]:
        vectors = question.vectors.astype(np.float64)
        chosen = choose_apart(
            scores[(name or key)(question)], vectors, k, results_only=results_only, redundancy=redundancy
        )
        return [choice.place for choice in chosen]

    return pick


def by_column(name: str) -> Pick:
    """The k candidates with the highest value of a feature. `bm25` and `cosine` give the engines bm25 and embedding."""

    def pick(question: QuestionFeatures, k: int) -> list[int]:
        values = question.features.values[:, question.features.names.index(name)]
        return [int(place) for place in np.argsort(-values.round(6), kind="stable")[:k]]

    return pick


def aspect_recalls(question: AspectFeatures, pick: Pick, *, results_only: bool) -> dict[str, float]:
    """Aspect recall at the task's fixed number of sentences and at optimal; empty if there are no aspects to find."""
    gold = question.gold.results_only if results_only else question.gold
    if not gold.aspects:
        return {}
    best = question.results_optimal if results_only else question.optimal
    fixed, prefix = (5, "result@") if results_only else (10, "@")
    chosen = [int(question.index[place]) for place in pick(question, max(fixed, best))]
    return {
        f"{prefix}{fixed}": aspect_recall(chosen[:fixed], gold.aspects),
        f"{prefix}optimal": aspect_recall(chosen[:best], gold.aspects),
    }


def hits(question: SpanFeatures, pick: Pick) -> dict[str, float]:
    """Whether one of the first 1, 3 and 10 sentences overlaps an annotated span."""
    chosen = [int(question.index[place]) for place in pick(question, 10)]
    return {f"hit@{depth}": float(not question.gold.isdisjoint(chosen[:depth])) for depth in (1, 3, 10)}


def reworded(question: QuestionFeatures) -> str:
    """The key of the reworded question."""
    return f"{key(question)} reworded"


def key(question: QuestionFeatures) -> str:
    """The key of a question, which is unique among all sources. Saved scores use it."""
    return f"{'Aspects' if isinstance(question, AspectFeatures) else 'Spans'} {question.id}"


# The cross-encoder's scores of unseen papers, which are saved between its training and that of the trees.

CROSS_FOLDS = 3  # of EvidenceBench, by paper; fewer than for the trees, because each takes ten minutes
_HELD_BACK = 0  # the fold of the trees whose trials the cross-encoder never sees, not even the one that ships


def held_back_trials(questions: Sequence[QuestionFeatures]) -> set[str]:
    """The groups of papers whose trials the cross-encoder does not see."""
    fold_of = folds(questions, FOLDS, SEED)
    trials = {question.group for question in questions if isinstance(question, SpanFeatures)}
    return {group for group in trials if fold_of[group] == _HELD_BACK}


@dataclass(frozen=True)
class HeldOutScores:
    """A folder of arrays by name. It can be deleted; making it again takes an hour of training."""

    folder: Path

    @classmethod
    def at(cls, home: Path) -> HeldOutScores:
        folder = home / "training" / "cross-encoder"
        folder.mkdir(parents=True, exist_ok=True)
        return cls(folder)

    def save(self, name: str, arrays: Mapping[str, Vector]) -> None:
        partial = self.folder / f"{name}.{os.getpid()}.partial.npz"
        np.savez_compressed(partial, allow_pickle=False, **arrays)
        partial.replace(self.folder / f"{name}.npz")

    def load(self, name: str) -> dict[str, Vector] | None:
        """The arrays saved under a name; None if there are none."""
        path = self.folder / f"{name}.npz"
        if not path.is_file():
            return None
        with np.load(path, allow_pickle=False) as file:
            return {key: file[key] for key in file.files}

    def unseen(self, training: Training, questions: Sequence[QuestionFeatures]) -> dict[str, Vector]:
        """Question -> (candidates, 2), for all unseen papers. Exits the program if scores are missing or do not fit."""
        parts = ["trials"] if training is Training.TRIALS else ["all", *map(str, range(CROSS_FOLDS))]
        found: dict[str, Vector] = {}
        for part in parts:
            found |= self.load(part) or {}
        held_back = held_back_trials(questions)
        for question in questions:
            needed = isinstance(question, AspectFeatures) or question.group in held_back
            if needed and len(found.get(key(question), ())) != len(question.index):
                sys.exit(f"{self.folder} has no scores of {key(question)}. Run python -m core.training cross-encoder.")
        return found
