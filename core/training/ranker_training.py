"""Fit the ranker's tree ensembles, and score them on papers that they have not seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import lightgbm
import numpy as np
from numpy.typing import NDArray

from core.benchmarks.aspect_recall import aspect_recall
from core.evidence.ranker.model import choose_apart, most_promising, with_reading
from core.evidence.selection import Redundancy
from core.training.ranker_data import Aspects, Question, Spans, folds

Vector = NDArray[np.float64]
Columns = NDArray[np.intp]
Scores = Mapping[str, Vector]  # a question's name -> its candidates' scores

SEED = 0
FOLDS = 5
KEPT = 0.25  # of the trials' sentences outside the gold: the rest says the same; those kept count for it
TRIALS_WEIGHT = 0.08  # of a trial's sentence beside one of EvidenceBench, which has a tenth as many
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
    """One shipped model: its file, what it learns from, and how many trees it has."""

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
    recipe: Recipe, questions: Sequence[Question], *, columns: Columns | None = None, seed: int = SEED
) -> lightgbm.Booster:
    """A model from the questions of the sources that the recipe names."""
    random = np.random.default_rng(seed)
    rows, targets, weights = [], [], []
    names: tuple[str, ...] = ()
    for question in questions:
        if isinstance(question, Aspects) and recipe.aspects:
            values, target = question.features.values, question.target(results_only=recipe.results_only)
            weight = np.ones(len(target))
        elif isinstance(question, Spans) and recipe.spans:
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


def cross_validated(
    recipe: Recipe,
    questions: Sequence[Question],
    *,
    seed: int = SEED,
    columns: Columns | None = None,
) -> dict[str, Vector]:
    """Each question's scores from a model that has seen nothing of its paper, a trial's in both wordings.

    A name of the question (`key`, `reworded`) -> (candidates,). Give it the questions of all sources, whatever the
    recipe learns from: the folds are then the same for every recipe.
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
            if isinstance(question, Spans):
                asked[reworded(question)] = question.reworded
            for name, found in asked.items():
                values = found.values if columns is None else found.values[:, columns]
                scores[name] = np.asarray(model.predict(values, raw_score=True, num_threads=1))
    return scores


def check_apart(seen: Sequence[Question], unseen: Sequence[Question]) -> None:
    """Raises `ValueError` if a paper is on both sides."""
    common = {question.group for question in seen} & {question.group for question in unseen}
    common |= {question.paper.id for question in seen} & {question.paper.id for question in unseen}
    if common:
        raise ValueError(f"{len(common)} papers are in training and test at once")


Pick = Callable[[Question, int], list[int]]  # a question and k -> places among its candidates, best first


def read_with(trees: Scores, reading: Scores, *, results_only: bool) -> Scores:
    """Trees and cross-encoder together, as shipped, for the questions that both know.

    `reading`: (candidates, 2) a question, NaN where it has not read.
    """
    both = {}
    for name in trees.keys() & reading.keys():
        scores = trees[name]
        places, read = _read(scores, reading[name], results_only)
        both[name] = with_reading(scores, places, read, results_only=results_only).scores
    return both


def read_alone(trees: Scores, reading: Scores, *, results_only: bool) -> Scores:
    """The cross-encoder's own order of the sentences that it reads; all others come after them."""
    alone = {}
    for name in trees.keys() & reading.keys():
        scores = trees[name]
        places, read = _read(scores, reading[name], results_only)
        alone[name] = np.full(len(scores), read.min() - 1)
        alone[name][places] = read
    return alone


def _read(trees: Vector, reading: Vector, results_only: bool) -> tuple[list[int], Vector]:
    """The places that the cross-encoder read among those that these trees would show it, and its log-odds there."""
    column = reading[:, int(results_only)]
    places = [place for place in most_promising(trees) if not np.isnan(column[place])]
    return places, column[places]


Name = Callable[[Question], str]


def by_scores(
    scores: Scores, *, results_only: bool, redundancy: Redundancy | None = None, name: Name | None = None
) -> Pick:
    """The ranker's choice from given scores, with the shipped redundancy or another one, of the questions so named."""

    def pick(question: Question, k: int) -> list[int]:
        vectors = question.vectors.astype(np.float64)
        chosen = choose_apart(
            scores[(name or key)(question)], vectors, k, results_only=results_only, redundancy=redundancy
        )
        return [choice.place for choice in chosen]

    return pick


def by_column(name: str) -> Pick:
    """The k highest of one feature: `bm25` and `cosine` are the engines bm25 and embedding."""

    def pick(question: Question, k: int) -> list[int]:
        values = question.features.values[:, question.features.names.index(name)]
        return [int(place) for place in np.argsort(-values.round(6), kind="stable")[:k]]

    return pick


def aspect_recalls(question: Aspects, pick: Pick, *, results_only: bool) -> dict[str, float]:
    """Aspect recall at the task's fixed number of sentences and at optimal; empty where there are no results."""
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


def hits(question: Spans, pick: Pick) -> dict[str, float]:
    """Whether one of the first 1, 3 and 10 sentences overlaps an annotated span."""
    chosen = [int(question.index[place]) for place in pick(question, 10)]
    return {f"hit@{depth}": float(not question.gold.isdisjoint(chosen[:depth])) for depth in (1, 3, 10)}


def reworded(question: Question) -> str:
    """A name for the question in other words."""
    return f"{key(question)} reworded"


def key(question: Question) -> str:
    """A name for a question, whichever source it is from."""
    return f"{type(question).__name__} {question.id}"
