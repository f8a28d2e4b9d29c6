"""What a session remembers of comparisons: the choices, and the comparisons on each paper."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import uuid4

from core.benchmarks.farebio import GoldSummary
from core.benchmarks.gold import Gold
from core.benchmarks.side_by_side.model import Comparison
from core.bias import StudyContext, Tool
from core.engines import DEFAULT_ENGINE, TaskKind
from core.evidence import EvidenceQuery
from core.llm import Budget
from core.summary import SummarySource

DEFAULT_ENGINES = dict.fromkeys((TaskKind.EVIDENCE, TaskKind.BIAS, TaskKind.SUMMARY), ("bm25", DEFAULT_ENGINE))


@dataclass(frozen=True, slots=True)
class HypothesisToCompare:
    """A hypothesis for all engines."""

    query: EvidenceQuery
    gold: Gold | None
    task = TaskKind.EVIDENCE


@dataclass(frozen=True, slots=True)
class ToolToCompare:
    """A tool for all engines, and the reviewer's own levels by domain, to compare with."""

    tool: Tool
    study: StudyContext
    own: tuple[str | None, ...]
    task = TaskKind.BIAS


@dataclass(frozen=True, slots=True)
class SummaryToCompare:
    """A summary for all engines."""

    summary: str
    source: SummarySource
    golds: tuple[GoldSummary, ...]  # of the paper, in case people have labelled these sentences
    writers: tuple[str, ...] = ()  # models that each write a summary first, in the place of `summary`
    parts: tuple[tuple[str, int], ...] = ()  # once they are written: whose each part of `summary` is, and where it ends
    failed: tuple[str, ...] = ()  # writers that wrote nothing, with why
    task = TaskKind.SUMMARY


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """A comparison that was asked for."""

    paper: str  # the id of the paper it is on
    engines: tuple[str, ...]
    what: HypothesisToCompare | ToolToCompare | SummaryToCompare
    times: int  # how often a language model is asked
    budget: Budget  # of each engine each time


@dataclass(frozen=True, slots=True)
class ShownComparison:
    """A comparison on show."""

    comparison: Comparison
    id: str = field(default_factory=lambda: uuid4().hex)


@dataclass(slots=True)
class CompareWork:
    """The comparisons on one paper: the last one of each kind."""

    by_task: dict[TaskKind, ShownComparison] = field(default_factory=dict)
    summary: str = ""  # what stands in the field
    topic: int = 0  # the one on the desk
    answers: int = 0  # how many comparisons have come back

    def keep(self, comparison: Comparison) -> None:
        """Put a comparison on show, in the place of the last one of its kind."""
        self.by_task[comparison.task] = ShownComparison(comparison)
        self.topic, self.answers = 0, self.answers + 1


@dataclass(slots=True)
class NamedModels:
    """What ready comparisons are made with, as it was typed (`pages._ui.compare.presets`)."""

    model: str = ""
    other: str = ""
    encoder: str = ""


@dataclass(slots=True)
class CompareChoices:
    """What holds for every paper of the session."""

    task: TaskKind = TaskKind.EVIDENCE
    engines: dict[TaskKind, tuple[str, ...]] = field(default_factory=lambda: dict(DEFAULT_ENGINES))
    times: int = 1
    writers: tuple[str, ...] = ()  # models that write the summaries to be checked; none: the one in the field
    ready: NamedModels = field(default_factory=NamedModels)
    over_runs: bool = False  # saved runs are compared, not engines on one paper
    runs: tuple[str, ...] = ()  # their ids
