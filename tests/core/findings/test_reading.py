"""What single sentences tell of an outcome."""

from __future__ import annotations

import pytest

from core.findings.claim import claim_of
from core.findings.reading import read

STINGS = claim_of("Naps increase stings compared with walks")
TIME = claim_of("Naps increase the time to swarming compared with walks")
PAIN = claim_of("Naps reduce pain compared with placebo")


@pytest.mark.parametrize(
    ("sentence", "sign"),
    [
        ("Stings were more frequent with naps than with walks (P = 0.01).", 1),
        ("Stings were less frequent with naps than with walks (P = 0.01).", -1),
        # sides
        ("Stings were more frequent with walks than with naps (P = 0.01).", -1),
        ("Compared with walks, naps increased stings (P = 0.01).", 1),
        ("Compared with naps, walks increased stings (P = 0.01).", -1),
        ("Stings were higher in the control group (P = 0.01).", -1),
        # no difference
        ("Stings did not differ between naps and walks.", 0),
        ("Stings were higher with naps than with walks (P = 0.3).", 0),
        ("Stings were higher with naps, but the difference was not statistically significant.", 0),
        ("Stings tended to be higher with naps.", 0),
        ("There was no significant increase in stings.", 0),
        ("Stings rose with naps (RR 1.4, 95% CI 0.8 to 2.2).", 0),
        ("The rate of stings was 12% with naps and 14% with walks (P = 0.6).", 0),
        # without a word for the direction
        ("The rate of stings was 24% with naps and 14% with walks (P = 0.01).", 1),
        ("The rate of stings was 24% in the walk group, compared with 14% for naps (P = 0.01).", -1),
        ("The rate ratio of stings was 1.4 (95% CI 1.1 to 1.8).", 1),
        ("The difference in stings was significant (P = 0.01).", None),
        # how large a change was
        ("Naps gave a greater reduction of stings than walks (P = 0.01).", -1),
        ("Naps gave a smaller reduction of stings than walks (P = 0.01).", 1),
        ("The increase of stings was smaller with naps than with walks (P = 0.01).", -1),
        # changes over time are no comparison
        ("Stings decreased in both groups (P = 0.01).", None),
        # several tests
        ("Stings were lower with naps than with walks (P = 0.01), and flights were not (P = 0.9).", -1),
        # nothing
        ("Hives stood in a quiet garden.", None),
    ],
)
def test_directions(sentence: str, sign: int | None) -> None:
    assert read(sentence, STINGS).sign == sign


def test_faster_is_less_time() -> None:
    assert read("Swarming was faster with naps than with walks (P = 0.01).", TIME).sign == -1
    assert read("The time to swarming was longer with naps (P = 0.01).", TIME).sign == 1


def test_better_pain_is_less_pain() -> None:
    assert read("Pain improved more with naps than with placebo (P = 0.01).", PAIN).sign == -1
    assert read("Pain was worse with naps than with placebo (P = 0.01).", PAIN).sign == 1


@pytest.mark.parametrize(
    ("sentence", "sign"),
    [
        ("Naps were more effective at preventing stings than walks (P = 0.01).", -1),
        ("Naps were less effective in reducing stings than walks (P = 0.01).", 1),
        ("Naps were inferior to walks in controlling stings (P = 0.01).", 1),
        ("Naps were superior to walks in increasing stings (P = 0.01).", 1),
    ],
)
def test_what_is_effective_against_an_outcome_gives_less_of_it(sentence: str, sign: int) -> None:
    assert read(sentence, STINGS).sign == sign


def test_more_effective_is_better_and_not_more() -> None:
    assert read("Naps were more effective for pain than placebo (P = 0.01).", PAIN).sign == -1
    assert read("Naps were less effective for pain than placebo (P = 0.01).", PAIN).sign == 1
    relief = claim_of("Naps increase the reduction of pain compared with placebo")
    assert read("Naps were more effective than placebo for the reduction of pain (P = 0.01).", relief).sign == 1


def test_an_outcome_whose_name_tells_a_direction() -> None:
    falls = claim_of("Naps increase falls compared with walks")
    assert read("The number of falls was higher with naps than with walks (P = 0.01).", falls).sign == 1
    assert read("There were fewer falls with naps than with walks (P = 0.01).", falls).sign == -1
    harms = claim_of("Naps increase adverse events compared with walks")
    assert read("Adverse events were seen with naps less often than with walks (P = 0.01).", harms).sign == -1
    assert read("Adverse effects were similar with naps and walks.", harms).sign == 0
    assert read("Naps had an adverse effect on pain (P = 0.01).", PAIN).sign == 1


def test_a_hazard_ratio_is_of_the_event_that_ends_survival() -> None:
    survival = claim_of("Naps increase progression-free survival compared with walks")
    deaths = claim_of("Naps increase mortality compared with walks")
    assert read("Survival with naps was 9 months (HR 0.4, 95% CI 0.2 to 0.8).", survival).sign == 1
    assert read("The HR of mortality was 0.4 (95% CI 0.2 to 0.8).", deaths).sign == -1
    assert read("The odds ratio of survival was 0.4 (95% CI 0.2 to 0.8).", survival).sign == -1


def test_similarly_is_no_similarity() -> None:
    assert read("Similarly, stings were higher with naps than with walks (P = 0.01).", STINGS).sign == 1


