"""What is asked of a library, and what an answer is made of."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from core.errors import QueryError
from core.library.index import ANY_YEAR, Library
from core.library.model import LibraryPaper, Passage, Years
from core.progress import Progress, silent

MOST_WORDS = 100  # of a question
CANDIDATES = 60  # passages that a search brings, whose sentences may be read
GATHERED = 30  # passages that are read for an answer (PaperQA2, section 8.1: k)


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

    def __post_init__(self) -> None:
        words = len(self.text.split())
        if not words or words > MOST_WORDS:
            raise QueryError(f"The question has {words} words. Ask one of 1 to {MOST_WORDS} words.")
        if not 1 <= self.k <= CANDIDATES:
            raise QueryError(f"{self.k} passages cannot be gathered. Gather 1 to {CANDIDATES}.")


@dataclass(frozen=True, slots=True)
class Gathered:
    """A passage that was read for the question."""

    passage: Passage
    score: float  # the probability that it answers, or what the engine ranks by; the greater, the better
    strongest: int  # the index in the paper of its sentence that bears most on the question


@dataclass(frozen=True, slots=True)
class PaperAnswer:
    """What one paper says."""

    paper: LibraryPaper
    reports: float  # probability that it reports on the question
    told: Told | None  # None: it may report, but which way cannot be told
    probability: float | None  # of its likeliest direction, if the paper reports; None: no sentence was read
    strongest: Gathered  # `strongest.strongest` is the sentence to quote

    @property
    def sentence(self) -> str:
        """The sentence to quote, in the paper's own words."""
        passage = self.strongest.passage
        return passage.sentences[self.strongest.strongest - passage.first]


@dataclass(frozen=True, slots=True)
class Answer:
    """An arrangement of quotations: what each paper reports, or that these papers cannot answer."""

    engine: str
    question: Question
    papers: tuple[PaperAnswer, ...]  # those that report on it, likeliest first; of no answer, the nearest ones
    cannot_answer: bool
    evidence: tuple[Gathered, ...]  # all that was gathered, best first
    sources: tuple[LibraryPaper, ...]  # the papers of all evidence, each once
    searched: int  # papers in the library that were searched
    seconds: float = 0.0
    cost_usd: float | None = 0.0

    @property
    def disagree(self) -> bool:
        """Whether papers that report on it tell different directions."""
        return not self.cannot_answer and len(self.directions) > 1

    @property
    def directions(self) -> Collection[Told]:
        """The directions that papers tell, each once."""
        return dict.fromkeys(paper.told for paper in self.papers if paper.told is not None).keys()


class AnswerEngine(Protocol):
    """Answers questions from a library."""

    @property
    def name(self) -> str:
        """Its name, with its strategy."""
        ...

    def answer(self, question: Question, library: Library, *, progress: Progress = silent) -> Answer:
        """The answer. Raises `VouchError` where the library or the engine fails."""
        ...
