"""Records in RoBBR's published layout, made up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SEQUENCE = "random sequence generation (selection bias)"
POOL = ["Methods", "A computer drew the list.", "Nurses were masked.", "All came back.", "Age | 40\nWomen | 12"]
COMMON = {
    "paper_doi": "10.5555/One",
    "bias": SEQUENCE,
    "bias_definition": "Selection bias by a poor sequence.\nlow risk: chance decides: a computer.\n\nhigh risk: a rule "
    "decides.\n\nunclear risk: not told.",
    "PICO": "Methods: A trial.\n\n\nParticipants: Forty people: all well.\n\n\nInterventions: Tea.\n\n\nOutcomes: Sleep.\n\nNotes: x",
    "objective": "To assess tea.",
}


def main(**changes: Any) -> dict[str, Any]:
    return COMMON | {"full_paper": "\n".join(POOL), "label": "low"} | changes


def support(**changes: Any) -> dict[str, Any]:
    return (
        COMMON
        | {
            "paper_as_candidate_pool": POOL,
            "aspects": {"a": "A computer.", "b": "Masked nurses.", "c": "Not in the paper."},
            "aspect2sentence_indices": {"a": [1], "b": [1, 2], "c": []},
            "sentence_index2aspects": {"0": [], "1": ["a", "b"], "2": ["b"], "3": [], "4": []},
            "bias_retrieval_at_optimal_evaluation": {
                "optimal": 1,
                "one_selection_of_sentences": [1],
                "covered_aspects": ["a", "b"],
            },
        }
        | changes
    )


def selection(**changes: Any) -> dict[str, Any]:
    options = [f"Option {letter}." for letter in "ABCDEFG"]
    return COMMON | {"full_paper": "\n".join(POOL), "options": options, "label": 6} | changes


def written(path: Path, records: Mapping[str, Any]) -> Path:
    path.write_text(json.dumps(records), encoding="utf-8")
    return path