def test_a_groups_value_is_no_p_value() -> None:
    assert read("Stings were fewer (T = 24, T&P = 11, p = 0.04).", STINGS).sign == -1


def test_what_goes_with_a_direction() -> None:
    reading = read("Stings were more frequent with naps than with walks (P = 0.01).", STINGS)
    assert (reading.outcome, reading.sides, reading.tested) == (1.0, 1.0, True)
    assert reading.words == "more"
    assert not read("Stings were more frequent with naps.", STINGS).tested


def test_no_difference_is_told_by_what_says_so() -> None:
    assert read("Stings were higher with naps than with walks (P = 0.3).", STINGS).words == "P = 0.3"
    assert read("Stings rose (RR 1.4, 95% CI 0.8 to 2.2).", STINGS).words == "RR 1.4, 95% CI 0.8 to 2.2"


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Naps and walks were equally likely to bring stings.", "equally"),
        ("There was no increased rate of stings with naps.", "no increased"),
        ("Stings were fewer with naps, without significance.", "without significance"),
    ],
)
def test_whole_words_are_quoted(sentence: str, words: str) -> None:
    assert read(sentence, STINGS).words == words


@pytest.mark.parametrize(
    ("sentence", "sign"),
    [
        # a result of a third group
        ("Stings were lower with swims as compared with naps (P = 0.01) and walks (P = 0.02).", None),
        ("Stings were lower with naps as compared with walks and swims (P = 0.02).", -1),
        ("Stings were lower with swims than with naps or with walks (P = 0.01).", None),
        ("Stings were lower with swims than in the nap and walk groups (P = 0.01).", None),
        ("Both the nap group and the walk group had more stings than the swim group (P = 0.01).", None),
        ("Naps and walks differed: stings were more frequent with naps than with walks (P = 0.01).", 1),
        # what is said of the two counts before what is said of others
        ("Stings were higher with swims (P = 0.01), with no difference between naps and walks.", 0),
        ("Stings were higher with naps (P = 0.01), with no difference between swims and runs.", 1),
        # what is studied is named last
        ("There were fewer stings compared with the walk group among those given naps (P = 0.01).", -1),
        ("Stings were lower than with walks in the nap group (P = 0.01).", -1),
        ("There was a significant rise of stings relative to walks with both lengths of naps.", 1),
        # figures in brackets do not part a direction from what it is of
        ("There was a significant decrease (P = 0.004) in stings with naps, and flights rose.", -1),
        # amounts tell no direction
        ("The hives with one or more stings were fewer with naps than with walks (P = 0.01).", -1),
        ("Stings came to more than 9 in each hive and were lower with naps than with walks (P = 0.01).", -1),
        # the group that is named first is the one that it is said of
        ("Stings were higher in the walk group (4 with naps, 7 with naps and walks, P = 0.01).", -1),
        ("Stings were higher in the nap group (walks 1.1 vs. naps 9.5).", 1),
        ("Stings were higher in the walk group (walks 9.5 vs. naps 1.1).", -1),
        # what was looked for and not found
        ("A significant difference in stings wasn't observed.", 0),
        ("An increase of stings was not seen with naps.", 0),
        ("An increase of stings was not seen with naps compared with walks.", 0),
        ("A significant increase of stings and flights was not observed.", 0),
        ("Significant differences in stings and flights were not observed.", 0),
        ("Increases of stings, flights and swarms were not seen with naps.", 0),
        # what was not found in the comparator, or is another matter
        ("The significant increase of stings with naps was not seen with walks (P = 0.01).", 1),
        ("Naps increased stings compared with walks (P = 0.001), and lost queens were not observed.", 1),
        ("Naps increased stings compared with walks (P = 0.001) and lost queens were not observed.", 1),
        ("Stings increased with naps, which was not seen in the control group.", 1),
        # where a change began is no comparator
        ("The nap group had fewer stings compared with baseline (P = 0.01), whereas walks had no effect.", -1),
    ],
)
def test_what_a_direction_is_said_of(sentence: str, sign: int | None) -> None:
    assert read(sentence, STINGS).sign == sign


def test_treatment_as_usual_is_not_every_treatment() -> None:
    claim = claim_of("Naps increase stings compared with treatment as usual")
    assert claim.comparator == {"usual"}
    assert read("More bees in the intervention group had stings (P = 0.01).", claim).sign == 1


def test_the_same_treatment_at_other_times_is_the_other_side() -> None:
    claim = claim_of("Weekly naps increase stings compared with daily naps")
    assert read("Stings were higher with daily naps than with weekly naps (P = 0.01).", claim).sign == -1
    assert read("Stings were higher with weekly naps than with daily naps (P = 0.01).", claim).sign == 1


def test_whom_the_outcome_is_of_does_not_say_whether_more_of_it_is_better() -> None:
    claim = claim_of("Naps improve memory in bees and people with migraine")
    assert (claim.sign, claim.valence) == (1, 1)
    assert "migrain" not in " ".join(claim.outcome)
    assert read("Naps increased memory compared with walks (P = 0.01).", claim).sign == 1
    assert claim_of("Naps reduce mortality in patients with good quality of life").sign == -1
    assert claim_of("Naps improve pain in bees").valence == -1
    for outcome in ("the number of patients with migraine", "the reduction in patients with migraine"):
        assert "migrain" in " ".join(claim_of(f"Naps increase {outcome}").outcome)
