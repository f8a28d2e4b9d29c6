"""A piece of the queue's work, and what became of it. Both go to other processes and come back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.bias.assessment import Suggestion
from core.bias.model import StudyContext
from core.findings.model import Finding
from core.paper import Paper
from core.screening.model import Criterion, CriterionSuggestion
from core.store import Plan

READ = "read"


class Kind(StrEnum):
    """Of a piece of work: each takes its own time."""

    READING = "reading"  # a file
    CRITERION = "criterion"  # of a paper
    HYPOTHESIS = "hypothesis"
    DOMAIN = "domain"
    ABSTRACT = "abstract"  # a criterion of a reference, which has no more than that
    OPENING = "opening"  # the engines, once in every worker: nobody waits for it again


Pieces = Mapping[Kind, int]  # how many of each kind


def pieces_of(criteria: int, hypotheses: int, domains: int, *, of_reference: bool) -> Counter[Kind]:
    """What it is to ask so many questions of an item."""
    if of_reference:
        return Counter({Kind.ABSTRACT: criteria})
    return Counter({Kind.CRITERION: criteria, Kind.HYPOTHESIS: hypotheses, Kind.DOMAIN: domains})


def criterion_task(engine: str, criterion: str) -> str:
    """The name of the task to say whether a criterion is met."""
    return f"criterion:{engine}:{criterion}"


def finding_task(engine: str, question: str) -> str:
    """The name of the task to say what a paper makes of a hypothesis, given by its `question_key`."""
    return f"finding:{engine}:{question}"


def bias_task(engine: str, domain: str) -> str:
    """The name of the task to judge a domain."""
    return f"bias:{engine}:{domain}"


@dataclass(frozen=True, slots=True)
class Job:
    """Work on one item: read it where that was not done, then all that is missing. Names no project, holds no key."""

    item: str  # a paper's or reference's id; of a file that waits, its SHA-256
    name: str  # the file's
    plan: Plan  # whose engines are the ones to ask
    tool: str
    study: StudyContext
    data: bytes | None = None  # the file, where it is to be read
    paper: Paper | None = None  # as it was read before
    criteria: tuple[Criterion, ...] = ()
    hypotheses: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()  # of the tool, by id
    of_reference: bool = False  # whether the item is one, so that the file holds its abstract

    @property
    def only_reads(self) -> bool:
        """Whether nothing is asked of an engine."""
        return not (self.criteria or self.hypotheses or self.domains)

    @property
    def pieces(self) -> Counter[Kind]:
        """What there is to do."""
        reading = Counter({Kind.READING: int(self.data is not None and not self.of_reference)})
        numbers = len(self.criteria), len(self.hypotheses), len(self.domains)
        return reading + pieces_of(*numbers, of_reference=self.of_reference)


@dataclass(frozen=True, slots=True)
class Effort:
    """What so many pieces of work took."""

    kind: Kind
    seconds: float
    pieces: int = 1
    cost_usd: float | None = 0.0  # None: unknown


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a job. What an engine could not do is among the failures, by the task's name."""

    paper: Paper | None = None  # where the job read it
    unreadable: str | None = None  # why it could not be read
    criteria: tuple[CriterionSuggestion, ...] = ()
    findings: tuple[Finding, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    failures: tuple[tuple[str, str], ...] = ()  # task and why
    hopeless: str | None = None  # why everything else would fail in the same way
    cost_usd: float | None = 0.0  # None: unknown
    efforts: tuple[Effort, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether anything of it failed."""
        return self.unreadable is not None or bool(self.failures)
