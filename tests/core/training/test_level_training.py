"""Training the model of levels: thresholds, and no paper of a development set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.bias import Level
from core.bias.levels.model import Read
from core.training.level_training import (
    Row,
    cross_validated_levels,
    fit_levels,
    papers_judged,
    threshold,
    wordings,
)

LOW, UNCLEAR, HIGH = Level.LOW, Level.UNCLEAR, Level.HIGH


def test_the_threshold_is_the_least_from_which_enough_are_right() -> None:
    found = [(LOW, {LOW: 0.9, UNCLEAR: 0.1, HIGH: 0.0})] * 6 + [(HIGH, {LOW: 0.6, UNCLEAR: 0.4, HIGH: 0.0})] * 2
    assert threshold(found, (LOW,), 0.85) == 0.62  # with those of 0.6 it is 6 of 8
    assert threshold(found, (HIGH,), 0.85) == 1.0  # never the likeliest: never shown


def test_a_paper_of_a_development_set_stops_training(tmp_path: Path) -> None:
    for folder, name, paper in (("rob1_papers", "train.jsonl", "T1"), ("review_matrix", "dev.jsonl", "T1")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text(json.dumps({"paper": paper}) + "\n")
    with pytest.raises(ValueError, match=r"1 papers of development sets .*T1"):
        papers_judged(tmp_path)


def test_every_domain_and_level_has_wordings_of_its_own() -> None:
    rows = wordings()
    counts = {(row.read.domain, row.level): 0 for row in rows}
    for row in rows:
        counts[row.read.domain, row.level] += 1
    assert len(counts) == 18
    assert min(counts.values()) >= 20


def rows() -> list[Row]:
    told = {LOW: "lots were drawn for tea", UNCLEAR: "nothing is said of tea", HIGH: "the cook chose who got tea"}
    return [
        Row(f"T{n}", level, Read(domain, (words,), (0.9,) if paper else ()))
        for n in range(12)
        for domain in ("sequence", "concealment", "performance", "detection", "attrition", "reporting")
        for level, words in told.items()
        for paper in (True, False)
    ]


def test_a_level_is_learned_from_words_and_told_of_rows_not_seen() -> None:
    known = rows()
    found = cross_validated_levels(known)
    assert all(max(one, key=one.__getitem__) is row.level for row, one in zip(known, found, strict=True))
    model = fit_levels(
        known, {"paper": dict.fromkeys((LOW, UNCLEAR, HIGH), 0.99), "given": dict.fromkeys((LOW, UNCLEAR, HIGH), 0.4)}
    )
    assert model.likeliest(Read("sequence", ("lots were drawn for tea",)))[::2] == (LOW, True)
    assert model.likeliest(Read("sequence", ("lots were drawn for tea",), (0.9,)))[::2] == (LOW, False)
