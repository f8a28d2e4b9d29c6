"""Ages and sexes: what a criterion asks for, and what a paper states."""

from __future__ import annotations

import math

import pytest

from core.paper import Paper, read_paper
from core.screening.model import Fit
from core.screening.offline.people import AgeAsked, Ages, people_asked
from core.screening.offline.reading import read


def trial(sentence: str, title: str = "Tea and sleep") -> Paper:
    text = f"# {title}\n\n## Methods\n\n{sentence} They drank tea every day, and slept at home.\n"
    return read_paper(text.encode(), name="trial.md")


def fit(criterion: str, paper: Paper) -> Fit:
    (asked,), _ = people_asked(criterion)
    return asked.judge(read(paper, None)).fit


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("adults", 18, math.inf),
        ("aged 18 to 65 years", 18, 66),
        ("≥ 65 years", 65, math.inf),
        ("people aged 40 years and over", 40, math.inf),
        ("children under 12 years", 0, 12),
        ("no older than 12 years", 0, 13),
        ("children or adolescents", 0, 20),
        ("adults and children", 0, math.inf),
    ],
)
def test_ages_asked_for(text: str, low: float, high: float) -> None:
    (asked,), _ = people_asked(text)
    assert isinstance(asked, AgeAsked)
    assert asked.ages == Ages(low, high)


@pytest.mark.parametrize(
    ("criterion", "sentence", "expected"),
    [
        ("adults", "Volunteers aged 20 to 45 years took part.", Fit.MET),
        ("adults", "Pupils aged 8 to 12 years took part.", Fit.NOT_MET),
        ("adults", "Volunteers aged 12 to 45 years took part.", Fit.UNCLEAR),
        ("adults", "Volunteers aged 6 to 59 months took part.", Fit.NOT_MET),
        ("adults", "Their mean age was 54.2 (SD 9.1) years.", Fit.MET),
        ("children", "Their mean age was 54.2 (SD 9.1) years.", Fit.NOT_MET),
        ("at least 60 years", "Their mean age was 54.2 (SD 9.1) years.", Fit.UNCLEAR),
        ("adults", "They were followed for over 12 years.", Fit.UNCLEAR),  # a time, no age
        ("women", "Only women took part.", Fit.MET),
        ("women", "Women and men took part.", Fit.UNCLEAR),
    ],
)
def test_a_paper_s_people(criterion: str, sentence: str, expected: Fit) -> None:
    assert fit(criterion, trial(sentence)) is expected


def test_a_title_tells_where_no_number_does() -> None:
    assert fit("adults", trial("Sleep was measured.", "Tea for children with asthma")) is Fit.NOT_MET
    assert fit("adults", trial("Sleep was measured.", "Tea for children and their mothers")) is Fit.UNCLEAR


def test_what_is_left_is_the_topic() -> None:
    assert people_asked("adults aged 18 to 65 years with asthma")[1].split() == ["with", "asthma"]
    assert people_asked("type 2 diabetes") == ([], "type 2 diabetes")
