"""QUADAS-2 for studies of diagnostic accuracy (Whiting et al., Ann Intern Med 2011;155:529-536), in our own words.

Its paper has no algorithm: answering yes to all questions may mean a low risk, and a no only flags possible bias. So all
yes gives low, no information without any no gives unclear, and with any no the reviewer judges by the criteria. It has no
overall judgement.
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
    RobvisTemplate,
    Tool,
)
from core.bias.tools.rob1 import UNCLEAR

_ANSWERS = (Answer.YES, Answer.NO, Answer.NO_INFORMATION)


def flagged(answers: Answers) -> Level | None:
    """The algorithm of every domain."""
    said = set(answers.values()) - {Answer.NOT_APPLICABLE}
    if Answer.NO in said:
        return None
    return UNCLEAR if Answer.NO_INFORMATION in said else LOW


def _question(id: str, text: str, *, may_not_apply: bool = False) -> Question:
    return Question(id, text, allowed=(*_ANSWERS, Answer.NOT_APPLICABLE) if may_not_apply else _ANSWERS)


_PATIENTS, _INDEX_TEST, _REFERENCE = "Patient selection", "Index test", "Reference standard"

_BIAS = (
    Domain(
        id="patients",
        name=_PATIENTS,
        bias="bias by the selection of patients",
        definition="Whether the way in which patients were selected could have made the test look better or worse.",
        criteria={
            LOW: "A consecutive or random sample, from one population in which the diagnosis was open, without exclusions "
            "that would make it easier or harder.",
            UNCLEAR: "Too little is told of how patients were selected.",
            HIGH: "Patients were picked, cases and healthy people were selected apart, or those who are hard to diagnose "
            "were left out, in a way that likely changed the accuracy.",
        },
        robvis="D1",
        label="D1",
        questions=(
            _question("1.1", "Was a consecutive or random sample of patients enrolled?"),
            _question("1.2", "Did the study do without selecting cases and controls apart?"),
            _question("1.3", "Did the study do without unsuitable exclusions?"),
        ),
        algorithm=flagged,
    ),
    Domain(
        id="index",
        name=_INDEX_TEST,
        bias="bias by the index test",
        definition="Whether the way in which the index test was carried out or read could have biased its results.",
        criteria={
            LOW: "It was read without knowing the reference standard's result, and any threshold was set beforehand.",
            UNCLEAR: "Too little is told of how it was read, or of when the threshold was set.",
            HIGH: "It was read knowing the reference standard's result, or the threshold was chosen by the data, in a way "
            "that likely changed the accuracy.",
        },
        robvis="D2",
        label="D2",
        questions=(
            _question("2.1", "Was the index test read without knowing the result of the reference standard?"),
            _question("2.2", "If a threshold was used, was it set beforehand?", may_not_apply=True),
        ),
        algorithm=flagged,
    ),
    Domain(
        id="reference",
        name=_REFERENCE,
        bias="bias by the reference standard",
        definition="Whether the reference standard, or the way in which it was carried out or read, could have biased the "
        "results.",
        criteria={
            LOW: "It likely classifies the target condition rightly, and was read without knowing the index test's result.",
            UNCLEAR: "Too little is told of what it was, or of how it was read.",
            HIGH: "It likely classifies wrongly, or it was read knowing the index test's result, in a way that likely changed "
            "the accuracy.",
        },
        robvis="D3",
        label="D3",
        questions=(
            _question("3.1", "Does the reference standard likely classify the target condition rightly?"),
            _question("3.2", "Was it read without knowing the result of the index test?"),
        ),
        algorithm=flagged,
    ),
    Domain(
        id="flow",
        name="Flow and timing",
        bias="bias by flow and timing",
        definition="Whether all patients received both tests within a suitable time, and all are in the analysis.",
        criteria={
            LOW: "All received the same reference standard within a time in which the condition hardly changes, and all are "
            "in the analysis.",
            UNCLEAR: "Too little is told of the time between the tests, of who received which, or of who was left out.",
            HIGH: "The time was too long, or some received no or another reference standard, or were left out of the "
            "analysis, in a way that likely changed the accuracy.",
        },
        robvis="D4",
        label="D4",
        questions=(
            _question("4.1", "Was the time between index test and reference standard suitable?"),
            _question("4.2", "Did all patients receive a reference standard?"),
            _question("4.3", "Did all of them receive the same one?"),
            _question("4.4", "Are all patients in the analysis?"),
        ),
        algorithm=flagged,
    ),
)


def _applicability(place: int, id: str, name: str, *, definition: str, unlike: str) -> Domain:
    return Domain(
        id=f"{id}-applicability",
        name=f"Applicability: {name[0].lower()}{name[1:]}",
        bias="concern about applicability",
        definition=definition,
        criteria={
            LOW: "There is little concern: they match.",
            UNCLEAR: "Too little is told to compare them.",
            HIGH: f"There is concern: {unlike}.",
        },
        robvis="",
        label=f"A{place}",
        applicability=True,
    )


_CONCERNS = (
    _applicability(
        1,
        "patients",
        _PATIENTS,
        definition="Whether the patients and the setting match those that the review asks about.",
        unlike="the patients, their symptoms, earlier tests or the setting are others than the review asks about",
    ),
    _applicability(
        2,
        "index",
        _INDEX_TEST,
        definition="Whether the index test, its conduct and its reading match what the review asks about.",
        unlike="the test, how it was carried out or how it was read is another than the review asks about",
    ),
    _applicability(
        3,
        "reference",
        _REFERENCE,
        definition="Whether the target condition, as the reference standard defines it, is the one that the review asks about.",
        unlike="the reference standard defines another condition than the review asks about",
    ),
)

TOOLS = (
    Tool(
        id="quadas-2",
        name="QUADAS-2",
        source="Whiting et al., Ann Intern Med 2011;155:529-536",
        levels={
            LOW: LevelStyle("Low", "+", GREEN),
            UNCLEAR: LevelStyle("Unclear", "?", YELLOW),
            HIGH: LevelStyle("High", "×", RED, "#FFFFFF"),
        },
        domains=(*_BIAS, *_CONCERNS),
        overall=False,
        # robvis' template has no “Unclear”, which QUADAS-2 reserves for what is not reported.
        robvis=RobvisTemplate("QUADAS-2", {UNCLEAR: "No information"}),
    ),
)
