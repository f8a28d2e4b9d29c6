"""Readings of aligned sentences, and the precision that comes of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.training import alignment


def test_the_shipped_readings_are_whole() -> None:
    rows = [json.loads(line) for line in alignment.READINGS.read_text(encoding="utf-8").splitlines()]
    assert {frozenset(row) for row in rows} == {frozenset({"paper", "aspect", "sentence", "label"})}  # and no words
    assert len(alignment._labels()) == len(rows)
    assert {row["label"] for row in rows} == set(alignment.LABELS)


def test_a_label_that_is_none_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "READINGS", tmp_path / "r.jsonl")
    (tmp_path / "r.jsonl").write_text(
        '{"paper": "p", "aspect": "1", "sentence": 2, "label": "perhaps"}\n', encoding="utf-8"
    )
    with pytest.raises(ValueError, match="not in tuple"):
        alignment._labels()
