"""What is stored: projects, papers, judgements, suggestions, and what a reviewer may see of them.

A record is kept whole, as JSON, beside the columns that it is looked up by. A new field needs a default and a
migration, even an empty one: the migration keeps an older Vouch from opening the database and losing the field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from itertools import product
from typing import Any, Generic, TypeVar

from pydantic import Base64Bytes

from core.bias.assessment import OwnJudgement, Suggestion
from core.bias.model import OVERALL, Answer, Domain, Judgement, Level, StudyContext, Tool
from core.bias.own import OwnTool, as_tool
from core.bias.tools import FOR_A_REVIEW, tool_named
from core.errors import StoreError
from core.evidence.model import Decision
from core.screening.model import Criterion
from core.store.article_model import StatementGrades, StoredArticle, StoredGrading
from core.store.claim_model import ContradictionDecision, StoredClaim
from core.store.review_model import (
    REASONS,
    IncomingFile,
    KeptAnswer,
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
from core.store.source_model import Retrieval, StoredNotices, StoredRegistration, StoredSearch
from core.summary.model import FaithfulnessReport, Label, Measures

FORMAT = 11  # of a project's JSON document; raise it with every field that an older Vouch would lose


@dataclass(frozen=True, slots=True)
class Project:
    """A review: its question, its tool and its reviewers."""

    id: str
    name: str
    reviewers: tuple[str, ...]
    tool: str = FOR_A_REVIEW
    study: StudyContext = field(default_factory=StudyContext)  # objective and PICO of the review
    blind: bool = True  # hide a domain's suggestions and the others' judgements until one's own is in
    criteria: tuple[Criterion, ...] = ()
    reasons: tuple[str, ...] = REASONS  # of exclusion
    hypotheses: tuple[str, ...] = ()
    plan: Plan = field(default_factory=Plan)
    outcomes: tuple[str, ...] = ()  # those that a tool for results is applied to; each is one line
    private: bool = False  # one person's own papers, which nobody else is shown (core.store.private)
    own_tools: tuple[OwnTool, ...] = ()  # the reviewers' own, of which `tool` may be one
    unreported: tuple[tuple[str, str], ...] = ()  # (paper, outcome): outcomes that the paper does not report

    def reporting(self, paper: str, outcome: str, *, reports: bool) -> Project:
        """The project after reviewers said whether a paper reports an outcome. An unreported outcome is not judged."""
        others = tuple(one for one in self.unreported if one != (paper, outcome))
        return replace(self, unreported=others if reports else (*others, (paper, outcome)))

    @property
    def is_blind(self) -> bool:
        """Whether anything is hidden. A reviewer who works alone has nobody to be blind to."""
        return self.blind and len(self.reviewers) > 1

    @property
    def tools(self) -> dict[str, Tool]:
        """The reviewers' own tools by id, ready to judge with."""
        return {own.id: as_tool(own) for own in self.own_tools}


def tool_of(project: Project) -> Tool:
    """The tool that a project is judged with. Raises `QueryError` if it is not known here."""
    return tool_named(project.tool, project.tools.values())


@dataclass(frozen=True, slots=True)
class Scope:
    """What is judged of each paper: these domains of a tool, by id, for each of these outcomes."""

    tool: str
    domains: tuple[str, ...]
    outcomes: tuple[str, ...] = ("",)  # "": the study as a whole, or an outcome that nobody named
    unreported: frozenset[tuple[str, str]] = frozenset()  # (paper, outcome) pairs that are not judged

    def __len__(self) -> int:
        """How many levels a paper has when everything is judged."""
        return len(self.domains) * len(self.outcomes)

    def outcomes_of(self, paper: str) -> tuple[str, ...]:
        """The outcomes that the paper reports, as far as its reviewers have said."""
        return tuple(outcome for outcome in self.outcomes if (paper, outcome) not in self.unreported)

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """Every pair of outcome and domain, in order."""
        return tuple(product(self.outcomes, self.domains))


def scope_of(project: Project, tool: Tool) -> Scope:
    """What is judged in a project. A tool for results is applied to each of the project's outcomes, if it lists any."""
    outcomes = project.outcomes if tool.judges_results else ()
    return Scope(tool.id, tuple(domain.id for domain in tool.domains), outcomes or ("",), frozenset(project.unreported))


