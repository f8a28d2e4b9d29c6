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
