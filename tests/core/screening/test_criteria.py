"""Criteria taken apart, and the limits, ages and sexes that they ask for."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core.paper import Paper, read_paper
from core.screening.model import Criterion, CriterionKind, Fit
from core.screening.offline.criteria import alternatives, clauses_of, parse_clause, topic_words
from core.screening.offline.designs import Design
from core.screening.offline.limits import limits_in
from core.screening.offline.people import AgeLimit, Ages, people_limits_in
from core.screening.offline.reading import read_for_screening

# ---- wording ----
# Criteria taken apart: what is asked for, and what is ruled out.


def clauses(text: str, kind: CriterionKind = CriterionKind.OWN) -> list[tuple[str, bool, bool]]:
    return [(one.text, one.denied, one.tangled) for one in clauses_of(Criterion(kind, text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("not a protocol", [("protocol", True, False)]),
        ("adults without diabetes", [("adults", False, False), ("diabetes", True, False)]),
        ("RCTs; not pilot studies", [("RCTs", False, False), ("pilot studies", True, False)]),
        ("Exclusion criteria: animal studies", [("animal studies", True, False)]),
        ("non-small cell lung cancer", [("non-small cell lung cancer", False, False)]),
        ("no more than 20% dropouts", [("no more than 20% dropouts", False, False)]),
        ("with or without placebo", [("or without placebo", False, False)]),
        ("must not exclude children", [("must not exclude children", True, True)]),  # two denials: never judged
        ("protocols excluded", [("protocols", True, False)]),
        ("protocols are not eligible", [("protocols", True, False)]),
        ("not only children", [("not only children", True, True)]),
        ("reviews should not be included", [("reviews", True, False)]),
    ],
)
def test_clauses(text: str, expected: list[tuple[str, bool, bool]]) -> None:
    assert clauses(text) == expected


@pytest.mark.parametrize(
    ("text", "named", "either"),
    [
        ("randomised, double-blind crossover trial", {Design.RANDOMISED, Design.DOUBLE_BLIND, Design.CROSSOVER}, False),
        ("randomised or quasi-randomised controlled trials", {Design.RANDOMISED, Design.QUASI}, True),
        ("non-randomised studies", {Design.QUASI}, False),
        ("cohort and case-control studies", {Design.COHORT, Design.CASE_CONTROL}, True),
    ],
)
def test_designs_asked_for(text: str, named: set[Design], either: bool) -> None:
    found = parse_clause(text, CriterionKind.DESIGN).designs
    assert (set(found.named), found.any_is_enough) == (named, either)


def test_a_word_for_a_design_in_another_criterion_is_a_topic() -> None:
    assert parse_clause("has a registered protocol", CriterionKind.OWN).designs.named == ()
    assert parse_clause("animal-assisted therapy", CriterionKind.INTERVENTION).designs.named == ()


def test_alternatives() -> None:
    assert alternatives("placebo, usual care or waiting list") == ["placebo", "usual care", "waiting list"]
    assert alternatives("tea with milk") == ["tea with milk"]


def test_a_word_that_only_qualifies_is_no_topic_beside_others() -> None:
    assert topic_words("another active inhaler") == ["inhaler"]
    assert topic_words("standard treatment") == ["standard"]  # all that there is to look for
    assert alternatives("placebo or another active treatment") == ["placebo"]
    assert topic_words("placebo or another active treatment") == ["placebo"]


# ---- limits ----
# Numbers that criteria set limits to.

PAPER = replace(
    read_paper(
        b"# Tea\n\n## Methods\n\nA total of 48 patients were randomised. Of these, 24 patients were assigned to tea for "
        b"12 weeks. All were followed up at 6 months, and they were between 30 and 60 years old.\n",
        name="tea.md",
    ),
    year=2011,
)


def fit_of_limits(criterion: str, paper: Paper = PAPER) -> Fit:
    (asked,), rest = limits_in(criterion)
    assert not rest.strip(" .,")
    return asked.judge(read_for_screening(paper, None)).fit


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("n >= 40", Fit.MET),
        ("at least 48 participants", Fit.MET),
        ("sample size over 50", Fit.NOT_MET),
        ("published after 2010", Fit.MET),
        ("published after 2011", Fit.NOT_MET),
        ("published since 2011", Fit.MET),
        ("published before 2011", Fit.NOT_MET),
        ("published between 2000 and 2011", Fit.MET),
        ("follow-up of at least 12 weeks", Fit.MET),
        ("followed up for at least twelve weeks", Fit.MET),
        ("at least twenty-four months of follow-up", Fit.UNCLEAR),
        ("at least 6 months of follow-up", Fit.MET),
        ("follow-up of at least 2 years", Fit.UNCLEAR),  # never against: another report may go on
    ],
)
def test_limits(criterion: str, expected: Fit) -> None:
    assert fit_of_limits(criterion) is expected


def test_what_the_paper_does_not_state_is_unclear() -> None:
    silent = read_paper(b"# Tea\n\n## Methods\n\nPatients drank tea. Half of them drank water.\n", name="tea.md")
    for criterion in ("n >= 40", "published after 2010", "follow-up of at least 12 weeks"):
        assert fit_of_limits(criterion, silent) is Fit.UNCLEAR


def test_a_group_s_number_speaks_against_nothing() -> None:
    groups = read_paper(b"# Tea\n\n## Methods\n\n24 patients were assigned to tea, and 24 to water.\n", name="tea.md")
    assert fit_of_limits("at least 40 participants", groups) is Fit.UNCLEAR


# ---- people ----
# Ages and sexes: what a criterion asks for, and what a paper states.


def trial(sentence: str, title: str = "Tea and sleep") -> Paper:
    text = f"# {title}\n\n## Methods\n\n{sentence} They drank tea every day, and slept at home.\n"
    return read_paper(text.encode(), name="trial.md")


def fit_of_people(criterion: str, paper: Paper) -> Fit:
    (asked,), _ = people_limits_in(criterion)
    return asked.judge(read_for_screening(paper, None)).fit


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
    (asked,), _ = people_limits_in(text)
    assert isinstance(asked, AgeLimit)
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
        # adults up to 65, and none above
        ("adults", "Exclusion criteria included pregnancy, age < 18 years or > 65 years.", Fit.MET),
        ("at least 70 years", "Exclusion criteria included pregnancy, age < 18 years or > 65 years.", Fit.NOT_MET),
        ("adults", "The mean age of the 38 infants was told in weeks.", Fit.UNCLEAR),
        ("children", "Exclusion criteria were asthma and age below 18 years.", Fit.NOT_MET),
        ("adults", "Patients younger than 18 years were excluded.", Fit.MET),
        ("adults", "Patients aged 12 to 17 years were excluded.", Fit.UNCLEAR),  # those on either side may be in
        (
            "at least 60 years",
            "People aged over 80 years were not eligible.",
            Fit.UNCLEAR,
        ),  # nor does it tell the youngest
        ("adults", "Volunteers aged 20 to 45 years took part, excluding smokers.", Fit.MET),
        ("adults", "Inclusion and exclusion criteria were age 20 to 45 years and no asthma.", Fit.MET),
        ("adults", "Women over 18 years of age who were between 8 and 12 weeks pregnant took part.", Fit.MET),
        ("adults", "Ages and shares of 20 to 40% were noted.", Fit.UNCLEAR),
        ("children", "They were of a gestational age < 37 weeks.", Fit.UNCLEAR),
        ("adults", "Women of any age, 3 to 6 months after birth, took part.", Fit.UNCLEAR),
        ("women", "Only women took part.", Fit.MET),
        ("women", "Women and men took part.", Fit.UNCLEAR),
    ],
)
def test_a_paper_s_people(criterion: str, sentence: str, expected: Fit) -> None:
    assert fit_of_people(criterion, trial(sentence)) is expected


def test_a_title_tells_where_no_number_does() -> None:
    assert fit_of_people("adults", trial("Sleep was measured.", "Tea for children with asthma")) is Fit.NOT_MET
    assert fit_of_people("adults", trial("Sleep was measured.", "Tea for children and their mothers")) is Fit.UNCLEAR


def test_what_is_left_is_the_topic() -> None:
    assert people_limits_in("adults aged 18 to 65 years with asthma")[1].split() == ["with", "asthma"]
    assert people_limits_in("type 2 diabetes") == ([], "type 2 diabetes")
