"""Fit the weights of `offline`, cross-validated by paper: `python -m core.training.fit_offline > core/evidence/weights.py`.

The cross-validated figures go to standard error. Needs scikit-learn, which comes with sentence-transformers.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from core.evidence import offline
from core.evidence.embedding import Embedder
from core.evidence.features import describe
from core.evidence.model import EvidenceQuery
from core.evidence.offline import OfflineEngine
from core.settings import load_settings
from core.training import evidence_data as data

FOLDS = 6
SEED = 0
# How much each source counts in all. Evidence Inference has all the tables and captions, EvidenceBench all the variety.
SHARES = {False: {data.Aspects: 10.0, data.Spans: 1.0}, True: {data.Aspects: 2.0, data.Spans: 1.0}}
SAMPLES = 12_000.0  # how many sentences a share of 1 counts as
EVIDENCE = 0.2  # the part of evidence among them, the same for both sources
C = 0.3  # inverse strength of the L2 penalty on standardised weights; from 0.03 to 1 it hardly matters
MODES = tuple((results_only, encoder) for results_only in (False, True) for encoder in (True, False))

Weights = Mapping[str, float]
Table = dict[tuple[bool, bool], Weights]
Columns = Mapping[str, NDArray[np.float64]]
Described = dict[bool, Columns]  # with an encoder, and without


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--papers", type=int, help="articles of Evidence Inference to use (default: all)")
    questions: list[data.Question] = [*data.evidencebench(), *data.evidence_inference(arguments.parse_args().papers)]
    embedder = Embedder.installed(load_settings().embeddings)
    described = [_described(question, embedder) for question in questions]
    papers = sorted({question.paper.id for question in questions})
    shuffled = np.random.default_rng(SEED).permutation(len(papers))
    fold = {papers[place]: number % FOLDS for number, place in enumerate(shuffled)}
    scores: dict[bool, list[dict[str, float]]] = {True: [{}] * len(questions), False: [{}] * len(questions)}
    for held_out in range(FOLDS):
        train = [n for n, question in enumerate(questions) if fold[question.paper.id] != held_out]
        table = _fit(questions, described, train)
        for n in set(range(len(questions))) - set(train):
            for encoder, of_questions in scores.items():
                of_questions[n] = _score(questions[n], table, embedder if encoder else None)
    for encoder, of_questions in scores.items():
        for source in (data.Aspects, data.Spans):
            chosen = [n for n, question in enumerate(questions) if isinstance(question, source)]
            summary = data.mean_scores([questions[n] for n in chosen], [of_questions[n] for n in chosen])
            print("with encoder" if encoder else "without     ", data.as_line(summary), file=sys.stderr)
    _write(_fit(questions, described, range(len(questions))))


def _described(question: data.Question, embedder: Embedder) -> Described:
    candidates = EvidenceQuery(question.hypothesis).candidates(question.paper)
    cosines = embedder.compare(question.paper, question.hypothesis).to_hypothesis.astype(np.float64)
    columns = describe(question.paper, candidates, question.hypothesis, cosines)
    needs_encoder = columns.keys() - describe(question.paper, candidates, question.hypothesis, None).keys()
    return {True: columns, False: {name: c for name, c in columns.items() if name not in needs_encoder}}


def _fit(questions: Sequence[data.Question], described: Sequence[Described], train: Sequence[int]) -> Table:
    table: Table = {}
    for results_only, encoder in MODES:
        names = list(described[0][encoder])
        rows, labels, weights = [], [], []
        sources: list[np.ndarray] = []
        for source, share in SHARES[results_only].items():
            own = [n for n in train if isinstance(questions[n], source)]
            x = np.concatenate([np.column_stack([described[n][encoder][name] for name in names]) for n in own])
            y = np.concatenate([_labels(questions[n], results_only=results_only) for n in own])
            rows.append(x)
            labels.append(y)
            weights.append(SAMPLES * share * np.where(y, EVIDENCE / y.sum(), (1 - EVIDENCE) / (~y).sum()))
            sources.append(np.full(len(y), 3.0 * len(sources)))
        x = np.concatenate(rows)
        mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-9
        model = LogisticRegression(C=C, max_iter=1000)
        # A source's own level of difficulty is its own column, which is then left out.
        model.fit(
            np.column_stack([(x - mean) / spread, np.concatenate(sources)]),
            np.concatenate(labels),
            sample_weight=np.concatenate(weights),
        )
        table[results_only, encoder] = dict(zip(names, model.coef_[0][:-1] / spread, strict=True))
    return table


def _labels(question: data.Question, *, results_only: bool) -> NDArray[np.bool_]:
    sources = question.sources(results_only=results_only)
    return np.array([s.index in sources for s in EvidenceQuery(question.hypothesis).candidates(question.paper)])


def _score(question: data.Question, table: Table, embedder: Embedder | None) -> dict[str, float]:
    with patch.object(offline, "WEIGHTS", table):
        return question.score(OfflineEngine(embedder))


def _write(table: Table) -> None:
    print(
        '"""The weights of the simple `offline`, fitted on EvidenceBench (CC BY-NC-SA) and Evidence Inference (MIT, CC BY).\n'
    )
    print('Written by core/training/fit_offline.py: do not edit by hand.\n"""\n')
    print("# (results only, with encoder) -> each feature's weight in the log odds that a sentence is evidence")
    print("WEIGHTS = {")
    for (results_only, encoder), weights in table.items():
        print(f"    ({results_only}, {encoder}): {{")
        for name, weight in weights.items():
            print(f'        "{name}": {weight:.2f},')
        print("    },")
    print("}")


if __name__ == "__main__":
    main()
