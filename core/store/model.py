"""What is stored: projects, papers, judgements, suggestions, and what a reviewer may see of them.

A record is kept whole, as JSON, beside the columns that find it. A new field needs a default and a migration, even one
that does nothing: it keeps an older Vouch from opening the database and losing the field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic, TypeVar

from pydantic import Base64Bytes

from core.bias.assessment import OwnJudgement
from core.bias.model import Answer, Domain, Judgement, Level, Raise, StudyContext
from core.bias.tools import FOR_A_REVIEW
from core.errors import StoreError
from core.evidence.model import Decision
from core.screening.model import Criterion
from core.store.review_model import (
    REASONS,
    IncomingFile,
    Pairing,
    Plan,
    QueueFailure,
    QueueRun,
    ReviewerVerdict,
    ScreeningConsensus,
    ScreeningDecision,
    StoredCriterion,
    StoredFinding,
    StoredReference,
    VerdictConsensus,
    question_key,
)
from core.summary.model import FaithfulnessReport, Label, Measures

FORMAT = 6  # of a project's JSON document; counts up with every field that an older Vouch would lose


@dataclass(frozen=True, slots=True)
class Project:
    """A review: its question, its tool and its people."""

    id: str
    name: str
    reviewers: tuple[str, ...]
    tool: str = FOR_A_REVIEW
    study: StudyContext = field(default_factory=StudyContext)  # objective and PICO of the review
    blind: bool = True  # whether a domain's suggestions and the others' judgements are hidden until one's own is in
    criteria: tuple[Criterion, ...] = ()
    reasons: tuple[str, ...] = REASONS  # of exclusion
    hypotheses: tuple[str, ...] = ()
    plan: Plan = field(default_factory=Plan)
    private: bool = False  # one person's own papers outside projects, which nobody else is shown (core.store.private)

    @property
    def is_blind(self) -> bool:
        """Whether anything is hidden: who reviews alone has nobody to be kept from."""
        return self.blind and len(self.reviewers) > 1


@dataclass(frozen=True, slots=True)
class StoredPaper:
    """A paper of a project. Judgements and decisions point at its sentences by index."""

    project: str
    id: str  # `Paper.id`
    name: str  # the file's
    title: str = ""
    citation: str = ""
    study: str = ""  # short, as plots name studies, such as "Rossi et al. 2020"
    file: str | None = None  # SHA-256 of the file's bytes, where they are kept too
    doi: str | None = None
    year: int | None = None
    authors: tuple[str, ...] = ()
    abstract: str = ""
    pmid: str | None = None
    registrations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewerJudgement:
    """What a reviewer makes of a domain. A level of None is not done yet."""

    project: str
    paper: str
    domain: str
    reviewer: str
    level: Level | None
    answers: Mapping[str, Answer] = field(default_factory=dict)
    support: tuple[int, ...] = ()  # sentence indices
    comment: str = ""
    suggestions_seen: tuple[str, ...] = ()  # the engines whose suggestions were in view when it was given
    set_level: Level | None = None  # what was chosen by hand: `level` may have come from the answers
    decisions: Mapping[int, Decision] = field(default_factory=dict)  # on sentences, by index; `support` is their yield


@dataclass(frozen=True, slots=True)
class StoredSuggestion:
    """What an engine makes of a domain."""

    project: str
    paper: str
    engine: str
    judgement: Judgement
    prompts: tuple[tuple[str, str], ...] = ()  # (name, hash) of every template that was used
    cost_usd: float | None = None  # None: unknown

    @property
    def domain(self) -> str:
        """The domain that is judged."""
        return self.judgement.domain


@dataclass(frozen=True, slots=True)
class Consensus:
    """What the reviewers settled on for a domain, and why."""

    project: str
    paper: str
    domain: str
    level: Level
    reason: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SentenceDecisions:
    """A reviewer's decisions on a paper's sentences for one hypothesis, by sentence index."""

    project: str
    paper: str
    reviewer: str
    hypothesis: str
    sentences: Mapping[int, Decision]

    @property
    def question(self) -> str:
        """The hypothesis, as `question_key`."""
        return question_key(self.hypothesis)


@dataclass(frozen=True, slots=True)
class StoredSummary:
    """A plain summary of a paper as it was checked, and a reviewer's own labels by sentence."""

    project: str
    paper: str
    id: str
    reviewer: str
    report: FaithfulnessReport
    measures: Measures
    labels: Mapping[int, Label] = field(default_factory=dict)
    made: str = ""  # how it came to be, as in "written by MODEL"; "": it was typed or pasted
    level: str = "plain"  # for whom it is, when it is repaired (core.summary.writing.ReadingLevel)


Record = (
    Project
    | StoredPaper
    | ReviewerJudgement
    | StoredSuggestion
    | Consensus
    | SentenceDecisions
    | StoredSummary
    | StoredReference
    | Pairing
    | ScreeningDecision
    | ScreeningConsensus
    | StoredCriterion
    | StoredFinding
    | ReviewerVerdict
    | VerdictConsensus
    | QueueRun
)
R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Saved(Generic[R]):
    """A record as it is in the store. `version` counts its changes from 1; whoever writes it next names the one seen."""

    record: R
    version: int
    by: str  # who changed it last
    changed: datetime  # UTC
    added: datetime
    removed: bool = False


class Action(StrEnum):
    """What a change did."""

    SAVED = "saved"
    REMOVED = "removed"
    RESTORED = "restored"


