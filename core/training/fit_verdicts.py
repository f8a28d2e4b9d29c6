"""Fit what stands on top of the reader for the evidence table, and print how right it is on clusters left out.

    python -m core.training.fit_verdicts [--data FOLDER]

Learns from papers that the reader was not trained on (`train_reader.for_the_top`): cells of the matrix for training, and
hypotheses of the readings; where it is told which way a result goes, the questions of Evidence Inference on these papers too.
Hypotheses of the readings count little where it is told whether a paper reports: their questions were all put to
the paper that they are about, whereas a review puts one to papers on many things, of which likeness tells most. Prints, for
groups that were left out, how right and how many the firm verdicts are by their least probability. Writes
`core/findings/verdict.json`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from core.benchmarks.evidence_inference import Prompt, read_evidence_inference
from core.entailment import reader
from core.entailment.regression import Features, Regression
from core.evidence.engines import encoder_for
from core.findings.order import of_sentences
from core.findings.reading import Reading, read
from core.findings.verdict import MODEL, of_direction, of_reported
from core.settings import load_settings
from core.training import evidence_data as data
from core.training.measure_findings import gold_labels, hypothesis_of
from core.training.reader_examples import Trial, readings, rows
from core.training.train_reader import for_the_top, trials_of

_STRENGTH = 0.1  # of the regressions' weights: the smaller, the nearer to 0
FOLDS = 5
# The least probability of a firm verdict: chosen on cells left out here and, by clusters, on the matrix for development.
_FIRM = 0.65
# On the 342 cells left out here and of the matrix for development: firm verdicts that are right, reported cells with one.
_MEASURED = {"right": 85, "decided": 23}
_NOT_REPORTED = 0.92  # of verdicts "not reported" that are right, at least
# Weight of a reading's cell beside one of the matrix: where it is told whether a paper reports, and which way it does.
_OF_READING, _WAY_OF_READING = 0.05, 0.5
_WAY_OF_QUESTION = 0.3  # and of a question of Evidence Inference, which way it is answered
_ORDER_OF_READING, _ORDER_STRENGTH = 0.3, 0.03  # and of a reading's sentences, where it is told which decide


@dataclass(frozen=True, slots=True)
class Cell:
    """A hypothesis that was read in a paper, and what the paper says of it."""

    group: str  # what is left out together
    label: str
    source: str  # "matrix", "reading" or "question"
    reading: Reading
    decide: frozenset[int] = frozenset()  # the sentences that decide

    @property
    def of_matrix(self) -> bool:
        """Whether a review would ask so: one hypothesis of papers on many things."""
        return self.source == "matrix"


def main() -> None:
    """Fit, choose, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    cells = list(cells_of(parser.parse_args().data or data.data_folder()))
    not_reported = _not_reported_up_to(cells, *_left_out(cells))
    of_report, of_way = regressions(cells)
    found = {
        "reported": of_report.to_json(),
        "direction": of_way.to_json(),
        "order": order(cells).to_json(),
        "firm": _FIRM,
        "not_reported": not_reported,
        **_MEASURED,
    }
    MODEL.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def cells_of(folder: Path) -> Iterator[Cell]:
    """The cells of the papers that are kept for this, read."""
    model, embedder = reader(), encoder_for(load_settings())
    if model is None or embedder is None:
        raise SystemExit("The reader needs the sentence encoder, which is not installed.")
    for trial, cell in _asked(folder, trials_of(folder, embedder, for_the_top(folder))):
        reading = read(trial.paper, cell.hypothesis, model, embedder)
        if reading is not None:
            yield Cell(cell.group, cell.label, cell.source, reading, cell.decide)


class _Asked(NamedTuple):
    hypothesis: str
    label: str
    group: str
    source: str
    decide: frozenset[int] = frozenset()


def _asked(folder: Path, trials: dict[str, Trial]) -> Iterator[tuple[Trial, _Asked]]:
    for row in rows(folder / "review_matrix" / "train.jsonl"):
        if trial := trials.get(row["paper"]):
            decide = frozenset(place for text in row["evidence"] for place in trial.find(text))
            yield trial, _Asked(row["hypothesis"], row["label"], row["cluster"], "matrix", decide)
    for trial, row, places in readings(trials):
        for cell in row["hypotheses"]:
            decide = frozenset(places(cell["decide"]))
            yield trial, _Asked(cell["hypothesis"], cell["label"], row["paper"], "reading", decide)
    gold = gold_labels(folder / "evidence_inference")
    for prompt in read_evidence_inference(folder / "evidence_inference"):
        if isinstance(prompt, Prompt) and prompt.article in trials and prompt.id in gold:
            claimed, hypothesis = hypothesis_of(prompt)
            label = "supports" if gold[prompt.id] == claimed else "refutes"
            yield trials[prompt.article], _Asked(hypothesis, label, prompt.article, "question")


