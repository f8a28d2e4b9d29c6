"""`claims` and `contradictions`: a paper's claims beside a folder of others, as text, JSON and a report."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from core.__main__ import main
from core.benchmarks.samples import SAMPLE_DATA
from core.claims.scale import note
from core.commands.contradictions import left_of
from core.grounding.model import ModelRun, Step
from core.llm import Budget, Usage
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
    long = "word " * 101
    assert main([*command, "--claim", long]) == 2
    said = capsys.readouterr()
    assert "contradicts (" in said.out
    assert note() in said.out
    assert "101 words" in said.err


@pytest.mark.slow
def test_what_a_model_will_cost_is_told_and_nothing_is_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["contradictions", PAPER, "--library", str(folder), "--claim", "Magnesium increases diarrhoea."]
    assert main([*command, "--engine", "openai:gpt-6-luna", "--estimate"]) == 0
    said = capsys.readouterr()
    assert "about 4 calls" in said.err
    assert " to $" in said.err
    assert not said.out
    assert main(["claims", PAPER, "--engine", "openai:gpt-6-luna", "--estimate"]) == 0
    assert "calls with" in capsys.readouterr().err
    assert main([*command, "--services", "nowhere"]) == 2
    assert "finds papers by words" in capsys.readouterr().err


def test_what_is_left_of_a_budget() -> None:
    step = Step("one", "", (), usage=Usage(30, 10), cost_usd=0.25)
    run = ModelRun("openai:made-up", "parts", (), (step, replace(step, from_cache=True, cost_usd=0.0)))
    assert left_of(Budget(1.0, 100), run) == Budget(0.75, 60)
    assert left_of(Budget(None, 30), run) == Budget(None, 0)
    assert left_of(Budget(1.0, None), replace(run, steps=(replace(step, cost_usd=None),))) == Budget(0.0, None)


def test_mistakes_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["contradictions", PAPER, "--library", str(folder)]
    assert main([*command, "--threshold", "5"]) == 2
    assert "from 6 to 10" in capsys.readouterr().err
    assert main([*command, "--out", "report.pdf"]) == 2
    assert ".html or .json" in capsys.readouterr().err


def test_claims_in_files_that_anybody_may_answer(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    requests = tmp_path / "requests"
    command = ["claims", str(folder / "against.md"), "--engine", "openai:some-model", "--batch-out", str(requests)]

    def answered(number: int) -> Path:
        """A file of results for a stage's requests: of each part its first sentence, and a good score for each claim."""
        lines = []
        for line in (requests / f"stage-{number}.requests.jsonl").read_text(encoding="utf-8").splitlines():
            asked = json.loads(line)
            shown = asked["body"]["input"][0]["content"][0]["text"]
            place, words = next((n, text) for n, text in re.findall(r"^\[(\d+)\] (.*)$", shown, re.MULTILINE))
            quote = " ".join(words.split()[:6])
            said: dict[str, object] = {"reason": "", "claims": [{"number": int(place), "quote": quote, "claim": words}]}
            if number == 2:
                places = re.findall(r"^\[(\d+)\]", shown, re.MULTILINE)
                said = {
                    "reason": "",
                    "scores": [{"number": int(n), "score": 9, "verdict": "good", "same_as": None} for n in places],
                }
            text = {"type": "output_text", "text": json.dumps(said)}
            output = [{"type": "message", "role": "assistant", "content": [text]}]
            body = {"model": "some-model", "status": "completed", "output": output}
            lines.append({"custom_id": asked["custom_id"], "response": {"status_code": 200, "body": body}})
        file = tmp_path / f"answers-{number}.jsonl"
        file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        return file

    assert main([*command, "--json"]) == 0
    waiting = json.loads(capsys.readouterr().out)
    assert waiting["requests"] > 1
    assert main(command) == 0, "asked again, the same file waits"
    assert waiting["waiting_for"][0] in capsys.readouterr().out
    assert main([*command, "--batch-in", str(answered(1))]) == 0
    assert "1 requests are to be answered" in capsys.readouterr().out
    assert main([*command, "--batch-in", str(answered(2)), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["claims"]
    assert main([*command[:3], "offline", *command[4:]]) == 2
    assert main([*command[:4], "--batch-in", str(answered(1))]) == 2
    assert "--batch-out DIR" in capsys.readouterr().err