@dataclass(frozen=True, slots=True)
class RecordChange:
    """One change of one record: who, when, before and after as JSON; None: it was not there."""

    who: str
    at: datetime  # UTC
    action: Action
    kind: str  # the table's name
    key: tuple[str, ...]
    version: int  # after the change
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class PaperState:
    """A paper and how far its reviewers are: domains with a level by reviewer, and domains that are settled."""

    paper: Saved[StoredPaper]
    done: Mapping[str, int]
    settled: int


@dataclass(frozen=True, slots=True)
class DomainView:
    """All that one reader may see of a domain. `hidden`: one's own judgement must come first."""

    own: Saved[ReviewerJudgement] | None = None
    others: tuple[Saved[ReviewerJudgement], ...] = ()
    suggestions: tuple[Saved[StoredSuggestion], ...] = ()
    consensus: Saved[Consensus] | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class DomainLevels:
    """The reviewers' levels on a domain that at least one of them has judged (None: not yet), and what was settled.

    `levels` and `settled` are empty while the reader is blind to them.
    """

    paper: str
    domain: str
    levels: Mapping[str, Level | None]
    settled: Level | None = None
    hidden: bool = False
    by: tuple[str, ...] = ()  # who has judged it, which is never hidden

    @property
    def differ(self) -> bool:
        """Whether two levels differ; otherwise they are alike, one is missing, or all are hidden."""
        return len({level for level in self.levels.values() if level}) > 1

    @property
    def final(self) -> Level | None:
        """What was settled, or else what all reviewers say; None until then."""
        alike = set(self.levels.values())
        return self.settled or (alike.pop() if len(alike) == 1 else None)


@dataclass(frozen=True, slots=True)
class ProjectState:
    """A project with all that belongs to it, what was deleted and the history included. Nothing is hidden in it."""

    project: Saved[Project]
    papers: tuple[Saved[StoredPaper], ...]
    judgements: tuple[Saved[ReviewerJudgement], ...]
    suggestions: tuple[Saved[StoredSuggestion], ...]
    consensus: tuple[Saved[Consensus], ...]
    decisions: tuple[Saved[SentenceDecisions], ...]
    history: tuple[RecordChange, ...]
    files: Mapping[str, Base64Bytes] = field(default_factory=dict)  # by SHA-256
    format: int = FORMAT
    references: tuple[Saved[StoredReference], ...] = ()
    pairings: tuple[Saved[Pairing], ...] = ()
    screenings: tuple[Saved[ScreeningDecision], ...] = ()
    screening_consensus: tuple[Saved[ScreeningConsensus], ...] = ()
    criteria: tuple[Saved[StoredCriterion], ...] = ()
    findings: tuple[Saved[StoredFinding], ...] = ()
    sittings: tuple[Saved[QueueRun], ...] = ()
    incoming: tuple[IncomingFile, ...] = ()
    failures: tuple[QueueFailure, ...] = ()
    verdicts: tuple[Saved[ReviewerVerdict], ...] = ()
    verdict_consensus: tuple[Saved[VerdictConsensus], ...] = ()
    summaries: tuple[Saved[StoredSummary], ...] = ()

    @property
    def of_papers(self) -> tuple[Saved[Any], ...]:
        """Every record that belongs to a paper."""
        said: tuple[Saved[Any], ...] = (*self.judgements, *self.consensus, *self.decisions, *self.summaries)
        return (*said, *self.suggestions, *self.findings, *self.verdicts, *self.verdict_consensus)

    @property
    def of_items(self) -> tuple[Saved[Any], ...]:
        """Every record that belongs to an item: a paper or a reference."""
        return (*self.screenings, *self.screening_consensus, *self.criteria)

    @property
    def of_project(self) -> tuple[Saved[Any], ...]:
        """Every record that belongs to the project as a whole."""
        return (*self.references, *self.pairings, *self.sittings)


class Conflict(StoreError):
    """Somebody changed the record since it was read. `other` is its present state, None if it is not there."""

    def __init__(self, message: str, other: Saved[Any] | None) -> None:
        super().__init__(message)
        self.other = other


# Between what a reviewer sets on a screen (`core.bias.assessment`) and the judgement that is stored.

OVERALL = "overall"  # stands for a domain where several may make the whole worse: the level says whether
TAKEN_IN = (Decision.ACCEPTED, Decision.ADDED)


def stored_judgement(
    own: OwnJudgement, domain: Domain, *, project: str, paper: str, reviewer: str, seen: Iterable[str] = ()
) -> ReviewerJudgement:
    """What to store. `seen`: the engines whose suggestions were in view."""
    return ReviewerJudgement(
        project=project,
        paper=paper,
        domain=domain.id,
        reviewer=reviewer,
        level=own.level_in(domain),
        answers=dict(own.answers),
        support=tuple(sorted(index for index, word in own.decisions.items() if word in TAKEN_IN)),
        comment=own.comment,
        suggestions_seen=tuple(sorted(set(seen))),
        set_level=own.level,
        decisions=dict(own.decisions),
    )


def own_judgement(record: ReviewerJudgement, domain: Domain) -> OwnJudgement:
    """What the reviewer had set; for a record without details, what comes to the same."""
    by_hand = record.set_level
    if by_hand is None and record.level != domain.level(record.answers):
        by_hand = record.level
    decisions = record.decisions or dict.fromkeys(record.support, Decision.ADDED)
    return OwnJudgement(dict(record.answers), by_hand, record.comment, dict(decisions))


def stored_raise(raising: Raise, raised: bool, *, project: str, paper: str, reviewer: str) -> ReviewerJudgement:
    """The reviewer's word on the whole, where several domains at one level may make it worse."""
    level = raising.to if raised else raising.several
    return ReviewerJudgement(project, paper, OVERALL, reviewer, level)
