"""What a tool for risk of bias is made of, and what judging a domain gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from core.grounding.model import Match, ModelRun

# ---- levels ----

# A level of risk of bias by its name, as files and tables keep it. A tool says which there are, and how they look.
Level = NewType("Level", str)
LOW, HIGH = Level("low"), Level("high")  # the ends of most tools' scales; what lies between is each tool's own

GREEN, YELLOW, RED, BLUE = "#02C100", "#E2DF07", "#BF0000", "#4EA1F7"  # Cochrane's colours, as robvis draws them


@dataclass(frozen=True, slots=True)
class LevelStyle:
    """How a level looks on every screen and in every file: never by its colour alone."""

    word: str  # such as "Some concerns"; robvis compares it letter by letter
    sign: str
    colour: str | None  # None: an outline alone
    ink: str = "#000000"  # of the sign


# ---- questions ----


class Answer(StrEnum):
    """An answer to a signalling question."""

    YES = "Y"
    PROBABLY_YES = "PY"
    PROBABLY_NO = "PN"
    NO = "N"
    NO_INFORMATION = "NI"
    NOT_APPLICABLE = "NA"

    @property
    def yes(self) -> bool:
        """Yes or probably yes: the algorithms treat them alike."""
        return self in {Answer.YES, Answer.PROBABLY_YES}

    @property
    def no(self) -> bool:
        """No or probably no."""
        return self in {Answer.NO, Answer.PROBABLY_NO}


Answers = Mapping[str, Answer]  # by the question's id; a question without an answer is missing

ALL_ANSWERS = (Answer.YES, Answer.PROBABLY_YES, Answer.PROBABLY_NO, Answer.NO, Answer.NO_INFORMATION)


class Topic(StrEnum):
    """What the models shipped with Vouch know of reports on trials (docs/bias.md). A domain names those it asks about."""

    SEQUENCE = "sequence"
    CONCEALMENT = "concealment"
    PERFORMANCE = "performance"
    DETECTION = "detection"
    BLINDING = "blinding"  # of whomever
    ATTRITION = "attrition"
    REPORTING = "reporting"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class WordingRule:
    """The answers that wordings on a topic give, where the offline engine finds one; by their names in `core.bias.levels`."""

    topic: Topic
    answers: Mapping[str, Answer]


@dataclass(frozen=True, slots=True)
class Question:
    """A signalling question. One with a condition applies only where the answers before it make it."""

    id: str  # such as "2.3"
    text: str
    allowed: tuple[Answer, ...] = ALL_ANSWERS
    condition: str = ""  # when it applies, in words; "": always
    applies: Callable[[Answers], bool] = lambda answers: True
    rule: WordingRule | None = None


# ---- tools ----


@dataclass(frozen=True, slots=True)
class Domain:
    """One way in which a study's result can be biased.

    A domain with questions is judged by `algorithm` from complete answers; one without by its criteria.
    """

    id: str  # such as "sequence" or "D1"; no two tools share one
    name: str
    bias: str  # the kind of bias, such as "selection bias"
    definition: str  # what to look for, in a sentence or two
    criteria: Mapping[Level, str]
    robvis: str  # its column in a robvis file
    questions: tuple[Question, ...] = ()
    algorithm: Callable[[Answers], Level] | None = None
    scale: tuple[Level, ...] = ()  # from best to worst; (): the levels of the criteria, in their order
    topics: tuple[Topic, ...] = ()  # what the offline engine looks for; (): sentences near the definition
    level_model: Topic | None = None  # on which the offline engine learned to judge by these very criteria

    def __post_init__(self) -> None:
        if not self.scale:
            object.__setattr__(self, "scale", tuple(self.criteria))

    def applicable(self, answers: Answers) -> tuple[Question, ...]:
        """The questions that apply, given the answers so far. Answers to others are as if they were not there."""
        known: dict[str, Answer] = {}
        applicable = []
        for question in self.questions:
            if question.applies(known):
                applicable.append(question)
                answer = answers.get(question.id)
                if answer in question.allowed:
                    known[question.id] = answer
        return tuple(applicable)

    def missing(self, answers: Answers) -> tuple[Question, ...]:
        """The questions that apply and have no answer yet."""
        return tuple(q for q in self.applicable(answers) if answers.get(q.id) not in q.allowed)

    def level(self, answers: Answers) -> Level | None:
        """What the algorithm makes of the answers; None while one that is required is missing."""
        if self.algorithm is None or self.missing(answers):
            return None
        return self.algorithm({question.id: answers[question.id] for question in self.applicable(answers)})


@dataclass(frozen=True, slots=True)
class Raise:
    """Several domains at one level, and none at a worse one: the reviewer may judge the whole worse than each of them."""

    several: Level
    to: Level


@dataclass(frozen=True, slots=True)
class Tool:
    """A published tool, or a reviewer's own. It never changes; a changed one is another tool."""

    id: str  # "rob1"
    name: str
    source: str  # where the tool was published
    levels: Mapping[Level, LevelStyle]  # from best to worst
    domains: tuple[Domain, ...]
    overall: bool  # whether it has a judgement on the study as a whole: the worst domain's level
    raising: Raise | None = None  # for the reviewer to decide, and never done here

    @property
    def scale(self) -> tuple[Level, ...]:
        """The levels, from best to worst."""
        return tuple(self.levels)

    def domain(self, id: str) -> Domain:
        """The domain of this id. Raises `KeyError` if there is none."""
        return {domain.id: domain for domain in self.domains}[id]

    def overall_level(self, levels: Mapping[str, Level | None]) -> Level | None:
        """The worst domain's level; None while one is missing."""
        known = [levels.get(domain.id) for domain in self.domains]
        if not self.overall or None in known:
            return None
        return max((level for level in known if level is not None), key=self.scale.index)

    def may_be_raised_to(self, levels: Mapping[str, Level | None]) -> Level | None:
        """The level to which the reviewer may raise the whole; None where they may not."""
        if self.raising is None or self.overall_level(levels) != self.raising.several:
            return None
        several = sum(levels.get(domain.id) == self.raising.several for domain in self.domains) > 1
        return self.raising.to if several else None


# ---- judgements ----


@dataclass(frozen=True, slots=True)
class StudyContext:
    """What a reviewer is looking at the paper for."""

    objective: str = ""  # of the review
    population: str = ""
    intervention: str = ""
    comparator: str = ""
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Support:
    """A sentence of the paper behind a judgement. `index` points into `paper.sentences`."""

    index: int
    score: float = 1.0  # comparable within one judgement only
    reason: str = ""
    match: Match | None = None  # None: chosen among the paper's sentences on this machine


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an engine or a person makes of one domain. A level of None comes with its reason: nothing is made up."""

    domain: str
    level: Level | None
    rationale: str
    support: tuple[Support, ...] = ()
    answers: Answers = field(default_factory=dict)
    deciding_words: tuple[str, ...] = ()  # of the paper, that decided
    searched: tuple[str, ...] = ()  # section titles, where nothing was found
    rejected: tuple[int, ...] = ()  # the nearest sentences, where nothing was found
    not_in_paper: tuple[str, ...] = ()  # what a model named or quoted wrongly: shown, never highlighted
    likeliest: Level | None = field(default=None, compare=False)  # to measure by, never shown, where there is no level


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The sentences that tell most about a domain, best first."""

    support: tuple[Support, ...]
    run: ModelRun | None = None  # None: no language model was asked


@dataclass(frozen=True, slots=True)
class Picked:
    """Which of several support judgements fits a study."""

    place: int | None  # among those given, from 0; None: the engine named none of them, even when asked again
    reason: str
    run: ModelRun | None = None
