"""`bias` and `bias-from-sentences` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.__main__ import main
from core.bias import StudyContext, tool_named
from core.bias.own import as_tool, own_tool_json
from core.bias.pasted import cut
from core.commands.bias_common import study_context
from run import ROOT

PAPER = str(ROOT / "sample_data" / "leg-cramps.xml")


@pytest.fixture
def document(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*words: str) -> Any:
        assert main([*words, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return run


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_a_whole_tool(document: Any) -> None:
    found = document("bias", PAPER)
    assert found["tool"] == "rob1"
    assert [each["domain"] for each in found["domains"]] == [domain.id for domain in tool_named("rob1").domains]
    assert found["overall"] is None
    sequence = found["domains"][0]
    assert sequence["judgement"] == "low"
    assert "random number generator" in sequence["support"][0]["text"]
    assert sequence["answers"] == {}


def test_rob_2_has_answers_and_no_level_that_is_not_earned(document: Any) -> None:
    found = document("bias", PAPER, "--tool", "rob2", "--objective", "Magnesium for cramps")
    assert [each["judgement"] for each in found["domains"]] == ["low", None, None, None, None]
    assert "Provisional" in found["domains"][0]["rationale"]
    assert found["domains"][0]["answers"] == {"1.1": "Y", "1.2": "Y"}
    assert found["overall"] is None


@pytest.mark.parametrize("name", ["D3", "Missing outcome data", "d3"])
def test_one_domain_by_id_or_name_of_any_tool(document: Any, name: str) -> None:
    assert [each["domain"] for each in document("bias", PAPER, "--domain", name)["domains"]] == ["D3"]


def test_outcomes_are_judged_one_by_one(document: Any, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("bias", PAPER, "--tool", "rob2", "--domain", "D1", "--engine", "bm25")
    assert document(*words)["outcome"] == ""
    assert document(*words, "--outcome", " Pain  at 6 weeks ")["outcome"] == "Pain at 6 weeks"
    both = document(*words, "--outcome", "pain", "--outcome", "sleep")["results"]
    assert [(one["outcome"], [each["domain"] for each in one["domains"]]) for one in both] == [
        ("pain", ["D1"]),
        ("sleep", ["D1"]),
    ]
    assert main(["bias", PAPER, "--tool", "rob1", "--outcome", "pain"]) == 2
    assert "judges studies and not results" in capsys.readouterr().err


def test_a_domain_of_ones_own(document: Any, tmp_path: Path) -> None:
    file = tmp_path / "adherence.json"
    file.write_text(
        json.dumps({"name": "Adherence", "definition": "Whether sachets were taken.", "criteria": {"low": "most"}})
    )
    (found,) = document("bias", PAPER, "--definition", str(file), "--engine", "bm25")["domains"]
    assert (found["domain"], found["judgement"]) == ("D1", None)
    assert len(found["support"]) == 5
    plain = tmp_path / "taken.txt"
    plain.write_text("Whether the sachets were taken as planned.")
    (found,) = document("bias", PAPER, "--definition", str(plain), "--domain", "Taken", "--engine", "bm25")["domains"]
    assert found["name"] == "Taken"
    (found,) = document("bias", PAPER, "--definition", "Whether sachets were taken.", "--engine", "bm25")["domains"]
    assert found["name"] == "My own definition"


def test_a_tool_of_ones_own_from_a_file(document: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "methods.txt"
    file.write_text(METHODS)
    words = ("bias", PAPER, "--tool", str(file), "--engine", "bm25")
    found = document(*words)
    assert [(one["domain"], one["name"]) for one in found["domains"]] == [("D1", "Funding bias"), ("D2", "Adherence")]
    assert found["tool"].startswith("own-")
    assert found["tool_name"] == as_tool(cut(METHODS)).name
    assert all(len(one["support"]) == 5 for one in found["domains"])
    (one,) = document(*words, "--domain", "Adherence")["domains"]
    assert one["domain"] == "D2"
    again = tmp_path / "mine.json"
    again.write_text(own_tool_json(cut(METHODS)))
    assert document("bias", PAPER, "--tool", str(again), "--engine", "bm25") == found
    assert "not both" in complaint(capsys, "bias", PAPER, "--tool", str(file), "--definition", "Tea.")
    assert "cannot be opened" in complaint(capsys, "bias", PAPER, "--tool", "gone.json")


METHODS = """Funding bias
Whether the maker of the tablets paid for the trial.
Low risk: paid by the public.
High risk: paid by the maker.

