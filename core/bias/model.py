"""The parts of a risk-of-bias tool, and the results of judging a domain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NewType

from core.grounding.model import Match, ModelRun

# ---- levels ----

# A level of risk of bias, by its name in files and tables. Each tool defines its levels and their style.
Level = NewType("Level", str)
LOW, HIGH = Level("low"), Level("high")  # the ends of most tools' scales; levels in between differ by tool

# Cochrane's colours, as robvis draws them.
GREEN, YELLOW, RED, DARK_RED, BLUE = "#02C100", "#E2DF07", "#BF0000", "#820000", "#4EA1F7"


@dataclass(frozen=True, slots=True)
class LevelStyle:
    """How a level is shown on every screen and in every file, never by colour alone."""

    word: str  # such as "Some concerns"; robvis requires the exact spelling
    sign: str
    colour: str | None  # None: only an outline
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
        """Yes or probably yes, which the algorithms treat alike."""
        return self in {Answer.YES, Answer.PROBABLY_YES}

    @property
    def no(self) -> bool:
        """No or probably no."""
        return self in {Answer.NO, Answer.PROBABLY_NO}


Answers = Mapping[str, Answer]  # by question id; unanswered questions are absent

ALL_ANSWERS = (Answer.YES, Answer.PROBABLY_YES, Answer.PROBABLY_NO, Answer.NO, Answer.NO_INFORMATION)


class Topic(StrEnum):
    """The topics that the shipped models recognise in trial reports (docs/bias.md). A domain names those it asks about."""

    SEQUENCE = "sequence"
    CONCEALMENT = "concealment"
    PERFORMANCE = "performance"
    DETECTION = "detection"
    BLINDING = "blinding"  # of anyone
    ATTRITION = "attrition"
    REPORTING = "reporting"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class WordingRule:
    """The answers that the offline engine derives from wordings on a topic."""

    topic: Topic
    answers: Mapping[str, Answer]  # by the wording's name in `core.bias.levels`


@dataclass(frozen=True, slots=True)
class Question:
    """A signalling question. One with a condition applies only if earlier answers make it apply."""

    id: str  # such as "2.3"
    text: str
    allowed: tuple[Answer, ...] = ALL_ANSWERS
    condition: str = ""  # when it applies, in words; "": always
    applies: Callable[[Answers], bool] = lambda answers: True
    rule: WordingRule | None = None


# ---- tools ----

LONGEST_OUTCOME = 200  # characters in the name of an outcome, at most
OVERALL = "overall"  # the id of the overall judgement, used alongside domain ids


@dataclass(frozen=True, slots=True)
class Domain:
    """One way in which a study's result can be biased.

    A domain with questions is judged by `algorithm` from complete answers, or by its criteria if the answers do not decide.
    A domain without questions is judged by its criteria.
    """

    id: str  # such as "sequence" or "D1"; the same in all tools of a family
    name: str
    bias: str  # the kind of bias, such as "selection bias"
    definition: str  # what to look for, in a sentence or two
    criteria: Mapping[Level, str]
    robvis: str  # its column in a robvis file; "": no column
    questions: tuple[Question, ...] = ()
    algorithm: Callable[[Answers], Level | None] | None = None  # returns None if these answers do not decide
    scale: tuple[Level, ...] = ()  # from best to worst; (): the levels of the criteria, in their order
    topics: tuple[Topic, ...] = ()  # what the offline engine looks for; (): sentences near the definition
    level_model: Topic | None = None  # the topic on which the offline engine learned to judge by these criteria
    label: str = ""  # its short name in plots, such as "D1b"; "": D and its position
    applicability: bool = False  # asks if the study fits the review's question; not part of the overall level

    def __post_init__(self) -> None:
        if not self.scale:
            object.__setattr__(self, "scale", tuple(self.criteria))

    def applicable(self, answers: Answers) -> tuple[Question, ...]:
        """The questions that apply, given the answers so far. Answers to other questions are ignored."""
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
        """The algorithm's level for the answers; None while an answer is missing, or if they do not decide."""
        if self.algorithm is None or self.missing(answers):
            return None
        return self.algorithm({question.id: answers[question.id] for question in self.applicable(answers)})

    def by_hand(self, answers: Answers) -> bool:
        """Whether a person judges by the criteria: there are no questions, or the complete answers do not decide."""
        return self.algorithm is None or (not self.missing(answers) and self.level(answers) is None)


