"""The commands `summary` and `convert-farebio` as a shell sees them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.__main__ import main
from core.benchmarks.samples import SAMPLE_DATA
from core.errors import ModelError
from core.llm.demo import DemoServer

SAMPLE = str(SAMPLE_DATA / "leg-cramps.xml")
TEXT = "Magnesium citrate did not reduce nocturnal leg cramps. Elephants never forget."


def test_check_prints_one_json_document(demo: DemoServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["summary", SAMPLE, "--text", TEXT, "--engine", "openai:demo@parts", "--source", "front", "--json"]) == 0
    )
    document = json.loads(capsys.readouterr().out)
    assert {"sentences", "readability", "novelty"} <= set(document)
    assert (document["engine"], document["source"]) == ("openai:demo@parts", "front")
    first, second = document["sentences"]
    assert {"text", "label", "score", "support", "flags"} <= set(first)
    assert first["label"] == "supported"
    assert first["support"][0]["text"].startswith("Magnesium citrate did not reduce")
    assert second["label"] == "not in the paper"
    assert second["part"] in second["text"]
    assert list(document["novelty"]) == ["1-grams", "2-grams", "3-grams"]
    assert document["run"]["prompts"].keys() == {"summary-frame", "summary-parts", "summary-again"}


def test_the_summary_may_be_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "summary.txt"
    path.write_text(f"\ufeff{TEXT}", encoding="utf-8")
    assert main(["summary", SAMPLE, "--text", f"@{path}", "--engine", "bm25@1"]) == 0
    said = capsys.readouterr().out
    assert "Elephants never forget." in said
    assert "readability: Flesch-Kincaid grade" in said


def test_a_written_summary_is_checked_and_repaired(demo: DemoServer, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "summary",
        SAMPLE,
        "--write",
        "--engine",
        "anthropic:demo",
        "--checker",
        "openai:demo",
        "--level",
        "easy",
    ]
    assert main([*arguments, "--repair", "3", "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["versions"]
    assert (first["faithful"], second["faithful"]) == (False, True)
    assert (first["mended"], second["mended"]) == ([], [5])
    assert {version["level"] for version in (first, second)} == {"easy"}
    assert second["written_by"] == "anthropic:demo"


def test_versions_are_told_to_people(demo: DemoServer, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["summary", SAMPLE, "--write", "--engine", "openai:demo", "--checker", "openai:demo@parts", "--repair"]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    assert "Version 1, written by openai:demo (plain)" in said
    assert "6 sentences: 5 supported, 0 contradicts the paper, 1 not in the paper, 0 cannot tell, 0 not judged" in said
    assert "5 sentences: 5 supported, 0 contradicts the paper, 0 not in the paper, 0 cannot tell, 0 not judged" in said


def test_versions_are_printed_though_a_repair_fails(
    demo: DemoServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ModelError("It gave no answer.")

    monkeypatch.setattr("core.summary.writing.repair_summary", fails)
    arguments = ["summary", SAMPLE, "--write", "--engine", "openai:demo", "--checker", "openai:demo@parts", "--repair"]
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert "Version 1, written by openai:demo (plain)" in said.out
    assert "It gave no answer." in said.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--text", " "], "The summary is empty."),
        (["--text", TEXT, "--engine", "magic"], "There is no engine called “magic” for summaries."),
        (["--text", "@nowhere.txt", "--engine", "bm25@1"], "cannot be opened"),
        (["--write", "--engine", "bm25@1"], "cannot write. Name a language model"),
        (["--write", "--engine", "openai:demo@parts"], "without a strategy"),
        (["--write", "--engine", "openai:demo", "--repair", "-1"], "--repair is -1"),
        ([], "One of the arguments --text --write is required"),
    ],
)
def test_a_users_mistake_is_one_line(
    arguments: list[str], message: str, demo: DemoServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["summary", SAMPLE, *arguments]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert message in line


def test_a_file_of_another_layout_is_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs, ours = tmp_path / "theirs.csv", tmp_path / "ours.json"
    theirs.write_text(
        "id,model,sent,ok,doc\np,m,Tea helps.,Hallucinated,Tea was given. Tea helped.\n", encoding="utf-8"
    )
    columns = "paper=id,summary=model,text=sent,label=ok,abstract=doc"
    arguments = ["convert-farebio", str(theirs), "--columns", columns, "--values", "hallucinated=not supported"]
    assert main([*arguments, "--out", str(ours)]) == 0
    assert capsys.readouterr().out == "1 sentences of 1 summaries of 1 papers\n"
    [record] = json.loads(ours.read_text(encoding="utf-8"))
    assert record["label"] == "not supported"
    assert main([*arguments, "--out", str(ours)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert main(["bench", "farebio/faithfulness", "--data", str(ours), "--engine", "bm25@1"]) == 0


def test_gold_that_is_lost_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = tmp_path / "theirs.csv"
    theirs.write_text("paper,summary,text,label,abstract,support\np,m,Tea helps.,yes,Tea was given.,Nobody said this\n")
    assert main(["convert-farebio", str(theirs), "--out", str(tmp_path / "ours.csv")]) == 0
    assert "1 support sentences were not found" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--columns", "text"], "write pairs such as one=other"),
        (["--columns", "text=nothing"], "The file has no column “nothing”"),
        (["--out", "ours.xlsx"], "neither .csv nor .json"),
    ],
)
def test_a_wrong_conversion_is_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(SAMPLE_DATA / "farebio" / "farebio_sample.csv")
    assert main(["convert-farebio", file, "--out", str(tmp_path / "ours.csv"), *arguments]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert message in line
