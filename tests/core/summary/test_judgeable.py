from __future__ import annotations

import pytest

from core.summary.judgeable import FRAGMENT, HEADING, OTHER_LANGUAGE, QUESTION, reasons_against
from core.summary.splitting import split_summary

ENGLISH = (
    "We studied the effect of walking on pain in the knee. The women were asked to walk for an hour on each day of the week. "
    "It was found that pain was lower in the group of women who had walked, and that this was not a matter of chance. "
) * 3
GERMAN = (
    "Wir untersuchten die Wirkung des Gehens auf den Schmerz im Knie. Die Frauen sollten an jedem Tag der Woche eine Stunde "
    "gehen. Es zeigte sich, dass der Schmerz in der Gruppe der Frauen, die gingen, geringer war und dass das kein Zufall war. "
) * 3


def reasons(summary: str, paper: str = ENGLISH) -> list[str | None]:
    return reasons_against(split_summary(summary), paper)


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ("Walking made the pain in the knee less bad.", [None]),
        ("# Findings\nWalking made the pain in the knee less bad.", [HEADING, None]),
        ("What did the doctors find in this study?", [QUESTION]),
        ("- Less pain", [None]),
        ("Hooray!", [FRAGMENT]),
        ("Das Gehen hat die Schmerzen im Knie bei den meisten Frauen deutlich gelindert.", [OTHER_LANGUAGE]),
        ("Ходьба уменьшила боль.", [OTHER_LANGUAGE]),
        ("走路减轻了疼痛。", [OTHER_LANGUAGE]),
        ("Metformin plus empagliflozin: HbA1c −1.2%, weight −3.1 kg.", [None]),
    ],
)
def test_what_cannot_be_judged_says_why(summary: str, expected: list[str | None]) -> None:
    assert reasons(summary) == expected


def test_a_paper_in_another_language_has_its_summary_in_that_language() -> None:
    german = "Das Gehen hat den Schmerz im Knie der Frauen in der Gruppe gelindert."
    assert reasons(german, GERMAN) == [None]
    assert reasons("Walking made the pain in the knees of most of these women less bad.", GERMAN) == [OTHER_LANGUAGE]
