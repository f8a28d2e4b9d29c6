"""Labels of claims, and what is fitted to them."""

from __future__ import annotations

import json
from pathlib import Path

from core.claims.model import ClaimVerdict
from core.claims.offline import MODEL, OF_CLAIM
from core.training.claims import HELD_OUT, READINGS, labels


def test_labels_keep_no_words_and_no_claim_is_fitted_to_and_held_out() -> None:
    lines = [json.loads(line) for file in (READINGS, HELD_OUT) for line in file.read_text("utf-8").splitlines()]
    assert {tuple(line) for line in lines} == {("paper", "sentence", "label")}
    claims = [(line["paper"], line["sentence"]) for line in lines]
    assert len(set(claims)) == len(claims)


def test_labels_of_a_paper_in_two_files_are_all_kept(tmp_path: Path) -> None:
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for number, file in enumerate(files):
        file.write_text(json.dumps({"paper": "p", "sentence": number, "label": "good"}), encoding="utf-8")
    assert labels(*files) == {"p": {0: ClaimVerdict.GOOD, 1: ClaimVerdict.GOOD}}


def test_the_ranking_weighs_every_feature() -> None:
    fitted = json.loads(MODEL.read_text("utf-8"))
    assert {len(fitted[name]) for name in ("mean", "scale", "weights")} == {len(OF_CLAIM)}
