"""RoB 2's domains for parallel trials (Sterne et al., BMJ 2019;366:l4898; guidance of 22 August 2019), in our own words.

Other designs use them unchanged, or with some questions replaced (`designs.py`).
"""

from __future__ import annotations

from collections.abc import Callable

from core.bias.model import ALL_ANSWERS, HIGH, LOW, Answer, Answers, Domain, Question, Topic, WordingRule
from core.bias.signalling import not_told, said_no, said_yes
from core.bias.tools.rob2.algorithms import (
    SOME_CONCERNS,
    adherence,
    deviations,
    measurement,
    missing_data,
    randomisation,
    selection,
)

WITHOUT_NI = (Answer.YES, Answer.PROBABLY_YES, Answer.PROBABLY_NO, Answer.NO)
_OR_NOT_COUNTED = (*ALL_ANSWERS, Answer.NOT_APPLICABLE)  # NA if the review does not count such departures

# ---- when a question applies ----

Condition = Callable[[Answers], bool]


def if_yes(question: str) -> Condition:
    """Yes or probably yes."""
    return lambda answers: said_yes(answers, question)


def if_no(question: str) -> Condition:
    """No or probably no."""
    return lambda answers: said_no(answers, question)


def unless_no(*questions: str) -> Condition:
    """Yes, probably yes or no information, to any of these questions that applies."""
    return lambda answers: any(said_yes(answers, one) or not_told(answers, one) for one in questions)


def unless_yes(*questions: str) -> Condition:
    """No, probably no or no information, to any of these questions that applies."""
    return lambda answers: any(said_no(answers, one) or not_told(answers, one) for one in questions)


# ---- the answers that the offline engine derives from wordings ----

CHANCE = WordingRule(Topic.SEQUENCE, {"chance": Answer.YES, "foreseeable rule": Answer.NO})
CONCEALED = WordingRule(
    Topic.CONCEALMENT,
    {"safe envelopes": Answer.YES, "central": Answer.YES, "containers": Answer.YES, "foreseeable rule": Answer.NO},
)
AWARE = WordingRule(Topic.PERFORMANCE, {"both blind": Answer.NO, "alike": Answer.PROBABLY_NO, "open": Answer.YES})
ASSESSORS_AWARE = WordingRule(
    Topic.DETECTION, {"assessors blind": Answer.NO, "both blind": Answer.PROBABLY_NO, "open": Answer.YES}
)
_ALL_THERE = WordingRule(Topic.ATTRITION, {"all there": Answer.PROBABLY_YES})

# ---- domain 1 ----

RANDOMISATION = Domain(
    id="D1",
    name="Randomisation process",
    bias="bias arising from the randomisation process",
    definition="Whether chance made the groups, nobody could foresee the next assignment, and the groups show it.",
    criteria={
        LOW: "The assignment was concealed, nothing speaks against a random sequence, and differences at "
        "baseline look like chance.",
        SOME_CONCERNS: "Concealment is not described and the groups look comparable; or it was concealed, but the "
        "sequence was not random or the groups differ in a way that suggests a problem.",
        HIGH: "The assignment was not concealed; or that is not described and the groups differ in a way that "
        "suggests a problem.",
    },
    robvis="D1",
    label="D1",
    topics=(Topic.SEQUENCE, Topic.CONCEALMENT),
    questions=(
        Question("1.1", "Was the sequence of assignment random?", rule=CHANCE),
        Question("1.2", "Was the sequence concealed until participants were enrolled and assigned?", rule=CONCEALED),
        Question("1.3", "Do differences between the groups at baseline suggest a problem with randomisation?"),
    ),
    algorithm=randomisation,
)

# ---- domain 2 ----

WHO_KNEW = (
    Question("2.1", "Did participants know during the trial which intervention they were assigned to?", rule=AWARE),
    Question("2.2", "Did carers and those who delivered the interventions know it?", rule=AWARE),
)


