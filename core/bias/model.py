"""What a tool for risk of bias is made of, and what judging a domain gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NewType

from core.grounding.model import Match, ModelRun

# ---- levels ----

# A level of risk of bias by its name, as files and tables keep it. A tool says which there are, and how they look.
Level = NewType("Level", str)
LOW, HIGH = Level("low"), Level("high")  # the ends of most tools' scales; what lies between is each tool's own

# Cochrane's colours, as robvis draws them.
GREEN, YELLOW, RED, DARK_RED, BLUE = "#02C100", "#E2DF07", "#BF0000", "#820000", "#4EA1F7"


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

LONGEST_OUTCOME = 200  # letters of what an outcome is called
OVERALL = "overall"  # the id of the judgement on the whole, beside those of domains


@dataclass(frozen=True, slots=True)
class Domain:
    """One way in which a study's result can be biased.

    A domain with questions is judged by `algorithm` from complete answers, or by its criteria where the answers do not
    decide; one without by its criteria.
    """

    id: str  # such as "sequence" or "D1"; tools of one family share them
    name: str
    bias: str  # the kind of bias, such as "selection bias"
    definition: str  # what to look for, in a sentence or two
    criteria: Mapping[Level, str]
    robvis: str  # its column in a robvis file; "": it has none there
    questions: tuple[Question, ...] = ()
    algorithm: Callable[[Answers], Level | None] | None = None  # None: these answers do not decide
    scale: tuple[Level, ...] = ()  # from best to worst; (): the levels of the criteria, in their order
    topics: tuple[Topic, ...] = ()  # what the offline engine looks for; (): sentences near the definition
    level_model: Topic | None = None  # on which the offline engine learned to judge by these very criteria
    label: str = ""  # its short name in plots, such as "D1b"; "": D and its place
    applicability: bool = False  # whether it asks if the study fits the review's question: no part of the whole

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
        """What the algorithm makes of the answers; None while one is missing, and where they do not decide."""
        if self.algorithm is None or self.missing(answers):
            return None
        return self.algorithm({question.id: answers[question.id] for question in self.applicable(answers)})

    def by_hand(self, answers: Answers) -> bool:
        """Whether a person judges by the criteria: there are no questions, or all are answered and do not decide."""
        return self.algorithm is None or (not self.missing(answers) and self.level(answers) is None)


@dataclass(frozen=True, slots=True)
class Raise:
    """Several domains at one level, and none at a worse one: the tool says that the whole may be judged worse than each."""

    several: Level
    to: Level


# Until there was a reason for another level of the whole, a box said so, and reviewers ticked it: now it is their reason.
RAISED_BECAUSE = "Several domains of some concerns may lower confidence in the result so much that the whole is high."


@dataclass(frozen=True, slots=True)
class RobvisTemplate:
    """How robvis knows a tool."""

    name: str = "Generic"  # what its argument `tool` takes
    words: Mapping[Level, str] = field(default_factory=dict)  # of levels that it calls otherwise


@dataclass(frozen=True, slots=True)
class Tool:
    """A published tool, or a reviewer's own. It never changes; a changed one is another tool.

    Tools of one family are told apart by the design that they are for, and by the effect whose estimate they judge.
    """

    id: str  # "rob1"
    name: str
    source: str  # where the tool was published
    levels: Mapping[Level, LevelStyle]  # from best to worst
    domains: tuple[Domain, ...]
    overall: bool  # whether it has a judgement on the study as a whole: the worst domain's level
    raising: Raise | None = None  # for people to decide, and never done here
    family: str = ""  # such as "RoB 2"; "": the name
    design: str = ""  # such as "cluster-randomised trial"; "": the family has one only
    effect: str = ""  # such as "assignment to the intervention"; "": the family has one only
    confounders: bool = False  # whether it asks about the confounders that the review lists
    robvis: RobvisTemplate = RobvisTemplate()
    judges_results: bool = False  # whether it is applied to each outcome of a study, or once to the study
    own: bool = False  # whether it is the reviewers' own (core.bias.own): its words are told wherever it is used

    def __post_init__(self) -> None:
        if not self.family:
            object.__setattr__(self, "family", self.name)

    @property
    def scale(self) -> tuple[Level, ...]:
        """The levels, from best to worst."""
        return tuple(self.levels)

    @property
    def whole(self) -> Domain | None:
        """The judgement on the whole, which a person gives like that on a domain; None where the tool has none.

        Its level follows from those of the domains (`overall_level`), and a person may set another, with the reason.
        """
        if not self.overall:
            return None
        best, *worse = self.levels
        criteria = {best: f"Every domain is “{best}”."} | {level: f"The worst domain is “{level}”." for level in worse}
        if self.raising:
            several, to = self.raising.several, self.raising.to
            criteria[to] += f" Or several are “{several}”, and together lower confidence in the result as much."
        definition = "The level that follows from the domains, unless you set another and say why."
        return Domain(OVERALL, "Overall", "", definition, criteria, "Overall")

    @property
    def with_whole(self) -> tuple[Domain, ...]:
        """All that a person gives a level: the domains, and the whole."""
        return (*self.domains, *filter(None, [self.whole]))

    def domain(self, id: str) -> Domain:
        """The domain of this id, or the whole. Raises `KeyError` if there is none."""
        return {domain.id: domain for domain in self.with_whole}[id]

    def overall_level(self, levels: Mapping[str, Level | None]) -> Level | None:
        """The worst domain's level; None while one is missing. Applicability has no part in it."""
        known = [levels.get(domain.id) for domain in self.domains if not domain.applicability]
        if not self.overall or None in known:
            return None
        return max((level for level in known if level is not None), key=self.scale.index)


# ---- judgements ----


@dataclass(frozen=True, slots=True)
class StudyContext:
    """What a reviewer is looking at the paper for."""

    objective: str = ""  # of the review
    population: str = ""
    intervention: str = ""
    comparator: str = ""
    outcome: str = ""
    confounders: str = ""  # the important ones, as the review lists them; for tools that ask about them

    def for_outcome(self, outcome: str) -> StudyContext:
        """The same where one outcome is judged; "": no particular one."""
        return replace(self, outcome=outcome) if outcome else self


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
