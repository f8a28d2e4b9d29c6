"""Every task on a sample of its data, with every engine on this machine and the demo server's models."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from threadpoolctl import threadpool_limits

from core.benchmarks.model import Item
from core.benchmarks.samples import SAMPLE_DATA
from core.benchmarks.task import AnyTask, EngineChoice
from core.benchmarks.tasks import TASKS
from core.engines import names
from core.errors import EngineError
from core.export.benchmark_runs import run_document
from core.llm.demo import DemoServer
from core.runs import RunOrder, carry_out, item_of
from core.settings import Settings
from core.store import open_store
from tests.conftest import copy_database

pytestmark = pytest.mark.slow

FEW = 2  # records


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Small questions gain nothing by more, and other tests may be running beside these."""
    with threadpool_limits(1):
        yield


def data_of(task: AnyTask) -> Path:
    """A sample of the task's data: EvidenceBench's layout is that of the sample papers' gold."""
    return SAMPLE_DATA / "leg-cramps.gold.json" if task.name.startswith("evidencebench/") else SAMPLE_DATA


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_questions_travel_between_processes(task: AnyTask) -> None:
    items = [item for item in task.items(task.source(data_of(task))) if isinstance(item, Item)]
    assert items
    for item in items[:FEW]:
        assert pickle.loads(pickle.dumps(item.question)) == item.question


@pytest.mark.repetition
@pytest.mark.parametrize(
    ("task", "engine"),
    [(task, engine) for task in TASKS.values() for engine in ("openai:demo", *names(task.kind))],
    ids=lambda value: getattr(value, "name", value),
)
def test_it_runs_is_saved_and_comes_back(
    task: AnyTask, engine: str, tmp_path: Path, migrated_file: Path, demo: DemoServer
) -> None:
    order = RunOrder(task.name, engine, data_of(task), limit=FEW)
    try:
        task.open(EngineChoice(engine))
    except EngineError as error:
        refused = str(error)  # before anything is computed, in words that say who can do it
        assert engine in refused
        assert "Choose one of" in refused or "openai:MODEL" in refused
        return
    settings = Settings(home=tmp_path / "home", data=None)
    copy_database(migrated_file, settings)
    runs = open_store(settings).runs
    complete = carry_out(order, runs)
    assert complete.run.items
    assert [item.error for item in complete.run.items if item.error] == []
    assert complete.run.metrics
    assert complete.run.metrics == task.metrics(complete.run.items)  # what came back from the store says the same
    assert carry_out(order, runs) == complete
    json.dumps(run_document(complete), allow_nan=False)
    first = complete.run.items[0]
    assert item_of(complete.setup, first.id, order.data).group == first.group
