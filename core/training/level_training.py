"""Fit the model of levels, and score it on judgements of papers that it has not seen."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from core.benchmarks.articles import Article
from core.bias.levels.model import COLUMNS, DOMAINS, GIVEN, KINDS, LEVELS, PAPER, LevelModel, Read
from core.bias.model import Level
from core.bias.ranker.features import Matrix
from core.bias.ranker.model import Vocabulary
from core.paper import Paper, read_paper
from core.training.bias_training import weighed
from core.training.reader_examples import READINGS, places_of
from core.training.reader_examples import rows as rows_of

WORDINGS = READINGS.parent / "bias_wordings.jsonl"  # support texts of no trial
FOLDS = 3
_SPREAD = 12  # rows that use a term
_INVERSE_REGULARISATION = 2.0
_BESIDE = 0.3  # how much a row of the other kind counts
# Share of the levels shown that are to be right. Given sentences come in reviewers' words, farther from the training's than
# cross-validation over its own hands can tell: more is asked there.
RIGHT = {PAPER: 0.85, GIVEN: 0.95}
_CHOICES = tuple(round(0.4 + 0.02 * step, 2) for step in range(30))


@dataclass(frozen=True, slots=True)
class Judged:
    """What a reader made of one domain of one trial; `support` are the deciding sentences' indices."""

    paper: str
    domain: str
    level: Level
    support: tuple[int, ...]
    words: str  # the support in the reader's own words
    careful: bool  # by the brief of the development set, sentence by sentence


@dataclass(frozen=True, slots=True)
class Row:
    """One thing to learn from. Rows of one group, a paper, stand or fall together."""

    group: str
    level: Level
    read: Read
    careful: bool = False


def judgements(data: Path, papers: Mapping[str, Paper]) -> list[Judged]:
    """The trials of `rob1_papers/train.jsonl`, and those of the readings that are not among them."""
    lines = (data / "rob1_papers" / "train.jsonl").read_text(encoding="utf-8").splitlines()
    articles = {name: Article(paper) for name, paper in papers.items()}
    found = [
        Judged(
            one["paper"],
            one["domain"],
            Level(one["level"]),
            tuple(sorted(frozenset().union(*(articles[one["paper"]].overlapping(text) for text in one["support"])))),
            one["reason"],
            careful=True,
        )
        for one in map(json.loads, lines)
    ]
    careful = {one.paper for one in found}
    for reading in rows_of(READINGS):
        if reading["paper"] not in careful and reading["bias"]:
            places = places_of(reading, papers[reading["paper"]])
            for one in reading["bias"]:
                level, support = Level(one["level"]), tuple(places(one["support"]))
                found.append(Judged(reading["paper"], one["domain"], level, support, one["words"], careful=False))
    return found


def papers_judged(data: Path) -> dict[str, Paper]:
    """The articles of all judgements. Raises `ValueError` if one belongs to a development set."""
    lines = (data / "rob1_papers" / "train.jsonl").read_text(encoding="utf-8").splitlines()
    read = [reading for reading in rows_of(READINGS) if reading["bias"]]
    names = {one["paper"] for one in [*map(json.loads, lines), *read]}
    held = {json.loads(line).get("paper") for file in data.glob("*/dev.jsonl") for line in file.open(encoding="utf-8")}
    if common := names & held:
        raise ValueError(f"{len(common)} papers of development sets are among those to train on: {sorted(common)[:3]}")
    folder = data / "evidence_inference" / "xml"
    return {name: read_paper((folder / f"{name}.nxml").read_bytes(), name=f"{name}.nxml") for name in sorted(names)}


def wordings() -> list[Row]:
    """Support texts written for training, in our own words, of no paper."""
    return [
        Row(f"wording {number}", Level(one["level"]), Read(one["domain"], (one["words"],)))
        for number, one in enumerate(rows_of(WORDINGS))
    ]


