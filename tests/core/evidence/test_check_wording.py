"""`evidence ... --check-wording`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.__main__ import main
from core.llm.demo import DemoServer

TEXT = """# Naps in bees

## Results

Napping bees remembered more flowers. Naps did not change honey. Hives stood in a garden. Bees fly.
"""
HYPOTHESIS = "Naps help bees to remember flowers."


@pytest.fixture
def paper(tmp_path: Path) -> str:
    path = tmp_path / "naps.md"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def wording(capsys: pytest.CaptureFixture[str], paper: str, *words: str) -> list[dict[str, object]]:
    assert main(["evidence", paper, "--hypothesis", HYPOTHESIS, "-k", "2", "--json", *words]) == 0
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)["wording"]
    return found


def test_an_offline_engine_takes_the_negation_and_a_paraphrase_of_ours(
    paper: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = ["--paraphrase", "A garden is where hives stand."]
    negation, paraphrase = wording(capsys, paper, "--engine", "bm25", "--check-wording", *ours)
    assert negation["hypothesis"] == "It is not the case that Naps help bees to remember flowers."
    assert (negation["overlap"], negation["lost"], negation["gained"]) == (1.0, [], [])
    assert paraphrase["hypothesis"] == ours[1]
    assert paraphrase["gained"]
    assert paraphrase["lost"]


def test_a_model_writes_both(paper: str, demo: DemoServer, capsys: pytest.CaptureFixture[str]) -> None:
    paraphrase, negation = wording(capsys, paper, "--engine", "openai:demo", "--check-wording")
    assert (paraphrase["rewording"], negation["rewording"]) == ("paraphrase", "negation")
    assert negation["stances"]
    assert paraphrase["contradictions"] == []


def test_without_the_option_there_is_no_such_key(paper: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evidence", paper, "--hypothesis", HYPOTHESIS, "--engine", "bm25", "--json"]) == 0
    assert "wording" not in json.loads(capsys.readouterr().out)


def test_the_list_for_people_says_what_changed(paper: str, capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["--hypothesis", HYPOTHESIS, "--engine", "bm25", "-k", "2", "--paraphrase", "A garden is where hives stand."]
    assert main(["evidence", paper, *ask]) == 0
    printed = capsys.readouterr().out
    assert "paraphrase: A garden is where hives stand." in printed
    assert "gained: [" in printed
