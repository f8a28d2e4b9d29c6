"""From a result back to its question: the paper of a row, to be opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.benchmarks.model import BrokenRecord, Item, RunSetup
from core.benchmarks.tasks import task_named
from core.errors import DatasetError
from core.runs.origin import checksum


def item_of(setup: RunSetup, item: str, data: Path) -> Item[Any, Any]:
    """The item of a run by its id, with its question and gold, from the data set's file or folder.

    Raises `DatasetError` if the data are not those of the run, or hold no such item.
    """
    task = task_named(setup.task)
    source = task.source(data)
    if checksum(task.files(source)) != setup.data_sha256:
        raise DatasetError(f"“{source}” is not the data of this run: its checksum differs. Name the file of the run.")
    for entry in task.items(source):
        if not isinstance(entry, BrokenRecord) and entry.id == item:
            return entry
    raise DatasetError(f"“{source}” holds no item “{item}”.")
