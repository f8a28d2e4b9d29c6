"""ROBINS-I for cohort-type studies (Sterne et al., BMJ 2016;355:i4919; detailed guidance of 12 October 2016), in our own words.

The guidance has no flow charts, but a table of the criteria for each domain's levels. The algorithms here return the level
whose criteria the answers meet. They return None if the answers meet those of no level, or of several; the reviewer then
judges by the criteria. No question distinguishes critical from serious, so no answers lead to critical.
"""

from __future__ import annotations

from collections.abc import Callable

from core.bias.model import (
    ALL_ANSWERS,
    BLUE,
    DARK_RED,
    GREEN,
    LOW,
    RED,
    YELLOW,
    Answer,
    Answers,
    Domain,
    Level,
    LevelStyle,
    Question,
    RobvisTemplate,
    Tool,
)
from core.bias.signalling import not_told, said_no, said_yes

MODERATE = Level("moderate")  # sound for a non-randomised study, but not comparable to a good trial
SERIOUS = Level("serious")  # an important problem
CRITICAL = Level("critical")  # too problematic to provide any useful evidence
NO_INFORMATION = Level("no information")
_WITHOUT_NI = tuple(answer for answer in ALL_ANSWERS if answer is not Answer.NO_INFORMATION)


def _if_yes(*questions: str) -> Callable[[Answers], bool]:
    return lambda answers: all(said_yes(answers, question) for question in questions)


def _all_not_told(answers: Answers, *questions: str) -> bool:
    return all(not_told(answers, question) for question in questions)


# ---- confounding ----


def _confounded(answers: Answers) -> bool:
    return said_yes(answers, "1.1")


def _over_time(answers: Answers) -> bool:
    return said_yes(answers, "1.2") and said_yes(answers, "1.3")


def _at_baseline(answers: Answers) -> bool:
    return _confounded(answers) and not _over_time(answers)


def confounding(answers: Answers) -> Level | None:
    """Domain 1. No level's criteria mention control for variables that the intervention changed (1.6)."""
    if not _confounded(answers):
        return LOW
    controlled, measured = ("1.7", "1.8") if _over_time(answers) else ("1.4", "1.5")
    if said_no(answers, controlled) or said_no(answers, measured):
        return SERIOUS
    sound = said_yes(answers, controlled) and said_yes(answers, measured)
    return MODERATE if sound and ("1.6" not in answers or said_no(answers, "1.6")) else None


_CONFOUNDING = Domain(
    id="confounding",
    name="Confounding",
    bias="bias due to confounding",
    definition="Whether something that predicts the outcome also decided who received which intervention, at the start or "
    "later, and whether the analysis controls for it. Judge by the confounders that the review lists.",
    criteria={
        LOW: "No confounding is to be expected.",
        MODERATE: "Confounding is to be expected; all important confounders were controlled for, and measured so well that "
        "little of it is left.",
        NO_INFORMATION: "Nothing tells whether there might be confounding.",
        SERIOUS: "An important confounder was not controlled for, or measured so badly that much of it is left.",
        CRITICAL: "Confounding could not be controlled for at all, or negative controls speak strongly for confounders that "
        "nobody measured.",
    },
    robvis="D1",
    questions=(
        Question("1.1", "Could the effect of the intervention be confounded in this study?", allowed=_WITHOUT_NI),
        Question(
            "1.2",
            "Did the analysis divide participants' time by the intervention that they received?",
            condition="if there could be confounding",
            applies=_confounded,
        ),
        Question(
            "1.3",
            "Were stopping and switching likely related to what predicts the outcome?",
            condition="if the analysis divided participants' time",
            applies=_if_yes("1.1", "1.2"),
        ),
        Question(
            "1.4",
            "Did a suitable analysis control for all important confounders?",
            condition="if confounding at baseline is all that matters",
            applies=_at_baseline,
        ),
        Question(
            "1.5",
            "Did the study measure the confounders that were controlled for validly and reliably?",
            condition="if the analysis controlled for all that are important at baseline",
            applies=_if_yes("1.4"),
        ),
        Question(
            "1.6",
            "Did the analysis control for anything after the start that the intervention could have changed?",
            condition="if confounding at baseline is all that matters",
            applies=_at_baseline,
        ),
        Question(
            "1.7",
            "Did a suitable analysis control for all important confounders, and for those that change over time?",
            condition="if stopping or switching was likely related to what predicts the outcome",
            applies=_over_time,
        ),
        Question(
            "1.8",
            "Did the study measure the confounders that were controlled for validly and reliably?",
            condition="if the analysis controlled for all that are important over time",
            applies=_if_yes("1.7"),
        ),
    ),
    algorithm=confounding,
)

# ---- selection of participants ----


def _selected_by_outcome(answers: Answers) -> bool:
    return said_yes(answers, "2.2") and said_yes(answers, "2.3")


