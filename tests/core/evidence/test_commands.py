"""The commands `evidence` and `engines`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.__main__ import main

TEXT = """# Naps in bees

## Results

Napping bees remembered 41% more flowers (P < 0.001). Hives stood in a garden. <b>Bees</b> \x1b[31m fly.
"""
ASK = ["--hypothesis", "Naps improve memory in bees", "--engine", "bm25"]


@pytest.fixture
def paper(tmp_path: Path) -> str:
    path = tmp_path / "naps.md"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def test_one_file_gives_one_document(paper: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evidence", paper, *ASK, "-k", "2", "--results-only", "--no-tables", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    sentences = document.pop("sentences")
    seconds = document.pop("seconds")
    assert document == {
        "file": paper, "title": "Naps in bees", "format": "markdown", "engine": "bm25",
        "hypothesis": "Naps improve memory in bees", "k": 2, "results_only": True, "results_first": True, "tables": False,
        "notes": [], "run": None, "cost_usd": 0.0,
    }  # fmt: skip
    assert seconds > 0
    assert len(sentences) == 2
    assert set(sentences[0]) == {"index", "text", "section", "kind", "page", "score", "stance", "rationale", "match"}
    assert (sentences[0]["section"], sentences[0]["kind"], sentences[0]["page"]) == ("Results", "body", None)


def test_several_files_give_an_array_and_one_failure_stops_nothing(
    paper: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.pdf"
    empty.write_bytes(b"")
    missing = str(tmp_path / "missing.xml")
    assert main(["evidence", paper, str(empty), missing, paper, *ASK, "--json"]) == 2
    output = capsys.readouterr()
    documents = json.loads(output.out)
    assert [document["file"] for document in documents] == [paper, str(empty), missing, paper]
    assert ["error" in document for document in documents] == [False, True, True, False]
    assert len(output.err.splitlines()) == 2


def test_one_bad_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evidence", str(tmp_path / "missing.xml"), *ASK, "--json"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert len(output.err.splitlines()) == 1


@pytest.mark.parametrize(
    "words", [["--hypothesis", " "], ["--hypothesis", "nap " * 5000], [*ASK, "-k", "0"], [*ASK, "--engine", "google:x"]]
)
def test_a_bad_question_is_one_line(paper: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evidence", paper, paper, *words]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert len(output.err.splitlines()) == 1


def test_the_list_for_people_cannot_steer_the_terminal(paper: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evidence", paper, *ASK]) == 0
    printed = capsys.readouterr().out
    assert "Napping bees remembered 41% more flowers" in printed
    assert "note: k is 10, but only" in printed
    assert "\x1b" not in printed


def test_engines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engines"]) == 0
    assert capsys.readouterr().out.startswith("offline  ")
    assert main(["engines", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["engines"]
    local = [(engine["name"], engine["available"]) for engine in listed if ":" not in engine["name"]]
    assert local == [("offline", True), ("bm25", True), ("embedding", True)]