@dataclass(frozen=True, slots=True)
class StoredPaper:
    """A paper of a project. Judgements and decisions point at its sentences by index."""

    project: str
    id: str  # `Paper.id`
    name: str  # the file's
    title: str = ""
    citation: str = ""
    study: str = ""  # short, as plots name studies, such as "Rossi et al. 2020"
    file: str | None = None  # SHA-256 of the file's bytes, if they are kept
    doi: str | None = None
    year: int | None = None
    authors: tuple[str, ...] = ()
    abstract: str = ""
    pmid: str | None = None
    registrations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewerJudgement:
    """A reviewer's judgement of a domain. A level of None means that it is not done yet.

    For the overall judgement (`OVERALL`), a level replaces the one that follows from the domains, and the comment says
    why; None keeps that one.
    """

    project: str
    paper: str
    tool: str  # its id
    domain: str
    reviewer: str
    level: Level | None
    answers: Mapping[str, Answer] = field(default_factory=dict)
    support: tuple[int, ...] = ()  # sentence indices
    comment: str = ""
    suggestions_seen: tuple[str, ...] = ()  # the engines whose suggestions were visible when it was given
    set_level: Level | None = None  # what was chosen by hand: `level` may have come from the answers
    decisions: Mapping[int, Decision] = field(default_factory=dict)  # by sentence index; `support` follows from them
    outcome: str = ""  # whose result was judged; "": the study as a whole, or an outcome that nobody named


@dataclass(frozen=True, slots=True)
class StoredSuggestion:
    """An engine's judgement of a domain."""

    project: str
    paper: str
    tool: str
    engine: str
    judgement: Judgement
    prompts: tuple[tuple[str, str], ...] = ()  # (name, hash) of every template that was used
    cost_usd: float | None = None  # None: unknown
    outcome: str = ""

    @property
    def domain(self) -> str:
        """The domain that is judged."""
        return self.judgement.domain


@dataclass(frozen=True, slots=True)
class Consensus:
    """What the reviewers settled on for a domain, and why."""

    project: str
    paper: str
    tool: str
    domain: str
    level: Level
    reason: str
    by: tuple[str, ...]
    outcome: str = ""


Place = tuple[str, str, str, str]  # paper, tool, outcome, domain


def place_of(record: ReviewerJudgement | StoredSuggestion | Consensus) -> Place:
    """What a record judges. For it, a paper has one record per reviewer, one per engine, and one consensus."""
    return record.paper, record.tool, record.outcome, record.domain


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
    made: str = ""  # how it was made, such as "written by MODEL"; "": it was typed or pasted
    level: str = "plain"  # the reading level for a repair (core.summary.writing.ReadingLevel)


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
    | StoredSearch
    | StoredNotices
    | StoredRegistration
    | StoredClaim
    | ContradictionDecision
    | StoredArticle
    | StoredGrading
    | StatementGrades
)
R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Saved(Generic[R]):
    """A record as it is in the store. `version` counts its changes from 1; a writer names the version it has seen."""

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
    """One change of one record: who, when, and the JSON before and after. None: it did not exist."""

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
    """A paper and its reviewers' progress: domains with a level, and domains with a consensus."""

    paper: Saved[StoredPaper]
    of_outcomes: Mapping[str, Mapping[str, int]]  # domains with a level by outcome and reviewer
    settled: int

    @property
    def done(self) -> Mapping[str, int]:
        """Domains with a level by reviewer, summed over all outcomes."""
        total: Counter[str] = Counter()
        for by_reviewer in self.of_outcomes.values():
            total.update(by_reviewer)
        return dict(total)

    def is_undone(self, scope: Scope, reviewer: str) -> bool:
        """Whether the reviewer has not judged all that the paper reports, as `StoreReader.next_undone` tests it."""
        done = (
            self.of_outcomes.get(outcome, {}).get(reviewer, 0) for outcome in scope.outcomes_of(self.paper.record.id)
        )
        return any(number < len(scope.domains) for number in done)


@dataclass(frozen=True, slots=True)
class DomainView:
    """All that one reader may see of a domain. `hidden`: the reader must judge first."""

    own: Saved[ReviewerJudgement] | None = None
    others: tuple[Saved[ReviewerJudgement], ...] = ()
    suggestions: tuple[Saved[StoredSuggestion], ...] = ()
    consensus: Saved[Consensus] | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class DomainLevels:
    """The reviewers' levels of a domain that at least one of them has judged (None: not yet), and the consensus.

    `levels` is empty and `settled` None while the reader may not see them.
    """

    paper: str
    domain: str
    levels: Mapping[str, Level | None]
    settled: Level | None = None
    hidden: bool = False
    by: tuple[str, ...] = ()  # who has judged it, which is never hidden
    outcome: str = ""

    @property
    def differ(self) -> bool:
        """Whether two levels differ. False if they are equal, if one is missing, or if they are hidden."""
        return len({level for level in self.levels.values() if level}) > 1

    @property
    def final(self) -> Level | None:
        """The consensus, or else the level that all reviewers agree on; None until then."""
        alike = set(self.levels.values())
        return self.settled or (alike.pop() if len(alike) == 1 else None)