def participants(answers: Answers) -> Level | None:
    """Domain 2. No question asks how much follow-up time is missing, although the levels depend on it."""
    if said_no(answers, "2.1") and said_yes(answers, "2.4"):
        return LOW
    if said_yes(answers, "2.5"):
        return MODERATE
    if _selected_by_outcome(answers) and said_no(answers, "2.5"):
        return SERIOUS
    return NO_INFORMATION if _all_not_told(answers, "2.1", "2.4") else None


_PARTICIPANTS = Domain(
    id="participants",
    name="Selection of participants",
    bias="bias in selection of participants into the study",
    definition="Whether who is in the study, or the analysis, or from when on, depends on both the intervention and the "
    "outcome.",
    criteria={
        LOW: "All who could have been in a trial of this question are in the study, and each was followed from the start of "
        "the intervention.",
        MODERATE: "Selection may be related to intervention and outcome, or follow-up did not begin with the intervention "
        "for all; but few are concerned, the analysis corrects for it, or the effect is surely constant over time.",
        NO_INFORMATION: "It is not told how participants were selected, or whether follow-up began with the intervention.",
        SERIOUS: "Selection was related, though not strongly, to intervention and outcome, and nothing corrects for it; or "
        "time that may matter is missing from follow-up, and the effect is not constant.",
        CRITICAL: "Selection was strongly related to intervention and outcome, and nothing corrects for it; or much time is "
        "missing from follow-up, and the effect is not constant.",
    },
    robvis="D2",
    questions=(
        Question("2.1", "Did what was seen of participants after the start of intervention decide who was selected?"),
        Question(
            "2.2",
            "Was what decided likely associated with the intervention?",
            condition="if it did",
            applies=_if_yes("2.1"),
        ),
        Question(
            "2.3",
            "Was what decided likely influenced by the outcome, or by a cause of it?",
            condition="if it was likely associated with the intervention",
            applies=_if_yes("2.2"),
        ),
        Question("2.4", "Did follow-up begin with the intervention for most participants?"),
        Question(
            "2.5",
            "Did the analysis adjust in a way that likely corrects for bias by selection?",
            condition="if what decided had to do with intervention and outcome, or follow-up began at another time",
            applies=lambda a: _selected_by_outcome(a) or said_no(a, "2.4"),
        ),
    ),
    algorithm=participants,
)

# ---- classification of interventions ----


def classification(answers: Answers) -> Level | None:
    """Domain 3."""
    if said_no(answers, "3.1") or said_yes(answers, "3.3"):
        return SERIOUS
    if not_told(answers, "3.1") or not_told(answers, "3.2"):
        return NO_INFORMATION
    if not_told(answers, "3.3"):
        return None
    return LOW if said_yes(answers, "3.2") else MODERATE


_CLASSIFICATION = Domain(
    id="classification",
    name="Classification of interventions",
    bias="bias in classification of interventions",
    definition="Whether it is clear, and was recorded in time, which intervention a participant received.",
    criteria={
        LOW: "The interventions are well defined, and who received which was recorded when it began.",
        MODERATE: "The interventions are well defined, but some of who received which was settled afterwards.",
        NO_INFORMATION: "The interventions are not defined, or it is not told where information on them came from.",
        SERIOUS: "The interventions are not well defined, or knowing the outcome could have affected who was taken to have "
        "received which.",
        CRITICAL: "Very many were taken to have received what they did not, which is unusual.",
    },
    robvis="D3",
    questions=(
        Question("3.1", "Were the intervention groups clearly defined?"),
        Question("3.2", "Was what defines the groups recorded when the intervention began?"),
        Question("3.3", "Could knowing the outcome, or its risk, have affected who was put in which group?"),
    ),
    algorithm=classification,
)

# ---- deviations from intended interventions ----

_DEVIATIONS_NAME, _DEVIATIONS_BIAS = (
    "Deviations from intended interventions",
    "bias due to deviations from intended interventions",
)


def assigned(answers: Answers) -> Level | None:
    """Domain 4, effect of assignment. No question says whether unusual deviations had only a slight effect."""
    if said_no(answers, "4.1"):
        return LOW
    if not_told(answers, "4.1"):
        return NO_INFORMATION
    return SERIOUS if said_yes(answers, "4.2") else None


