"""Every task runs on the samples with every engine of this machine and with a language model, or says why it cannot."""

from __future__ import annotations

import json

import pytest

from core.__main__ import main
from core.benchmarks.published import all_published
from core.benchmarks.samples import SAMPLE_DATA
from core.benchmarks.task import Kind
from core.benchmarks.tasks import TASKS
from core.llm.demo import DemoServer

ENGINES = {
    Kind.EVIDENCE: ("offline", "bm25", "embedding"),
    Kind.BIAS: ("offline", "bm25", "embedding"),
    Kind.SUMMARY: ("bm25",),
}
CANNOT = {
    ("robbr/main", "bm25"): "gives no level",
    ("robbr/main", "embedding"): "gives no level",
    ("robbr/two-stages", "bm25"): "gives no level",
    ("robbr/two-stages", "embedding"): "gives no level",
    ("robbr/sjs", "offline"): "cannot choose",
    ("robbr/sjs", "bm25"): "cannot choose",
    ("robbr/sjs", "embedding"): "cannot choose",
}
GRID = [("robbr/two-stages", f"{finder}+offline") for finder in ("gold", "bm25", "embedding")]


def bench(task: str, engine: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = main(["bench", task, "--data", str(SAMPLE_DATA), "--engine", engine, "--limit", "3", "--json"])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize(
    ("task", "engine"),
    [(name, engine) for name, task in TASKS.items() for engine in ENGINES[task.kind]] + GRID,
)
def test_engines_of_this_machine(task: str, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = bench(task, engine, capsys)
    if (task, engine) in CANNOT:
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert CANNOT[task, engine] in err
        return
    _is_whole(status, out)


@pytest.mark.parametrize("task", TASKS)
def test_a_language_model(task: str, demo: DemoServer, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = bench(task, "openai:demo", capsys)
    _is_whole(status, out)


@pytest.mark.parametrize("engine", ["gold+openai:demo", "openai:demo+offline", "bm25+anthropic:demo"])
def test_the_grid_with_a_language_model(engine: str, demo: DemoServer, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = bench("robbr/two-stages", engine, capsys)
    _is_whole(status, out)


def _is_whole(status: int, out: str) -> None:
    document = json.loads(out)
    assert (status, document["failed"], document["broken"]) == (0, 0, [])
    assert 2 <= document["n"] <= 10
    assert document["metrics"]
    assert all(-1 <= found["low"] <= found["high"] <= 1 for found in document["metrics"].values())
    assert len(document["repeat"]["data"]["sha256"]) == 64


def test_every_published_figure_is_of_a_task() -> None:
    assert {figure.task for figure in all_published()} <= TASKS.keys()
