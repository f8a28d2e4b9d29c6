"""Fit the score of plain summaries on top of the reader, and print how right it is on papers left out.

    python -m core.training.fit_summaries [--data FOLDER]

Learns from papers that the reader was not trained on (`train_reader.for_the_top`): the plain sentences that are meant for
training, and those of the readings. The line below which a sentence is flagged is drawn on predictions for papers that were
left out. No set for development is looked at. Writes `core/summary/score.json`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from core.entailment import installed_reader
from core.entailment.regression import Features
from core.evidence.embedding import Embedder
from core.settings import load_settings
from core.summary.agreement import pair_numbers
from core.summary.model import SummarySource
from core.summary.score import MODEL, features
from core.summary.support import Sources
from core.training import evidence_data as data
from core.training.fit_verdicts import FOLDS, fitted, fold_of
from core.training.reader_examples import readings, rows
from core.training.train_reader import for_the_top, trials_of

_ALARMS = 0.07  # of right sentences that may be flagged; on new papers it is more than where the line was drawn
_SUPPORTED = 0.9  # of sentences called supported that are right, at least
_OF_SET = 2.0  # weight of a sentence of the set for training beside one of the readings


@dataclass(frozen=True, slots=True)
class Sentence:
    """A plain sentence, whether it is right, and what tells so."""

    paper: str
    right: bool
    error: str | None
    weight: float
    features: Features


def main() -> None:
    """Fit, draw the line, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    sentences = list(sentences_of(parser.parse_args().data or data.data_folder()))
    right = np.array([one.right for one in sentences])
    weights = np.array([one.weight for one in sentences])
    probabilities = _left_out(sentences)
    print(f"{len(sentences)} sentences, AUROC {roc_auc_score(right, probabilities, sample_weight=weights):.3f}")
    for error in sorted({one.error for one in sentences if one.error}):
        some = right | np.array([one.error == error for one in sentences])
        print(f"  {error}: {roc_auc_score(right[some], probabilities[some]):.2f}")
    wrong_below = float(np.quantile(probabilities[right & (weights > 1)], _ALARMS))
    flagged = probabilities < wrong_below
    supported_from = next(
        (float(least) for least in np.arange(0.5, 0.99, 0.01) if right[probabilities >= least].mean() >= _SUPPORTED),
        0.99,
    )
    counts = [round(100 * float(np.average(flagged[which], weights=weights[which]))) for which in (right, ~right)]
    print(
        f"flagged below {wrong_below:.3f}: {counts[0]}% of right, {counts[1]}% of wrong; supported from {supported_from:.2f}"
    )
    model = fitted([one.features for one in sentences], right.tolist(), weights.tolist())
    found = {
        "supported": model.to_json(),
        "supported_from": round(supported_from, 4),
        "wrong_below": round(wrong_below, 4),
        "right_flagged": counts[0],
        "wrong_found": counts[1],
    }
    MODEL.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def sentences_of(folder: Path) -> Iterator[Sentence]:
    """The sentences on papers that are kept for this, read beside their sources."""
    embedder, reader = Embedder.installed(load_settings().embeddings), installed_reader()
    kept = trials_of(folder, embedder, for_the_top(folder))
    asked = [
        (row["paper"], row["sentence"], row["label"] == "supported", row["error"], _OF_SET)
        for row in rows(folder / "plain_summaries" / "train.jsonl")
        if row["paper"] in kept
    ]
    for _, row, _ in readings(kept):
        for one in row["sentences"]:
            asked += [
                (row["paper"], one["right"], True, None, 1.0),
                (row["paper"], one["wrong"], False, one["error"], 1.0),
            ]
    sources = {name: Sources(embedder, reader, trial.paper, SummarySource.WHOLE) for name, trial in kept.items()}
    for paper, text, right, error, weight in asked:
        beside = sources[paper].read(text)
        if beside is not None:
            numbers = pair_numbers(text, [(one.index, one.text) for one in beside.sentences])
            yield Sentence(paper, right, error, weight, features(text, beside.read, numbers))


def _left_out(sentences: Sequence[Sentence]) -> Features:
    found = np.zeros(len(sentences))
    for fold in range(FOLDS):
        known = [one for one in sentences if fold_of(one.paper) != fold]
        model = fitted([one.features for one in known], [one.right for one in known], [one.weight for one in known])
        for place, one in enumerate(sentences):
            if fold_of(one.paper) == fold:
                found[place] = model.probability(one.features)
    return found


if __name__ == "__main__":
    main()