def departures(who_knew: tuple[Question, ...], *knowing: str) -> tuple[Question, ...]:
    """The questions for the effect of assignment: `who_knew` first. The `knowing` ids are the condition for 2.3."""
    return (
        *who_knew,
        Question(
            "2.3",
            "Were there departures from the intended intervention that arose because of the trial?",
            condition="if participants or carers knew the assignment, or that is not reported",
            applies=unless_no(*knowing),
        ),
        Question(
            "2.4",
            "Are these departures likely to have affected the outcome?",
            condition="if there were such departures",
            applies=if_yes("2.3"),
        ),
        Question(
            "2.5",
            "Were these departures balanced between the groups?",
            condition="if they are likely to have affected the outcome, or that is not reported",
            applies=unless_no("2.4"),
        ),
        Question("2.6", "Was the analysis suitable to estimate the effect of being assigned to the intervention?"),
        Question(
            "2.7",
            "Could analysing participants in another group than the assigned one have changed the result much?",
            condition="if the analysis was not suitable, or is not described",
            applies=unless_yes("2.6"),
        ),
    )


DEVIATIONS = Domain(
    id="D2",
    name="Deviations from intended interventions",
    bias="bias due to deviations from intended interventions",
    definition="Whether care departed from the plan because of the trial, and whether all were analysed as assigned.",
    criteria={
        LOW: "Nobody knew the assignment, or care did not depart from the plan because of the trial; and the "
        "analysis was suitable for the effect of assignment.",
        SOME_CONCERNS: "Departures are not described, did not affect the outcome or were balanced; or the analysis was "
        "not suitable, without substantial effect.",
        HIGH: "Departures that likely affected the outcome were unbalanced, or their balance is unknown; or an "
        "unsuitable analysis may have had a substantial effect.",
    },
    robvis="D2",
    label="D2",
    topics=(Topic.PERFORMANCE, Topic.ATTRITION),
    questions=departures(WHO_KNEW, "2.1", "2.2"),
    algorithm=deviations,
)


def _needs_allowance(answers: Answers) -> bool:
    """Whether departures that count may have affected the outcome, by 2.3 to 2.5 for the effect of adhering."""
    return unless_yes("2.3")(answers) or unless_no("2.4", "2.5")(answers)


ADHERENCE = Domain(
    id="D2",
    name="Deviations from intended interventions",
    bias="bias due to deviations from intended interventions",
    definition="Whether care beside the plan, failures in carrying it out or a lack of adherence, as far as the review "
    "counts them, could have affected the outcome, and whether the analysis allowed for that.",
    criteria={
        LOW: "Nobody knew the assignment, or other care that matters was balanced; and no failure of implementation and "
        "no lack of adherence could have affected the outcome.",
        SOME_CONCERNS: "Such departures could have affected the outcome, or that is not reported, and the analysis was "
        "suitable for the effect of adhering.",
        HIGH: "Such departures could have affected the outcome, or that is not reported, and the analysis was not "
        "suitable for the effect of adhering, or is not described.",
    },
    robvis="D2",
    label="D2",
    topics=(Topic.PERFORMANCE, Topic.ATTRITION),
    questions=(
        *WHO_KNEW,
        Question(
            "2.3",
            "Was important care beside the intended interventions balanced between the groups?",
            allowed=_OR_NOT_COUNTED,
            condition="if participants or carers knew the assignment, or that is not reported",
            applies=unless_no("2.1", "2.2"),
        ),
        Question(
            "2.4",
            "Were there failures in carrying out the intervention that could have affected the outcome?",
            allowed=_OR_NOT_COUNTED,
        ),
        Question(
            "2.5",
            "Did participants keep to the assigned intervention so little that it could have affected their outcomes?",
            allowed=_OR_NOT_COUNTED,
        ),
        Question(
            "2.6",
            "Was the analysis suitable to estimate the effect of adhering to the intervention?",
            condition="if other care was unbalanced, a failure or a lack of adherence could have affected the outcome, "
            "or that is not reported",
            applies=_needs_allowance,
        ),
    ),
    algorithm=adherence,
)

# ---- domain 3 ----

ALL_OUTCOMES = Question(
    "3.1", "Were data on this outcome available for all, or nearly all, who were randomised?", rule=_ALL_THERE
)


