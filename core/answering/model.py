"""The types of questions to a library and of answers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from core.errors import QueryError
from core.findings.question_parts import parts_of
from core.grounding.model import ModelRun
from core.library.index import ANY_YEAR, Library
from core.library.model import LibraryPaper, Passage, Years
from core.progress import Progress, silent

MOST_WORDS = 100  # in a question
MOST_OPTIONS = 20
CANDIDATES = 60  # passages that a search returns, whose sentences may be read
GATHERED = 30  # passages that are read for an answer (PaperQA2, section 8.1: k)
LAST_YEAR = 9999
SOURCES = 15  # the most passages that a written answer rests on (section 8.1: max_sources)


class ReportedChange(StrEnum):
    """The direction that a paper reports: how the outcome changed with the intervention."""

    INCREASED = "increased"
    DECREASED = "decreased"
    NO_DIFFERENCE = "no difference"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the papers that it is asked of. Raises `QueryError` if it is not valid."""

    text: str
    k: int = GATHERED
    years: Years = ANY_YEAR
    only: frozenset[str] | None = None  # ids of papers; None: all papers of the library
    without: frozenset[str] = field(default_factory=frozenset)
    sources: int = SOURCES
    spread: float = 1.0  # lambda of maximal marginal relevance: below 1, passages are spread over papers
    options: tuple[str, ...] = ()  # the answers of which at most one is to be chosen
    fields: tuple[str, ...] = ()  # what else to read from every passage, such as "dose"
    passages: frozenset[str] | None = None  # ids of the passages to read; None: search for them
    design: str | None = None  # only papers that report this study design (`LibraryPaper.designs`)
    screened: str = ""  # the screening decision on the papers in `only`, for people; empty: not limited by screening
    everywhere: bool = False  # whether it is asked of the papers of all projects
    before: tuple[str, ...] = ()  # findings of earlier questions that it refers to; not a source of its answer

    def __post_init__(self) -> None:
        words = len(self.text.split())
        if not words or words > MOST_WORDS:
            raise QueryError(f"The question has {words} words. Ask one of 1 to {MOST_WORDS} words.")
        if not 1 <= self.k <= CANDIDATES:
            raise QueryError(f"{self.k} passages cannot be gathered. Gather 1 to {CANDIDATES}.")
        if not 1 <= self.sources <= CANDIDATES:
            raise QueryError(f"An answer cannot rest on {self.sources} passages. Let it rest on 1 to {CANDIDATES}.")
        if len(self.options) == 1 or len(self.options) > MOST_OPTIONS:
            raise QueryError(f"{len(self.options)} options cannot be chosen from. Give 2 to {MOST_OPTIONS}, or none.")
        if not all(is_year(year) for year in (self.years.first, self.years.last)):
            raise QueryError(f"A year of publication is a number from 1 to {LAST_YEAR}.")
        if not 0 <= self.spread <= 1:
            raise QueryError(f"The spread over papers is {self.spread}: give a number from 0 to 1.")

    @property
    def limits(self) -> str:
        """A description of the papers that it is limited to; empty if it is not limited."""
        first, last = self.years.first, self.years.last
        if first is not None:
            years = f"published {first} or later" if last is None else f"published {first} to {last}"
        else:
            years = "" if last is None else f"published {last} or before"
        screened = f"{self.screened} at screening" if self.screened else ""
        projects = "of all projects" if self.everywhere else ""
        return ", ".join(filter(None, (projects, years, self.design, screened)))

    @property
    def depth(self) -> int:
        """The most passages that a search returns: enough for all passages that the question names."""
        return max(CANDIDATES, len(self.passages or ()))

    @property
    def gathers(self) -> int:
        """How many passages are read for the answer: `k`, or all that the question names."""
        return self.k if self.passages is None else len(self.passages)


def is_year(year: int | None) -> bool:
    """Whether it is a valid limit for papers; None means no limit."""
    return year is None or 1 <= year <= LAST_YEAR


def is_within(years: Years, year: int) -> bool:
    """Whether a year is within a range of years."""
    return (years.first is None or year >= years.first) and (years.last is None or year <= years.last)


def is_asked(question: Question, paper: LibraryPaper) -> bool:
    """Whether the question is asked of a paper."""
    limited = question.years.first is not None or question.years.last is not None
    dated = not limited or (paper.year is not None and is_within(question.years, paper.year))
    if question.design is not None and question.design not in paper.designs:
        return False
    return dated and paper.id not in question.without and (question.only is None or paper.id in question.only)