_ASSIGNED = Domain(
    id="deviations",
    name=_DEVIATIONS_NAME,
    bias=_DEVIATIONS_BIAS,
    definition="Whether care departed from the intended interventions beyond what is usual in practice, and unevenly.",
    criteria={
        LOW: "Departures were those of usual practice, or unlikely to affect the outcome.",
        MODERATE: "There were departures from usual practice, but their effect on the outcome is likely slight.",
        NO_INFORMATION: "It is not told whether there were departures.",
        SERIOUS: "Departures from usual practice were uneven between the groups and likely affected the outcome.",
        CRITICAL: "Substantial departures from usual practice were uneven between the groups and likely affected the outcome.",
    },
    robvis="D4",
    questions=(
        Question("4.1", "Did care depart from the intended intervention beyond what is usual in practice?"),
        Question(
            "4.2",
            "Were these departures uneven between the groups and likely to have affected the outcome?",
            condition="if there were such departures",
            applies=_if_yes("4.1"),
        ),
    ),
    algorithm=assigned,
)

_KEPT_TO = ("4.3", "4.4", "4.5")


def adhered(answers: Answers) -> Level | None:
    """Domain 4, effect of starting and adhering."""
    if all(said_yes(answers, question) for question in _KEPT_TO):
        return LOW
    if any(said_no(answers, question) for question in _KEPT_TO):
        if not_told(answers, "4.6"):
            return None
        return MODERATE if said_yes(answers, "4.6") else SERIOUS
    return NO_INFORMATION if _all_not_told(answers, *_KEPT_TO) else None


_ADHERED = Domain(
    id="deviations",
    name=_DEVIATIONS_NAME,
    bias=_DEVIATIONS_BIAS,
    definition="Whether other care was even, and the interventions carried out and kept to as intended; and if not, whether "
    "the analysis allows for it.",
    criteria={
        LOW: "Important other care was even between the groups, and nothing departed from the intended interventions that "
        "likely affected the outcome.",
        MODERATE: "Departures had a slight effect at most; or other care was uneven, or departures likely affected the "
        "outcome, and the analysis allowed for that.",
        NO_INFORMATION: "It is not told whether there were departures.",
        SERIOUS: "Other care was uneven, or departures likely affected the outcome, and the analysis did not allow for it.",
        CRITICAL: "Other care was very uneven, or substantial departures likely affected the outcome, and the analysis did "
        "not allow for it.",
    },
    robvis="D4",
    questions=(
        Question("4.3", "Was important care beside the interventions even between the groups?"),
        Question("4.4", "Was the intervention carried out as intended for most participants?"),
        Question("4.5", "Did participants keep to the assigned intervention?"),
        Question(
            "4.6",
            "Was the analysis suitable to estimate the effect of starting and adhering to the intervention?",
            condition="if other care was uneven, or the intervention was not carried out or kept to",
            applies=lambda a: any(said_no(a, question) for question in _KEPT_TO),
        ),
    ),
    algorithm=adhered,
)

# ---- missing data ----


def _data_missing(answers: Answers) -> bool:
    return said_no(answers, "5.1") or said_yes(answers, "5.2") or said_yes(answers, "5.3")


def missing_data(answers: Answers) -> Level | None:
    """Domain 5. No question asks how far the groups differ, which distinguishes moderate from serious."""
    if _data_missing(answers):
        return LOW if said_yes(answers, "5.4") or said_yes(answers, "5.5") else None
    if said_yes(answers, "5.1") and said_no(answers, "5.2") and said_no(answers, "5.3"):
        return LOW
    return NO_INFORMATION if _all_not_told(answers, "5.1", "5.2", "5.3") else None


_ASKED_OF_MISSING = "if outcomes are missing, or participants were left out for missing data"
_MISSING_DATA = Domain(
    id="missing",
    name="Missing data",
    bias="bias due to missing data",
    definition="Whether data are missing on outcomes, interventions or other variables, unevenly between the groups.",
    criteria={
        LOW: "Data are reasonably complete; or shares and reasons of missing participants are similar in all groups; or the "
        "analysis likely removed any bias.",
        MODERATE: "Shares and reasons differ slightly between the groups, and the analysis likely did not remove the bias.",
        NO_INFORMATION: "It is not told whether data are, or could be, missing.",
        SERIOUS: "Shares or reasons differ substantially between the groups, and the analysis likely did not remove the "
        "bias, or was not suitable, or none could remove it.",
        CRITICAL: "The groups differ critically in what is missing, and that was or could not be dealt with, which is unusual.",
    },
    robvis="D5",
    questions=(
        Question("5.1", "Were data on the outcome available for all, or nearly all, participants?"),
        Question("5.2", "Were participants left out because it is not known which intervention they received?"),
        Question("5.3", "Were participants left out because other variables of the analysis are missing?"),
        Question(
            "5.4",
            "Are shares and reasons of missing participants similar in the groups?",
            condition=_ASKED_OF_MISSING,
            applies=_data_missing,
        ),
        Question(
            "5.5",
            "Is there evidence that the result holds whatever the missing data are?",
            condition=_ASKED_OF_MISSING,
            applies=_data_missing,
        ),
    ),
    algorithm=missing_data,
)

# ---- measurement of outcomes ----


