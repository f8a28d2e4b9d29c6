"""The data of a run that is on show: found again by its checksum, and read for what the results do not hold."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from core.benchmarks.model import CompleteRun, Item, RunSetup
from core.benchmarks.samples import SAMPLE_DATA
from core.benchmarks.tasks import task_named
from core.errors import DatasetError
from core.runs.lookup import item_of
from core.runs.origin import checksum
from core.runs.positions import Positions, positions
from core.settings import load_settings
from pages._ui import board
from pages._ui.benchmarks.work import BenchmarkWork
from pages._ui.running import Running
from pages._ui.state import Session

_AT_ONCE = 0.5  # seconds: what comes within them is drawn at once, without a board


def data_of(setup: RunSetup, bench: BenchmarkWork) -> Path:
    """The data of a run, where the fields say, or among the samples and in VOUCH_DATA. Raises `DatasetError`."""
    task = task_named(setup.task)
    for place in dict.fromkeys((bench.data, SAMPLE_DATA, load_settings().data)):
        if place is None:
            continue
        try:
            if checksum(task.files(task.source(place))) == setup.data_sha256:
                return place
        except DatasetError:  # not there: it may be elsewhere
            continue
    raise DatasetError("The data of this run is not where the fields say. Name its file or folder above, under “Data”.")


def item(setup: RunSetup, id: str, bench: BenchmarkWork) -> Item[Any, Any]:
    """An item of a run, with its question and gold. Raises `DatasetError`."""
    return item_of(setup, id, data_of(setup, bench))


def look_up_places(now: Session, runs: Sequence[CompleteRun]) -> None:
    """Begin to read where the sentences of these runs stand."""
    forget_places(now)
    running: Running[Positions] = Running(partial(_places, tuple(runs), now.bench), watched=board.watched())
    now.bench.looked_up = tuple(run.setup.id for run in runs), running
    running.wait(_AT_ONCE)


def forget_places(now: Session) -> None:
    """Want none of what is being read."""
    if now.bench.looked_up is not None:
        now.bench.looked_up[1].stop()
        now.bench.looked_up = None


def _places(runs: Sequence[CompleteRun], bench: BenchmarkWork, running: Running[Positions]) -> Positions:
    running(0.0, "Looking for the data")
    return positions(runs, data_of(runs[0].setup, bench), progress=running)
