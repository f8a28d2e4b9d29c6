"""What a review of many papers adds to the records: references, duplicates, screening, findings, answers, queue runs.

An item of a review is a paper, which is judged by its full text, or a reference whose paper is not in the project,
which is judged by title and abstract. So the item of a decision tells the stage at which the decision was made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from core.engines import DEFAULT_ENGINE
from core.findings.model import Finding, Passage
from core.grounding.model import PaperVerdict
from core.references.model import Reference
from core.screening.model import CriterionSuggestion, Fit, ScreeningVerdict

if TYPE_CHECKING:  # loads the library's index, which takes longer than loading the whole store
    from core.answering.model import Answer

NOT_RETRIEVED = "Report not retrieved"  # not an exclusion by content: the full text could not be had
REASONS = (
    "Wrong population",
    "Wrong intervention",
    "Wrong comparator",
    "Wrong outcome",
    "Wrong design",
    "Not a full report",
    NOT_RETRIEVED,
)  # the reasons for exclusion that a new project starts with


def question_key(hypothesis: str) -> str:
    """A short key of a hypothesis, however long it is."""
    return sha256(hypothesis.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Plan:
    """Which engines the queue runs on every paper. None: left to the reviewers."""

    criteria: str | None = DEFAULT_ENGINE
    evidence: str | None = DEFAULT_ENGINE
    bias: str | None = DEFAULT_ENGINE


class Origin(StrEnum):
    """How a reference came into a review, as PRISMA counts it."""

    FILE = "file"  # a file of references, counted as a search of databases
    DATABASE = "database"
    REGISTER = "register"
    CITATIONS = "citations"  # counted among the other methods
    ASKED = "asked"  # found for an answer; counted among the other methods


@dataclass(frozen=True, slots=True)
class StoredReference:
    """A record from a file of references or a literature service, with its paper, if that is in the project."""

    project: str
    id: str  # derived from the file and the number, so that a file added twice is stored once
    source: str  # the name of the file or service
    number: int  # in the file or search, from 1
    reference: Reference
    paper: str | None = None  # `StoredPaper.id`
    matched: str = ""  # how the paper was matched: by DOI, PMID, title, or a reviewer
    origin: Origin = Origin.FILE


@dataclass(frozen=True, slots=True)
class Pairing:
    """A reviewer's decision on two items that look alike. If they are the same, `second` is left out of the review."""

    project: str
    first: str
    second: str
    same: bool


@dataclass(frozen=True, slots=True)
class ScreeningDecision:
    """A reviewer's decision on an item. A verdict of None is not decided yet."""

    project: str
    item: str
    reviewer: str
    verdict: ScreeningVerdict | None
    reason: str = ""  # for exclusion; one of the project's reasons
    note: str = ""
    fits: Mapping[str, Fit] = field(default_factory=dict)  # by `Criterion.id`
    suggestions_seen: tuple[str, ...] = ()  # the engines whose suggestions were visible


@dataclass(frozen=True, slots=True)
class ScreeningConsensus:
    """What the reviewers settled on for an item, and why."""

    project: str
    item: str
    verdict: ScreeningVerdict
    reason: str  # of exclusion, as in a decision
    why: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredCriterion:
    """An engine's suggestion on whether an item meets a criterion."""

    project: str
    item: str
    suggestion: CriterionSuggestion

    @property
    def criterion(self) -> str:
        """The criterion, as `Criterion.id`."""
        return self.suggestion.criterion

    @property
    def engine(self) -> str:
        """Whose suggestion it is."""
        return self.suggestion.engine


@dataclass(frozen=True, slots=True)
class StoredFinding:
    """What an engine found in a paper on a hypothesis."""

    project: str
    paper: str
    finding: Finding

    @property
    def question(self) -> str:
        """The hypothesis, as `question_key`."""
        return question_key(self.finding.hypothesis)

    @property
    def engine(self) -> str:
        """Whose finding it is."""
        return self.finding.engine


@dataclass(frozen=True, slots=True)
class ReviewerVerdict:
    """A reviewer's verdict on a paper and a hypothesis. None: not given yet, or withdrawn."""

    project: str
    paper: str
    hypothesis: str
    reviewer: str
    verdict: PaperVerdict | None
    sentence: Passage | None = None  # the sentence of the paper that decides
    effect: str = ""  # as printed
    comment: str = ""
    suggestions_seen: tuple[str, ...] = ()  # the engines whose findings were visible

    @property
    def question(self) -> str:
        """The hypothesis, as `question_key`."""
        return question_key(self.hypothesis)


@dataclass(frozen=True, slots=True)
class VerdictConsensus:
    """What the reviewers settled on for a paper and a hypothesis, and why."""

    project: str
    paper: str
    hypothesis: str
    verdict: PaperVerdict
    why: str
    by: tuple[str, ...]
    sentence: Passage | None = None
    effect: str = ""  # as printed

    @property
    def question(self) -> str:
        """The hypothesis, as `question_key`."""
        return question_key(self.hypothesis)