def missing(*available: Question) -> tuple[Question, ...]:
    """The questions of domain 3, beginning with those on the availability of data."""
    return (
        *available,
        Question(
            "3.2",
            "Is there evidence that missing data did not bias the result?",
            allowed=WITHOUT_NI,
            condition="if data are not available for nearly all, or that is not reported",
            applies=unless_yes(*(question.id for question in available)),
        ),
        Question(
            "3.3",
            "Could whether an outcome is missing depend on its true value?",
            condition="if there is no such evidence",
            applies=if_no("3.2"),
        ),
        Question(
            "3.4",
            "Is it likely that it did?",
            condition="if it could, or that is not reported",
            applies=unless_no("3.3"),
        ),
    )


MISSING_DATA = Domain(
    id="D3",
    name="Missing outcome data",
    bias="bias due to missing outcome data",
    definition="Whether outcomes are missing, and whether they are missing because of what they would have been.",
    criteria={
        LOW: "Data are there for nearly all; or there is evidence that the result is not biased; or whether "
        "data are missing cannot depend on the outcome.",
        SOME_CONCERNS: "Whether data are missing could depend on the outcome, but that is not likely.",
        HIGH: "Whether data are missing likely depends on the outcome.",
    },
    robvis="D3",
    label="D3",
    topics=(Topic.ATTRITION,),
    questions=missing(ALL_OUTCOMES),
    algorithm=missing_data,
)

# ---- domain 4 ----

ALIKE = "if the method was not unsuitable and alike in the groups, or that is not reported"


def measured_alike(answers: Answers) -> bool:
    """Whether neither 4.1 nor 4.2 was answered yes."""
    return unless_yes("4.1")(answers) and unless_yes("4.2")(answers)


def measuring(*assessors: Question, knowing: str) -> tuple[Question, ...]:
    """The questions of domain 4, including those on what `assessors` knew; 4.4 applies unless `knowing` is no."""
    return (
        Question("4.1", "Was the method of measuring the outcome unsuitable?"),
        Question("4.2", "Could measuring or finding the outcome have differed between the groups?"),
        *assessors,
        Question(
            "4.4",
            "Could knowing the assignment have influenced the assessment?",
            condition="if assessors knew it, or that is not reported",
            applies=unless_no(knowing),
        ),
        Question(
            "4.5",
            "Is it likely that it did?",
            condition="if it could have, or that is not reported",
            applies=unless_no("4.4"),
        ),
    )


MEASUREMENT = Domain(
    id="D4",
    name="Measurement of the outcome",
    bias="bias in measurement of the outcome",
    definition="Whether the outcome was measured suitably, alike in all groups, and without knowing the assignment.",
    criteria={
        LOW: "A suitable measurement, alike in both groups, by assessors who did not know the assignment or "
        "could not be influenced by it.",
        SOME_CONCERNS: "Assessors could have been influenced by knowing the assignment, but likely were not; or it is "
        "not reported whether measurements differed between the groups.",
        HIGH: "An unsuitable measurement, one that could differ between the groups, or assessors who were "
        "likely influenced by knowing the assignment.",
    },
    robvis="D4",
    label="D4",
    topics=(Topic.DETECTION,),
    questions=measuring(
        Question(
            "4.3",
            "Did those who assessed the outcome know the assignment?",
            condition=ALIKE,
            applies=measured_alike,
            rule=ASSESSORS_AWARE,
        ),
        knowing="4.3",
    ),
    algorithm=measurement,
)

# ---- domain 5 ----

SELECTION = Domain(
    id="D5",
    name="Selection of the reported result",
    bias="bias in selection of the reported result",
    definition="Whether the reported result was chosen from several because of what it was.",
    criteria={
        LOW: "The data were analysed by a plan made before outcomes were known, and the result is not likely "
        "chosen from several measurements or analyses.",
        SOME_CONCERNS: "No such plan is known, or it is not reported whether there were several measurements or analyses.",
        HIGH: "The result is likely chosen from several measurements or analyses because of what it was.",
    },
    robvis="D5",
    label="D5",
    topics=(Topic.REPORTING,),
    questions=(
        Question("5.1", "Was the result analysed by a plan that was made before outcomes were known?"),
        Question("5.2", "Is the result likely chosen from several eligible measurements of the outcome?"),
        Question("5.3", "Is the result likely chosen from several eligible analyses of the data?"),
    ),
    algorithm=selection,
)
