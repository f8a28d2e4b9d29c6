"""What is asked of the papers of a project, and what came back."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from core.engines import DEFAULT_ENGINE
from core.llm import Budget, Provider
from core.review.queue import WorkerOptions
from pages._ui.model_choice import provider_of

if TYPE_CHECKING:  # the library is loaded when somebody asks
    from core.answering import Answer, Gathered, Question, TrailStep
    from core.answering.agent import AgentLimits
    from core.articles import Article
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
    limits: AgentLimits | None = None  # of an agent; None: the usual ones
    services: tuple[str, ...] = ()  # literature services that the agent may ask, as agreed to for this question
    reader: str = ""  # who asks, and sees of screening what they may
    workers: WorkerOptions = field(default_factory=WorkerOptions)  # who indexes, where the project's queue does
    before: EarlierAnswer | None = None  # the one that this is compared with, where it was asked before


@dataclass(frozen=True, slots=True)
class EarlierAnswer:
    """An answer that was asked for once more."""

    answer: Answer
    asked: datetime


@dataclass(frozen=True, slots=True)
class ProjectAnswer:
    """An answer, and the papers of the project that could not be asked."""

    request: AskRequest
    answer: Answer
    asked: datetime
    unread: tuple[str, ...] = ()  # names
    kept: str | None = None  # its id in the store; None: it is not there


# ---- articles ----


@dataclass(frozen=True, slots=True)
class ArticleRequest:
    """An article from the papers of a project; its sections are asked as a question would be."""

    asked: AskRequest
    template: str
    topic: str


@dataclass(frozen=True, slots=True)
class ProjectArticle:
    """An article, and the papers of the project that could not be asked."""

    article: Article
    written: datetime
    unread: tuple[str, ...] = ()  # names
    kept: str | None = None  # its id in the store; None: it is not there


@dataclass(frozen=True, slots=True)
class GradingRequest:
    """Statements that a model is to grade beside the papers of a project; `asked` says which model."""

    asked: AskRequest
    grading: str
    who: str


# ---- evidence ----


@dataclass(slots=True)
class EvidencePanel:
    """The passages that the next answer may rest on: those gathered for a question, and those that were added."""

    papers: dict[str, LibraryPaper] = field(default_factory=dict)
    passages: dict[str, Passage] = field(default_factory=dict)  # by id, best first; those added at the end
    read: dict[str, Gathered] = field(default_factory=dict)  # by passage; one that was added is not read yet
    rejected: set[str] = field(default_factory=set)
    words: str = ""  # of the last search for more
    problem: str = ""  # why it failed
    found: tuple[Passage, ...] = ()
    asked: frozenset[str] = frozenset()  # those of the present answer

    def take(self, answer: Answer) -> None:
        """Take in the passages of an answer. Those of the one before stay where it was asked again from them."""
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
    """The steps of a question that has come to no answer: it runs, failed, or was stopped."""

    by_model: bool
    steps: list[TrailStep] = field(default_factory=list)
    failed: bool = False


@dataclass(slots=True)
class AskSettings:
    """How a question is asked."""

    k: int  # passages gathered
    sources: int  # of them, those that an answer may rest on
    spread: float  # over papers; 1: off
    first: int | None = None  # year
    last: int | None = None
    everywhere: bool = False  # the papers of all projects
    design: str = ""  # of `core.library.DESIGNS`
    screened: str = ""  # of `Screened`
    fields: str = ""  # what else models read, a comma between
    steps: int = 12  # of an agent
    seconds: float = 900.0


class Screened(StrEnum):
    """The papers that a question may be put to, by what screening decided on them."""

    INCLUDED = "included"
    NOT_EXCLUDED = "not excluded"
    EXCLUDED = "excluded"


@dataclass(slots=True)
class AskChoices:
    """What the reviewer chose on the page, and the last answer of each project."""

    project: str | None = None  # None: the one open on the page of the review, or else the newest
    question: str = ""
    engine: str = DEFAULT_ENGINE  # or the provider of a language model
    gathers: str = ""
    plans: str = ""
    services: list[str] = field(default_factory=list)  # agreed to for the next question alone
    settings: AskSettings | None = None  # None: not touched yet
    leaves: bool = False  # a paper was pressed on, and goes on the desk next
    answers: dict[str, ProjectAnswer] = field(default_factory=dict)
    panels: dict[str, EvidencePanel] = field(default_factory=dict)
    trails: dict[str, AskTrail] = field(default_factory=dict)  # those of an answer are in the answer
    template: str = "treatment"  # of an article
    topic: str = ""
    articles: dict[str, ProjectArticle] = field(default_factory=dict)
    effects: dict[str, list[str]] = field(
        default_factory=dict
    )  # hypotheses with tables, by project; none: by the topic

    @property
    def provider(self) -> Provider | None:
        """Whose language model is asked; None where the engine is one of this machine."""
        return provider_of(self.engine)
