"""Runs of benchmarks in the store."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from core.benchmarks.bootstrap import Interval
from core.benchmarks.model import ItemResult, Response, Run, RunOrigin, RunSetup
from core.errors import NotStored
from core.llm import Usage
from core.store import Store

SETUP = RunSetup("evidencebench/er@10", "openai:demo@whole", 0, None, "data", "code", (("server", "http://x"),))
ORIGIN = RunOrigin(
    datetime(2026, 11, 20, 12, tzinfo=UTC), "train.json", "file", "0a1b", changed=True, versions=(("python", "3.11"),)
)
GOOD = ItemResult(
    "a/1",
    "paper",
    Response((3, 1), ("low", None), 0.5, 0.01, Usage(10, 2), (("evidence", "0f"),)),
    {"aspect_recall": 0.5},
    "sequence",
    ("low", "high"),
)
BAD = ItemResult("b", "paper", Response(seconds=0.1, cost_usd=None, error="no answer"), {"aspect_recall": 0.0})


def test_a_run_reads_back_as_it_was_saved(store: Store) -> None:
    runs = store.runs
    begun = runs.begin(SETUP, ORIGIN)
    assert (begun.setup, begun.origin, begun.done, begun.finished) == (SETUP, ORIGIN, 0, None)
    runs.keep(SETUP.id, 1, BAD, seconds=2.0)
    runs.keep(SETUP.id, 0, GOOD, seconds=1.5)
    assert runs.items(SETUP.id) == (GOOD, BAD)
    metrics = {"aspect_recall": Interval(0.25, 0.0, 0.5, 0.1)}
    runs.finish(SETUP.id, Run(SETUP.task, SETUP.engine, (GOOD, BAD), metrics, 9.0, ("a broken one",)))
    saved = runs.one(SETUP.id)
    assert (saved.done, saved.failed, saved.seconds, saved.metrics) == (2, 1, 3.5, metrics)
    assert (saved.broken, saved.cost_usd) == (("a broken one",), None)
    assert saved.finished


def test_what_is_there_is_not_replaced_unless_it_failed(store: Store) -> None:
    runs = store.runs
    runs.begin(SETUP, ORIGIN)
    later = RunOrigin(datetime.now(UTC), "other", "file", None, changed=False, versions=())
    assert runs.begin(SETUP, later).origin == ORIGIN
    for result in (GOOD, ItemResult(GOOD.id, "other", Response(), {}), BAD):
        runs.keep(SETUP.id, 0, result, seconds=0.0)
    assert runs.items(SETUP.id)[0] == GOOD
    mended = ItemResult(BAD.id, "paper", Response((1,)), {"aspect_recall": 1.0})
    runs.keep(SETUP.id, 1, mended, seconds=0.0)
    assert runs.items(SETUP.id) == (GOOD, mended)


def test_the_newest_run_comes_first_and_a_removed_one_is_gone(store: Store) -> None:
    runs = store.runs
    other = RunSetup("evidencebench/er@10", "bm25", 0, 5, "data", "code")
    runs.begin(other, RunOrigin(datetime(2026, 11, 21, tzinfo=UTC), "train.json", "file", None, False, ()))
    runs.begin(SETUP, ORIGIN)
    runs.keep(SETUP.id, 0, GOOD, seconds=0.0)
    assert [saved.setup for saved in runs.all()] == [other, SETUP]
    runs.remove(SETUP.id)
    assert [saved.setup for saved in runs.all()] == [other]
    assert runs.items(SETUP.id) == ()
    with pytest.raises(NotStored, match="--save"):
        runs.one(SETUP.id)


def test_two_that_save_the_same_item_at_once_save_it_once(store: Store) -> None:
    def sit(_: int) -> None:
        store.runs.begin(SETUP, ORIGIN)
        store.runs.keep(SETUP.id, 0, GOOD, seconds=1.0)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(sit, range(8)))
    assert store.runs.items(SETUP.id) == (GOOD,)
    assert store.runs.one(SETUP.id).seconds == 8.0
