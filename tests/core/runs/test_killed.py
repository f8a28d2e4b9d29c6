"""A run that is killed goes on where it was, and comes to the same table."""

from __future__ import annotations

import random
import time
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from core.benchmarks.model import Interval, SavedRun
from core.runs.order import saved_run
from core.settings import Settings
from core.store import Runs, open_store
from tests.core.runs.sitting import ITEMS, computed, sit, write_data

KILLS = 20
Table = tuple[dict[str, Interval], list[tuple[str, tuple[int, ...], dict[str, float]]]]


class Home:
    """A home of Vouch's, and the one run in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()

    @property
    def runs(self) -> Runs:
        return open_store(Settings(home=self.path, data=None)).runs

    @property
    def run(self) -> SavedRun | None:
        return next(iter(self.runs.all()), None)

    @property
    def saved(self) -> set[str]:
        """The items that are in the store."""
        return {item.id for item in self.runs.items(self.run.setup.id)} if self.run else set()

    @property
    def table(self) -> Table:
        assert self.run
        run = saved_run(self.run.setup.id, self.runs).run
        return dict(run.metrics), [(item.id, item.response.sentences, dict(item.scores)) for item in run.items]


@pytest.fixture(scope="module")
def begin():
    """Begins a sitting in a process that has imported everything already, and is killed like any other."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.core.runs.sitting", "core.commands.bench", "core.evidence.bm25", "alembic"])

    def start(home: Home, data: Path) -> BaseProcess:
        process = context.Process(target=sit, args=(home.path, data))
        process.start()
        return process

    return start


def test_twenty_kills_at_random_moments_come_to_the_same_table(begin, tmp_path: Path) -> None:
    data = write_data(tmp_path)
    whole = Home(tmp_path / "whole")
    begin(whole, data).join()  # pays for the first imports
    table = whole.table
    assert len(table[1]) == ITEMS
    again = Home(tmp_path / "again")
    started = time.monotonic()
    begin(again, data).join()
    longest = time.monotonic() - started

    generator = random.Random(8)
    kills, in_the_middle, number = 0, 0, 0
    home = Home(tmp_path / "0")
    while kills < KILLS:
        saved, before = home.saved, len(computed(home.path))
        process = begin(home, data)
        process.join(generator.uniform(0, longest))
        if process.is_alive():
            process.kill()
            kills += 1
            in_the_middle += 0 < len(home.saved) < ITEMS
        process.join()
        assert saved.isdisjoint(computed(home.path)[before:]), "what was saved was computed again"
        if process.exitcode == 0:
            assert home.table == table
            number += 1
            home = Home(tmp_path / str(number))
    begin(home, data).join()
    assert home.table == table
    assert in_the_middle >= 3, "the kills came before the work or after it, and showed nothing"
