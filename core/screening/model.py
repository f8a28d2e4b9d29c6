"""A review's criteria, what an engine suggests on them, what a reviewer decides, and what every screening engine can do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Protocol

from core.errors import QueryError
from core.evidence.model import MAX_HYPOTHESIS_WORDS, EvidenceSentence
from core.paper import Paper
from core.progress import Progress, silent

# ---- model ----
# A review's criteria, what an engine makes of them, and what a reviewer decides.


class CriterionKind(StrEnum):
    """What a criterion is about: PICO and the design, or something of the reviewer's own."""

    POPULATION = "population"
    INTERVENTION = "intervention"
    COMPARATOR = "comparator"
    OUTCOME = "outcome"
    DESIGN = "design"
    OWN = "own"


class Fit(StrEnum):
    """Whether a paper meets a criterion."""

    MET = "met"
    NOT_MET = "not met"
    UNCLEAR = "unclear"  # the paper does not tell


class ScreeningVerdict(StrEnum):
    """What becomes of a paper."""

    INCLUDE = "include"
    EXCLUDE = "exclude"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Criterion:
    """What a paper must have to be included, in the reviewer's words."""

    kind: CriterionKind
    text: str

    @property
    def id(self) -> str:
        """Follows from its words, so that no suggestion is shown with a criterion that was changed since."""
        return sha256(f"{self.kind}\n{' '.join(self.text.split())}".encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class CriterionSuggestion:
    """What an engine makes of one criterion, with the sentences of the paper it rests on, best first."""

    engine: str
    criterion: str  # `Criterion.id`
    fit: Fit | None  # None: it could not be judged; `reason` says why
    reason: str  # one sentence
    sentences: tuple[EvidenceSentence, ...] = ()
    prompts: tuple[tuple[str, str], ...] = ()  # (name, hash) of every template that was used
    cost_usd: float | None = 0.0  # None: unknown


# ---- engine ----
# What every engine for screening can do, and the one question that a reviewer asks of it.

CRITERION_SENTENCES = 5  # at most, shown for a criterion


class ScreeningEngine(Protocol):
    """A named way of telling whether a paper meets a criterion. Safe to share between threads.

    Where a language model gives no usable answer, `NoAnswer` is raised, with every step that was made.
    """

    @property
    def name(self) -> str: ...

    def suggest(self, criterion: Criterion, paper: Paper, *, progress: Progress = silent) -> CriterionSuggestion:
        """At most `CRITERION_SENTENCES` sentences of the paper, best first, what follows from them, and why."""
        ...


def suggest(
    criterion: Criterion, paper: Paper, *, engine: ScreeningEngine, progress: Progress = silent
) -> CriterionSuggestion:
    """Whether a paper meets a criterion, in an engine's view.

    A paper that is a title and an abstract alone is judged by these. Raises `QueryError` if the criterion is empty or
    none at all.
    """
    words = len(criterion.text.split())
    if words == 0:
        raise QueryError("The criterion is empty. Say in a few words what a paper must have to be included.")
    if words > MAX_HYPOTHESIS_WORDS:
        raise QueryError(
            f"The criterion has {words:,} words; at most {MAX_HYPOTHESIS_WORDS} are allowed. "
            "Shorten it, or make several of it."
        )
    return engine.suggest(criterion, paper, progress=progress)
