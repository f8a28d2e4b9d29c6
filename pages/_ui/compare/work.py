"""What a session remembers of comparisons: the choices, and the comparisons on each paper."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import uuid4

from core.benchmarks.farebio import GoldSummary
from core.benchmarks.gold import Gold
from core.benchmarks.side_by_side.model import Comparison, Task
from core.bias import StudyContext, Tool
from core.evidence import EvidenceQuery
from core.llm import Budget
from core.summary import SummarySource
from pages._ui.underway import PaperWork, Underway

DEFAULT_ENGINES = {
    Task.EVIDENCE: ("bm25", "offline"),
    Task.BIAS: ("bm25", "offline"),
    Task.SUMMARY: ("bm25", "offline"),
}


@dataclass(frozen=True, slots=True)
class EvidenceWanted:
    """A hypothesis for all engines."""

    query: EvidenceQuery
    gold: Gold | None
    task = Task.EVIDENCE


@dataclass(frozen=True, slots=True)
class BiasWanted:
    """A tool for all engines, and the reviewer's own levels by domain, to compare with."""

    tool: Tool
    study: StudyContext
    own: tuple[str | None, ...]
    task = Task.BIAS


@dataclass(frozen=True, slots=True)
class SummaryWanted:
    """A summary for all engines."""

    summary: str
    source: SummarySource
    golds: tuple[GoldSummary, ...]  # of the paper, in case people have labelled these sentences
    task = Task.SUMMARY


@dataclass(frozen=True, slots=True)
class Wanted:
    """A comparison that was asked for."""

    paper: str  # the id of the paper it is on
    engines: tuple[str, ...]
    what: EvidenceWanted | BiasWanted | SummaryWanted
    times: int  # how often a language model is asked
    budget: Budget  # of each engine each time


@dataclass(frozen=True, slots=True)
class Done:
    """A comparison on show."""

    comparison: Comparison
    id: str = field(default_factory=lambda: uuid4().hex)


@dataclass(slots=True)
class CompareWork:
    """The comparisons on one paper: the last one of each kind."""

    by_task: dict[Task, Done] = field(default_factory=dict)
    summary: str = ""  # what stands in the field
    topic: int = 0  # the one on the desk
    answers: int = 0  # how many comparisons have come back

    def keep(self, comparison: Comparison) -> None:
        """Put a comparison on show, in the place of the last one of its kind."""
        self.by_task[comparison.task] = Done(comparison)
        self.topic, self.answers = 0, self.answers + 1


@dataclass(slots=True)
class CompareChoices(PaperWork[Wanted, Underway[Wanted, Comparison]]):
    """What holds for every paper of the session."""

    task: Task = Task.EVIDENCE
    engines: dict[Task, tuple[str, ...]] = field(default_factory=lambda: dict(DEFAULT_ENGINES))
    times: int = 1
    over_runs: bool = False  # saved runs are compared, not engines on one paper
    runs: tuple[str, ...] = ()  # their ids
