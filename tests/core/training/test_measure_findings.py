"""How the reader is measured, on prompts made for the purpose."""

from __future__ import annotations

import json
from pathlib import Path

from core.benchmarks.evidence_inference import Prompt
from core.training.measure_findings import gold_labels, hypothesis_of
from tests.core.evidence.papers import bee_trial


def items(folder: Path, *labels: tuple[str, ...]) -> Path:
    made = [
        {"prompt_id": number, "annotations": [{"label": label} for label in of_prompt]}
        for number, of_prompt in enumerate(labels)
    ]
    (folder / "items.json").write_text(json.dumps(made), encoding="utf-8")
    return folder


def test_gold_is_what_most_annotators_say(tmp_path: Path) -> None:
    up, down, none = "significantly increased", "significantly decreased", "no significant difference"
    assert gold_labels(items(tmp_path, (up, up, down), (none,), (up, down), ())) == {"0": "up", "1": "no difference"}


def test_each_prompt_is_asked_one_way_by_its_number() -> None:
    def asked(number: str) -> tuple[str, str]:
        return hypothesis_of(Prompt(number, "A", "", "naps", "no naps", "stings", bee_trial(), frozenset()))

    assert asked("0") == ("up", "naps increases stings compared with no naps")
    assert asked("1") == ("down", "naps reduces stings compared with no naps")
