"""What a review keeps of a paper's claims: what other papers say about each, and the reviewers' decisions on that."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

GivenVerdict = Literal["good", "not enough context", "not generalisable", "not a claim", "not supported"]


@dataclass(frozen=True, slots=True)
class StoredSide:
    """A paper that agrees with a claim or contradicts it, and the sentence in which it does."""

    paper: str  # its id
    title: str
    way: Literal["agrees", "contradicts"]
    sure: float | None  # 0 to 1; None: the engine does not tell
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
    """What an engine found when it compared a claim with the project's library."""

    engine: str
    place: int  # 0 to 10; 5: lack of evidence
    reason: str
    searched: int
    sides: tuple[StoredSide, ...]
    at: datetime  # UTC
    cost_usd: float | None = 0.0
    # Digest of the papers searched and the scale; the claim is compared again when it changes, or if it is empty
    # because something could not be read.
    held_in: str = ""
    outside: tuple[str, ...] = ()  # what literature services found and did not find, one line each
    notes: tuple[str, ...] = ()  # what a reviewer should know


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
    verdict: GivenVerdict | None = None  # None: no reviewer has said
    made: str = ""  # the engine that found it; empty: a reviewer wrote it
    contest: StoredContest | None = None  # None: not compared with the library yet


class ContradictionVerdict(StrEnum):
    """A reviewer's verdict on whether two papers contradict each other on a claim."""

    REAL = "real contradiction"
    APPARENT = "apparent only"
    NONE = "no contradiction"


@dataclass(frozen=True, slots=True)
class ContradictionDecision:
    """A reviewer's decision on a claim and one other paper."""

    project: str
    paper: str
    claim: str
    other: str  # the other paper's id
    reviewer: str
    verdict: ContradictionVerdict
    why: str = ""  # for an apparent contradiction, what explains it, such as the dose
