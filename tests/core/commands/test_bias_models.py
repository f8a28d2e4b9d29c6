"""`bias`, `bias-from-sentences` and `bench` with a language model, through the demo server."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from core.__main__ import main
from core.bias import Answer, tool_named
from core.bias.model import HIGH, LOW
from core.bias.tools.rob2 import SOME_CONCERNS
from core.llm.demo import DemoServer, Fault
from core.llm.demo.questions import FaultOrder
from core.store import project_from_json
from run import ROOT

PAPER = str(ROOT / "sample_data" / "leg-cramps.xml")


@pytest.fixture(autouse=True)
def own_home(demo: DemoServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Replies of another test are not taken for this one's."""
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path / "home"))


def document(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> Any:
    assert main([*words, "--json"]) == status
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("engine", ["openai:demo", "anthropic:demo@highlights", "compatible:demo-noschema@retrieved"])
def test_a_whole_tool(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "bias", PAPER, "--tool", "rob2", "--engine", engine, "--objective", "Magnesium?")
    assert found["engine"] == (engine if "@" in engine else f"{engine}@whole")
    assert [each["domain"] for each in found["domains"]] == ["D1", "D2", "D3", "D4", "D5"]
    for each, domain in zip(found["domains"], tool_named("rob2").domains, strict=True):
        answers = {id: Answer(answer) for id, answer in each["answers"].items()}
        assert each["judgement"] == domain.level(answers)
        assert {support["match"] for support in each["support"]} == {"exact"}
        assert each["error"] is None
        assert "bias-questions" in each["run"]["prompts"]
    assert found["overall"] is not None
    assert found["cost_usd"] is None  # no price is known for the demo model


def test_the_cost_is_the_sum_of_the_domains_and_nothing_the_second_time(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("bias", PAPER, "--engine", "anthropic:claude-sonnet-5-5")
    first = document(capsys, *words)
    assert first["cost_usd"] == pytest.approx(sum(each["run"]["cost_usd"] for each in first["domains"]))
    assert first["cost_usd"] > 0
    second = document(capsys, *words)
    assert second["cost_usd"] == 0.0
    assert [each["judgement"] for each in second["domains"]] == [each["judgement"] for each in first["domains"]]


def test_a_domain_that_fails_is_named_and_the_others_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "bias", PAPER, "--engine", "openai:demo-prosex1", status=2)
    first, *others = found["domains"]
    assert first["judgement"] is None
    assert first["error"].startswith("The model's reply")
    assert first["run"]["steps"][0]["text"].startswith("Here is what I found.")
    assert all(each["judgement"] for each in others)
    assert main(["bias", PAPER, "--engine", "openai:other-prosex1"]) == 2
    captured = capsys.readouterr()
    assert "Random sequence generation: no judgement" in captured.out
    assert "Random sequence generation: The model's reply" in captured.err


def test_what_is_not_in_the_paper_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bias", PAPER, "--domain", "sequence", "--engine", "openai:demo-wrong"]) == 0
    assert "Named by the model, and not in this paper: [10" in capsys.readouterr().out
    assert main(["bias", PAPER, "--domain", "sequence", "--engine", "openai:demo-inventedx1"]) == 0
    out = capsys.readouterr().out
    assert "(named rightly only when asked again)" in out
    assert "cost: unknown" in out


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "whole, retrieved, highlights" in complaint(capsys, "bias", PAPER, "--engine", "openai:demo@sections")
    assert "The key" in complaint(capsys, "bias", PAPER, "--engine", "openai:demo-401")
    assert "above 0" in complaint(capsys, "bias", PAPER, "--engine", "openai:demo", "--budget-usd", "0")
    assert "budget is used up" in complaint(capsys, "bias", PAPER, "--engine", "openai:demo", "--budget-tokens", "5")
    monkeypatch.delenv("OPENAI_API_KEY")
    assert "OPENAI_API_KEY" in complaint(capsys, "bias", PAPER, "--engine", "openai:demo")


@pytest.mark.parametrize("engine", ["openai:demo", "compatible:demo-noschema"])
def test_from_sentences(engine: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "support.txt"
    file.write_text("Gout is painful.\nA computer drew the random number table.\n", encoding="utf-8")
    words = ("bias-from-sentences", "--domain", "sequence", "--sentences", str(file), "--engine", engine)
    found = document(capsys, *words)
    assert (found["judgement"], found["engine"]) == ("low", f"{engine}@whole")
    assert [one["index"] for one in found["support"]] == [1]
    assert found["run"]["steps"][0]["usage"]["input_tokens"] > 100
    assert document(capsys, *words)["cost_usd"] == 0.0


def test_a_folder_keeps_what_the_model_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = tmp_path / "papers", tmp_path / "project.json"
    folder.mkdir()
    shutil.copy(PAPER, folder)
    words = ("bias", str(folder), "--tool", "rob2", "--engine", "openai:gpt-5.4", "--project-out", str(out))
    found = document(capsys, *words)
    state = project_from_json(out.read_bytes())
    assert len(state.suggestions) == 5
    for saved in state.suggestions:
        assert saved.record.engine == "openai:gpt-5.4@whole"
        assert saved.record.cost_usd is not None
        assert dict(saved.record.prompts).keys() >= {"bias-frame", "bias-questions"}
        assert all(support.match is not None for support in saved.record.judgement.support)
        assert saved.record.judgement.level in {LOW, SOME_CONCERNS, HIGH}
    spent = sum(saved.record.cost_usd or 0 for saved in state.suggestions)
    assert found["papers"][0]["cost_usd"] == pytest.approx(spent)


@pytest.mark.slow
def test_a_folder_stops_where_whatever_is_asked_next_would_fail(
    demo: DemoServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "papers", tmp_path / "project.json"
    folder.mkdir()
    for name in ("leg-cramps.xml", "pharmacy-ecg-screening.md", "stair-climbing.tei.xml"):
        shutil.copy(ROOT / "sample_data" / name, folder)
    words = ("bias", str(folder), "--tool", "rob2", "--engine", "openai:demo", "--project-out", str(out))
    demo.desk._order = FaultOrder(Fault.NO_MONEY)
    assert main(list(words)) == 2
    assert "no credit" in capsys.readouterr().err
    assert demo.desk.statistics()["calls"] == 1
    demo.desk._order = None
    assert main(list(words)) == 0
    assert len(project_from_json(out.read_bytes()).suggestions) == 15


def test_bench_asks_a_model_for_support_sentences(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("bench", "consort/support", "--data", str(shared_data), "--limit", "6", "--engine", "openai:gpt-5.4")
    found = document(capsys, *words)
    assert found["failed"] == 0
    assert found["cost_usd"] > 0
    assert found["engine"] == "openai:gpt-5.4@whole"
