"""Make the stress set, fit the score of `offline` on its tuning papers, and measure it on the others.

    python -m core.training.summary_stress make --out FILE    writes the sentences, one JSON object a line
    python -m core.training.summary_stress fit                writes core/summary/models and the figures in docs/summary-offline.md
    python -m core.training.summary_stress measure            measures the shipped score, and writes nothing

Reads the CC BY papers of Evidence Inference in the data folder (VOUCH_DATA, or ../shared/data beside the repository).
Everything is seeded: the same papers give the same sentences and the same score. `fit` needs LightGBM, which Vouch
itself does not. Papers are encoded the first time; then it takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.evidence.embedding import Embedder
from core.settings import load_settings
from core.summary.examining import FEATURES, Examiner
from core.summary.likeness import WordVectors
from core.summary.stand_in import CARD, FOLDER, TREES, shipped
from core.training.evidence_data import data_folder
from core.training.summary_stress.figures import tables
from core.training.summary_stress.items import Item, write_items
from core.training.summary_stress.making import SEED, Trial, make_items, read_trials

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "summary-offline.md"
BEGIN, END = "<!-- figures: written by core/training/summary_stress -->", "<!-- end of figures -->"


def main() -> int:
    """Make, fit or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("make").add_argument("--out", type=Path, required=True)
    commands.add_parser("fit")
    commands.add_parser("measure")
    arguments = parser.parse_args()
    trials = read_trials(data_folder() / "evidence_inference")
    items = list(make_items(trials))
    if arguments.command == "make":
        write_items(items, arguments.out)
        return 0
    if arguments.command == "fit":
        tuning = [item for item in items if not item.test]
        fit_and_ship(tuning, features_of(trials, tuning))
    test = [item for item in items if item.test]
    score = shipped()
    found = tables(test, score.probabilities(features_of(trials, test)), score.threshold)
    print(found)
    if arguments.command == "fit":
        before, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
        DOCUMENT.write_text(f"{before}{BEGIN}\n{found}\n{END}{rest.split(END)[1]}", encoding="utf-8")
    return 0


def features_of(trials: Sequence[Trial], items: Sequence[Item]) -> np.ndarray:
    """The features of each sentence, in order. Shape: (len(items), number of features)."""
    embedder = Embedder.installed(load_settings().embeddings)
    words = WordVectors(embedder)
    rows = np.empty((len(items), len(FEATURES)))
    for number, trial in enumerate(trials, start=1):
        places = [place for place, item in enumerate(items) if item.paper == trial.name]
        if places:
            examiner = Examiner(embedder, trial.paper, words=words)
            rows[places] = [one.features for one in examiner.examine([items[place].text for place in places])]
            print(f"\rpaper {number} of {len(trials)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return rows


def fit_and_ship(tuning: Sequence[Item], rows: np.ndarray) -> None:
    """Fit the score on the tuning papers' sentences, and write it. `rows`: as `features_of` gives them."""
    from core.training.summary_stress.fitting import fit  # noqa: PLC0415  # LightGBM is for development only

    fitted = fit(tuning, rows)
    FOLDER.mkdir(exist_ok=True)
    # What follows the trees, importances and parameters, is not needed to evaluate them.
    TREES.write_text(fitted.model.model_to_string().split("\nend of trees")[0] + "\n", encoding="ascii")
    card = {
        "slope": fitted.slope,
        "intercept": fitted.intercept,
        "threshold": fitted.threshold,
        "seed": SEED,
        "tuning_papers": len({item.paper for item in tuning}),
        "tuning_sentences": len(tuning),
        "data": "Evidence Inference: CC BY articles, annotations MIT; sentences made by core/training/summary_stress",
    }
    CARD.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    shipped.cache_clear()


if __name__ == "__main__":
    raise SystemExit(main())
