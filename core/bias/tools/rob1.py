"""RoB 1: the Cochrane tool of 2011 (Handbook 5.1, chapter 8; Higgins et al., BMJ 2011;343:d5928), in our own words."""

from __future__ import annotations

from core.bias.model import GREEN, HIGH, LOW, RED, YELLOW, Domain, Level, LevelStyle, Tool, Topic

UNCLEAR = Level("unclear")  # too little is reported to tell

_TOOL = Tool(
    id="rob1",
    name="RoB 1",
    source="Cochrane Handbook for Systematic Reviews of Interventions 5.1, chapter 8",
    levels={
        LOW: LevelStyle("Low", "+", GREEN),
        UNCLEAR: LevelStyle("Unclear", "?", YELLOW),
        HIGH: LevelStyle("High", "×", RED, "#FFFFFF"),
    },
    overall=False,
    domains=(
        Domain(
            id="sequence",
            name="Random sequence generation",
            bias="selection bias",
            definition="How the order of assignment was made: only a sequence left to chance makes groups comparable.",
            criteria={
                LOW: "Chance decides and the method is named: random number table, computer, coin, dice, drawing of "
                "lots, shuffled cards or envelopes, or minimisation.",
                UNCLEAR: "Called random, but nothing tells how the sequence was made.",
                HIGH: "A rule that can be foreseen decides: date of birth or admission, record number, alternation, "
                "the clinic's or clinician's judgement, the patient's preference, a test's result or availability.",
            },
            robvis="Random.sequence.generation",
            topics=(Topic.SEQUENCE,),
            level_model=Topic.SEQUENCE,
        ),
        Domain(
            id="concealment",
            name="Allocation concealment",
            bias="selection bias",
            definition="Whether those who enrolled participants could know or foresee the next assignment.",
            criteria={
                LOW: "Nobody could foresee it: central assignment (telephone, web, pharmacy), identical numbered drug "
                "containers, or sealed, opaque, sequentially numbered envelopes.",
                UNCLEAR: "Not described, or not enough: envelopes without a word on their being sealed, opaque and "
                "numbered.",
                HIGH: "It could be foreseen: an open list, envelopes without safeguards, alternation, date of birth, "
                "record number, or any other unconcealed procedure.",
            },
            robvis="Allocation.concealment",
            topics=(Topic.CONCEALMENT,),
            level_model=Topic.CONCEALMENT,
        ),
        Domain(
            id="performance",
            name="Blinding of participants and personnel",
            bias="performance bias",
            definition="Whether knowing the assignment could change how participants behaved or were cared for.",
            criteria={
                LOW: "Participants and key personnel were blinded, and the blinding is unlikely to have been broken; "
                "or no blinding, but the outcome is unlikely to be influenced by that.",
                UNCLEAR: "Not described, or just called blind without saying who was blinded and how.",
                HIGH: "No blinding or incomplete blinding, or one that was likely broken, and the outcome is likely to "
                "be influenced by that.",
            },
            robvis="Blinding.of.participants.and.personnel",
            topics=(Topic.PERFORMANCE,),
            level_model=Topic.PERFORMANCE,
        ),
        Domain(
            id="detection",
            name="Blinding of outcome assessment",
            bias="detection bias",
            definition="Whether those who determined the outcomes knew the assignment.",
            criteria={
                LOW: "Assessors were blinded, and the blinding is unlikely to have been broken; or no blinding, but "
                "the outcome (such as death or a laboratory value) is unlikely to be influenced by that.",
                UNCLEAR: "Not described, or just called blind without saying that assessors were.",
                HIGH: "Assessors were not blinded, or the participants judged themselves knowing the assignment, and "
                "the outcome is likely to be influenced by that.",
            },
            robvis="Blinding.of.outcome.assessment",
            topics=(Topic.DETECTION,),
            level_model=Topic.DETECTION,
        ),
        Domain(
            id="attrition",
            name="Incomplete outcome data",
            bias="attrition bias",
            definition="How many participants' outcomes are missing, why, and how the analysis treats them.",
            criteria={
                LOW: "None or few are missing, in similar numbers and for similar reasons in all groups, too few to "
                "matter for the effect; or missing data were imputed by suitable methods.",
                UNCLEAR: "Too little on numbers or reasons to tell: no number randomised, no reasons for missing data.",
                HIGH: "Many are missing, or for reasons that have to do with the outcome, unevenly between groups; or "
                "an analysis of those who kept to the assignment, with many departures; or naive imputation.",
            },
            robvis="Incomplete.outcome.data",
            topics=(Topic.ATTRITION,),
            level_model=Topic.ATTRITION,
        ),
        Domain(
            id="reporting",
            name="Selective reporting",
            bias="reporting bias",
            definition="Whether results were reported or left out because of what they were.",
            criteria={
                LOW: "A protocol or registration shows that all outcomes that were planned are reported as planned; or "
                "none is available, but all that one would expect are clearly reported.",
                UNCLEAR: "Too little to tell: no protocol or registration, as in most studies.",
                HIGH: "Planned outcomes are not reported, or otherwise than planned; outcomes were added without a "
                "reason, reported incompletely, or a key outcome that one would expect is missing.",
            },
            robvis="Selective.reporting",
            topics=(Topic.REPORTING,),
            level_model=Topic.REPORTING,
        ),
        Domain(
            id="other",
            name="Other sources of bias",
            bias="other bias",
            definition="Anything else that could bias the result: the design, early stopping, baseline imbalance, fraud.",
            criteria={
                LOW: "The study seems free of other sources of bias.",
                UNCLEAR: "There may be a risk, but too little is said to tell, or its effect is uncertain.",
                HIGH: "There is a source of bias that is likely to matter, from the design, an extreme imbalance at "
                "baseline, early stopping by the data, or claims of fraud.",
            },
            robvis="Other.sources.of.bias",
            topics=(Topic.OTHER,),
        ),
    ),
)

TOOLS = (_TOOL,)
