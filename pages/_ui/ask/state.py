"""The state of the Ask page: requests to the papers of a project, and their answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from core.engines import DEFAULT_ENGINE
from core.llm import Budget, Provider
from core.review.queue import WorkerOptions
from pages._ui.jobs import JobSlot
from pages._ui.model_choice import provider_of

if TYPE_CHECKING:  # the library is loaded only when a question is asked
    from core.answering import Answer, Gathered, Question, TrailStep
    from core.answering.agent import AgentLimits
    from core.articles import Article
    from core.grading.llm import ModelGrades
    from core.library import LibraryPaper, Passage


@dataclass(frozen=True, slots=True)
class AskRequest:
    """A question to the papers of a project."""

    project: str
    question: Question
    engine: str = DEFAULT_ENGINE
    gathers: str = ""  # who reads the passages; empty: the engine itself
    plans: str = ""
    budget: Budget | None = None  # for language models
    limits: AgentLimits | None = None  # of an agent; None: the defaults
    services: tuple[str, ...] = ()  # literature services that the agent may ask, agreed to for this question
    reader: str = ""  # who asks; limits which screening decisions are visible
    workers: WorkerOptions = field(default_factory=WorkerOptions)  # for indexing by the project's queue
    before: EarlierAnswer | None = None  # the answer to compare with, if the question was asked before


@dataclass(frozen=True, slots=True)
class EarlierAnswer:
    """An answer whose question is asked again."""

    answer: Answer
    asked: datetime


@dataclass(frozen=True, slots=True)
class ProjectAnswer:
    """An answer, and the papers of the project that could not be searched."""

    request: AskRequest
    answer: Answer
    asked: datetime
    unread: tuple[str, ...] = ()  # names of papers
    kept: str | None = None  # its id in the store; None: not stored


# ---- articles ----


@dataclass(frozen=True, slots=True)
class ArticleRequest:
    """An article from the papers of a project. Its sections are asked like questions."""

    asked: AskRequest
    template: str
    topic: str


@dataclass(frozen=True, slots=True)
class ProjectArticle:
    """An article, and the papers of the project that could not be searched."""

    article: Article
    written: datetime
    unread: tuple[str, ...] = ()  # names of papers
    kept: str | None = None  # its id in the store; None: not stored


@dataclass(frozen=True, slots=True)
class GradingRequest:
    """Statements for a model to grade against the papers of a project; `asked` says which model."""

    asked: AskRequest
    grading: str
    who: str


# ---- evidence ----


@dataclass(slots=True)
class EvidencePanel:
    """The passages that the next answer may rest on: those gathered for a question, and those added by hand."""

    papers: dict[str, LibraryPaper] = field(default_factory=dict)
    passages: dict[str, Passage] = field(default_factory=dict)  # by id, best first, added ones last
    read: dict[str, Gathered] = field(default_factory=dict)  # by passage id; added passages are not read yet
    rejected: set[str] = field(default_factory=set)
    words: str = ""  # of the last search for passages
    problem: str = ""  # why that search failed
    found: tuple[Passage, ...] = ()
    asked: frozenset[str] = frozenset()  # the passages of the present answer

    def take(self, answer: Answer) -> None:
        """Take in the passages of an answer. If it was asked again from chosen passages, the earlier ones stay."""
        if answer.question.passages is None:
            self.papers, self.passages, self.read = {}, {}, {}
            self.rejected, self.words, self.found = set(), "", ()
        self.papers |= {paper.id: paper for paper in answer.sources}
        self.read |= {one.passage.id: one for one in answer.evidence}
        self.passages = {one.passage.id: one.passage for one in answer.evidence} | self.passages
        self.asked = answer.question.passages or frozenset(one.passage.id for one in answer.evidence)

    @property
    def used(self) -> frozenset[str]:
        """The passages that the next answer may rest on."""
        return frozenset(self.passages) - self.rejected


# ---- page ----


@dataclass(slots=True)
class AskTrail:
    """The steps of a question without an answer: it is still running, failed, or was stopped."""

    by_model: bool
    steps: list[TrailStep] = field(default_factory=list)
    failed: bool = False


@dataclass(slots=True)
class AskSettings:
    """How a question is asked."""

    k: int  # passages to gather
    sources: int  # how many of them an answer may rest on
    spread: float  # spread over papers; 1: off
    first: int | None = None  # the first year
    last: int | None = None
    everywhere: bool = False  # search the papers of all projects
    design: str = ""  # one of `core.library.DESIGNS`
    screened: str = ""  # one of `Screened`
    fields: str = ""  # what else models read from passages, comma-separated
    steps: int = 12  # most steps of an agent
    seconds: float = 900.0


class Screened(StrEnum):
    """Which papers a question is put to, by their screening decisions."""

    INCLUDED = "included"
    NOT_EXCLUDED = "not excluded"
    EXCLUDED = "excluded"


@dataclass(slots=True)
class AskChoices:
    """The reviewer's choices on the page, its jobs, and the last answer for each project."""

    project: str | None = None  # None: the one open on the Review page, or else the newest
    question: str = ""
    engine: str = DEFAULT_ENGINE  # an engine or the provider of a language model
    gathers: str = ""
    plans: str = ""
    services: list[str] = field(default_factory=list)  # agreed to for the next question only
    settings: AskSettings | None = None  # None: still untouched
    leaves: bool = False  # a paper was pressed and goes on the desk next
    answers: dict[str, ProjectAnswer] = field(default_factory=dict)
    panels: dict[str, EvidencePanel] = field(default_factory=dict)
    trails: dict[str, AskTrail] = field(default_factory=dict)  # of unfinished questions; an answer holds its own steps
    template: str = "treatment"  # for an article
    topic: str = ""
    articles: dict[str, ProjectArticle] = field(default_factory=dict)
    effects: dict[str, list[str]] = field(
        default_factory=dict
    )  # hypotheses with tables, by project; without an entry, those on the topic
    questions: JobSlot[AskRequest, ProjectAnswer] = field(default_factory=JobSlot)
    writings: JobSlot[ArticleRequest, ProjectArticle] = field(default_factory=JobSlot)
    gradings: JobSlot[GradingRequest, ModelGrades] = field(default_factory=JobSlot)

    @property
    def provider(self) -> Provider | None:
        """The provider whose model is asked; None if the engine runs on this machine."""
        return provider_of(self.engine)