@dataclass(frozen=True, slots=True)
class Raise:
    """A tool's rule that several domains at one level, with none worse, may make the overall level worse."""

    several: Level
    to: Level


# Older versions had a tick box instead of a reason for changing the overall level. A ticked box is read as this reason.
RAISED_BECAUSE = "Several domains of some concerns may lower confidence in the result so much that the whole is high."


@dataclass(frozen=True, slots=True)
class RobvisTemplate:
    """The names that robvis uses for a tool and its levels."""

    name: str = "Generic"  # the value of its argument `tool`
    words: Mapping[Level, str] = field(default_factory=dict)  # for levels that it names differently


@dataclass(frozen=True, slots=True)
class Tool:
    """A published tool, or a reviewer's own. It is immutable: a changed tool is another tool.

    Tools of one family differ in the study design that they are for, or in the effect whose estimate they judge.
    """

    id: str  # "rob1"
    name: str
    source: str  # where the tool was published
    levels: Mapping[Level, LevelStyle]  # from best to worst
    domains: tuple[Domain, ...]
    overall: bool  # whether it has an overall judgement on the study: the worst domain's level
    raising: Raise | None = None  # left to people, never applied automatically
    family: str = ""  # such as "RoB 2"; "": the name
    design: str = ""  # such as "cluster-randomised trial"; "": the family has only one
    effect: str = ""  # such as "assignment to the intervention"; "": the family has only one
    confounders: bool = False  # whether it asks about the confounders that the review lists
    robvis: RobvisTemplate = RobvisTemplate()
    judges_results: bool = False  # True: applied to each outcome of a study; False: once to the study
    own: bool = False  # whether it is the reviewers' own (core.bias.own); its text is then shown wherever it is used

    def __post_init__(self) -> None:
        if not self.family:
            object.__setattr__(self, "family", self.name)

    @property
    def scale(self) -> tuple[Level, ...]:
        """The levels, from best to worst."""
        return tuple(self.levels)

    @property
    def whole(self) -> Domain | None:
        """The overall judgement as a pseudo-domain, which a person can judge like a domain; None if the tool has none.

        Its level follows from those of the domains (`overall_level`). A person may set another level, with a reason.
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
        """Everything that a person can give a level: the domains and the overall judgement."""
        return (*self.domains, *filter(None, [self.whole]))

    def domain(self, id: str) -> Domain:
        """The domain with this id, or the overall judgement. Raises `KeyError` if there is none."""
        return {domain.id: domain for domain in self.with_whole}[id]

    def overall_level(self, levels: Mapping[str, Level | None]) -> Level | None:
        """The worst domain's level, ignoring applicability; None while a level is missing or if the tool has none."""
        known = [levels.get(domain.id) for domain in self.domains if not domain.applicability]
        if not self.overall or None in known:
            return None
        return max((level for level in known if level is not None), key=self.scale.index)


# ---- judgements ----


@dataclass(frozen=True, slots=True)
class StudyContext:
    """The review question for which a reviewer reads the paper."""

    objective: str = ""  # of the review
    population: str = ""
    intervention: str = ""
    comparator: str = ""
    outcome: str = ""
    confounders: str = ""  # the important ones that the review lists; for tools that ask about them

    def for_outcome(self, outcome: str) -> StudyContext:
        """A copy with this outcome; unchanged for "", which means no particular outcome."""
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
    """An engine's or a person's judgement on one domain. If the level is None, `rationale` says why."""

    domain: str
    level: Level | None
    rationale: str
    support: tuple[Support, ...] = ()
    answers: Answers = field(default_factory=dict)
    deciding_words: tuple[str, ...] = ()  # the words of the paper that decided
    searched: tuple[str, ...] = ()  # the titles of the searched sections, if nothing was found
    rejected: tuple[int, ...] = ()  # the nearest sentences, if nothing was found
    not_in_paper: tuple[str, ...] = ()  # what a language model named or quoted wrongly: shown, never highlighted
    likeliest: Level | None = field(default=None, compare=False)  # if there is no level; for benchmarks, never shown


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The sentences most informative about a domain, best first."""

    support: tuple[Support, ...]
    run: ModelRun | None = None  # None: no language model was asked


@dataclass(frozen=True, slots=True)
class Picked:
    """Which of several support judgements fits a study."""

    place: int | None  # index among the given ones; None: the engine named none of them, even when asked again
    reason: str
    run: ModelRun | None = None
