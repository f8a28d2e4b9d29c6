"""A query to a paper, and the sentences that an engine answers with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from core.errors import QueryError
from core.grounding.model import Match, ModelRun
from core.paper import Kind, Paper, Sentence
from core.progress import Progress, silent

MAX_HYPOTHESIS_WORDS = 400  # a hypothesis is a line (EvidenceBench, section 2.1); more may be a paper pasted by mistake


def cut_to_question(text: str) -> str:
    """The first `MAX_HYPOTHESIS_WORDS` words of a text that code, not a reviewer, makes into a question."""
    return " ".join(text.split()[:MAX_HYPOTHESIS_WORDS])


class Stance(StrEnum):
    """How a sentence bears on the hypothesis."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    NEUTRAL = "neutral"


class Decision(StrEnum):
    """A reviewer's decision on one sentence."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    ADDED = "added"  # the engine did not choose it; the reviewer did


@dataclass(frozen=True, slots=True)
class EvidenceQuery:
    """A hypothesis and what to look for: ER@k, or Result-ER@k with `results_only` (EvidenceBench, section 2.2).

    With `results_first`, all evidence is searched, but in another order: results before the rest, and lines that set the
    scene (`core.evidence.results_first`) last. It has no effect together with `results_only`.

    Raises `QueryError` if the hypothesis is empty or too long, or `k` is below 1.
    """

    hypothesis: str
    k: int = 10
    results_only: bool = False
    tables: bool = True  # whether captions and table rows may be chosen
    results_first: bool = False

    def __post_init__(self) -> None:
        words = len(self.hypothesis.split())
        if words == 0:
            raise QueryError("The hypothesis is empty. Type one sentence that the paper may support or refute.")
        if words > MAX_HYPOTHESIS_WORDS:
            raise QueryError(
                f"The hypothesis has {words:,} words; at most {MAX_HYPOTHESIS_WORDS} are allowed. "
                "Shorten it to the one claim you want to check."
            )
        if self.k < 1:
            raise QueryError(f"k is {self.k}: ask for at least 1 sentence.")

    def candidates(self, paper: Paper) -> tuple[Sentence, ...]:
        """The sentences of the pool that may be chosen."""
        return candidates(paper, tables=self.tables)


def candidates(paper: Paper, *, tables: bool = True) -> tuple[Sentence, ...]:
    """The sentences of the pool that may be chosen: no titles or headings, because they assert nothing."""
    skipped = {Kind.TITLE, Kind.HEADING} | (set() if tables else {Kind.CAPTION, Kind.TABLE})
    return tuple(sentence for sentence in paper.pool if sentence.kind not in skipped)


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """One chosen sentence: `index` points into `paper.sentences`."""

    index: int
    score: float  # higher is better; comparable within one answer only
    stance: Stance | None = None  # None: the engine does not judge it
    rationale: str | None = None
    match: Match | None = None  # None: chosen among the paper's sentences on this machine


@dataclass(frozen=True, slots=True)
class Evidence:
    """An engine's answer, best sentence first."""

    engine: str
    query: EvidenceQuery
    sentences: tuple[EvidenceSentence, ...]
    seconds: float
    cost_usd: float | None = None  # None: unknown; 0.0: free
    notes: tuple[str, ...] = ()  # what a reviewer should know about this run, one sentence each
    run: ModelRun | None = None  # None: no language model was asked

    @property
    def indices(self) -> tuple[int, ...]:
        """The chosen sentences' indices, best first."""
        return tuple(sentence.index for sentence in self.sentences)


class EvidenceEngine(Protocol):
    """An engine that finds evidence."""

    @property
    def name(self) -> str: ...

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        """Find at most `query.k` sentences of `query.candidates(paper)`, best first."""
        ...