def given_rows(judged: Sequence[Judged], papers: Mapping[str, Paper]) -> list[Row]:
    """What readers gave as support: in their own words, and as the paper's sentences."""
    rows = [Row(one.paper, one.level, Read(one.domain, (one.words,))) for one in judged]
    for one in judged:
        if one.support:
            texts = tuple(papers[one.paper].sentences[index].text for index in one.support[:5])
            rows.append(Row(one.paper, one.level, Read(one.domain, texts)))
    return rows


def fit_levels(rows: Sequence[Row], shown_from: Mapping[str, Mapping[Level, float]] | None = None) -> LevelModel:
    """A multinomial logistic regression a kind and domain. Rows of given sentences help to judge papers, too."""
    vocabulary = _vocabulary([row.read.terms for row in rows])
    terms = weighed([row.read.terms for row in rows], vocabulary)
    columns = sparse.csr_matrix(np.array([row.read.columns for row in rows]))
    features = sparse.hstack([terms, columns]).tocsr()
    target = np.array([LEVELS.index(row.level) for row in rows])
    weights = {}
    for kind in KINDS:
        for domain in DOMAINS:
            own = [
                number
                for number, row in enumerate(rows)
                if row.read.domain == domain and kind in {row.read.kind, PAPER}
            ]
            counts = [1.0 if rows[number].read.kind == kind else _BESIDE for number in own]
            # Which level is usual is known of papers; of texts that a reviewer has in hand it is not.
            balance = "balanced" if kind == GIVEN else None
            model = LogisticRegression(C=_INVERSE_REGULARISATION, class_weight=balance, max_iter=500, tol=1e-3)
            # Signs were written as trials are; reviewers' own words are read better without them.
            read = features[own] if kind == PAPER else terms[own]
            model.fit(read, target[own], sample_weight=counts)
            weights[kind, domain] = _table(model, len(vocabulary.place) + len(COLUMNS))
    return LevelModel(vocabulary, weights, shown_from or {}, {})


def _table(model: LogisticRegression, columns: int) -> Matrix:
    """(columns + 1, levels): a level that no row has can never be the likeliest."""
    table = np.zeros((columns + 1, len(LEVELS)))
    table[-1] = -20.0
    table[: model.coef_.shape[1], model.classes_] = model.coef_.T
    table[-1, model.classes_] = model.intercept_
    return table


def _vocabulary(texts: Sequence[Sequence[str]]) -> Vocabulary:
    spread = Counter(term for text in texts for term in set(text))
    place = {term: number for number, term in enumerate(sorted(t for t in spread if spread[t] >= _SPREAD))}
    rarity = np.array([np.log((len(texts) + 1) / (spread[term] + 1)) + 1 for term in place])
    return Vocabulary(place, rarity)


def cross_validated_levels(rows: Sequence[Row], *, seed: int = 0) -> list[Mapping[Level, float]]:
    """Each row's probabilities by a model that has seen nothing of its group."""
    groups = sorted({row.group for row in rows})
    np.random.default_rng(seed).shuffle(groups)
    fold_of = {group: number % FOLDS for number, group in enumerate(groups)}
    found: dict[int, Mapping[Level, float]] = {}
    for fold in range(FOLDS):
        model = fit_levels([row for row in rows if fold_of[row.group] != fold])
        found |= {
            number: model.probabilities(row.read) for number, row in enumerate(rows) if fold_of[row.group] == fold
        }
    return [found[number] for number in range(len(rows))]


def threshold(judged: Sequence[tuple[Level, Mapping[Level, float]]], levels: Sequence[Level], right: float) -> float:
    """The least probability from which these levels, where they are the likeliest, are right this often."""
    best = [(max(found, key=found.__getitem__), max(found.values()), label) for label, found in judged]
    for least in _CHOICES:
        shown = [level is label for level, sure, label in best if level in levels and sure >= least]
        if shown and sum(shown) / len(shown) >= right:
            return least
    return 1.0
