"""A question put to a paper, and the sentences that an engine answers with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from core.errors import ModelError, QueryError
from core.paper import Kind, Paper, Sentence
from core.progress import Progress, silent

if TYPE_CHECKING:  # engines that ask no language model start sooner without
    from core.llm.model import Usage

MAX_HYPOTHESIS_WORDS = 400  # a hypothesis is a line (EvidenceBench, section 2.1); more is a paper pasted by mistake


class Stance(StrEnum):
    """How a sentence bears on the hypothesis."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    NEUTRAL = "neutral"


class Match(StrEnum):
    """How sure it is that a model meant this sentence of the paper."""

    EXACT = "exact"  # named right at once
    REPAIRED = "repaired"  # named right after it was asked again


class Decision(StrEnum):
    """A reviewer's word on one sentence."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    ADDED = "added"  # the engine did not choose it; the reviewer did


class PaperVerdict(StrEnum):
    """What a paper as a whole says of a hypothesis."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    MIXED = "mixed"  # its own results on the question point both ways
    NOT_REPORTED = "not reported"  # a finding of its own: it reports no result on the question
    UNCLEAR = "unclear"  # it may report one, but there is too little to tell


@dataclass(frozen=True, slots=True)
class EvidenceQuery:
    """A hypothesis and what to look for: ER@k, or Result-ER@k with `results_only` (EvidenceBench, section 2.2).

    With `results_first` all evidence is looked for, in another order: results before the rest, and lines that set the
    scene (`core.evidence.results_first`) where nothing better is left. It says nothing beside `results_only`.

    Raises `QueryError` if the hypothesis is empty or no hypothesis at all, or `k` is below 1.
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
    """The sentences of the pool that may be chosen: never a title or heading, which assert nothing."""
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
class Verdict:
    """What a model makes of the paper as a whole. The strongest sentences are among those chosen."""

    judgement: PaperVerdict
    strongest_for: int | None
    strongest_against: int | None


@dataclass(frozen=True, slots=True)
class Step:
    """One question to a model within a run, asked again where its first answer had faults."""

    label: str  # a section's title, or what the question is about
    reasoning: str  # the model's own words
    chosen: tuple[int, ...]
    faults: tuple[str, ...] = ()  # of the first answer, in words
    not_in_paper: tuple[str, ...] = ()  # what the model still named or quoted wrongly: shown, never highlighted
    error: str | None = None  # why there is no answer
    text: str | None = None  # the reply as it came, where it could not be used
    usage: Usage | None = None  # of the question and its repetition; None: nothing came back
    cost_usd: float | None = None  # None: unknown
    from_cache: bool = False  # nothing was sent


@dataclass(frozen=True, slots=True)
class ModelRun:
    """How a language model came to its answer."""

    model: str  # "openai:MODEL"
    strategy: str
    prompts: tuple[tuple[str, str], ...]  # (name, hash) of every template that was used
    steps: tuple[Step, ...]
    verdict: Verdict | None = None  # None: not asked for, no schema, or it rests on no sentence of the paper

    @property
    def cost_usd(self) -> float | None:
        """What the run cost; None if that of any step is unknown."""
        costs = [step.cost_usd for step in self.steps]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @property
    def from_cache(self) -> bool:
        """Whether every reply was kept from an earlier run, so that nothing was sent."""
        return bool(self.steps) and all(step.from_cache for step in self.steps)

    @property
    def failed(self) -> tuple[Step, ...]:
        """The steps without an answer."""
        return tuple(step for step in self.steps if step.error is not None)


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


class NoAnswer(ModelError):
    """A run ended without an answer. `run` holds every step, so that what came back is not lost."""

    def __init__(self, cause: ModelError, run: ModelRun) -> None:
        super().__init__(str(cause))
        self.cause = cause
        self.run = run


class EvidenceEngine(Protocol):
    """A named way of finding evidence."""

    @property
    def name(self) -> str: ...

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        """At most `query.k` sentences of `query.candidates(paper)`, best first."""
        ...