Adherence: Whether the sachets were taken.
"""


def test_from_sentences(document: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "support.txt"
    file.write_text("\ufeffGout is painful.\n\nThe method of concealment is not described.\n", encoding="utf-8")
    words = ("bias-from-sentences", "--domain", "concealment", "--sentences", str(file))
    found = document(*words)
    assert found["judgement"] == "unclear"
    assert (1, "The method of concealment is not described.") in [
        (one["index"], one["text"]) for one in found["support"]
    ]
    assert document(*words, "--engine", "bm25")["judgement"] is None
    assert main(list(words)) == 0
    assert capsys.readouterr().out.startswith("Allocation concealment: unclear\n")


def test_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bias", str(ROOT / "sample_data" / "pharmacy-ecg-screening.md"), "--domain", "sequence"]) == 0
    out = capsys.readouterr().out
    assert "Random sequence generation: unclear" in out
    assert "The nearest sentences" in out


def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    empty, broken, latin = tmp_path / "empty.txt", tmp_path / "broken.json", tmp_path / "latin.txt"
    mixed = tmp_path / "mixed.json"
    empty.write_text("\n \n")
    broken.write_text('{"name": "Adherence"}')
    latin.write_bytes("naïve".encode("latin-1"))
    assert "no domain called" in complaint(capsys, "bias", PAPER, "--domain", "luck")
    assert "rob1, rob2" in complaint(capsys, "bias", PAPER, "--tool", "rob3")
    assert "no engine called" in complaint(capsys, "bias", PAPER, "--engine", "oracle")
    assert "definition" in complaint(capsys, "bias", PAPER, "--definition", str(broken))
    mixed.write_text('{"name": "A", "definition": "B", "criteria": {"unclear": "C", "some concerns": "D"}}')
    assert "name its “levels”" in complaint(capsys, "bias", PAPER, "--definition", str(mixed))
    assert "PICO" in complaint(capsys, "bias", PAPER, "--pico", str(broken))
    assert "Write what" in complaint(capsys, "bias", PAPER, "--definition", str(empty))
    from_sentences = ("bias-from-sentences", "--sentences")
    assert "holds no sentence" in complaint(capsys, *from_sentences, str(empty), "--domain", "D1")
    assert "UTF-8" in complaint(capsys, *from_sentences, str(latin), "--domain", "D1")
    assert "Which domain?" in complaint(capsys, *from_sentences, str(latin))


def test_a_pico_may_list_confounders(tmp_path: Path) -> None:
    file = tmp_path / "pico.json"
    file.write_text('{"population": "adults", "confounders": "age, milk"}')
    assert study_context("Tea?", file) == StudyContext("Tea?", "adults", confounders="age, milk")


@pytest.mark.parametrize(("tool", "domains"), [("rob2-cluster", 6), ("robins-i", 7), ("QUADAS-2", 7)])
def test_every_tool_by_its_name(document: Any, tool: str, domains: int) -> None:
    found = document("bias", PAPER, "--tool", tool, "--engine", "bm25")
    assert (found["tool"], len(found["domains"])) == (tool.lower(), domains)
    assert (found["overall"], {one["judgement"] for one in found["domains"]}) == (None, {None})


def test_bench_names_all_tasks_and_says_what_it_has_seen(capsys: pytest.CaptureFixture[str], shared_data: Path) -> None:
    assert "consort/support" in complaint(capsys, "bench", "nothing")
    assert main(["bench", "consort/support", "--data", str(shared_data), "--limit", "1", "--json"]) == 0
    captured = capsys.readouterr()
    assert "trained on this very file" in captured.err
    assert json.loads(captured.out)["metrics"]["average hit@3"]["value"] >= 0.5
