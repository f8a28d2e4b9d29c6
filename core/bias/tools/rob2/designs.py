"""The different and additional questions of RoB 2 for cluster-randomised and crossover trials, in our own words.

Eldridge et al., RoB 2 for cluster-randomised trials, 10 November 2020 and 18 March 2021; Higgins et al., RoB 2 for
crossover trials, 8 December 2020 and 18 March 2021 (riskofbias.info), and the Cochrane Handbook, chapter 23.
"""

from __future__ import annotations

from dataclasses import replace

from core.bias.model import HIGH, LOW, Domain, Question
from core.bias.tools.rob2.algorithms import SOME_CONCERNS, carryover, recruitment
from core.bias.tools.rob2.domains import (
    ALIKE,
    ALL_OUTCOMES,
    ASSESSORS_AWARE,
    AWARE,
    CHANCE,
    CONCEALED,
    DEVIATIONS,
    MEASUREMENT,
    MISSING_DATA,
    RANDOMISATION,
    SELECTION,
    WHO_KNEW,
    departures,
    measured_alike,
    measuring,
    missing,
    unless_no,
    unless_yes,
)

# ---- cluster-randomised trials ----

CLUSTER_RANDOMISATION = replace(
    RANDOMISATION,
    definition="Whether chance made the groups of clusters, nobody could foresee the next assignment, and the groups show it.",
    questions=(
        Question("1a.1", "Was the sequence by which clusters were assigned random?", rule=CHANCE),
        Question("1a.2", "Was the sequence concealed until clusters were enrolled and assigned?", rule=CONCEALED),
        Question("1a.3", "Do differences between the groups at baseline suggest a problem with randomisation?"),
    ),
)

RECRUITMENT = Domain(
    id="D1b",
    name="Identification and recruitment of participants",
    bias="bias arising from the timing of identification or recruitment of participants",
    definition="Whether those who chose participants within the clusters, or the participants, could know the "
    "cluster's assignment.",
    criteria={
        LOW: "Participants were identified and recruited before clusters were assigned; or their selection was not "
        "affected by knowing the assignment, and the groups look comparable.",
        SOME_CONCERNS: "It is not reported whether knowing the assignment affected who was selected, and the groups look "
        "comparable; or it did not, but the groups differ in a way that suggests it.",
        HIGH: "Knowing the assignment likely affected who was selected; or that is not reported, and the groups differ "
        "in a way that suggests it.",
    },
    robvis="D1b",
    label="D1b",
    questions=(
        Question("1b.1", "Were all participants identified and, where asked to join, recruited before the assignment?"),
        Question(
            "1b.2",
            "Is it likely that knowing their cluster's assignment affected which participants were selected?",
            condition="if some were identified or recruited later, or that is not reported",
            applies=unless_yes("1b.1"),
        ),
        Question("1b.3", "Do differences at baseline suggest that participants were selected otherwise in one group?"),
    ),
    algorithm=recruitment,
)

CLUSTER_DEVIATIONS = replace(
    DEVIATIONS,
    questions=departures(
        (
            Question("2.1a", "Did participants know that they were in a trial?"),
            Question(
                "2.1b",
                "Did participants know during the trial which intervention they were assigned to?",
                condition="if they knew of the trial, or that is not reported",
                applies=unless_no("2.1a"),
                rule=AWARE,
            ),
            WHO_KNEW[1],
        ),
        "2.1b",
        "2.2",
    ),
)

CLUSTER_MISSING_DATA = replace(
    MISSING_DATA,
    questions=missing(
        Question("3.1a", "Were data on this outcome available for all clusters that recruited participants?"),
        replace(
            ALL_OUTCOMES,
            id="3.1b",
            text="Were data on this outcome available for all, or nearly all, participants within the clusters?",
        ),
    ),
)

CLUSTER_MEASUREMENT = replace(
    MEASUREMENT,
    questions=measuring(
        Question(
            "4.3a",
            "Did those who assessed the outcome know that there was a trial?",
            condition=ALIKE,
            applies=measured_alike,
        ),
        Question(
            "4.3b",
            "Did they know which intervention participants received?",
            condition="if they knew of the trial, or that is not reported",
            applies=unless_no("4.3a"),
            rule=ASSESSORS_AWARE,
        ),
        knowing="4.3b",
    ),
)

# ---- crossover trials ----

CROSSOVER_RANDOMISATION = replace(
    RANDOMISATION,
    definition="Whether chance decided who received the interventions in which order, nobody could foresee the next "
    "assignment, and the groups show it.",
    questions=(
        Question("1.1", "Was it random which participant was assigned to which order?", rule=CHANCE),
        Question("1.2", "Was that concealed until participants were enrolled and assigned?", rule=CONCEALED),
        Question(
            "1.3", "Do differences between the groups when the first period began suggest a problem with randomisation?"
        ),
    ),
)

CARRYOVER = Domain(
    id="DS",
    name="Period and carryover effects",
    bias="bias arising from period and carryover effects",
    definition="Whether time itself, or what lasted of the intervention given first, could have changed what was "
    "measured under the second.",
    criteria={
        LOW: "About as many began with each intervention, or the analysis accounts for the period; and there was time "
        "enough for effects of the first intervention to have gone.",
        SOME_CONCERNS: "More began with one intervention, and the analysis does not account for the period; or it is not "
        "told whether there was time enough for effects of the first to have gone.",
        HIGH: "Effects of the first intervention may have lasted into the second period; or whether they did is not told, "
        "and neither is the period accounted for.",
    },
    robvis="DS",
    label="DS",
    questions=(
        Question("S.1", "Were participants assigned to each order in equal, or nearly equal, numbers?"),
        Question(
            "S.2",
            "Does the analysis account for effects of the period?",
            condition="if numbers were not nearly equal, or are not reported",
            applies=unless_yes("S.1"),
        ),
        Question(
            "S.3",
            "Was there time enough before outcomes of the second period were assessed for effects of the first to have gone?",
        ),
    ),
    algorithm=carryover,
)

CROSSOVER_KNEW = (
    Question("2.1", "Did participants know in each period which intervention they received?", rule=AWARE),
    Question("2.2", "Did carers and those who delivered the interventions know it?", rule=AWARE),
)

CROSSOVER_DEVIATIONS = replace(DEVIATIONS, questions=departures(CROSSOVER_KNEW, "2.1", "2.2"))

CROSSOVER_MISSING_DATA = replace(
    MISSING_DATA,
    questions=missing(
        replace(
            ALL_OUTCOMES,
            text="Were data on this outcome available, in each period, for all, or nearly all, who were randomised?",
        )
    ),
)

CROSSOVER_SELECTION = replace(
    SELECTION,
    questions=(
        *SELECTION.questions,
        Question("5.4", "Is a result from both periods wanted, but not given because a carryover effect was found?"),
    ),
)
