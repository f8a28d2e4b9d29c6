"""Where in their papers the sentences stand that engines chose, and those that are gold (EvidenceBench, figure 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.benchmarks.contents import gold_sentences, paper_of
from core.benchmarks.metrics.position import relative_positions
from core.benchmarks.model import BrokenRecord, CompleteRun
from core.benchmarks.tasks import task_named
from core.errors import DatasetError
from core.progress import Progress, silent
from core.runs.origin import checksum

GOLD = "gold"


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions from 0, the first sentence of a paper, to 1, its last: `GOLD`'s and each engine's."""

    of: Mapping[str, tuple[float, ...]]


def positions(runs: Sequence[CompleteRun], data: Path, *, progress: Progress = silent) -> Positions:
    """Read where the sentences stand, in the data of these runs of one task.

    Raises `DatasetError` if the data are not those of the runs, or its items name no sentences of papers.
    """
    setup = runs[0].setup
    task = task_named(setup.task)
    source = task.source(data)
    if any(checksum(task.files(source)) != run.setup.data_sha256 for run in runs):
        raise DatasetError(
            f"“{source}” is not the data of these runs: its checksum differs. Name the file of the runs."
        )
    chosen = {run.setup.id: {item.id: item.response.answer.sentences for item in run.run.items} for run in runs}
    found: dict[str, list[float]] = {}
    items = task.items(source)
    size = len(items) if setup.limit is None else min(setup.limit, len(items))
    for number, entry in enumerate(islice(items, size)):
        progress(number / size, "Reading the data")
        if isinstance(entry, BrokenRecord) or (paper := paper_of(entry)) is None:
            continue
        length = len(paper.sentences)
        gold = gold_sentences(entry)
        named = {GOLD: gold or (), **{run.run.engine: chosen[run.setup.id].get(entry.id, ()) for run in runs}}
        for name, indices in named.items():
            within = [index for index in indices if 0 <= index < length]  # a quotation may stand nowhere
            found.setdefault(name, []).extend(relative_positions(within, length))
    if not any(found.values()):
        raise DatasetError(f"The items of {setup.task} name no sentences of papers, so that there is no place to show.")
    return Positions({name: tuple(places) for name, places in found.items() if places})
