"""Each check on invented sentences: what it flags, and what it leaves alone."""

from __future__ import annotations

import pytest

from core.paper import read_paper
from core.summary.checks import Candidate, Claim, Source, findings_on
from core.summary.model import Check
from core.summary.support import covered
from core.summary.words import topic

PAPER = """# Walking and knee pain

## Abstract

We studied 120 women aged 50 to 70 years with knee pain for 12 weeks.
Pain was significantly lower in the walking group than in the control group (P = 0.03).
Walking reduced stiffness by 23.7%, but there was no significant difference in sleep.
Walking may prevent falls.
Vitamin D levels were associated with muscle strength.
Most women completed the programme.
Oral ibuprofen was given before the first visit.
"""


def checks_on(sentence: str) -> set[Check]:
    paper = read_paper(PAPER.encode(), name="paper.md")
    source = Source(paper, paper.sentences)
    candidates = [
        Candidate(s.index, s.text, covered(topic(sentence), topic(s.text), {}), 0.0, 0.8) for s in paper.sentences
    ]
    candidates.sort(key=lambda candidate: -candidate.share)
    return {finding.flag.check for finding in findings_on(Claim(sentence, candidates[:4], source))}


@pytest.mark.parametrize(
    ("sentence", "check"),
    [
        ("We studied 210 women with knee pain for 12 weeks.", Check.NUMBER),
        ("We studied 120 women with knee pain for 12 months.", Check.NUMBER),
        ("Walking reduced stiffness by 43%.", Check.NUMBER),
        ("Pain was lower in the walking group than in the control group (P = 0.3).", Check.NUMBER),
        ("Pain was significantly higher in the walking group than in the control group.", Check.DIRECTION),
        ("Walking increased stiffness.", Check.DIRECTION),
        ("There was a significant difference in sleep.", Check.DIRECTION),
        ("Pain was not lower in the walking group than in the control group.", Check.DIRECTION),
        ("Pain was significantly lower in the control group than in the walking group.", Check.ROLE),
        ("We studied 120 men with knee pain for 12 weeks.", Check.ROLE),
        ("Oral ibuprofen was given after the first visit.", Check.ROLE),
        ("Walking prevents falls.", Check.CERTAINTY),
        ("Walking definitely prevents falls.", Check.CERTAINTY),
        ("Vitamin D caused muscle strength.", Check.CERTAINTY),
        ("Every woman always completed the programme.", Check.ABSOLUTE),
        ("Walking completely eliminated stiffness.", Check.ABSOLUTE),
        ("Oral paracetamol was given before the first visit.", Check.ENTITY),
        ("We studied 120 women with knee pain in Oslo for 12 weeks.", Check.ENTITY),
    ],
)
def test_what_is_wrong_is_flagged(sentence: str, check: Check) -> None:
    assert check in checks_on(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Pain was significantly lower in the walking group than in the control group (P = 0.03).",
        "Pain was higher in the control group than in the walking group.",
        "Walking lowered stiffness by about a quarter of what it was.",
        "Walking reduced stiffness by about 24%, but sleep was no different.",
        "Walking might prevent falls.",
        "We studied 120 women with painful knees for three months.",
        "Sleep did not differ.",
        "Oral ibuprofen was given before the first visit, every day.",
        "Vitamin D levels were linked to muscle strength.",
    ],
)
def test_what_says_the_same_is_left_alone(sentence: str) -> None:
    assert not checks_on(sentence) - {Check.ENTITY}


@pytest.mark.parametrize("sentence", ["The women drank water and swallowed a pill.", "Their legs hurt on the stairs."])
def test_words_that_a_child_knows_are_no_names(sentence: str) -> None:
    assert Check.ENTITY not in checks_on(sentence)
