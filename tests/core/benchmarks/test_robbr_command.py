"""RoBBR's grid on the command line, and what engines that cannot do a task say."""

from __future__ import annotations

import json

import pytest

from core.__main__ import main
from core.benchmarks.samples import SAMPLE_DATA
from core.llm.demo import DemoServer


def bench(task: str, engine: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = main(["bench", task, "--data", str(SAMPLE_DATA), "--engine", engine, "--limit", "3", "--json"])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize(
    ("task", "engine", "reason"),
    [
        ("robbr/main", "bm25", "gives no level"),
        ("robbr/two-stages", "offline+bm25", "gives no level"),
        ("robbr/sjs", "offline", "cannot choose"),
        ("robbr/ssr", "gold", "no engine called"),
    ],
)
def test_who_cannot_says_so_in_one_line(
    task: str, engine: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = bench(task, engine, capsys)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert reason in err


@pytest.mark.parametrize("engine", ["gold+offline", "bm25+offline", "gold+openai:demo", "openai:demo+offline"])
def test_the_grid(engine: str, demo: DemoServer, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = bench("robbr/two-stages", engine, capsys)
    document = json.loads(out)
    assert (status, document["n"], document["failed"], document["broken"]) == (0, 3, 0, [])
    assert document["metrics"]["macro-F1"]["value"] > 0
