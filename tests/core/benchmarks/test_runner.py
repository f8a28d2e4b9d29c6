"""Running an engine on a task."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.__main__ import main
from core.benchmarks.model import CompleteRun, ItemResult, Response, Run, RunOrigin, RunSetup
from core.benchmarks.runner import here, run_task
from core.benchmarks.tasks import TASKS, task_named
from core.commands.bench import print_run
from core.errors import DatasetError, EngineUnavailable, Unreadable
from core.evidence.model import Evidence, EvidenceQuery, EvidenceSentence
from core.grounding.model import ModelRun, NoAnswer, Step
from core.paper import Paper
from core.progress import Progress, silent
from tests.core.benchmarks.evidencebench_records import encoded, record


class Scripted:
    """An engine that answers with given indices and keeps the queries; an empty answer is a failure."""

    name = "scripted"

    def __init__(self, *answers: Sequence[int]) -> None:
        self.answers = list(answers)
        self.queries: list[EvidenceQuery] = []

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        self.queries.append(query)
        answer = self.answers[len(self.queries) - 1]
        if not answer:
            raise EngineUnavailable("out of order")
        return Evidence(self.name, query, tuple(EvidenceSentence(index, 1.0) for index in answer), 0.5, 0.25)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two papers. In the first, three sentences are optimal... 6 or 3, and 8; the second has no results."""
    path = tmp_path / "evidencebench_test.json"
    without = record(hypothesis="Tea is drunk.", results_aspect_list_ids=None)
    path.write_bytes(encoded({"one": record(), "two": without}))
    return path


def run(name: str, engine: Scripted, data: Path, limit: int | None = None):
    task = task_named(name)
    return run_task(task, task.items(task.source(data)), here(task, engine), limit=limit)


def test_more_than_optimal_get_what_a_draw_of_as_many_would_expect(data: Path) -> None:
    # 3 and 8 cover all of a, b, c; 9 with either of them covers two.
    engine = Scripted([9, 3, 8], [3, 8])
    result = run("evidencebench/er@optimal", engine, data)
    assert [query.k for query in engine.queries] == [2, 2]
    assert [item.scores["aspect_recall"] for item in result.items] == [pytest.approx((2 + 2 + 3) / 9), 1.0]
    assert result.metrics["aspect_recall"].value == pytest.approx(8 / 9)
    assert result.cost_usd == 0.5


def test_results_only_leaves_out_papers_without_results(data: Path) -> None:
    engine = Scripted([9])
    result = run("evidencebench/result-er@5", engine, data)
    assert [(query.k, query.results_only) for query in engine.queries] == [(5, True)]
    assert result.metrics["aspect_recall"].value == 0.5


def test_a_failed_item_counts_as_a_failure(data: Path) -> None:
    result = run("evidencebench/er@10", Scripted([3, 8], []), data)
    assert result.failed == 1
    assert result.metrics["aspect_recall"].value == 0.5
    assert result.items[1].error == "out of order"
    assert result.cost_usd is None


def test_a_broken_record_is_named_and_the_rest_goes_on(data: Path) -> None:
    data.write_bytes(encoded({"bad": record(hypothesis=" "), "good": record()}))
    result = run("evidencebench/er@10", Scripted([3, 8]), data)
    assert [item.id for item in result.items] == ["good"]
    assert result.broken == ("“evidencebench_test.json”, record bad, hypothesis: it is empty.",)


def test_two_items_of_one_id_are_refused(data: Path) -> None:
    task = task_named("evidencebench/er@10")
    items = [*task.items(data), *task.items(data)]
    with pytest.raises(DatasetError, match="“one”"):
        run_task(task, items, here(task, Scripted([3], [3], [3])))


def test_a_failed_item_costs_what_its_model_was_paid(data: Path) -> None:
    class Silent(Scripted):
        def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
            step = Step("Whole paper", "", (), error="Not JSON.", cost_usd=0.5)
            raise NoAnswer(Unreadable("Not JSON."), ModelRun("openai:demo", "whole", (), (step,)))

    assert run("evidencebench/er@10", Silent(), data).cost_usd == 1.0


def test_what_is_printed_of_a_failure_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    item = ItemResult("one\x1b[2J", "one", Response(error="bad\x1b]0;title\x07"), {})
    setup = RunSetup("evidencebench/er@10", "scripted", 0, None, "", "")
    origin = RunOrigin(datetime.now(UTC), "data.json", "", None, changed=False, versions=())
    print_run(CompleteRun(setup, origin, Run("evidencebench/er@10", "scripted", (item,), {}, 0.1)))
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize("budget", [["--budget-usd", "1"], ["--budget-tokens", "1000"]])
def test_a_budget_that_batches_would_not_keep_is_refused(
    budget: list[str], data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = ["--batch-out", str(tmp_path / "batch")]
    assert main(["bench", "evidencebench/er@10", "--data", str(data), "--engine", "openai:demo", *files, *budget]) == 2
    assert "keep no budget" in capsys.readouterr().err


def test_limit(data: Path) -> None:
    assert len(run("evidencebench/er@10", Scripted([3]), data, limit=1).items) == 1


def test_data_without_the_task(tmp_path: Path) -> None:
    for name in TASKS:
        with pytest.raises(DatasetError, match="--data"):
            TASKS[name].source(tmp_path)
    with pytest.raises(DatasetError, match=r"evidencebench/er@10"):
        task_named("evidencebench/er@11")


@pytest.mark.slow
def test_the_command_prints_one_document(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "evidencebench/er@10", "--data", str(data), "--engine", "bm25", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["task"], document["engine"], document["n"], document["failed"]) == (
        "evidencebench/er@10",
        "bm25",
        2,
        0,
    )
    assert set(document["metrics"]["aspect_recall"]) == {"value", "low", "high", "standard_error"}
    assert [item["id"] for item in document["items"]] == ["one", "two"]


@pytest.mark.slow
def test_a_score_on_training_data_says_so(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["bench", "evidencebench/er@10", "--data", str(data), "--json"]
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == []
    monkeypatch.setattr("core.benchmarks.evidence_tasks.was_trained_on", lambda training, sha256: len(sha256) == 64)
    assert main(command) == 0
    assert "trained on this very file" in json.loads(capsys.readouterr().out)["notes"][0]


@pytest.mark.parametrize(
    "arguments",
    [["evidencebench/er@10"], ["nothing", "--data", "."], ["evidencebench/er@10", "--data", ".", "--limit", "0"]],
)
def test_mistakes_are_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VOUCH_DATA", raising=False)
    assert main(["bench", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1
