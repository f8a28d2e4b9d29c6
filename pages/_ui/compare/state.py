"""The state of the Compare page: the choices, and the comparisons on each paper."""

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
from pages._ui.jobs import JobSlot

DEFAULT_ENGINES = dict.fromkeys((TaskKind.EVIDENCE, TaskKind.BIAS, TaskKind.SUMMARY), ("bm25", DEFAULT_ENGINE))


@dataclass(frozen=True, slots=True)
class HypothesisToCompare:
    """A hypothesis that all engines are asked about."""

    query: EvidenceQuery
    gold: Gold | None
    task = TaskKind.EVIDENCE


@dataclass(frozen=True, slots=True)
class ToolToCompare:
    """A tool that all engines judge with, and the reviewer's own levels by domain to compare with."""

    tool: Tool
    study: StudyContext
    own: tuple[str | None, ...]
    task = TaskKind.BIAS


@dataclass(frozen=True, slots=True)
class SummaryToCompare:
    """A summary that all engines check."""

    summary: str
    source: SummarySource
    golds: tuple[GoldSummary, ...]  # labelled summaries of the paper, which may contain these sentences
    writers: tuple[str, ...] = ()  # models that each write a summary first, instead of `summary`
    parts: tuple[tuple[str, int], ...] = ()  # once written: the author of each part of `summary`, and its end
    failed: tuple[str, ...] = ()  # writers that failed, each with the reason
    task = TaskKind.SUMMARY


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """A request for a comparison."""

    paper: str  # the paper's id
    engines: tuple[str, ...]
    what: HypothesisToCompare | ToolToCompare | SummaryToCompare
    times: int  # how often each language model is asked
    budget: Budget  # for each engine, each time


@dataclass(frozen=True, slots=True)
class ShownComparison:
    """A comparison that is shown, with an id for its widgets."""

    comparison: Comparison
    id: str = field(default_factory=lambda: uuid4().hex)


@dataclass(slots=True)
class CompareWork:
    """The comparisons on one paper: the last one of each task."""

    by_task: dict[TaskKind, ShownComparison] = field(default_factory=dict)
    summary: str = ""  # the text in the field
    topic: int = 0  # the place of the topic on the desk
    answers: int = 0  # how many comparisons have finished

    @property
    def done(self) -> str:
        """What would be lost with the paper, in words."""
        return "compared engines" if self.by_task else ""

    def keep(self, comparison: Comparison) -> None:
        """Show a comparison, in place of the last one of its task."""
        self.by_task[comparison.task] = ShownComparison(comparison)
        self.topic, self.answers = 0, self.answers + 1


@dataclass(slots=True)
class NamedModels:
    """The names typed for ready comparisons (`pages._ui.compare.presets`)."""

    model: str = ""
    other: str = ""
    encoder: str = ""


@dataclass(slots=True)
class CompareChoices:
    """Choices that hold for every paper of the session, and the page's job."""

    task: TaskKind = TaskKind.EVIDENCE
    engines: dict[TaskKind, tuple[str, ...]] = field(default_factory=lambda: dict(DEFAULT_ENGINES))
    times: int = 1
    writers: tuple[str, ...] = ()  # models that write the summaries to check; empty: check the one in the field
    ready: NamedModels = field(default_factory=NamedModels)
    over_runs: bool = False  # whether saved runs are compared, instead of engines on one paper
    runs: tuple[str, ...] = ()  # ids of the runs
    comparisons: JobSlot[ComparisonRequest, Comparison] = field(default_factory=JobSlot)
