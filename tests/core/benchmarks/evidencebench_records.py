"""Small records in EvidenceBench's layout for tests."""

from __future__ import annotations

import json
from typing import Any

POOL = [
    ("section_name", "Tea and sleep"),
    ("section_name", "Tea and sleep"),
    ("abstract", "Tea may shorten sleep."),
    ("abstract", "We gave tea to 40 adults."),
    ("section_name", "Methods"),
    ("section_name", "Participants"),
    ("normal_paragraph", "Adults drank tea\nat night."),
    ("section_name", "Results"),
    ("normal_paragraph", "Sleep was 31 minutes shorter."),
    ("normal_paragraph", "Nobody left the study."),
    ("section_name", "Acknowledgements"),
]


def record(**changes: Any) -> dict[str, Any]:
    """A whole record: aspect a is covered by 3 and 6, b by 8, c by 8 and 9; b and c are results."""
    return {
        "hypothesis": "Tea in the evening shortens sleep.",
        "paper_as_candidate_pool": [text for _, text in POOL],
        "sentence_types_in_candidate_pool": [kind for kind, _ in POOL],
        "aspect_list_ids": ["a", "b", "c"],
        "results_aspect_list_ids": ["b", "c"],
        "aspect2sentence_indices": {"a": [6, 3], "b": [8], "c": [9, 8]},
        "sentence_index2aspects": {"3": ["a"], "6": ["a"], "8": ["b", "c"], "9": ["c"], "0": []},
        "paper_id": "tea_1",
    } | changes


def encoded(content: object) -> bytes:
    """As a file."""
    return json.dumps(content).encode()
