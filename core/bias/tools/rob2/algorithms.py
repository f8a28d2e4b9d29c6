"""RoB 2's algorithms: from the answers to a domain's questions to its level.

They follow the guidance of 22 August 2019 for parallel trials. The guidance of 18 March 2021 splits some questions for
cluster-randomised trials and adds others, but the steps are the same. Answers to questions that do not apply never reach
these functions, so they do not check again whether a question applies: if it is absent, earlier answers have decided.
"""

from __future__ import annotations

from core.bias.model import HIGH, LOW, Answers, Level
from core.bias.signalling import not_told, said_no, said_yes

SOME_CONCERNS = Level("some concerns")  # there may be a problem
SCALE = (LOW, SOME_CONCERNS, HIGH)


def randomisation(answers: Answers) -> Level:
    """Domain 1, or 1a of cluster-randomised trials."""
    sequence, concealed, baseline = answers  # 1.1 to 1.3, or 1a.1 to 1a.3
    if said_no(answers, concealed):
        return HIGH
    if not_told(answers, concealed):
        return HIGH if said_yes(answers, baseline) else SOME_CONCERNS
    return SOME_CONCERNS if said_no(answers, sequence) or said_yes(answers, baseline) else LOW


def recruitment(answers: Answers) -> Level:
    """Domain 1b of cluster-randomised trials."""
    imbalance = said_yes(answers, "1b.3")
    if said_yes(answers, "1b.1"):
        return LOW
    if said_yes(answers, "1b.2"):
        return HIGH
    if said_no(answers, "1b.2"):
        return SOME_CONCERNS if imbalance else LOW
    return HIGH if imbalance else SOME_CONCERNS


def carryover(answers: Answers) -> Level:
    """Domain S of crossover trials.

    The level for no information on S.3 is our reading of the criteria: it counts as one concern, and a period effect that
    nobody accounted for as a second.
    """
    periods_even = said_yes(answers, "S.1") or said_yes(answers, "S.2")
    if said_no(answers, "S.3"):
        return HIGH
    if not_told(answers, "S.3"):
        return SOME_CONCERNS if periods_even else HIGH
    return LOW if periods_even else SOME_CONCERNS


def deviations(answers: Answers) -> Level:
    """Domain 2, effect of assignment: the worse of what happened (2.1 to 2.5) and how it was analysed (2.6 and 2.7)."""
    return max(_what_happened(answers), _analysis(answers), key=SCALE.index)


def _what_happened(answers: Answers) -> Level:
    if "2.3" not in answers or said_no(answers, "2.3"):
        return LOW
    if not_told(answers, "2.3") or said_no(answers, "2.4"):
        return SOME_CONCERNS
    return SOME_CONCERNS if said_yes(answers, "2.5") else HIGH


def _analysis(answers: Answers) -> Level:
    if said_yes(answers, "2.6"):
        return LOW
    return SOME_CONCERNS if said_no(answers, "2.7") else HIGH


def adherence(answers: Answers) -> Level:
    """Domain 2, effect of adhering: only a suitable analysis compensates for departures."""
    if "2.6" not in answers:
        return LOW
    return SOME_CONCERNS if said_yes(answers, "2.6") else HIGH


def missing_data(answers: Answers) -> Level:
    """Domain 3."""
    if "3.2" not in answers or said_yes(answers, "3.2") or said_no(answers, "3.3"):
        return LOW
    return SOME_CONCERNS if said_no(answers, "3.4") else HIGH


def measurement(answers: Answers) -> Level:
    """Domain 4."""
    if said_yes(answers, "4.1") or said_yes(answers, "4.2"):
        return HIGH
    if "4.5" in answers:
        return SOME_CONCERNS if said_no(answers, "4.5") else HIGH
    return LOW if said_no(answers, "4.2") else SOME_CONCERNS


def selection(answers: Answers) -> Level:
    """Domain 5; 5.4 is asked of crossover trials only."""
    chosen = [question for question in ("5.2", "5.3", "5.4") if question in answers]
    if any(said_yes(answers, question) for question in chosen):
        return HIGH
    if any(not_told(answers, question) for question in chosen):
        return SOME_CONCERNS
    return LOW if said_yes(answers, "5.1") else SOME_CONCERNS
