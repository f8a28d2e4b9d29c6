"""Summaries split, and sentences that cannot be judged."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.summary.splitting import FRAGMENT, HEADING, OTHER_LANGUAGE, QUESTION, reasons_against, split_summary


def texts(summary: str) -> list[str]:
    return [sentence.text for sentence in split_summary(summary)]


def headings(summary: str) -> list[str]:
    return [sentence.text for sentence in split_summary(summary) if sentence.heading]


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ("Pain fell (P = 0.03). Sleep did not.", ["Pain fell (P = 0.03).", "Sleep did not."]),
        ("- Pain fell.\n- Sleep did not.\n", ["Pain fell.", "Sleep did not."]),
        ("• Less pain\n• Better sleep", ["Less pain", "Better sleep"]),
        ("1. Less pain\n2) 2.5 mg helped", ["Less pain", "2.5 mg helped"]),
        ("Less pain.\nBetter sleep.", ["Less pain.", "Better sleep."]),
        ("a pill a day\nkeeps pain away", ["a pill a day\nkeeps pain away"]),
        ("疼痛减轻了。睡眠没有改变。", ["疼痛减轻了。", "睡眠没有改变。"]),
        ("दर्द कम हुआ। नींद नहीं बदली।", ["दर्द कम हुआ।", "नींद नहीं बदली।"]),
        ("انخفض الألم. لم يتغير النوم.", ["انخفض الألم.", "لم يتغير النوم."]),
        ("Боль уменьшилась. Сон не изменился.", ["Боль уменьшилась.", "Сон не изменился."]),
        (" … \n--\n", []),
        ("", []),
    ],
)
def test_sentences(summary: str, expected: list[str]) -> None:
    assert texts(summary) == expected


def test_a_line_that_was_full_goes_on_in_the_next() -> None:
    summary = (
        "The study followed two hundred people for one year in the United\n"
        "States, and pain fell in both groups. Sleep was better in those\n"
        "Who walked."
    )
    assert len(texts(summary)) == 2


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ("# What was found\nPain fell.", ["What was found"]),
        ("**Key findings:**\nPain fell.", ["**Key findings:**"]),
        ("Key findings\n\nPain fell in both groups of the study.", ["Key findings"]),
        ("Findings:\n- Pain fell.", ["Findings:"]),
        ("Aspirin prevents strokes", []),
        ("- Less pain\n- Better sleep", []),
        ("Pain fell.\n\nSleep did not change at all.", []),
    ],
)
def test_headings(summary: str, expected: list[str]) -> None:
    assert headings(summary) == expected


@given(st.text(alphabet="aB1 .!?。\n-*#:(5)–•ا", max_size=80))
def test_every_sentence_points_back_into_the_summary(summary: str) -> None:
    sentences = split_summary(summary)
    assert all(summary[s.start : s.end] == s.text == s.text.strip() for s in sentences)
    assert all(one.end <= two.start for one, two in pairwise(sentences))


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
