"""A benchmark in batches comes to exactly what it comes to live."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.request import Request as Call
from urllib.request import urlopen

import pytest
from anthropic.types.messages.batch_create_params import Request as AnthropicLine
from openai.types.responses import response_create_params
from pydantic import ConfigDict, TypeAdapter, with_config

from core.benchmarks.evidence_tasks import EvidenceQuestion
from core.benchmarks.gold import Gold
from core.benchmarks.model import Item, Run
from core.benchmarks.runner import BatchStage, batched, here, run_task
from core.benchmarks.task import EngineChoice
from core.benchmarks.tasks import TASKS, task_named
from core.errors import DatasetError, EngineError, RequestRefused
from core.evidence import engine_named
from core.llm.batch import BatchFolder
from core.llm.demo import DemoServer
from core.llm.demo.service import Batches
from core.settings import Settings
from run import ROOT

pytestmark = pytest.mark.slow

TASK = task_named("evidencebench/er@10")
SAMPLES = ROOT / "sample_data"


@pytest.fixture(scope="module")
def items() -> list[Item[EvidenceQuestion, Gold]]:
    return [item for path in sorted(SAMPLES.glob("*.gold.json")) for item in TASK.items(path)]


def answered_by_hand(file: Path, demo: DemoServer) -> bytes:
    """What another tool would do with a file of requests: each body to its address, each answer beside its id."""
    results = []
    for line in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        body = line.get("body") or line["params"]
        headers = {"Content-Type": "application/json", "Authorization": "Bearer demo", "x-api-key": "demo"}
        url = demo.address + line.get("url", "/v1/messages")
        with urlopen(Call(url, json.dumps(body).encode(), headers)) as response:
            answer = json.load(response)
        result: dict[str, Any] = {"custom_id": line["custom_id"]}
        if "body" in line:
            results.append(result | {"id": "r", "error": None, "response": {"status_code": 200, "body": answer}})
        else:
            results.append(result | {"result": {"type": "succeeded", "message": answer}})
    return "\n".join(json.dumps(result) for result in reversed(results)).encode()  # in any order


def chosen(run: Run) -> list[tuple[int, ...]]:
    return [item.response.sentences for item in run.items]


@pytest.mark.parametrize("engine", ["openai:demo", "anthropic:demo", "compatible:demo", "openai:demo-duplicates@whole"])
def test_files_answered_elsewhere_give_the_live_result(
    engine: str,
    demo: DemoServer,
    items: list[Item[EvidenceQuestion, Gold]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    live = run_task(TASK, items, here(TASK, engine_named(engine, settings=Settings(tmp_path, None)), at_once=4))
    monkeypatch.delenv("OPENAI_API_KEY")  # files need no key
    work = batched(TASK, engine, items, BatchFolder(tmp_path / "batch"))
    stages = 0
    while isinstance(stage := work.advance(), BatchStage):
        stages += 1
        assert work.advance() == stage  # the same files, not written again
        for file in stage.files:
            work.folder.take(answered_by_hand(file, demo), name=file.name)
    assert stages == 2
    assert chosen(stage) == chosen(live)
    assert stage.metrics == live.metrics
    assert stage.failed == 0


ENGINES = {"robbr/two-stages": "openai:demo+openai:demo", "summary/sentences": "openai:demo@parts"}


@pytest.mark.parametrize("name", TASKS)
def test_every_task_in_batches_gives_the_live_result(name: str, demo: DemoServer, tmp_path: Path) -> None:
    task, engine = task_named(name), ENGINES.get(name, "openai:demo")
    data = SAMPLES / "leg-cramps.gold.json" if name.startswith("evidencebench/") else SAMPLES
    items = list(islice(task.items(task.source(data)), 2))
    live = run_task(task, items, here(task, task.open(EngineChoice(engine)), at_once=4))
    work = batched(task, engine, items, BatchFolder(tmp_path / "batch"))
    stages = 0
    while isinstance(stage := work.advance(), BatchStage):
        stages += 1
        for file in stage.files:
            work.folder.take(answered_by_hand(file, demo), name=file.name)
    assert stages
    assert [item.response.answer.sentences for item in stage.items] == [
        item.response.answer.sentences for item in live.items
    ]
    assert [item.response.labels for item in stage.items] == [item.response.labels for item in live.items]
    assert stage.metrics == live.metrics
    assert (stage.failed, len(stage.items)) == (0, len(items))


def test_two_stages_that_ask_two_models_are_no_batch(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="asks two models"):
        batched(task_named("robbr/two-stages"), "openai:demo+openai:other", [], BatchFolder(tmp_path))


@pytest.mark.parametrize("engine", ["openai:demo", "anthropic:demo"])
def test_the_providers_themselves_give_the_live_result(
    engine: str, demo: DemoServer, items: list[Item[EvidenceQuestion, Gold]], tmp_path: Path
) -> None:
    live = run_task(TASK, items, here(TASK, engine_named(engine, settings=Settings(tmp_path, None))))
    work = batched(TASK, engine, items, BatchFolder(tmp_path / "batch"))
    assert chosen(work.submit(poll=0.01)) == chosen(live)
    calls = demo.desk.statistics()["calls"]
    assert chosen(work.submit(poll=0.01)) == chosen(live)
    assert demo.desk.statistics()["calls"] == calls  # nothing is sent or paid twice


def test_a_job_that_was_broken_off_is_waited_for_again(
    demo: DemoServer, items: list[Item[EvidenceQuestion, Gold]], tmp_path: Path
) -> None:
    work = batched(TASK, "openai:demo@whole", items, BatchFolder(tmp_path))
    run = work.submit(poll=0.01)
    calls = demo.desk.statistics()["calls"]
    (tmp_path / "stage-1.results.jsonl").unlink()  # as if the run had ended between sending and receiving
    assert chosen(work.submit(poll=0.01)) == chosen(run)
    assert demo.desk.statistics()["calls"] == calls


def test_a_file_that_the_provider_refuses_as_a_whole_can_be_submitted_again(
    demo: DemoServer, items: list[Item[EvidenceQuestion, Gold]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = batched(TASK, "openai:demo@whole", items, BatchFolder(tmp_path))
    made = Batches.batch
    refused = {"status": "failed", "output_file_id": None, "error_file_id": None}
    jobs: list[str] = []

    def first_refused(self: Batches, job: str) -> dict[str, Any]:
        jobs.append(job)
        return (made(self, job) or {}) | (refused if job == jobs[0] else {})

    monkeypatch.setattr(Batches, "batch", first_refused)
    with pytest.raises(RequestRefused, match="submit it again"):
        work.submit(poll=0.01)
    assert work.submit(poll=0.01).failed == 0


def test_what_the_results_lack_is_asked_again(
    demo: DemoServer, items: list[Item[EvidenceQuestion, Gold]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Batches.file
    fetched: list[bytes] = []

    def without_first(self: Batches, file_id: str) -> bytes | None:
        content = whole(self, file_id)
        if content is None or b'"response"' not in content:
            return content
        fetched.append(content)
        assert len(fetched) < 5, "it goes on for ever"
        return b"\n".join(content.splitlines()[1:]) if len(fetched) == 1 else content

    monkeypatch.setattr(Batches, "file", without_first)
    work = batched(TASK, "openai:demo@whole", items, BatchFolder(tmp_path))
    assert work.submit(poll=0.01).failed == 0
    assert [len(content.splitlines()) for content in fetched] == [len(items), 1]


def test_the_lines_have_the_documented_shapes(items: list[Item[EvidenceQuestion, Gold]], tmp_path: Path) -> None:
    def lines(engine: str) -> list[dict[str, Any]]:
        stage = batched(TASK, engine, items, BatchFolder(tmp_path / engine.partition(":")[0])).advance()
        assert isinstance(stage, BatchStage)
        return [json.loads(line) for file in stage.files for line in file.read_bytes().splitlines()]

    strict = with_config(ConfigDict(extra="forbid"))
    body = TypeAdapter(strict(response_create_params.ResponseCreateParamsNonStreaming))
    for line in lines("openai:demo"):
        assert set(line) == {"custom_id", "method", "url", "body"}
        assert (line["method"], line["url"]) == ("POST", "/v1/responses")
        body.validate_python(line["body"])
    for line in lines("anthropic:demo"):
        assert set(line) == {"custom_id", "params"}
        assert len(line["custom_id"]) <= 64
        TypeAdapter(AnthropicLine).validate_python(line)


def test_what_expired_is_asked_again_and_what_failed_is_a_failure(
    demo: DemoServer, items: list[Item[EvidenceQuestion, Gold]], tmp_path: Path
) -> None:
    work = batched(TASK, "openai:demo@whole", items, BatchFolder(tmp_path))
    stage = work.advance()
    assert isinstance(stage, BatchStage)
    first, second, *rest = answered_by_hand(stage.files[0], demo).splitlines()
    expired = {"custom_id": json.loads(first)["custom_id"], "error": {"code": "batch_expired", "message": "Too late."}}
    broken = {"custom_id": json.loads(second)["custom_id"], "response": {"status_code": 500, "body": {}}}
    work.folder.take(b"\n".join([json.dumps(expired).encode(), json.dumps(broken).encode(), *rest]), name="results")
    again = work.advance()
    assert isinstance(again, BatchStage)
    assert again.requests == 1
    work.folder.take(answered_by_hand(again.files[-1], demo), name="results")
    run = work.advance()
    assert isinstance(run, Run)
    assert run.failed == 1


def test_a_file_that_holds_no_results_is_refused(items: list[Item[EvidenceQuestion, Gold]], tmp_path: Path) -> None:
    folder = BatchFolder(tmp_path)
    with pytest.raises(DatasetError, match=r"Line 1 of “notes\.txt” is not the result of a batch request"):
        folder.take(b'{"custom_id": "x"}', name="notes.txt")
    assert list(tmp_path.iterdir()) == []


def test_batches_are_for_language_models(items: list[Item[EvidenceQuestion, Gold]], tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="Batches are for language models"):
        batched(TASK, "bm25", items, BatchFolder(tmp_path))


def test_a_paper_of_which_a_part_was_not_read_is_a_failure_until_it_is(
    demo: DemoServer, items: list[Item[EvidenceQuestion, Gold]], tmp_path: Path
) -> None:
    engine = engine_named("openai:demo-emptyx1", settings=Settings(tmp_path, None))
    first = run_task(TASK, items, here(TASK, engine))
    assert first.failed == 1
    [error] = [item.error for item in first.items if item.error]
    assert "was not read: The model sent an empty reply." in error
    assert (
        run_task(TASK, items, here(TASK, engine)).failed == 0
    )  # what went well is kept, and only the rest was asked again