def measurement(answers: Answers) -> Level | None:
    """Domain 6."""
    swayed = said_yes(answers, "6.1") and said_yes(answers, "6.2")
    if said_no(answers, "6.3") or said_yes(answers, "6.4") or swayed:
        return SERIOUS
    not_swayed = said_no(answers, "6.1") or said_no(answers, "6.2")
    if said_yes(answers, "6.3") and said_no(answers, "6.4") and not_swayed:
        return LOW
    return NO_INFORMATION if _all_not_told(answers, "6.1", "6.2", "6.3", "6.4") else None


_MEASUREMENT = Domain(
    id="outcomes",
    name="Measurement of outcomes",
    bias="bias in measurement of outcomes",
    definition="Whether the outcome was measured alike in the groups, without being swayed by the intervention received.",
    criteria={
        LOW: "Methods were comparable between the groups; assessors did not know the intervention, or the measure could "
        "hardly be swayed by that; and errors have nothing to do with the intervention.",
        MODERATE: "Methods were comparable; knowing the intervention could sway the measure a little at most; and errors "
        "have little to do with the intervention.",
        NO_INFORMATION: "Nothing tells how outcomes were assessed.",
        SERIOUS: "Methods were not comparable; or the measure is subjective and assessors knew the intervention; or errors "
        "have to do with the intervention.",
        CRITICAL: "Methods were so different that outcomes cannot be compared between the groups.",
    },
    robvis="D6",
    questions=(
        Question("6.1", "Could knowing the intervention received have swayed the measure?"),
        Question("6.2", "Did those who assessed outcomes know the intervention that participants received?"),
        Question("6.3", "Were the methods of assessment comparable between the groups?"),
        Question("6.4", "Did errors in measuring the outcome have to do with the intervention received?"),
    ),
    algorithm=measurement,
)

# ---- selection of the reported result ----

_CHOSEN_FROM = ("7.1", "7.2", "7.3")


def reported_result(answers: Answers) -> Level | None:
    """Domain 7. No question asks whether a plan shows that nothing was selected, which distinguishes low from moderate."""
    if any(said_yes(answers, question) for question in _CHOSEN_FROM):
        return SERIOUS
    return NO_INFORMATION if _all_not_told(answers, *_CHOSEN_FROM) else None


_REPORTED_RESULT = Domain(
    id="result",
    name="Selection of the reported result",
    bias="bias in selection of the reported result",
    definition="Whether the reported estimate was chosen from several measurements, analyses or subgroups by its result.",
    criteria={
        LOW: "A plan from before the study shows that what is reported is all that was intended.",
        MODERATE: "Measurements and analyses agree with a plan, or are clearly defined and consistent; and nothing suggests "
        "that an analysis or a subgroup was chosen by its result.",
        NO_INFORMATION: "Too little is told to judge, as where there is an abstract alone.",
        SERIOUS: "Outcomes are defined otherwise in other places; or the analysis, or the subgroup, was likely chosen from "
        "several by its result.",
        CRITICAL: "There is evidence, or strong suspicion, of selective reporting, and what is not reported is likely very "
        "different.",
    },
    robvis="D7",
    questions=(
        Question("7.1", "Was the result likely chosen from several measurements of the outcome?"),
        Question("7.2", "Was the result likely chosen from several analyses?"),
        Question("7.3", "Was the result likely chosen from different subgroups?"),
    ),
    algorithm=reported_result,
)

# ---- the tools ----


def _tool(id: str, name: str, effect: str, deviations: Domain) -> Tool:
    return Tool(
        id=id,
        name=name,
        source=f"Sterne et al., BMJ 2016;355:i4919, effect of {effect}; guidance of 12 October 2016",
        # From best to worst: for the overall level, "no information" is worse than moderate and better than serious
        # (table 2 of the paper).
        levels={
            LOW: LevelStyle("Low", "+", GREEN),
            MODERATE: LevelStyle("Moderate", "−", YELLOW),
            NO_INFORMATION: LevelStyle("No information", "NI", BLUE),
            SERIOUS: LevelStyle("Serious", "×", RED, "#FFFFFF"),
            CRITICAL: LevelStyle("Critical", "!!", DARK_RED, "#FFFFFF"),
        },
        domains=(
            _CONFOUNDING,
            _PARTICIPANTS,
            _CLASSIFICATION,
            deviations,
            _MISSING_DATA,
            _MEASUREMENT,
            _REPORTED_RESULT,
        ),
        overall=True,
        family="ROBINS-I",
        effect=effect,
        confounders=True,
        judges_results=True,
        robvis=RobvisTemplate("ROBINS-I"),
    )


TOOLS = (
    _tool("robins-i", "ROBINS-I", "assignment to the intervention", _ASSIGNED),
    _tool("robins-i-adhering", "ROBINS-I (adhering)", "starting and adhering to the intervention", _ADHERED),
)
