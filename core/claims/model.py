"""What a paper claims, and a statement held against a library: the papers for and against it, and how contested it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Protocol

from core.answering.model import Told
from core.errors import QueryError
from core.grounding.model import ModelRun
from core.library.index import Library
from core.library.model import LibraryPaper, Passage
from core.paper import Paper
from core.progress import Progress, silent

THRESHOLD = 8  # from this place on a statement counts as contradicted (PaperQA2, section 8.4)
MOST_WORDS = 100  # of a statement


class Place(IntEnum):
    """Where a statement stands between agreement and contradiction (PaperQA2, section 8.4 and figure 4B).

    The instructions there name ten labels; "nuanced agreement", the mirror of the nuanced contradiction, is the eleventh.
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


def why_not_held(text: str) -> str:
    """In a sentence why a text cannot be held against a library; empty where it can."""
    words = len(text.split())
    return "" if 0 < words <= MOST_WORDS else f"The statement has {words} words. Give one of 1 to {MOST_WORDS} words."


@dataclass(frozen=True, slots=True)
class Statement:
    """What is held against a library, and the papers that are left out. Raises `QueryError` for one that cannot be held."""

    text: str
    without: frozenset[str] = field(default_factory=frozenset)  # ids of papers: its own, and its doubles
    only: frozenset[str] | None = None  # ids of papers; None: all of the library
    context: str = ""  # what its own paper says around it, for what may explain a difference

    def __post_init__(self) -> None:
        if why_not := why_not_held(self.text):
            raise QueryError(why_not)


class Way(StrEnum):
    """How a paper bears on a statement."""

    AGREES = "agrees"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True)
class Side:
    """One paper that agrees with a statement, or contradicts it."""

    paper: LibraryPaper
    way: Way
    sure: float | None  # 0 to 1: that it reports on the statement, and this way; None: the engine tells no sureness
    passage: Passage
    strongest: int  # the index in the paper of the sentence to quote
    told: Told | None = None  # which way its result goes, where the engine tells that
    reason: str = ""  # in a model's words
    differences: tuple[str, ...] = ()  # what may explain it: "dose: 10 mg there, 40 mg in the statement"

    @property
    def sentence(self) -> str:
        """The sentence to quote, in the paper's own words."""
        return self.passage.sentences[self.strongest - self.passage.first]


@dataclass(frozen=True, slots=True)
class Contested:
    """What a library says of a statement."""

    engine: str
    statement: Statement
    place: Place
    reason: str  # in a sentence
    sides: tuple[Side, ...]  # the surest first
    searched: int  # papers of the library that were searched
    likely: float  # 0 to 1, the greater the likelier it is contradicted; 0.5: nothing speaks either way
    claims: Told | None = None  # which way the statement claims its outcome to go, as far as the engine tells
    seconds: float = 0.0
    cost_usd: float | None = 0.0  # None: unknown
    run: ModelRun | None = None  # every question to a model
    outside: tuple[str, ...] = ()  # what literature services brought, and what not, a line each

    @property
    def against(self) -> tuple[Side, ...]:
        """Papers that contradict it, the surest first."""
        return tuple(one for one in self.sides if one.way is Way.CONTRADICTS)

    @property
    def agreeing(self) -> tuple[Side, ...]:
        """Papers that agree with it, the surest first."""
        return tuple(one for one in self.sides if one.way is Way.AGREES)


class ContradictionEngine(Protocol):
    """Holds statements against a library."""

    @property
    def name(self) -> str:
        """Its name, with its strategy."""
        ...

    def hold(self, statement: Statement, library: Library, *, progress: Progress = silent) -> Contested:
        """What the library says of it. Raises `VouchError` where the library or the engine fails."""
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
    score: float  # 0 to 10: how good a claim it is, clear, testable and of more than this one paper
    also: tuple[int, ...] = ()  # other sentences that say the same
    verdict: ClaimVerdict | None = None  # None: nobody has said
    terms: tuple[tuple[str, str], ...] = ()  # abbreviations in it that its paper explains, with their long forms


@dataclass(frozen=True, slots=True)
class PaperClaims:
    """The claims that an engine finds in a paper, the best first."""

    engine: str
    claims: tuple[Claim, ...]
    seconds: float = 0.0
    cost_usd: float | None = 0.0
    run: ModelRun | None = None


class ClaimEngine(Protocol):
    """Finds the claims of a paper."""

    @property
    def name(self) -> str:
        """Its name, with its strategy."""
        ...

    def claims(self, paper: Paper, *, progress: Progress = silent) -> PaperClaims:
        """What the paper claims. Raises `VouchError` where the engine fails."""
        ...


@dataclass(frozen=True, slots=True)
class HeldClaim:
    """A claim of a paper, and what a library says of it."""

    claim: Claim
    contested: Contested
