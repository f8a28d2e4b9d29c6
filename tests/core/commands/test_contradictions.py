"""`claims` and `contradictions`: a paper's claims beside a folder of others, as text, JSON and a report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.__main__ import main
from core.benchmarks.samples import SAMPLE_DATA
from tests.core.claims.papers import AGAINST, FOR

PAPER = str(SAMPLE_DATA / "leg-cramps.xml")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path / "home"))
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "against.md").write_bytes(AGAINST)
    (papers / "for.md").write_bytes(FOR)
    return papers


@pytest.mark.slow
def test_claims_and_both_sides(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", PAPER, "--json"]) == 0
    claims = json.loads(capsys.readouterr().out)["claims"]
    assert claims
    assert {"text", "sentence", "score"} <= claims[0].keys()
    report = tmp_path / "report.html"
    own = "Diarrhoea was more frequent with magnesium than with placebo."
    command = ["contradictions", PAPER, "--library", str(folder), "--claim", own]
    assert main([*command, "--out", str(report), "--json"]) == 0
    [claim] = json.loads(capsys.readouterr().out)["claims"]
    assert {"text", "score", "reasons", "for", "against"} <= claim.keys()
    assert "Diarrhoea was not more frequent" in claim["against"][0]["text"]
    assert "significantly more frequent" in claim["for"][0]["text"]
    assert "Diarrhoea was not more frequent" in report.read_text(encoding="utf-8")
    assert main(command) == 0
    assert "contradicts (" in capsys.readouterr().out


def test_mistakes_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["contradictions", PAPER, "--library", str(folder)]
    assert main([*command, "--threshold", "5"]) == 2
    assert "from 6 to 10" in capsys.readouterr().err
    assert main([*command, "--out", "report.pdf"]) == 2
    assert ".html or .json" in capsys.readouterr().err
