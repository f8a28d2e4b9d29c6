"""Make the stress set, sentences that are right or wrong by rule, and measure `offline` on those of its test papers.

    python -m core.training.summary_stress make --out FILE    writes the sentences, one JSON object a line
    python -m core.training.summary_stress measure            how well the score tells them apart

The same hands wrote this set and the product, so that its figures say little: they are told, and nothing is fitted to them.
Reads the CC BY papers of Evidence Inference in the data folder (VOUCH_DATA, or ../shared/data beside the repository).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.entailment import installed_reader
from core.evidence.embedding import Embedder
from core.settings import load_settings
from core.summary.agreement import pair_numbers
from core.summary.model import SummarySource
from core.summary.score import features, shipped
from core.summary.support import Sources
from core.training.evidence_data import data_folder
from core.training.summary_stress.figures import tables
from core.training.summary_stress.items import Item, write_items
from core.training.summary_stress.making import Trial, make_items, read_trials


def main() -> int:
    """Make or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("make").add_argument("--out", type=Path, required=True)
    commands.add_parser("measure")
    arguments = parser.parse_args()
    trials = read_trials(data_folder() / "evidence_inference")
    items = list(make_items(trials))
    if arguments.command == "make":
        write_items(items, arguments.out)
        return 0
    test = [item for item in items if item.test]
    print(tables(test, probabilities_of(trials, test), shipped().wrong_below))
    return 0


def probabilities_of(trials: Sequence[Trial], items: Sequence[Item]) -> np.ndarray:
    """How likely each sentence is supported, in order. Shape: (len(items),)."""
    embedder, reader, model = Embedder.installed(load_settings().embeddings), installed_reader(), shipped()
    found = np.zeros(len(items))
    for number, trial in enumerate(trials, start=1):
        places = [place for place, item in enumerate(items) if item.paper == trial.name]
        sources = Sources(embedder, reader, trial.paper, SummarySource.WHOLE) if places else None
        for place in places:
            beside = sources.read(items[place].text) if sources else None
            if beside is not None:
                numbers = pair_numbers(items[place].text, [(one.index, one.text) for one in beside.sentences])
                found[place] = model.supported.probability(features(items[place].text, beside.read, numbers))
        print(f"\rpaper {number} of {len(trials)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


if __name__ == "__main__":
    raise SystemExit(main())
