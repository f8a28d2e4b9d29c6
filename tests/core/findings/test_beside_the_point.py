"""What in a sentence is no result of the treatment is not read, and what is, stays."""

from __future__ import annotations

import pytest

from core.evidence.bm25 import Bm25Engine
from core.evidence.model import PaperVerdict
from core.findings import find
from core.findings.beside_the_point import results_in
from core.findings.claim import claim_of
from tests.core.evidence.papers import body, heading, paper_of

CLAIM = claim_of("Naps reduce pain compared with walks")


@pytest.mark.parametrize(
    "sentence",
    [
        "At baseline, pain was higher with naps than with walks (P = 0.01).",
        "Before treatment, pain was higher in the nap group.",
        "Pre-treatment scores were similar in both groups.",
        "Before surgery, pain scores were similar with naps and with walks.",
        "Pain before the exercise did not differ between naps and walks.",
        "Pain on admission was higher with naps than with walks (P = 0.01).",
        "Pain was lower in non-survivors than in survivors (P = 0.02).",
        "The groups were well matched for pain.",
        "There were no significant differences in age, sex or pain between naps and walks.",
        "Pain was higher in patients with arthritis than in healthy controls (P < 0.001).",
        "Healthy volunteers had less pain than patients with arthritis (P < 0.001).",
        "Pain differed between patients with arthritis and healthy people (P < 0.001).",
        "Pain was lower in responders (n = 4) than in non-responders (P = 0.02).",
    ],
)
def test_what_is_no_result_is_blanked_out(sentence: str) -> None:
    assert not results_in(sentence, CLAIM).strip()


@pytest.mark.parametrize(
    "sentence",
    [
        "Pain was lower with naps than with walks after 4 weeks (P = 0.01).",
        "After adjusting for pain at baseline, pain was lower with naps.",
        "Pain fell more with naps in patients without fever at baseline.",
        "Pain was lower after the treatment than in the week before the treatment.",
        "Compared with walks, naps reduced pain in healthy volunteers.",
        "Pain was lower with naps at the age of 9.",
        # a treatment comes before something
        "Naps given before surgery reduced pain compared with walks (P = 0.01).",
        "Naps before exercise reduced pain compared with walks (P = 0.01).",
        "Bees that trained before surgery and walked had more pain (P = 0.01).",
        "Preoperative naps were followed by less pain than walks (P = 0.01).",
        "Naps started on admission reduced pain compared with walks (P = 0.01).",
        # groups by what they were given
        "Nap users had less pain than non-users (P = 0.01).",
        "Pain was lower in exposed bees than in non-exposed bees (P = 0.01).",
        # words that only look like a start
        "There was less pain in admissions to the hive with naps (P = 0.01).",
        "Naps reduced pain in enrolling hives (P = 0.01).",
        # ages that are not those of the groups
        "There was no difference in pain by gestational age with naps.",
        "Pain and height-for-age did not differ, or were similar in height-for-age, with naps.",
        "Pain did not differ between naps and walks, regardless of age or sex.",
        "Pain did not differ between naps and walks in any age group.",
    ],
)
def test_a_result_stays_as_it_is(sentence: str) -> None:
    assert results_in(sentence, CLAIM) == sentence


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("Although pain was similar at baseline, it was lower with naps.", "it was lower with naps."),
        ("Pain was similar in both groups at baseline, but at day 4 it was lower.", "at day 4 it was lower."),
        ("Naps reduced pain compared with baseline values.", "Naps reduced pain ."),
    ],
)
def test_a_part_is_blanked_out_and_the_rest_keeps_its_place(sentence: str, left: str) -> None:
    found = results_in(sentence, CLAIM)
    assert len(found) == len(sentence)
    assert " ".join(found.split()) == left


def test_what_a_hypothesis_asks_about_is_its_result() -> None:
    sentence = "At baseline, pain was higher in patients with arthritis than in healthy controls."
    assert results_in(sentence, claim_of("Baseline pain is higher in patients than in healthy controls")) == sentence
    assert not results_in(sentence, claim_of("Naps reduce blood pressure")).strip()  # "pressure" is no time before


@pytest.mark.parametrize(
    ("hypothesis", "sentence"),
    [
        (
            "Naps increase the age at first flight",
            "There was no difference in age at first flight between naps and walks.",
        ),
        ("Naps reduce admission to the hive", "Stings on admission were fewer with naps (P = 0.01)."),
        ("Infected food increases pain", "Pain was higher in infected bees than in non-infected bees (P = 0.01)."),
    ],
)
def test_a_word_of_the_hypothesis_is_not_beside_the_point(hypothesis: str, sentence: str) -> None:
    assert results_in(sentence, claim_of(hypothesis)) == sentence
    assert not results_in(sentence, claim_of("Tea reduces fatigue")).strip()


def test_users_beside_non_users_give_a_verdict_and_an_effect() -> None:
    paper = paper_of(
        heading("Results"), body("Nap users had lower mortality than non-users (HR 0.70, 95% CI 0.60 to 0.80).")
    )
    finding = find(paper, "Naps reduce mortality", engine=Bm25Engine())
    assert finding.verdict is PaperVerdict.SUPPORTS
    assert finding.effect is not None
    assert (finding.effect.measure, finding.effect.value) == ("HR", 0.70)


def test_patients_beside_the_healthy_do_not_outvote_the_treatment() -> None:
    paper = paper_of(
        heading("Results"),
        body("Pain was higher in patients with arthritis than in healthy controls (P < 0.001)."),
        body("At baseline, pain was higher in those who would nap than in those who would walk (P = 0.04)."),
        body("Pain scores were higher in non-survivors than in survivors (P = 0.01)."),
        body("After 4 weeks, naps gave less pain than walks (P = 0.03)."),
    )
    finding = find(paper, "Naps reduce pain compared with walks", engine=Bm25Engine())
    assert finding.verdict is PaperVerdict.SUPPORTS
    assert finding.strongest_against is None