@dataclass(frozen=True, slots=True)
class Gathered:
    """A passage that was read for the question."""

    passage: Passage
    score: float  # by a model 0 to 10, offline the probability that it answers; higher is better
    strongest: int  # the index in the paper of its sentence that bears most on the question
    summary: str = ""  # a model's summary of it for the question
    fields: tuple[tuple[str, str], ...] = ()  # (name, value) of the question's fields that a model read


@dataclass(frozen=True, slots=True)
class PaperAnswer:
    """What one paper says."""

    paper: LibraryPaper
    reports: float  # probability that it reports on the question; by a model, its best passage's score divided by 10
    told: ReportedChange | None  # None: it may report, but the direction is unclear
    probability: float | None  # of its likeliest direction, if it reports; None: not computed
    strongest: Gathered  # `strongest.strongest` is the sentence to quote

    @property
    def sentence(self) -> str:
        """The sentence to quote, in the paper's own words."""
        passage = self.strongest.passage
        return passage.sentences[self.strongest.strongest - passage.first]


class CitationStatus(StrEnum):
    """Whether a passage supports the sentence that cites it, as far as code and the reader can tell."""

    QUOTED = "quoted"  # the sentence is copied from the passage
    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage that a written sentence cites. It is always part of the evidence."""

    passage: str  # `Passage.id`
    sentences: tuple[int, ...]  # indices in the paper, those that bear most on it first
    status: CitationStatus


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that a model wrote. Without a citation it has no evidence."""

    text: str
    citations: tuple[Citation, ...]
    begins_paragraph: bool = False


class Action(StrEnum):
    """What an agent may do next."""

    SEARCH = "search"
    SEARCH_SERVICES = "search services"
    GATHER = "gather evidence"
    FOLLOW = "follow citations"
    ANSWER = "answer"
    GIVE_UP = "give up"


@dataclass(frozen=True, slots=True)
class TrailStep:
    """One step towards an answer, and its result."""

    action: Action
    words: str  # what was searched for or asked; may be a model's words
    came: str  # its result, in a sentence by Vouch
    reason: str = ""  # why, in the model's words
    seconds: float = 0.0
    cost_usd: float | None = 0.0  # None: unknown
    details: tuple[str, ...] = ()  # lines for people; may hold texts by others, so it is never shown to a model


Tell = Callable[[TrailStep], None]


def untold(step: TrailStep) -> None:
    """Ignore a step."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the papers say, or that they cannot answer.

    An offline answer consists of quotations, in `papers`. A model also writes `statements`, each with the passages that
    it cites.
    """

    engine: str
    question: Question
    papers: tuple[PaperAnswer, ...]  # those that report on it, likeliest first; without an answer, the nearest ones
    cannot_answer: bool
    evidence: tuple[Gathered, ...]  # all passages that were gathered, best first
    sources: tuple[LibraryPaper, ...]  # the papers of all evidence, each once
    searched: int  # papers in the library that were searched
    seconds: float = 0.0
    cost_usd: float | None = 0.0
    statements: tuple[Statement, ...] = ()
    option: int | None = None  # the index of the chosen one of `question.options`; None: none was chosen
    steps: tuple[TrailStep, ...] = ()
    run: ModelRun | None = None  # every question to a model, with prompts and cost
    notes: tuple[str, ...] = ()  # what a reviewer should know
    problem: str | None = None  # why a model failed to write an answer from the evidence; None: it did not fail

    @property
    def answered(self) -> bool:
        """Whether there is an answer: papers report on the question, and no model failed to write one."""
        return not self.cannot_answer and self.problem is None

    @property
    def disagree(self) -> bool:
        """Whether the papers report different directions."""
        return not self.cannot_answer and len(self.directions) > 1

    @property
    def directions(self) -> Collection[ReportedChange]:
        """The directions that papers report, without duplicates."""
        return dict.fromkeys(paper.told for paper in self.papers if paper.told is not None).keys()

    @property
    def of_what(self) -> str:
        """A sentence that says what the directions refer to; empty if none goes up or down or no intervention is named.

        For a question such as “Does tea worsen sleep?”, they refer to sleep, not to its worsening.
        """
        asked = parts_of(self.question.text)
        if not asked.intervention or not {ReportedChange.INCREASED, ReportedChange.DECREASED} & {*self.directions}:
            return ""
        than = f" compared with “{asked.comparator}”" if asked.comparator else ""
        return f"Directions are of “{asked.outcome}” with “{asked.intervention}”{than}: more of it, or less."


class AnswerEngine(Protocol):
    """Answers questions from a library."""

    @property
    def name(self) -> str:
        """The engine's name, with its strategy."""
        ...

    def answer(
        self, question: Question, library: Library, *, progress: Progress = silent, tell: Tell = untold
    ) -> Answer:
        """The answer. `tell` is called with every step as it ends. Raises `VouchError` if library or engine fails."""
        ...
