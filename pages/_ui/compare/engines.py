"""The engines of a comparison, asked in its thread: those of this machine, and language models with a key and a seed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from core.benchmarks.side_by_side.asked import Asked, ask_for_evidence, ask_for_judgements, ask_for_labels
from core.benchmarks.side_by_side.model import Task
from core.bias.engine import BiasEngine
from core.bias.engines import bias_engine_named
from core.bias.llm.engine import ModelBiasEngine
from core.bias.llm.engine import strategy_of as bias_strategy_of
from core.evidence import EvidenceEngine, engine_named
from core.evidence.llm.asking import Asker
from core.evidence.llm.engine import ModelEngine, strategy_of
from core.evidence.llm.live import WatchedRunner
from core.llm import ModelName, Provider, model_named, open_runner
from core.paper import Paper
from core.progress import Progress
from core.summary import SummaryEngine
from core.summary.engines import summary_engine_named
from core.summary.llm.engine import ModelEngine as ModelSummaryEngine
from core.summary.llm.engine import strategy_of as summary_strategy_of
from pages._ui.compare.work import BiasWanted, EvidenceWanted, SummaryWanted, Wanted
from pages._ui.running import Running


# Engines of this machine. Those that ask a model know a key, and are never shared.
@cache
def _local_evidence(name: str) -> EvidenceEngine:
    return engine_named(name)


@cache
def _local_bias(name: str) -> BiasEngine:
    return bias_engine_named(name)


@cache
def _local_summary(name: str) -> SummaryEngine:
    return summary_engine_named(name)


_LOCAL = {Task.EVIDENCE: _local_evidence, Task.BIAS: _local_bias, Task.SUMMARY: _local_summary}
_STRATEGIES = {Task.EVIDENCE: strategy_of, Task.BIAS: bias_strategy_of, Task.SUMMARY: summary_strategy_of}


def check(name: str, task: Task) -> ModelName | None:
    """The language model of this name; None for an engine of this machine. Raises `VouchError` if there is neither."""
    model = model_named(name)
    if model is not None:
        _STRATEGIES[task](model)
        return model
    _LOCAL[task](name)
    return None


def ask(
    name: str,
    wanted: Wanted,
    paper: Paper,
    *,
    seed: int,
    key_of: Callable[[Provider], str | None],
    running: Running[Any],
    progress: Progress,
) -> Asked:
    """Ask one engine once. Raises `VouchError`."""
    model = model_named(name)
    if model is None:
        return _answer(name, None, wanted, paper, progress)
    with open_runner(model, key=key_of(model.provider), budget=wanted.budget, seed=seed) as runner:
        running.count(runner)
        return _answer(name, (model, WatchedRunner(runner, running.show)), wanted, paper, progress)


def _answer(
    name: str, asker: tuple[ModelName, Asker] | None, wanted: Wanted, paper: Paper, progress: Progress
) -> Asked:
    match wanted.what:
        case EvidenceWanted(query):
            finder = ModelEngine(*asker) if asker else _local_evidence(name)
            return ask_for_evidence(finder, paper, query, progress=progress)
        case BiasWanted(tool, study):
            judge = ModelBiasEngine(*asker) if asker else _local_bias(name)
            return ask_for_judgements(judge, paper, tool, study, progress=progress)
        case SummaryWanted(summary, source):
            checker = ModelSummaryEngine(*asker) if asker else _local_summary(name)
            return ask_for_labels(checker, paper, summary, source, progress=progress)
