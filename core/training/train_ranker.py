"""Train the ranker, cross-validate it by paper, and write its models and the figures of its card.

    python -m core.training.train_ranker            writes core/evidence/ranker/models and the figures in docs/ranker.md
    python -m core.training.train_ranker --check    cross-validates only, and writes nothing

Run `python -m core.training.train_cross_encoder` before it: the cross-encoder's scores of unseen papers are read from
VOUCH_HOME. Reads the data folder (VOUCH_DATA, or ../shared/data beside the repository). Needs LightGBM, which Vouch
itself does not. Everything is seeded: the same data gives the same models. Takes minutes; papers are encoded the first
time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import lightgbm

from core.evidence.embedding import Embedder
from core.evidence.ranker.model import FOLDER
from core.settings import load_settings
from core.training.cross_encoder_scores import Kept
from core.training.evidence_data import data_folder
from core.training.ranker_data import EVIDENCE_INFERENCE, EVIDENCEBENCH, Question, load_questions, sample_features
from core.training.ranker_figures import figures
from core.training.ranker_training import RECIPES, SEED, fit

CARD = Path(__file__).resolve().parents[2] / "docs" / "ranker.md"
BEGIN, END = "<!-- figures: written by core/training/train_ranker.py -->", "<!-- end of figures -->"


def main() -> int:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="cross-validate only, and write nothing")
    arguments = parser.parse_args()
    settings, data = load_settings(), data_folder()
    aspects, spans = load_questions(data, Embedder.installed(settings.embeddings))
    tables = figures(aspects, spans, Kept.at(settings.home))
    print(tables)
    if not arguments.check:
        _write_models([*aspects, *spans], data)
        card = CARD.read_text(encoding="utf-8")
        before, after = card.split(BEGIN)[0], card.split(END)[1]
        CARD.write_text(f"{before}{BEGIN}\n{tables}\n{END}{after}", encoding="utf-8")
    return 0


def _write_models(questions: Sequence[Question], data: Path) -> None:
    FOLDER.mkdir(exist_ok=True)
    for recipe in RECIPES:
        text = fit(recipe, questions).model_to_string()
        # What follows the trees, importances and parameters, is not needed to evaluate them.
        (FOLDER / recipe.file).write_text(text.split("\nend of trees")[0] + "\n", encoding="ascii")
    record = {
        "lightgbm": lightgbm.__version__,
        "seed": SEED,
        "features": list(questions[0].features.names),
        "sample": sample_features(),
        "sha256": {
            path.name: hashlib.sha256((data / path).read_bytes()).hexdigest()
            for path in (EVIDENCEBENCH, EVIDENCE_INFERENCE / "items.json")
        },
    }
    (FOLDER / "training.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
