"""What words tell of a direction, beside the reader: fitted to annotated spans."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from core.benchmarks.seen import for_development
from core.entailment import Direction
from core.findings.question_parts import QuestionParts
from core.findings.wording import MODEL, Parts, Terms, Wording, WordRegression, Words
from core.training import data, parser_of
from core.training.data import SPANS, rows
from core.training.reader import for_the_top

_STRENGTH = 0.1  # how freely the regressions fit
_TERMS, _LEAST_OFTEN = 300, 5  # terms of each regression; spans that a term must be in


def fit_wording() -> None:
    """Fit what words tell of a direction, and write `core/findings/wording.json`.

        python -m core.training wording [--data FOLDER]

    Learns from the spans of trials that are neither for the top (`reader.for_the_top`) nor for development; how
    right it is there, `python -m core.training findings --part spans` prints.
    """
    parser = parser_of(fit_wording)
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    found = wording_of(parser.parse_args().data or data.data_folder()).to_json()
    MODEL.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def wording_of(folder: Path) -> Wording:
    """Both regressions."""
    apart = for_the_top(folder) | for_development(folder)
    spans = [
        row
        for row in rows(folder / "evidence_inference" / "annotations.jsonl")
        if row["label"] in SPANS and row["evidence"] and row["pmcid"] not in apart
    ]
    words = [Words.of(_asked_of(row), row["evidence"]) for row in spans]
    told = [SPANS[row["label"]] for row in spans]
    differ = [(one, way) for one, way in zip(words, told, strict=True) if way is not Direction.SAME]
    return Wording(
        _word_regression([one.of_difference() for one in words], [way is Direction.SAME for way in told]),
        _word_regression([one.of_way() for one, _ in differ], [way is Direction.UP for _, way in differ]),
    )


def _asked_of(row: dict[str, Any]) -> Parts:
    return Parts.of(QuestionParts(row["intervention"], row["comparator"] or "", row["outcome"]))


def _word_regression(found: Sequence[Terms], labels: Sequence[bool]) -> WordRegression:
    """Fitted twice: to all terms, and then to those that counted most."""
    often = Counter(term for terms in found for term in terms)
    counted = [{term: size for term, size in terms.items() if often[term] >= _LEAST_OFTEN} for terms in found]
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform(counted)
    model = LogisticRegression(C=_STRENGTH, max_iter=500)
    spread = np.sqrt(np.asarray(matrix.power(2).mean(axis=0)).ravel())
    most = np.argsort(-np.abs(model.fit(matrix, labels).coef_[0]) * spread)[:_TERMS]
    weights = model.fit(matrix[:, most], labels).coef_[0]
    names = vectorizer.get_feature_names_out()[most]
    return WordRegression(dict(zip(names.tolist(), weights.tolist(), strict=True)), float(model.intercept_[0]))
