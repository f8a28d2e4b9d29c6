"""Any encoder and any reranker, wherever `embedding` goes: library, command line, benchmarks; and what can be wrong with one."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.__main__ import main
from core.bias import bias_engine_named
from core.bias.model import StudyContext
from core.bias.tools.rob1 import TOOLS
from core.engines import TaskKind, check_name, engines_of_models, full_name
from core.errors import EngineError, EngineUnavailable
from core.evidence import EvidenceQuery, engine_named
from core.work.identity import options
from run import ROOT
from tests.core.evidence.papers import HYPOTHESIS, bee_trial
from tests.core.tiny_models import save_encoder, save_reranker

pytestmark = pytest.mark.slow  # torch is imported


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_encoder(tmp_path_factory.mktemp("models"), query="query: ", passage="passage: ")


@pytest.fixture(scope="module")
def reranker(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_reranker(tmp_path_factory.mktemp("models"))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(params=["embedding", "reranker"])
def engine(request: pytest.FixtureRequest, home: Path, encoder: str, reranker: str) -> str:
    return f"embedding:{encoder}" if request.param == "embedding" else f"reranker:{reranker}"


# ---- where they run ----


def test_evidence(engine: str) -> None:
    paper = bee_trial()
    found = engine_named(engine).find(paper, EvidenceQuery(HYPOTHESIS, k=4))
    assert found.engine == engine == engine_named(engine).name
    assert len(set(found.indices)) == 4
    assert [one.score for one in found.sentences] == sorted((one.score for one in found.sentences), reverse=True)
    again = engine_named(engine).find(paper, EvidenceQuery(HYPOTHESIS, k=4))
    assert again.indices == found.indices


def test_risk_of_bias(engine: str) -> None:
    judge = bias_engine_named(engine)
    found = judge.suggest(TOOLS[0].domains[0], bee_trial(), StudyContext())
    assert found.judgement.level is None
    assert found.judgement.support
    assert engine in (found.judgement.rationale or "")


def test_the_command_line(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    paper = str(ROOT / "sample_data" / "leg-cramps.xml")
    assert main(["evidence", paper, "--hypothesis", "Magnesium reduces cramps", "--engine", engine, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["engine"], len(document["sentences"])) == (engine, 10)


def test_a_benchmark(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bench", "evidencebench/er@10", "--data", str(ROOT / "sample_data"), "--engine", engine, "--json"]
    assert main(words) == 0
    document = json.loads(capsys.readouterr().out)
    assert engine in json.dumps(document, ensure_ascii=False)
    assert '"error": "' not in json.dumps(document)


def test_a_library(engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    for name in ("leg-cramps.xml", "stair-climbing.tei.xml"):
        shutil.copy(ROOT / "sample_data" / name, papers)
    words = ["ask", str(papers), "--question", "magnesium compared with placebo: cramps", "--engine", engine, "--json"]
    assert main(words) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["engine"] == engine
    assert first["papers"]
    (papers / "leg-cramps.xml").unlink()  # the vectors follow the library
    assert main(words) == 0
    second = json.loads(capsys.readouterr().out)
    assert {one["file"] for one in second["papers"]} == {"stair-climbing.tei.xml"}


# ---- vectors and instructions ----


def test_vectors_are_kept_by_model(home: Path, encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.text.sentence_models import SentenceEncoder

    paper, query = bee_trial(), EvidenceQuery(HYPOTHESIS, k=4)
    engine_named(f"embedding:{encoder}").find(paper, query)
    kept = list((home / "cache" / "embeddings").rglob("*.npy"))
    assert len(kept) == 1
    other = save_encoder(tmp_path / "other", query="query: ")  # its passages have no prompt
    engine_named(f"embedding:{other}").find(paper, query)
    assert len(list((home / "cache" / "embeddings").rglob("*.npy"))) == 2
    monkeypatch.setattr(SentenceEncoder, "passages", lambda *_: pytest.fail("encoded again"))
    engine_named(f"embedding:{encoder}@instructed").find(paper, query)


def test_prompts_and_instructions_stand_before_the_texts(
    home: Path, encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.text.sentence_models import SentenceEncoder

    seen: list[str] = []
    encode = SentenceEncoder._vectors

    def note(self: SentenceEncoder, texts: list[str], prompt: str) -> np.ndarray:
        seen.append(prompt)
        return encode(self, texts, prompt)

    monkeypatch.setattr(SentenceEncoder, "_vectors", note)
    engine_named(f"embedding:{encoder}").find(bee_trial(), EvidenceQuery(HYPOTHESIS, k=2))
    assert set(seen) == {"passage: ", "query: "}
    seen.clear()
    engine_named(f"embedding:{encoder}@instructed").find(bee_trial(), EvidenceQuery(HYPOTHESIS, k=2))
    [told] = seen
    assert told.startswith("query: Given a claim")
    instructed = save_encoder(tmp_path / "instructed", query="Instruct: Find web pages\nQuery: ")
    seen.clear()
    query = EvidenceQuery(HYPOTHESIS, k=2, results_only=True)
    engine_named(f"embedding:{instructed}@instructed").find(bee_trial(), query)
    assert seen[-1].startswith("Instruct: Given a claim")
    assert seen[-1].endswith("\nQuery: ")
    assert "outcomes, results" in seen[-1]
    assert "web pages" not in seen[-1]


def test_another_file_in_the_folder_is_another_run(home: Path, tmp_path: Path) -> None:
    name = f"embedding:{save_encoder(tmp_path)}"
    before = options(name)
    assert before == options(f"{name}@instructed")
    prompts = Path(name.partition(":")[2]) / "config_sentence_transformers.json"
    prompts.write_text(prompts.read_text().replace('"query": ""', '"query": "ask: "'))
    assert options(name) != before


def test_names() -> None:
    assert engines_of_models(TaskKind.EVIDENCE) == ("embedding:MODEL", "reranker:MODEL")
    assert engines_of_models(TaskKind.SUMMARY) == ()
    assert full_name(TaskKind.EVIDENCE, " Embedding:My/Model@Instructed ") == "embedding:My/Model@instructed"
    check_name(TaskKind.EVIDENCE, "reranker:/models/a@b")  # a folder may have the sign in its name
    for wrong in ("embedding:", "ranker:x"):
        with pytest.raises(EngineError, match="embedding:MODEL"):
            check_name(TaskKind.EVIDENCE, wrong)
    with pytest.raises(EngineError, match="for summaries"):
        check_name(TaskKind.SUMMARY, "embedding:x/y")


# ---- what can be wrong ----


def why(engine: str) -> str:
    with pytest.raises(EngineUnavailable) as error:
        engine_named(engine).find(bee_trial(), EvidenceQuery(HYPOTHESIS, k=2))
    message = str(error.value)
    assert "\n" not in message
    return message


def test_one_given_as_the_other(encoder: str, reranker: str) -> None:
    assert f"is an encoder, not a reranker. Choose it as embedding:{encoder}" in why(f"reranker:{encoder}")
    assert f"is a reranker, not an encoder. Choose it as reranker:{reranker}" in why(f"embedding:{reranker}")


def test_no_tokenizer(tmp_path: Path) -> None:
    assert "has no tokenizer" in why(f"embedding:{save_encoder(tmp_path, tokenizer=False)}")


def test_several_classes_are_no_score(tmp_path: Path) -> None:
    assert "3 classes and gives no score" in why(f"reranker:{save_reranker(tmp_path, classes=3)}")


def test_no_model_and_no_folder(tmp_path: Path) -> None:
    assert "holds no model" in why(f"embedding:{tmp_path}")
    assert "There is no folder" in why(f"embedding:{tmp_path / 'nothing'}")


def test_damaged_weights(tmp_path: Path) -> None:
    name = save_reranker(tmp_path)
    (Path(name) / "model.safetensors").write_bytes(b"nothing")
    assert "cannot be loaded" in why(f"reranker:{name}")


def test_a_hub_that_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert "the hub cannot be reached" in why("embedding:vouch-tests/no-model")  # and nothing else is asked there


@pytest.mark.parametrize("error", ["torch", "memory"])
def test_out_of_memory(error: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from core.text.sentence_models import SentenceEncoder, SentenceReranker

    asked: list[int] = []

    def fail(self: object, *arguments: object) -> None:
        asked.append(len(arguments[-1]) if isinstance(arguments[-1], list) else len(arguments[0]))  # type: ignore[arg-type]
        raise torch.OutOfMemoryError("CUDA out of memory.") if error == "torch" else MemoryError

    monkeypatch.setattr(SentenceEncoder, "_vectors", fail)
    monkeypatch.setattr(SentenceReranker, "_scored", fail)
    assert "needs more memory" in why(engine)
    assert asked[0] > 1


def test_memory_that_does_for_half_of_a_batch(encoder: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.text.sentence_models import SentenceEncoder

    query = EvidenceQuery(HYPOTHESIS, k=4)
    expected = engine_named(f"embedding:{encoder}").find(bee_trial(), query).indices
    shutil.rmtree(home)
    encode = SentenceEncoder._vectors

    def small(self: SentenceEncoder, texts: list[str], prompt: str) -> np.ndarray:
        if len(texts) > 3:
            raise RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate 1 bytes")
        return encode(self, texts, prompt)

    monkeypatch.setattr(SentenceEncoder, "_vectors", small)
    assert engine_named(f"embedding:{encoder}").find(bee_trial(), query).indices == expected


def test_offline_answers_without_torch(home: Path) -> None:
    paper = str(ROOT / "sample_data" / "leg-cramps.xml")
    code = (
        "import sys\nfrom core.__main__ import main\n"
        f"main(['evidence', {paper!r}, '--hypothesis', 'Magnesium reduces cramps', '--json'])\n"
        "sys.stderr.write(str({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "set()"
    assert json.loads(done.stdout)["engine"] == "offline"
