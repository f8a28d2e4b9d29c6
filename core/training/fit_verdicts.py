"""Fit what stands on top of the reader for the evidence table, and print how right it is on clusters left out.

    python -m core.training.fit_verdicts [--data FOLDER]

Learns from papers that the reader was not trained on (`train_reader.for_the_top`): cells of the matrix for training, which
count double, and hypotheses of the readings. The thresholds are chosen on predictions for groups that were left out: the
least probability of a firm verdict that keeps firm verdicts right often enough, and unreported cells without one. No set for
development is looked at. Writes `core/findings/verdict.json`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from core.entailment import reader
from core.entailment.regression import Features, Regression
from core.evidence.engines import encoder_for
from core.findings.reading import Reading, read
from core.findings.verdict import MODEL, of_direction, of_reported
from core.settings import load_settings
from core.training import evidence_data as data
from core.training.reader_examples import Trial, readings, rows
from core.training.train_reader import for_the_top, trials_of

_STRENGTH = 0.1  # of the regressions' weights: the smaller, the nearer to 0
FOLDS = 5
_RIGHT = 0.88  # of firm verdicts, at least
_LEFT = 0.96  # of unreported cells without a firm verdict, at least
_NOT_REPORTED = 0.92  # of verdicts "not reported" that are right, at least
_OF_MATRIX = 2.0  # weight of a cell of the matrix beside one of the readings


@dataclass(frozen=True, slots=True)
class Cell:
    """A hypothesis that was read in a paper, and what the paper says of it."""

    group: str  # what is left out together
    label: str
    weight: float
    reading: Reading


def main() -> None:
    """Fit, choose, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    cells = list(cells_of(parser.parse_args().data or data.data_folder()))
    reported, supports = _left_out(cells)
    firm, not_reported = _thresholds(cells, reported, supports)
    both = regression_on_all(cells)
    found = {"reported": both[0].to_json(), "direction": both[1].to_json(), "firm": firm, "not_reported": not_reported}
    MODEL.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def cells_of(folder: Path) -> Iterator[Cell]:
    """The cells of the papers that are kept for this, read."""
    model, embedder = reader(), encoder_for(load_settings())
    if model is None or embedder is None:
        raise SystemExit("The reader needs the sentence encoder, which is not installed.")
    for trial, hypothesis, label, group, weight in _asked(folder, trials_of(folder, embedder, for_the_top(folder))):
        reading = read(trial.paper, hypothesis, model, embedder)
        if reading is not None:
            yield Cell(group, label, weight, reading)


def _asked(folder: Path, trials: dict[str, Trial]) -> Iterator[tuple[Trial, str, str, str, float]]:
    for row in rows(folder / "review_matrix" / "train.jsonl"):
        if row["paper"] in trials:
            yield trials[row["paper"]], row["hypothesis"], row["label"], row["cluster"], _OF_MATRIX
    for trial, row, _ in readings(trials):
        for cell in row["hypotheses"]:
            yield trial, cell["hypothesis"], cell["label"], row["paper"], 1.0


def regression_on_all(cells: Sequence[Cell]) -> tuple[Regression, Regression]:
    """Whether the paper reports, and which way its result goes where it supports or refutes."""
    told = [cell for cell in cells if cell.label in ("supports", "refutes")]
    return (
        fitted([of_reported(one.reading) for one in cells], [one.label != "not reported" for one in cells], [one.weight for one in cells]),
        fitted([of_direction(one.reading) for one in told], [one.label == "supports" for one in told], [one.weight for one in told]),
    )  # fmt: skip


def fitted(features: Sequence[Features], gold: Sequence[bool], weights: Sequence[float]) -> Regression:
    """A logistic regression over features that are centred and scaled."""
    table = np.array(features)
    mean, scale = table.mean(axis=0), np.maximum(table.std(axis=0), 1e-6)
    model = LogisticRegression(C=_STRENGTH, max_iter=1000).fit((table - mean) / scale, gold, sample_weight=weights)
    return Regression(mean, scale, model.coef_[0], float(model.intercept_[0]))


def fold_of(group: str) -> int:
    """The fold that a group is left out in."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % FOLDS


def _left_out(cells: Sequence[Cell]) -> tuple[Features, Features]:
    """Both probabilities of each cell, by regressions that have not seen its group."""
    reported, supports = np.zeros(len(cells)), np.zeros(len(cells))
    for fold in range(FOLDS):
        known = [cell for cell in cells if fold_of(cell.group) != fold]
        of_report, of_way = regression_on_all(known)
        for place, cell in enumerate(cells):
            if fold_of(cell.group) == fold:
                reported[place] = of_report.probability(of_reported(cell.reading))
                supports[place] = of_way.probability(of_direction(cell.reading))
    return reported, supports


def _thresholds(cells: Sequence[Cell], reported: Features, supports: Features) -> tuple[float, float]:
    labels = np.array([cell.label for cell in cells])
    weights = np.array([cell.weight for cell in cells])
    is_reported = labels != "not reported"
    print(
        f"{len(cells)} cells, {is_reported.sum()} reported, AUROC {roc_auc_score(is_reported, reported, sample_weight=weights):.3f}"
    )
    sure = reported * np.maximum(supports, 1 - supports)
    right = np.where(supports > 0.5, "supports", "refutes") == labels
    firm = 0.95
    print("least | firm right | decided of reported | unreported left")
    for least in np.arange(0.4, 0.95, 0.025).round(3):
        given = sure >= least
        precision, left = _share(right, given, weights), 1 - _share(given, ~is_reported, weights)
        print(f"{least:.3f} | {precision:.2f} | {_share(given, is_reported, weights):.2f} | {left:.3f}")
        if precision >= _RIGHT and left >= _LEFT and firm == 0.95:
            firm = float(least)
    not_reported = max(
        (
            float(most)
            for most in np.arange(0.02, 0.5, 0.01)
            if _share(~is_reported, reported <= most, weights) >= _NOT_REPORTED
        ),
        default=0.02,
    )
    said = _share(reported <= not_reported, ~is_reported, weights)
    print(f"firm from {firm}, not reported up to {not_reported:.2f}, which says so of {said:.2f} of the unreported")
    return firm, round(not_reported, 3)


def _share(what: NDArray[np.bool_], among: NDArray[np.bool_], weights: Features) -> float:
    total = float(weights[among].sum())
    return float(weights[what & among].sum()) / total if total else 1.0


if __name__ == "__main__":
    main()
