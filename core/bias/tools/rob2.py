"""RoB 2 for the effect of assignment to the intervention (Sterne et al., BMJ 2019;366:l4898), in our own words.

The algorithms are those of the guidance of 22 August 2019. Answers that do not apply never reach them.
"""

from __future__ import annotations

from core.bias.model import (
    GREEN,
    HIGH,
    LOW,
    RED,
    YELLOW,
    Answer,
    Answers,
    Domain,
    Level,
    LevelStyle,
    Question,
    Raise,
    Tool,
    Topic,
    WordingRule,
)

SOME_CONCERNS = Level("some concerns")  # something may be amiss
_NI = Answer.NO_INFORMATION
_WITHOUT_NI = (Answer.YES, Answer.PROBABLY_YES, Answer.PROBABLY_NO, Answer.NO)
_SCALE = (LOW, SOME_CONCERNS, HIGH)

# What the offline engine takes a wording to answer.
_CHANCE = WordingRule(Topic.SEQUENCE, {"chance": Answer.YES, "foreseeable rule": Answer.NO})
_CONCEALED = WordingRule(
    Topic.CONCEALMENT,
    {"safe envelopes": Answer.YES, "central": Answer.YES, "containers": Answer.YES, "foreseeable rule": Answer.NO},
)
_AWARE = WordingRule(Topic.PERFORMANCE, {"both blind": Answer.NO, "alike": Answer.PROBABLY_NO, "open": Answer.YES})
_ASSESSORS_AWARE = WordingRule(
    Topic.DETECTION, {"assessors blind": Answer.NO, "both blind": Answer.PROBABLY_NO, "open": Answer.YES}
)
_ALL_THERE = WordingRule(Topic.ATTRITION, {"all there": Answer.PROBABLY_YES})


def _yes(answers: Answers, question: str) -> bool:
    return question in answers and answers[question].yes


def _no(answers: Answers, question: str) -> bool:
    return question in answers and answers[question].no


def _yes_or_ni(answers: Answers, question: str) -> bool:
    return question in answers and (answers[question].yes or answers[question] is _NI)


def _no_or_ni(answers: Answers, question: str) -> bool:
    return question in answers and (answers[question].no or answers[question] is _NI)


def randomisation(answers: Answers) -> Level:
    """Domain 1."""
    if _no(answers, "1.2"):
        return HIGH
    if answers["1.2"] is _NI:
        return HIGH if _yes(answers, "1.3") else SOME_CONCERNS
    return SOME_CONCERNS if _no(answers, "1.1") or _yes(answers, "1.3") else LOW


def deviations(answers: Answers) -> Level:
    """Domain 2: the worse of what happened (2.1 to 2.5) and how it was analysed (2.6 and 2.7)."""
    return max(_what_happened(answers), _analysis(answers), key=_SCALE.index)


def _what_happened(answers: Answers) -> Level:
    if _no(answers, "2.1") and _no(answers, "2.2"):
        return LOW
    if _no(answers, "2.3"):
        return LOW
    if answers["2.3"] is _NI or _no(answers, "2.4"):
        return SOME_CONCERNS
    return SOME_CONCERNS if _yes(answers, "2.5") else HIGH


def _analysis(answers: Answers) -> Level:
    if _yes(answers, "2.6"):
        return LOW
    return SOME_CONCERNS if _no(answers, "2.7") else HIGH


def missing_data(answers: Answers) -> Level:
    """Domain 3."""
    if _yes(answers, "3.1") or _yes(answers, "3.2") or _no(answers, "3.3"):
        return LOW
    return SOME_CONCERNS if _no(answers, "3.4") else HIGH


def measurement(answers: Answers) -> Level:
    """Domain 4."""
    if _yes(answers, "4.1") or _yes(answers, "4.2"):
        return HIGH
    if _no(answers, "4.3") or _no(answers, "4.4"):
        return LOW if _no(answers, "4.2") else SOME_CONCERNS
    return SOME_CONCERNS if _no(answers, "4.5") else HIGH


def selection(answers: Answers) -> Level:
    """Domain 5."""
    if _yes(answers, "5.2") or _yes(answers, "5.3"):
        return HIGH
    if _NI in {answers["5.2"], answers["5.3"]}:
        return SOME_CONCERNS
    return LOW if _yes(answers, "5.1") else SOME_CONCERNS


