"""What a review keeps of a paper's claims: what other papers say of each, and what reviewers make of that."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

GivenVerdict = Literal["good", "not enough context", "not generalisable", "not a claim", "not supported"]


@dataclass(frozen=True, slots=True)
class StoredSide:
    """A paper that agrees with a claim, or contradicts it, and its sentence."""

    paper: str  # its id
    title: str
    way: Literal["agrees", "contradicts"]
    sure: float | None  # 0 to 1; None: the engine tells no sureness
    sentence: int
    text: str
    section: str = ""
    page: int | None = None
    year: int | None = None
    told: str | None = None
    reason: str = ""
    differences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredContest:
    """What an engine made of a claim beside the project's library."""

    engine: str
    place: int  # 0 to 10; 5: lack of evidence
    reason: str
    searched: int
    sides: tuple[StoredSide, ...]
    at: datetime  # UTC
    cost_usd: float | None = 0.0
    held_in: str = ""  # which papers were searched, and by which scale, as a digest: another one, and it is held again
    outside: tuple[str, ...] = ()  # what literature services brought, and what not, a line each


@dataclass(frozen=True, slots=True)
class StoredClaim:
    """A claim of a paper, found by an engine or added by a reviewer."""

    project: str
    paper: str
    claim: str  # its id
    text: str
    sentence: int
    score: float
    also: tuple[int, ...] = ()
    terms: tuple[tuple[str, str], ...] = ()
    verdict: GivenVerdict | None = None  # None: nobody has said
    made: str = ""  # the engine that found it; empty: a reviewer wrote it
    contest: StoredContest | None = None  # None: not held against the library yet


class ContradictionVerdict(StrEnum):
    """What a reviewer makes of two papers on one claim."""

    REAL = "real contradiction"
    APPARENT = "apparent only"
    NONE = "no contradiction"


@dataclass(frozen=True, slots=True)
class ContradictionDecision:
    """A reviewer's word on a claim and one other paper."""

    project: str
    paper: str
    claim: str
    other: str  # the other paper's id
    reviewer: str
    verdict: ContradictionVerdict
    why: str = ""  # such as the dose; of an apparent contradiction what explains it
