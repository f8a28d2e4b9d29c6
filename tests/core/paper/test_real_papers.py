"""Measured on real papers: annotated evidence is in the text, and two formats of a paper agree."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from core.paper import Kind, Paper, read_paper


def letters_and_digits(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def test_annotated_evidence_is_in_the_text(shared_data: Path) -> None:
    folder = shared_data / "evidence_inference"
    spans: dict[str, set[str]] = {}
    for item in json.loads((folder / "items.json").read_text("utf-8")):
        spans.setdefault(item["pmcid"], set()).update(a["evidence"] for a in item["annotations"])
    found = total = 0
    for paper_id, evidence in spans.items():
        file = next((folder / "xml").glob(f"{paper_id}.*"))
        text = letters_and_digits(read_paper(file.read_bytes(), name=file.name).text)
        total += len(evidence)
        found += sum(letters_and_digits(span) in text for span in evidence)
    assert total > 1000
    assert found / total >= 0.995


PAPERS = ["ORT-1745-3674-81-405", "aas0055-0039", "apa0100-0653", "sobs89-975", "sonc50-621"]


def body_sentences(paper: Paper) -> set[str]:
    return {letters_and_digits(s.text) for s in paper.sentences if s.kind is Kind.BODY}


@pytest.mark.parametrize("name", PAPERS)
def test_jats_and_tei_of_a_paper_agree(shared_data: Path, name: str) -> None:
    jats, tei = (
        read_paper((shared_data / "formats" / f"{name}.{kind}.xml").read_bytes(), name=name) for kind in ("jats", "tei")
    )
    assert letters_and_digits(jats.title or "") == letters_and_digits(tei.title or "")
    assert jats.doi == tei.doi
    # GROBID misses headings and may change the order of two neighbouring subsections; the main parts stay in order.
    main = [[s.kind for s in paper.sections if s.level == 1 and s.title != "Title"] for paper in (jats, tei)]
    assert [kind for kind in main[0] if kind in main[1]] == main[1]
    titles = [[s.title.lower() for s in paper.sections] for paper in (jats, tei)]
    kept = [[title for title in own if title in other] for own, other in (titles, titles[::-1])]
    assert len(kept[1]) >= 3
    moved = sum(ours != theirs for ours, theirs in zip(*kept, strict=True))
    assert moved <= 2
    ours, theirs = body_sentences(jats), body_sentences(tei)
    assert len(ours & theirs) / min(len(ours), len(theirs)) >= 0.9
    assert len(ours & theirs) / len(ours) >= 0.9
