"""The tasks on risk of bias by name: where their data is, and how an engine is run on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.benchmarks import bias_sentences, support
from core.benchmarks.runner import Run
from core.benchmarks.tasks import data_file
from core.bias.engine import BiasEngine
from core.progress import Progress


@dataclass(frozen=True, slots=True)
class BiasTask:
    """A named task. `source` finds its file in the data a user names; `run` takes up to a number of papers or records from it."""

    name: str
    source: Callable[[Path], Path]
    run: Callable[[BiasEngine, Path, int | None, Progress], Run]


def _support(engine: BiasEngine, path: Path, limit: int | None, progress: Progress) -> Run:
    return support.run_support(engine, support.read_support_items(path, limit), progress=progress)


def _from_sentences(engine: BiasEngine, path: Path, limit: int | None, progress: Progress) -> Run:
    return bias_sentences.run_sentences(engine, bias_sentences.read_sentence_items(path, limit), progress=progress)


BIAS_TASKS = {
    task.name: task
    for task in (
        BiasTask(support.TASK, partial(data_file, "consort_tm", "t*.json"), _support),
        BiasTask(bias_sentences.TASK, partial(data_file, "bias", "sentences*.json"), _from_sentences),
    )
}
