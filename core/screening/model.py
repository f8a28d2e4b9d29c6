"""A review's criteria, what an engine makes of them, and what a reviewer decides."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from core.evidence.model import EvidenceSentence


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
        """Follows from its words, so that a suggestion never stands beside a criterion that was changed since."""
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