def with_rule(levels: Iterable[DomainLevels], tool: Tool) -> tuple[DomainLevels, ...]:
    """The levels of domains; for the overall judgement, each reviewer's own level or else the one that follows from the
    domains' final levels. The overall judgement is left out where that level is not known yet.
    """
    known = tuple(levels)
    final = {(one.paper, one.outcome, one.domain): one.final for one in known}

    def complete(one: DomainLevels) -> DomainLevels | None:
        if one.domain != OVERALL or one.hidden:
            return one
        rule = tool.overall_level(
            {domain.id: final.get((one.paper, one.outcome, domain.id)) for domain in tool.domains}
        )
        if rule is None:
            return None
        return replace(one, levels={reviewer: level or rule for reviewer, level in one.levels.items()})

    return tuple(filter(None, map(complete, known)))


@dataclass(frozen=True, slots=True)
class ProjectState:
    """A project with all that belongs to it, including deleted records and the history. Nothing is hidden in it."""

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
    answers: tuple[KeptAnswer, ...] = ()  # from the project's library, oldest first
    searches: tuple[Saved[StoredSearch], ...] = ()
    notices: tuple[Saved[StoredNotices], ...] = ()
    registrations: tuple[Saved[StoredRegistration], ...] = ()
    retrievals: tuple[Retrieval, ...] = ()
    claims: tuple[Saved[StoredClaim], ...] = ()
    contradictions: tuple[Saved[ContradictionDecision], ...] = ()  # the reviewers' decisions on them
    articles: tuple[Saved[StoredArticle], ...] = ()
    gradings: tuple[Saved[StoredGrading], ...] = ()  # statements of articles
    grades: tuple[Saved[StatementGrades], ...] = ()

    @property
    def of_papers(self) -> tuple[Saved[Any], ...]:
        """Every record that belongs to a paper."""
        said: tuple[Saved[Any], ...] = (*self.judgements, *self.consensus, *self.decisions, *self.summaries)
        said = (*said, *self.claims, *self.contradictions)
        return (*said, *self.suggestions, *self.findings, *self.verdicts, *self.verdict_consensus)

    @property
    def of_items(self) -> tuple[Saved[Any], ...]:
        """Every record that belongs to an item: a paper or a reference."""
        return (*self.screenings, *self.screening_consensus, *self.criteria, *self.notices)

    @property
    def of_project(self) -> tuple[Saved[Any], ...]:
        """Every record that belongs to the project as a whole."""
        found: tuple[Saved[Any], ...] = (*self.references, *self.pairings, *self.sittings, *self.searches)
        return (*found, *self.registrations, *self.articles, *self.gradings, *self.grades)


class Conflict(StoreError):
    """Somebody changed the record since it was read. `other` is its present state, None if it does not exist."""

    def __init__(self, message: str, other: Saved[Any] | None) -> None:
        super().__init__(message)
        self.other = other


# From what a reviewer sets on a screen (`core.bias.assessment`) to the judgement that is stored, and back.

TAKEN_IN = (Decision.ACCEPTED, Decision.ADDED)


def stored_judgement(
    own: OwnJudgement,
    domain: Domain,
    *,
    project: str,
    paper: str,
    tool: str,
    reviewer: str,
    outcome: str = "",
    seen: Iterable[str] = (),
) -> ReviewerJudgement:
    """The record to store. `seen`: the engines whose suggestions were visible."""
    return ReviewerJudgement(
        project=project,
        paper=paper,
        tool=tool,
        outcome=outcome,
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


def stored_suggestion(made: Suggestion, *, project: str, paper: str, tool: str, outcome: str = "") -> StoredSuggestion:
    """The record to store for an engine's suggestion on a domain."""
    engine, judgement = made.engine, made.judgement
    return StoredSuggestion(project, paper, tool, engine, judgement, made.prompts, made.cost_usd, outcome)


def own_judgement(record: ReviewerJudgement, domain: Domain) -> OwnJudgement:
    """What the reviewer had set; for a record without these details, something equivalent."""
    by_hand = record.set_level
    if by_hand is None and record.level != domain.level(record.answers):
        by_hand = record.level
    decisions = record.decisions or dict.fromkeys(record.support, Decision.ADDED)
    return OwnJudgement(dict(record.answers), by_hand, record.comment, dict(decisions))