def regressions(cells: Sequence[Cell]) -> tuple[Regression, Regression]:
    """Whether the paper reports, and which way its result goes where it supports or refutes."""
    told = [cell for cell in cells if cell.label in ("supports", "refutes")]
    asked = [cell for cell in cells if cell.source != "question"]  # all of which have an answer
    weights = {"matrix": 1.0, "reading": _WAY_OF_READING, "question": _WAY_OF_QUESTION}
    return (
        fitted(
            [of_reported(one.reading) for one in asked],
            [one.label != "not reported" for one in asked],
            [1.0 if one.of_matrix else _OF_READING for one in asked],
        ),
        fitted(
            [of_direction(one.reading) for one in told],
            [one.label == "supports" for one in told],
            [2.0 * weights[one.source] for one in told],
        ),
    )


def order(cells: Sequence[Cell]) -> Regression:
    """Which of the sentences that were read decide."""
    reported = [cell for cell in cells if cell.label != "not reported" and cell.decide]
    features, gold, weights = [], [], []
    for cell in reported:
        decides = [one.index in cell.decide for one in cell.reading.sentences]
        features += [*of_sentences(cell.reading)]
        gold += decides
        weights += [(1.0 if cell.of_matrix else _ORDER_OF_READING) / max(1, sum(decides)) ** 0.5] * len(decides)
    return fitted(features, gold, weights, strength=_ORDER_STRENGTH)


def fitted(
    features: Sequence[Features], gold: Sequence[bool], weights: Sequence[float], *, strength: float = _STRENGTH
) -> Regression:
    """A logistic regression over features that are centred and scaled."""
    table = np.array(features)
    mean, scale = table.mean(axis=0), np.maximum(table.std(axis=0), 1e-6)
    model = LogisticRegression(C=strength, max_iter=2000).fit((table - mean) / scale, gold, sample_weight=weights)
    return Regression(mean, scale, model.coef_[0], float(model.intercept_[0]))


def fold_of(group: str) -> int:
    """The fold that a group is left out in."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % FOLDS


def _left_out(cells: Sequence[Cell]) -> tuple[Features, Features]:
    """Both probabilities of each cell, by regressions that have not seen its group."""
    reported, supports = np.zeros(len(cells)), np.zeros(len(cells))
    for fold in range(FOLDS):
        known = [cell for cell in cells if fold_of(cell.group) != fold]
        of_report, of_way = regressions(known)
        for place, cell in enumerate(cells):
            if fold_of(cell.group) == fold:
                reported[place] = of_report.probability(of_reported(cell.reading))
                supports[place] = of_way.probability(of_direction(cell.reading))
    return reported, supports


def _not_reported_up_to(cells: Sequence[Cell], reported: Features, supports: Features) -> float:
    """Print what the thresholds give on cells of the matrix that were left out; the greatest that "not reported" may have."""
    rows = np.flatnonzero([cell.of_matrix for cell in cells])
    labels = np.array([cell.label for cell in cells if cell.of_matrix])
    reported, supports, is_reported = reported[rows], supports[rows], labels != "not reported"
    print(f"{len(rows)} cells, {is_reported.sum()} reported, AUROC {roc_auc_score(is_reported, reported):.3f}")
    sure = reported * np.maximum(supports, 1 - supports)
    right = np.where(supports > 0.5, "supports", "refutes") == labels
    print("least | firm | right | decided of reported | unreported left")
    for least in np.arange(0.4, 0.8, 0.05).round(3):
        firm = sure >= least
        shares = _share(right, firm), _share(firm, is_reported), 1 - _share(firm, ~is_reported)
        print(f"{least:.2f} | {firm.sum()} | " + " | ".join(f"{share:.2f}" for share in shares))
    tried = [float(most) for most in np.arange(0.02, 0.5, 0.01)]
    most = max((one for one in tried if _share(~is_reported, reported <= one) >= _NOT_REPORTED), default=tried[0])
    print(f"not reported up to {most:.2f}: said of {_share(reported <= most, ~is_reported):.2f} of the unreported")
    return round(most, 3)


def _share(what: NDArray[np.bool_], among: NDArray[np.bool_]) -> float:
    return float(what[among].mean()) if among.any() else 1.0


if __name__ == "__main__":
    main()
