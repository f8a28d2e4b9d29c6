"""The types of a paper's claims, and of the comparison of a statement with a library."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Protocol

from core.answering.model import ReportedChange
from core.errors import QueryError
from core.grounding.model import ModelRun
from core.library.index import Library
from core.library.model import LibraryPaper, Passage
from core.paper import Paper
from core.progress import Progress, silent

THRESHOLD = 8  # from this place on, a statement counts as contradicted (PaperQA2, section 8.4)
MOST_WORDS = 100  # in a statement


class Place(IntEnum):
    """The place of a statement on the scale from agreement to contradiction (PaperQA2, section 8.4 and figure 4B).

    The paper's instructions name ten labels. The eleventh here is "nuanced agreement", the counterpart of "nuanced
    contradiction".
    """

    EXPLICIT_AGREEMENT = 0
    STRONG_AGREEMENT = 1
    AGREEMENT = 2
    NUANCED_AGREEMENT = 3
    POSSIBLY_AGREEMENT = 4
    LACK_OF_EVIDENCE = 5
    POSSIBLY_CONTRADICTION = 6
    NUANCED_CONTRADICTION = 7
    CONTRADICTION = 8
    STRONG_CONTRADICTION = 9
    EXPLICIT_CONTRADICTION = 10

    @property
    def in_words(self) -> str:
        """Its label, such as "strong contradiction"."""
        return _WORDS[self]


_WORDS = {
    Place.EXPLICIT_AGREEMENT: "explicit agreement",
    Place.STRONG_AGREEMENT: "strong agreement",
    Place.AGREEMENT: "agreement",
    Place.NUANCED_AGREEMENT: "nuanced agreement",
    Place.POSSIBLY_AGREEMENT: "possibly an agreement",
    Place.LACK_OF_EVIDENCE: "lack of evidence",
    Place.POSSIBLY_CONTRADICTION: "possibly a contradiction",
    Place.NUANCED_CONTRADICTION: "nuanced contradiction",
    Place.CONTRADICTION: "contradiction",
    Place.STRONG_CONTRADICTION: "strong contradiction",
    Place.EXPLICIT_CONTRADICTION: "explicit contradiction",
}


def why_not_compared(text: str) -> str:
    """Why a text cannot be compared with a library, as a sentence; empty if it can."""
    words = len(text.split())
    return "" if 0 < words <= MOST_WORDS else f"The statement has {words} words. Give one of 1 to {MOST_WORDS} words."


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement to compare with a library, and the papers to leave out.

    Raises `QueryError` if its length is wrong.
    """

    text: str
    without: frozenset[str] = field(default_factory=frozenset)  # ids of papers to leave out: its own and its duplicates
    only: frozenset[str] | None = None  # ids of papers; None: all papers of the library
    context: str = ""  # the text around it in its paper, which may explain differences

    def __post_init__(self) -> None:
        if why_not := why_not_compared(self.text):
            raise QueryError(why_not)


class Way(StrEnum):
    """How a paper bears on a statement."""

    AGREES = "agrees"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True)
class Side:
    """One paper that agrees with a statement or contradicts it."""

    paper: LibraryPaper
    way: Way
    sure: float | None  # probability that it reports on the statement, and this way; None: the engine gives none
    passage: Passage
    strongest: int  # the index in the paper of the sentence to quote
    told: ReportedChange | None = None  # the direction of its result, if the engine determines it
    reason: str = ""  # in a model's words
    differences: tuple[str, ...] = ()  # what may explain it: "dose: 10 mg there, 40 mg in the statement"

    @property
    def sentence(self) -> str:
        """The sentence to quote, in the paper's own words."""
        return self.passage.sentences[self.strongest - self.passage.first]


@dataclass(frozen=True, slots=True)
class Contested:
    """What a library says about a statement."""

    engine: str
    statement: Statement
    place: Place
    reason: str  # one sentence by Vouch, or a model's reasons
    sides: tuple[Side, ...]  # the surest first
    searched: int  # papers of the library that were searched
    likely: float  # 0 to 1; higher means likelier to be contradicted; 0.5: no evidence either way
    claims: ReportedChange | None = None  # the direction that the statement claims, if the engine determines it
    seconds: float = 0.0
    cost_usd: float | None = 0.0  # None: unknown
    run: ModelRun | None = None  # every question to a model
    outside: tuple[str, ...] = ()  # what literature services found, and what is not available, a line each
    notes: tuple[str, ...] = ()  # what a reviewer should know

    @property
    def against(self) -> tuple[Side, ...]:
        """Papers that contradict it, the surest first."""
        return tuple(one for one in self.sides if one.way is Way.CONTRADICTS)

    @property
    def agreeing(self) -> tuple[Side, ...]:
        """Papers that agree with it, the surest first."""
        return tuple(one for one in self.sides if one.way is Way.AGREES)


class ContradictionEngine(Protocol):
    """Compares statements with a library."""

    @property
    def name(self) -> str:
        """The engine's name, with its strategy."""
        ...

    def compare(self, statement: Statement, library: Library, *, progress: Progress = silent) -> Contested:
        """What the library says about the statement. Raises `VouchError` if the library or the engine fails."""
        ...


# ---- claims of a paper ----


class ClaimVerdict(StrEnum):
    """What is said of a claim by a person or a model (PaperQA2, section 8.4)."""

    GOOD = "good"
    NOT_ENOUGH_CONTEXT = "not enough context"
    NOT_GENERALISABLE = "not generalisable"
    NOT_A_CLAIM = "not a claim"
    NOT_SUPPORTED = "not supported"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a paper claims, in few words, and the sentence that says so."""

    text: str
    sentence: int  # index in the paper
    score: float  # 0 to 10: how clear, testable and general the claim is
    also: tuple[int, ...] = ()  # other sentences that say the same
    verdict: ClaimVerdict | None = None  # None: not judged
    terms: tuple[tuple[str, str], ...] = ()  # (abbreviation, long form) of those in it that its paper explains


@dataclass(frozen=True, slots=True)
class PaperClaims:
    """The claims that an engine finds in a paper, the best first."""

    engine: str
    claims: tuple[Claim, ...]
    seconds: float = 0.0
    cost_usd: float | None = 0.0
    run: ModelRun | None = None
    notes: tuple[str, ...] = ()  # what a reviewer should know


class ClaimEngine(Protocol):
    """Finds the claims of a paper."""

    @property
    def name(self) -> str:
        """The engine's name, with its strategy."""
        ...

    def claims(self, paper: Paper, *, progress: Progress = silent) -> PaperClaims:
        """What the paper claims. Raises `VouchError` if the engine fails."""
        ...


@dataclass(frozen=True, slots=True)
class ComparedClaim:
    """A claim of a paper, and what a library says about it."""

    claim: Claim
    contested: Contested
