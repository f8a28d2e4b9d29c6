"""What statements say, what they are cut from, and what may explain that two papers differ."""

from __future__ import annotations

import pytest

from core.answering.model import ReportedChange
from core.claims.cutting import cut
from core.claims.differences import differences
from core.claims.offline import stands_alone
from core.claims.statements import Comparison, aligned, comparison_in, stated
from tests.core.claims.papers import is_cut_from


@pytest.mark.parametrize("told", list(ReportedChange))
def test_a_statement_by_the_template_is_read_back(told: ReportedChange) -> None:
    found = comparison_in(stated("Vitamin D (400 IU)", "placebo", "falls at 12 weeks", told))
    assert found == Comparison("Vitamin D (400 IU)", "placebo", "falls at 12 weeks", told)


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        (
            "Failure was significantly more frequent with A than with B (31% vs. 6%, P < 0.001).",
            ReportedChange.INCREASED,
        ),
        (
            "At day 7 the fever clearance rate was 91.8% in the A group and 62.7% in the B group.",
            ReportedChange.INCREASED,
        ),
        (
            "At day 7 the fever clearance rate was 62.7% in the A group and 62.0% in the B group.",
            ReportedChange.NO_DIFFERENCE,
        ),
        ("Diarrhoea was not more frequent with A than with B.", ReportedChange.NO_DIFFERENCE),
        ("Pain was lower with A than with B (P = 0.40).", ReportedChange.NO_DIFFERENCE),
        ("Pain did not differ significantly between A and B", ReportedChange.NO_DIFFERENCE),
        ("There was no significant difference in pain between A and B.", ReportedChange.NO_DIFFERENCE),
        ("A significantly reduced pain compared with B.", ReportedChange.DECREASED),
    ],
)
def test_forms_of_a_comparison(sentence: str, told: ReportedChange) -> None:
    found = comparison_in(sentence)
    assert found is not None
    assert found.told is told
    assert (found.intervention[:1], found.comparator[:1]) == ("A", "B")


@pytest.mark.parametrize(
    "sentence",
    [
        "There was no rise, and no increase in falls with vitamin D compared with placebo.",
        "There was no increase in nausea with A compared with B.",
        "A had no significant reduction in fatigue compared with B.",
        "Blood pressure was not significantly lower after twelve weeks with A compared with B.",
        "A compared with B was not associated with reduced relapse.",
        "A compared with B increased neither nausea nor headache.",
        "A failed to reduce pain compared with B.",
        "A led to a not significantly lower fever compared with B.",
        "There was no evidence that pain was lower with A than with B.",
        "A, without any effect on sleep, reduced pain compared with B.",
        "In no subgroup, A reduced pain compared with B.",
    ],
)
def test_a_negation_never_turns_a_result_round(sentence: str) -> None:
    found = comparison_in(sentence)
    assert found is None or found.told is ReportedChange.NO_DIFFERENCE


def test_no_treatment_is_an_arm() -> None:
    found = comparison_in("Magnesium compared with no treatment reduced cramps.")
    assert found == Comparison("Magnesium", "no treatment", "cramps", ReportedChange.DECREASED)


def test_no_comparison_is_made_up() -> None:
    assert comparison_in("Gatifloxacin is a good treatment.") is None


def test_arms_the_other_way_round_turn_the_result() -> None:
    claim = Comparison("gatifloxacin", "cefixime", "fever clearance", ReportedChange.INCREASED)
    other = Comparison(
        "the cefixime group", "the gatifloxacin group", "fever clearance at day 7", ReportedChange.DECREASED
    )
    assert aligned(claim, other) is ReportedChange.INCREASED
    assert aligned(claim, Comparison("gatifloxacin", "cefixime", "relapse", ReportedChange.INCREASED)) is None
    assert aligned(claim, Comparison("aspirin", "placebo", "fever clearance", ReportedChange.INCREASED)) is None


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("In conclusion, we found that zinc shortens colds.", "Zinc shortens colds."),
        ("However, pain fell (P < 0.01) in both arms (Table 2).", "Pain fell in both arms."),
        ("Conclusion Zinc lozenges shorten colds.", "Zinc lozenges shorten colds."),  # a heading that ran into its text
        ("Results of both arms were alike.", "Results of both arms were alike."),
        ("These findings suggest that zinc may help.", "These findings suggest that zinc may help."),  # a hedge stays
    ],
)
def test_claims_are_cut_and_nothing_is_added(sentence: str, claim: str) -> None:
    assert cut(sentence) == claim
    assert is_cut_from(claim, sentence)
    assert not is_cut_from("Zinc prevents colds.", sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "This effect was larger in women than in men after eight weeks.",
        "We randomly assigned 184 adults to magnesium or to placebo.",
        "Table 2 shows the number of cramps a week in both groups.",
        "Previous trials have reported that magnesium reduces cramps in adults.",
        "Larger studies are needed to show whether magnesium reduces cramps.",
        "Patients in group B had fewer cramps than those in group A.",
        "Recurrent aphthous stomatitis, amlexanox, pain relief in adults.",
    ],
)
def test_what_leans_on_something_else_is_no_claim(sentence: str) -> None:
    assert not stands_alone(sentence)


def test_a_result_of_its_own_is() -> None:
    assert stands_alone("Magnesium citrate did not reduce nocturnal leg cramps compared with placebo.")


def test_what_both_texts_tell_and_tell_differently_explains() -> None:
    found = differences("Vitamin D 400 IU in children for 12 weeks", "In elderly women 2,000 IU for two years (VAS)")
    assert found == (
        "dose: 400 IU here, 2000 IU there",
        "population: children here, older people, women there",
        "time: 12 weeks here, 2 years there",
    )
    assert differences("400 IU in children", "in older people, once 400 IU") == (
        "population: children here, older people there",
    )
    assert differences("children", "400 IU") == ()


@pytest.mark.parametrize(
    ("here", "there", "found"),
    [
        ("5 mg/kg reduced pain", "300 mg reduced pain", "dose: 5 mg/kg here, 300 mg there"),
        ("10 mg / kg / d", "10 mg", "dose: 10 mg/kg/day here, 10 mg there"),
        ("75 mg/m2", "75 mg/kg", "dose: 75 mg/m² here, 75 mg/kg there"),
        ("haemoglobin rose to 12 g/dL", "doses of 40 mg", None),
        ("5 mg/10 mg of both", "40 mg", "dose: 10 mg, 5 mg here, 40 mg there"),
        ("10 mg/day", "10 mg daily", None),
        ("1 g", "1,000 mg", None),
        ("0.5 mg", "0.50 mg", None),
        ("2 µg", "2 mcg", None),
        ("1 unit", "400 IU", "dose: 1 unit here, 400 IU there"),
        ("after 12 months", "after 1 year", None),
        ("after 52 weeks", "one year", None),
        ("after 12 weeks", "after one year", "time: 12 weeks here, 1 year there"),
    ],
)
def test_amounts_are_told_only_if_they_differ(here: str, there: str, found: str | None) -> None:
    assert differences(here, there) == (() if found is None else (found,))
