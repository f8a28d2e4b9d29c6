"""The rules that judge sentences: what decides, what takes it back, and what they say of it."""

from __future__ import annotations

import time

import pytest

from core.bias import Level, tool_named
from core.bias.rules import RULEBOOKS
from core.bias.rules.losses import losses

LOW, UNCLEAR, HIGH = Level.LOW, Level.UNCLEAR, Level.HIGH


def level(domain: str, *sentences: str) -> Level | None:
    finding = RULEBOOKS[domain].decide(sentences)
    return None if finding is None else finding.level


def test_every_domain_of_rob_1_has_rules() -> None:
    assert set(RULEBOOKS) == {domain.id for domain in tool_named("rob1").domains}


@pytest.mark.parametrize(
    ("domain", "sentence", "expected"),
    [
        ("sequence", "Randomised by date of birth.", HIGH),
        ("sequence", "Patients were randomised.", UNCLEAR),
        ("sequence", "Patients were randomised with a computer-generated list.", LOW),
        ("sequence", "A pseudo-random number generator made the list.", LOW),
        ("sequence", "The trial was quasi-randomised.", HIGH),
        ("concealment", "Sealed envelopes were used.", UNCLEAR),
        ("concealment", "Sequentially numbered, opaque, sealed envelopes were used.", LOW),
        ("concealment", "The envelopes were unsealed.", HIGH),
        ("performance", "Double-blind.", UNCLEAR),
        ("performance", "Patients and nurses were blinded.", LOW),
        ("performance", "Patients and nurses were not blinded.", HIGH),
        ("performance", "Blinding could not be achieved.", HIGH),
        ("performance", "Outcome assessors were not blinded.", UNCLEAR),
        ("detection", "Outcome assessors were not blinded.", HIGH),
        ("detection", "Whether the assessors were blinded is not reported.", UNCLEAR),
        ("detection", "Open label, but a pathologist masked to the allocation read the slides.", LOW),
        ("detection", "In an open trial, death from any cause is unlikely to be influenced.", LOW),
        ("attrition", "3 of 120 lost.", LOW),
        ("attrition", "45% dropped out.", HIGH),
        ("attrition", "Drop-out was 30% in one group and 9% in the other.", HIGH),
        ("attrition", "Some withdrew, without reasons given.", UNCLEAR),
        ("reporting", "Outcomes as in the registry.", LOW),
        ("reporting", "The primary outcome was changed after the trial began.", HIGH),
        ("reporting", "No outcome was changed.", UNCLEAR),
        ("reporting", "The protocol was not available.", UNCLEAR),
        ("other", "The trial was stopped early for benefit.", HIGH),
        ("other", "Unclear whether the groups were comparable at baseline.", UNCLEAR),
    ],
)
def test_criteria(domain: str, sentence: str, expected: Level) -> None:
    assert level(domain, sentence) is expected


@pytest.mark.parametrize(
    ("domain", "sentence", "without"),
    [
        ("sequence", "To avoid alternation of assignment, we used a computer-generated list.", HIGH),
        ("sequence", "Although previous trials had used alternation, patients were randomised.", HIGH),
        ("sequence", "Patients will be randomised with a computer-generated list.", LOW),
        ("performance", "Patients and nurses were not told, and it is unclear whether they were blinded.", LOW),
        ("detection", "No mention of blinding of outcome assessors.", LOW),
    ],
)
def test_denials_plans_and_other_studies_do_not_decide(domain: str, sentence: str, without: Level) -> None:
    assert level(domain, sentence) is not without


@pytest.mark.parametrize("domain", RULEBOOKS)
@pytest.mark.parametrize(
    "comment", ["No information provided.", "Not described.", "Insufficient information to permit judgement."]
)
def test_what_reviewers_write_when_nothing_is_told(domain: str, comment: str) -> None:
    assert level(domain, comment) is UNCLEAR