TOOL = Tool(
    id="rob2",
    name="RoB 2",
    source="Sterne et al., BMJ 2019;366:l4898, effect of assignment; guidance of 22 August 2019",
    levels={
        LOW: LevelStyle("Low", "+", GREEN),
        SOME_CONCERNS: LevelStyle("Some concerns", "!", YELLOW),
        HIGH: LevelStyle("High", "×", RED, "#FFFFFF"),
    },
    overall=True,
    raising=Raise(SOME_CONCERNS, HIGH),
    domains=(
        Domain(
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
            topics=(Topic.SEQUENCE, Topic.CONCEALMENT),
            questions=(
                Question("1.1", "Was the sequence of assignment random?", rule=_CHANCE),
                Question(
                    "1.2", "Was the sequence concealed until participants were enrolled and assigned?", rule=_CONCEALED
                ),
                Question("1.3", "Do differences between the groups at baseline suggest a problem with randomisation?"),
            ),
            algorithm=randomisation,
        ),
        Domain(
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
            topics=(Topic.PERFORMANCE, Topic.ATTRITION),
            questions=(
                Question(
                    "2.1",
                    "Did participants know during the trial which intervention they were assigned to?",
                    rule=_AWARE,
                ),
                Question("2.2", "Did carers and those who delivered the interventions know it?", rule=_AWARE),
                Question(
                    "2.3",
                    "Were there departures from the intended intervention that arose because of the trial?",
                    condition="if participants or carers knew the assignment, or that is not reported",
                    applies=lambda a: _yes_or_ni(a, "2.1") or _yes_or_ni(a, "2.2"),
                ),
                Question(
                    "2.4",
                    "Are these departures likely to have affected the outcome?",
                    condition="if there were such departures",
                    applies=lambda a: _yes(a, "2.3"),
                ),
                Question(
                    "2.5",
                    "Were these departures balanced between the groups?",
                    condition="if they are likely to have affected the outcome, or that is not reported",
                    applies=lambda a: _yes_or_ni(a, "2.4"),
                ),
                Question(
                    "2.6", "Was the analysis suitable to estimate the effect of being assigned to the intervention?"
                ),
                Question(
                    "2.7",
                    "Could analysing participants in another group than the assigned one have changed the result much?",
                    condition="if the analysis was not suitable, or is not described",
                    applies=lambda a: _no_or_ni(a, "2.6"),
                ),
            ),
            algorithm=deviations,
        ),
        Domain(
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
            topics=(Topic.ATTRITION,),
            questions=(
                Question(
                    "3.1",
                    "Were data on this outcome available for all, or nearly all, who were randomised?",
                    rule=_ALL_THERE,
                ),
                Question(
                    "3.2",
                    "Is there evidence that missing data did not bias the result?",
                    allowed=_WITHOUT_NI,
                    condition="if data are not available for nearly all, or that is not reported",
                    applies=lambda a: _no_or_ni(a, "3.1"),
                ),
                Question(
                    "3.3",
                    "Could whether an outcome is missing depend on its true value?",
                    condition="if there is no such evidence",
                    applies=lambda a: _no(a, "3.2"),
                ),
                Question(
                    "3.4",
                    "Is it likely that it did?",
                    condition="if it could, or that is not reported",
                    applies=lambda a: _yes_or_ni(a, "3.3"),
                ),
            ),
            algorithm=missing_data,
        ),
        Domain(
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
            topics=(Topic.DETECTION,),
            questions=(
                Question("4.1", "Was the method of measuring the outcome unsuitable?"),
                Question("4.2", "Could measuring or finding the outcome have differed between the groups?"),
                Question(
                    "4.3",
                    "Did those who assessed the outcome know the assignment?",
                    condition="if the method was not unsuitable and alike in the groups, or that is not reported",
                    applies=lambda a: _no_or_ni(a, "4.1") and _no_or_ni(a, "4.2"),
                    rule=_ASSESSORS_AWARE,
                ),
                Question(
                    "4.4",
                    "Could knowing the assignment have influenced the assessment?",
                    condition="if assessors knew it, or that is not reported",
                    applies=lambda a: _yes_or_ni(a, "4.3"),
                ),
                Question(
                    "4.5",
                    "Is it likely that it did?",
                    condition="if it could have, or that is not reported",
                    applies=lambda a: _yes_or_ni(a, "4.4"),
                ),
            ),
            algorithm=measurement,
        ),
        Domain(
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
            topics=(Topic.REPORTING,),
            questions=(
                Question("5.1", "Was the result analysed by a plan that was made before outcomes were known?"),
                Question("5.2", "Is the result likely chosen from several eligible measurements of the outcome?"),
                Question("5.3", "Is the result likely chosen from several eligible analyses of the data?"),
            ),
            algorithm=selection,
        ),
    ),
)
