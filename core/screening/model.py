"""A review's criteria, engines' suggestions on them, reviewers' verdicts, and the interface of screening engines."""

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
# A review's criteria, engines' suggestions on them, and reviewers' verdicts.


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
    """What a reviewer decides on a paper."""

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
        """Derived from the wording, so that no suggestion is shown for a criterion that was changed since."""
        return sha256(f"{self.kind}\n{' '.join(self.text.split())}".encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class CriterionSuggestion:
    """An engine's suggestion on one criterion, with the sentences of the paper that support it, best first."""

    engine: str
    criterion: str  # `Criterion.id`
    fit: Fit | None  # None: it could not be judged; `reason` says why
    reason: str  # one sentence
    sentences: tuple[EvidenceSentence, ...] = ()
    prompts: tuple[tuple[str, str], ...] = ()  # (name, hash) of every template that was used
    cost_usd: float | None = 0.0  # None: unknown


# ---- engine ----
# The interface of a screening engine, and the one question that a reviewer asks of it.

CRITERION_SENTENCES = 5  # at most, shown for a criterion


class ScreeningEngine(Protocol):
    """A named way of telling whether a paper meets a criterion. Safe to share between threads.

    An engine raises `NoAnswer`, with every step that was made, if a language model gives no usable answer.
    """

    @property
    def name(self) -> str: ...

    def suggest(self, criterion: Criterion, paper: Paper, *, progress: Progress = silent) -> CriterionSuggestion:
        """The fit, the reason, and at most `CRITERION_SENTENCES` sentences that support it, best first."""
        ...


def suggest(
    criterion: Criterion, paper: Paper, *, engine: ScreeningEngine, progress: Progress = silent
) -> CriterionSuggestion:
    """Whether a paper meets a criterion, according to an engine.

    A paper of only a title and an abstract is judged by these. Raises `QueryError` if the criterion is empty or too
    long.
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