def test_a_reviewers_verdict_counts_where_the_quotation_does_not_decide() -> None:
    quote = 'Quote: "patients were randomly assigned".'
    assert level("sequence", quote) is UNCLEAR
    assert level("sequence", f"{quote} Comment: probably done.") is LOW
    assert level("sequence", f"{quote} Comment: not adequate.") is not LOW


def test_a_reason_names_the_words_that_decided() -> None:
    finding = RULEBOOKS["concealment"].decide(["Patients were enrolled.", "We used sealed envelopes."])
    assert finding is not None
    assert finding.sentence == 1
    assert "sealed envelopes" in finding.words
    assert "not said to be opaque or sequentially numbered: unclear." in finding.rationale


def test_nothing_on_the_domain_is_no_finding() -> None:
    assert RULEBOOKS["sequence"].decide(["Gout is painful.", ""]) is None


@pytest.mark.parametrize(
    ("sentence", "shares"),
    [
        ("Of 100 women randomised, 31 in one group and 6 in the other were lost.", [0.62, 0.12]),
        ("Sixty of 80 randomised patients completed the trial.", [0.25]),
        ("Follow-up was 97% in both arms.", [0.03]),
        ("A third of the participants did not return.", [0.33]),
        ("Nine of 30 in the drug group withdrew and none in the placebo group.", [0.3, 0.0]),
        ("Outcomes were unavailable for 99·8% of those lost.", [0.998]),
        ("The 95% CI excluded 1.", []),
        ("80% of the sessions were completed.", []),
        ("Discontinuation of the study drug was reported in 29%.", []),
        ("Five participants were randomised twice, and one was excluded.", []),
    ],
)
def test_shares_lost(sentence: str, shares: list[float]) -> None:
    found = [share for each in losses([sentence]) for share in each.shares]
    assert found == pytest.approx(shares)


def test_a_total_may_stand_in_another_sentence() -> None:
    found = losses(
        ["Of 200 screened, 120 were randomised.", "Four in the drug group and three in the other were lost."]
    )
    assert [share for each in found for share in each.shares] == pytest.approx([4 / 60, 3 / 60])


@pytest.mark.parametrize("domain", RULEBOOKS)
@pytest.mark.parametrize(
    "hostile",
    [
        "a" * 20_000,
        "not " * 5_000,
        "blinded, " * 3_000,
        "1 of " * 4_000,
        "envelope-" * 3_000,
        "patients and nurses " * 1_000,
    ],
    ids=lambda text: text[:8],
)
def test_hostile_sentences_take_no_time(domain: str, hostile: str) -> None:
    started = time.process_time()
    RULEBOOKS[domain].decide([hostile])
    assert time.process_time() - started < 1.0


def test_a_papers_own_words_are_no_reviewers_verdict() -> None:
    sentence = "An adequate amount of time was spent."
    assert RULEBOOKS["sequence"].decide([sentence]) is not None
    assert RULEBOOKS["sequence"].decide([sentence], of_paper=True) is None


@pytest.mark.parametrize(
    ("domain", "sentence", "wrong"),
    [
        # words of the rules in sentences that are about something else
        (
            "performance",
            "There was no placebo condition, and the researcher and the subject were aware of the drug.",
            LOW,
        ),
        ("performance", "The drug had a similar incidence of events as placebo.", LOW),
        ("detection", "This double-blind study evaluated a diet.", LOW),
        ("attrition", "We recruited 30 participants to allow for a dropout rate of 25%.", HIGH),
        ("attrition", "Per-protocol analyses excluded those who did not achieve 80% of their goal.", HIGH),
        ("sequence", "An envelope was selected randomly by the nurse.", HIGH),
        ("sequence", "The first 81 women to accept were randomised.", HIGH),
        ("other", "Differences between groups were significant between baseline and month 2.", HIGH),
        ("concealment", "Each received a questionnaire and a return envelope.", UNCLEAR),
    ],
)
def test_words_about_something_else_do_not_decide(domain: str, sentence: str, wrong: Level) -> None:
    assert level(domain, sentence) is not wrong