@dataclass(frozen=True, slots=True)
class QueueRun:
    """One run of the queue, from its start to its pause or end."""

    project: str
    id: str
    started: datetime  # UTC
    ended: datetime
    plan: Plan
    workers: str  # in words, such as "2 processes"
    done: int  # papers that were read or worked on
    failed: int
    cost_usd: float | None  # None: unknown
    versions: tuple[tuple[str, str], ...] = ()  # of Vouch, Python and the libraries that compute
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class ItemView:
    """All that one reader may see of the decisions on an item. `hidden`: the reader must decide first."""

    item: str
    own: ScreeningDecision | None = None
    own_version: int = 0
    others: tuple[ScreeningDecision, ...] = ()
    consensus: ScreeningConsensus | None = None
    consensus_version: int = 0
    settled_by: str = ""  # who recorded the consensus; `consensus.by`: those whose verdicts it settles
    by: tuple[str, ...] = ()  # who has decided, which is never hidden
    hidden: bool = False
    all_in: bool = False  # whether every reviewer of the project has decided

    @property
    def verdicts(self) -> Mapping[str, ScreeningVerdict]:
        """The verdicts that may be seen, by reviewer."""
        given = [one for one in (self.own, *self.others) if one is not None]
        return {one.reviewer: one.verdict for one in given if one.verdict is not None}

    @property
    def differ(self) -> bool:
        """Whether reviewers differ, or exclude for different reasons, and there is no consensus yet."""
        alike = len(set(self.verdicts.values())) <= 1 and len(self._reasons) <= 1
        return self.consensus is None and not alike

    @property
    def final(self) -> ScreeningVerdict | None:
        """The consensus, or else the verdict that all reviewers agree on; None until then, and while all are unsure."""
        if self.consensus is not None:
            return self.consensus.verdict
        said = set(self.verdicts.values())
        alike = self.all_in and not self.differ and len(said) == 1
        return said.pop() if alike and ScreeningVerdict.UNSURE not in said else None

    @property
    def final_reason(self) -> str:
        """The reason for exclusion; empty if it is not excluded."""
        if self.final is not ScreeningVerdict.EXCLUDE:
            return ""
        return self.consensus.reason if self.consensus is not None else next(iter(self._reasons), "")

    @property
    def _reasons(self) -> set[str]:
        """Why reviewers exclude. Not everybody gives a reason: it may be left out when screening titles."""
        given = [one for one in (self.own, *self.others) if one is not None]
        return {one.reason for one in given if one.verdict is ScreeningVerdict.EXCLUDE and one.reason}


@dataclass(frozen=True, slots=True)
class CellView:
    """All that one reader may see of the verdicts on a paper and hypothesis. `hidden`: the reader must judge first."""

    own: ReviewerVerdict | None = None
    own_version: int = 0
    others: tuple[ReviewerVerdict, ...] = ()
    consensus: VerdictConsensus | None = None
    consensus_version: int = 0
    settled_by: str = ""  # who recorded the consensus
    by: tuple[str, ...] = ()  # who has given a verdict, which is never hidden
    hidden: bool = False
    all_in: bool = False  # whether every reviewer of the project has given one

    @property
    def given(self) -> tuple[ReviewerVerdict, ...]:
        """The verdicts that may be seen, the reader's own first."""
        return tuple(one for one in (self.own, *self.others) if one is not None and one.verdict is not None)

    @property
    def differ(self) -> bool:
        """Whether reviewers differ and there is no consensus yet."""
        return self.consensus is None and len({one.verdict for one in self.given}) > 1

    @property
    def final(self) -> PaperVerdict | None:
        """The consensus, or else the verdict that all reviewers agree on; None until then."""
        if self.consensus is not None:
            return self.consensus.verdict
        return self.given[0].verdict if self.all_in and self.given and not self.differ else None


class QueueMode(StrEnum):
    """What the queue of a project is to do."""

    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class IncomingFile:
    """A file that was added to a project and is not a paper yet. `error`: why it could not be read."""

    sha256: str
    name: str
    by: str
    added: datetime  # UTC
    error: str | None = None


@dataclass(frozen=True, slots=True)
class QueueFailure:
    """A piece of the queue's work that failed. `task` names it, such as "finding:offline:<question>"."""

    item: str
    task: str
    error: str
    tries: int
    at: datetime  # UTC


@dataclass(frozen=True, slots=True)
class QueueState:
    """What the queue of a project is to do, and which process holds it. That process reports regularly."""

    mode: QueueMode = QueueMode.IDLE
    workers: int = 1
    cluster: str | None = None  # the address of a Dask scheduler
    holder: str | None = None
    seen: datetime | None = None  # when the holder reported last (UTC)


@dataclass(frozen=True, slots=True)
class ListedAnswer:
    """An answer from a project's library, for a list: the question, and whether the papers could answer it."""

    id: str
    number: int  # counts the project's answers up
    asked: datetime  # UTC
    by: str
    question: str
    engine: str
    searched: int  # papers in the library that were searched
    reporting: int  # papers that report on the question; 0 without an answer
    answered: bool  # False: the papers could not answer, or there was a problem


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer from a project's library with its evidence, as it was given."""

    id: str
    number: int  # counts the project's answers up
    asked: datetime  # UTC
    by: str
    record: Mapping[str, Any]  # as `core.answering.record` writes it

    @property
    def answer(self) -> Answer:
        """The answer. Raises `AnswerError` if its record is damaged."""
        from core.answering.record import answer_from  # noqa: PLC0415 - as above

        return answer_from(self.record)
