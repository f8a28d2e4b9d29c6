"""The published figures: whole, plausible, and under our own names of tasks and metrics."""

from __future__ import annotations

import pytest

from core.benchmarks.published import all_published, published
from core.benchmarks.runner import here, run_task
from core.benchmarks.samples import SAMPLE_DATA
from core.benchmarks.task import EngineChoice
from core.benchmarks.tasks import TASKS


def figure(task: str, model: str, metric: str) -> float:
    """The first: on the paper's own test set."""
    return next(f.value for f in published(task) if (f.model, f.metric) == (model, metric))


def test_some_by_hand() -> None:
    assert figure("evidencebench/er@10", "random", "aspect_recall") == pytest.approx(0.223)
    assert figure("robbr/two-stages", "gold+GPT-4o", "macro-F1") == pytest.approx(0.461)
    assert figure("farebio/faithfulness", "Claude 3, only label", "kappa") == 0.35
    (gpt,) = (f for f in published("evidencebench/er@10") if f.model == "GPT-4o")
    assert (gpt.paper, gpt.table, gpt.margin_is, gpt.margin) == (
        "EvidenceBench", "7 (and 3)", "standard error", pytest.approx(0.015),
    )  # fmt: skip
    assert published("no such task") == ()


@pytest.mark.parametrize(("task", "metric", "parts"), [
    ("robbr/ssr", "aspect_recall", 5), ("robbr/sjs", "accuracy", 5), ("robbr/main", "macro-F1", 6),
])  # fmt: skip
def test_robbrs_averages_are_those_of_the_categories(task: str, metric: str, parts: int) -> None:
    """So the paper's average is the one that our metrics take."""
    for model in ("GPT-4o", "Claude 3.5 Sonnet", "Llama-3-8B"):
        rows = {f.metric: f.value for f in published(task) if f.model == model and f.metric.startswith(metric)}
        assert len(rows) == parts + 1
        average = rows.pop(metric)
        assert sum(rows.values()) / parts == pytest.approx(average, abs=0.0002)


def test_every_figure_is_a_share_and_stands_once() -> None:
    figures = all_published()
    assert len(figures) > 300
    assert all(-1 <= f.value <= 1 and (f.margin is None or 0 < f.margin < 0.13) for f in figures)
    assert all(bool(f.margin_is) for f in figures if f.margin is not None)
    keys = [(f.task, f.table, f.model, f.metric, f.data) for f in figures]
    assert len(set(keys)) == len(keys)


# (task, engine, metrics that the samples are too few for)
@pytest.mark.parametrize(
    ("name", "engine", "too_few"),
    [
        ("evidencebench/er@10", "bm25", set()),
        ("evidencebench/result-er@optimal", "bm25", {"aspect_recall edges", "aspect_recall middle"}),
        ("evidencebench/wording", "bm25", set()),
        ("robbr/main", "offline", set()),
        ("robbr/ssr", "bm25", set()),
        ("robbr/two-stages", "offline", set()),
        ("farebio/support", "bm25", set()),
    ],
)
def test_tasks_and_metrics_go_by_our_own_names(name: str, engine: str, too_few: set[str]) -> None:
    task = TASKS[name]
    run = run_task(task, task.items(task.source(SAMPLE_DATA)), here(task, task.open(EngineChoice(engine))))
    assert {f.metric for f in published(name)} - too_few <= run.metrics.keys()


def test_every_table_is_of_a_task_of_ours() -> None:
    assert {figure.task for figure in all_published()} <= TASKS.keys()


def test_the_documentation_says_the_same() -> None:
    """docs/benchmarks.md: rows of er@10, er@optimal, result-er@5 and result-er@optimal."""
    models = {
        "BM25": "BM25",
        "best embedding model (GritLM-7B)": "GritLM-7B",
        "GPT-4o, section by section": "GPT-4o, section by section",
    }
    tasks = ("er@10", "er@optimal", "result-er@5", "result-er@optimal")
    lines = (SAMPLE_DATA.parent / "docs" / "benchmarks.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines if line.startswith("| published: ")]
    assert len(rows) == len(models)
    for name, *cells in rows:
        for task, cell in zip(tasks, cells, strict=True):
            if cell:
                model = models[name.removeprefix("published: ")]
                assert figure(f"evidencebench/{task}", model, "aspect_recall") == pytest.approx(float(cell) / 100)
