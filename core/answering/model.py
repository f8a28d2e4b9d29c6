"""What is asked of a library, and what an answer is made of."""

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

MOST_WORDS = 100  # of a question
MOST_OPTIONS = 20
CANDIDATES = 60  # passages that a search brings, whose sentences may be read
GATHERED = 30  # passages that are read for an answer (PaperQA2, section 8.1: k)
LAST_YEAR = 9999
SOURCES = 15  # passages that a written answer may rest on (section 8.1: max_sources)


class Told(StrEnum):
    """What a paper reports: which way the outcome went under what was asked about."""

    INCREASED = "increased"
    DECREASED = "decreased"
    NO_DIFFERENCE = "no difference"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the papers that it is put to. Raises `QueryError` for one that cannot be asked."""

    text: str
    k: int = GATHERED
    years: Years = ANY_YEAR
    only: frozenset[str] | None = None  # ids of papers; None: all of the library
    without: frozenset[str] = field(default_factory=frozenset)
    sources: int = SOURCES
    spread: float = 1.0  # lambda of maximal marginal relevance: below 1, passages are spread over papers
    options: tuple[str, ...] = ()  # where one of them is to be chosen, or none
    fields: tuple[str, ...] = ()  # what else is to be read from every passage, such as "dose"
    passages: frozenset[str] | None = None  # ids of those that are to be read, in place of a search
    design: str | None = None  # only papers that have it by their own account (`LibraryPaper.designs`)
    screened: str = ""  # what screening decided on the papers in `only`, for people; empty: that decides nothing
    everywhere: bool = False  # whether it is put to the papers of all projects
    before: tuple[str, ...] = ()  # what earlier questions found, which it refers to; no source of its answer

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
        """To which papers it is put, in words; empty: to all."""
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
        """How many passages a search may bring: those that were chosen all come."""
        return max(CANDIDATES, len(self.passages or ()))

    @property
    def gathers(self) -> int:
        """How many passages are read for the answer: `k`, or those that were chosen."""
        return self.k if self.passages is None else len(self.passages)


def is_year(year: int | None) -> bool:
    """Whether papers can be limited to it; None limits nothing."""
    return year is None or 1 <= year <= LAST_YEAR


def is_within(years: Years, year: int) -> bool:
    """Whether a year is within some years."""
    return (years.first is None or year >= years.first) and (years.last is None or year <= years.last)


def is_asked(question: Question, paper: LibraryPaper) -> bool:
    """Whether the question is put to a paper."""
    limited = question.years.first is not None or question.years.last is not None
    dated = not limited or (paper.year is not None and is_within(question.years, paper.year))
    if question.design is not None and question.design not in paper.designs:
        return False
    return dated and paper.id not in question.without and (question.only is None or paper.id in question.only)


@dataclass(frozen=True, slots=True)
class Gathered:
    """A passage that was read for the question."""

    passage: Passage
    score: float  # a model's 0 to 10; offline the probability that it answers; the greater, the better
    strongest: int  # the index in the paper of its sentence that bears most on the question
    summary: str = ""  # what a model says of it in view of the question
    fields: tuple[tuple[str, str], ...] = ()  # what a model read of the question's fields, by name


@dataclass(frozen=True, slots=True)
class PaperAnswer:
    """What one paper says."""

    paper: LibraryPaper
    reports: float  # probability that it reports on the question; of a model, its best passage's score as a share
    told: Told | None  # None: it may report, but which way cannot be told
    probability: float | None  # of its likeliest direction, if the paper reports; None: no sentence was read
    strongest: Gathered  # `strongest.strongest` is the sentence to quote

    @property
    def sentence(self) -> str:
        """The sentence to quote, in the paper's own words."""
        passage = self.strongest.passage
        return passage.sentences[self.strongest.strongest - passage.first]


class CitationStatus(StrEnum):
    """What a passage says of the sentence that cites it, as far as code and the reader can tell."""

    QUOTED = "quoted"  # the sentence is the passage's own
    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage that a written sentence cites. It is among the evidence, always."""

    passage: str  # `Passage.id`
    sentences: tuple[int, ...]  # indices in the paper, those that bear most on it first
    status: CitationStatus


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that a model wrote. Without a citation nothing stands behind it."""

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
    """One step towards an answer, and what came of it."""

    action: Action
    words: str  # what was searched for or asked; a model's words
    came: str  # what came of it, in a sentence of ours
    reason: str = ""  # why, in the model's words
    seconds: float = 0.0
    cost_usd: float | None = 0.0  # None: unknown
    details: tuple[str, ...] = ()  # for people, a line each; may hold words of others, and is shown to no model


Tell = Callable[[TrailStep], None]


def untold(step: TrailStep) -> None:
    """Tells nobody of a step."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the papers say, or that they cannot answer.

    Offline it is an arrangement of quotations, `papers`. A model writes `statements` as well, each with the passages that
    it rests on.
    """

    engine: str
    question: Question
    papers: tuple[PaperAnswer, ...]  # those that report on it, likeliest first; of no answer, the nearest ones
    cannot_answer: bool
    evidence: tuple[Gathered, ...]  # all that was gathered, best first
    sources: tuple[LibraryPaper, ...]  # the papers of all evidence, each once
    searched: int  # papers in the library that were searched
    seconds: float = 0.0
    cost_usd: float | None = 0.0
    statements: tuple[Statement, ...] = ()
    option: int | None = None  # the place of the one chosen among `question.options`; None: none, or there are none
    steps: tuple[TrailStep, ...] = ()
    run: ModelRun | None = None  # every question to a model, with prompts and cost
    notes: tuple[str, ...] = ()  # what a reviewer should know
    problem: str | None = None  # why nothing was made of the evidence; None: something was, or it cannot answer

    @property
    def answered(self) -> bool:
        """Whether there is an answer: papers report on it, and a model that was to write one did."""
        return not self.cannot_answer and self.problem is None

    @property
    def disagree(self) -> bool:
        """Whether papers that report on it tell different directions."""
        return not self.cannot_answer and len(self.directions) > 1

    @property
    def directions(self) -> Collection[Told]:
        """The directions that papers tell, each once."""
        return dict.fromkeys(paper.told for paper in self.papers if paper.told is not None).keys()

    @property
    def of_what(self) -> str:
        """What directions are of, as a sentence; empty where none goes up or down, or the question names no arms.

        In a question such as “Does tea worsen sleep?” they are those of sleep, and not of its worsening.
        """
        asked = parts_of(self.question.text)
        if not asked.intervention or not {Told.INCREASED, Told.DECREASED} & {*self.directions}:
            return ""
        than = f" compared with “{asked.comparator}”" if asked.comparator else ""
        return f"Directions are of “{asked.outcome}” with “{asked.intervention}”{than}: more of it, or less."


class AnswerEngine(Protocol):
    """Answers questions from a library."""

    @property
    def name(self) -> str:
        """Its name, with its strategy."""
        ...

    def answer(
        self, question: Question, library: Library, *, progress: Progress = silent, tell: Tell = untold
    ) -> Answer:
        """The answer. `tell` is given every step as it ends. Raises `VouchError` where the library or the engine fails."""
        ...
