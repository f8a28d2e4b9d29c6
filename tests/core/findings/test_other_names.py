"""A claim in a paper's own words: its abbreviations and drugs."""

from __future__ import annotations

from core.findings.claim import claim_of
from core.findings.other_names import in_words_of
from core.findings.reading import read
from core.paper import Paper
from core.summary.words import topic
from tests.core.evidence.papers import body, heading, paper_of

DEFINED = "Pain was told on the visual analogue scale (VAS) each day."


def paper(*results: str) -> Paper:
    return paper_of(heading("Methods"), body(DEFINED), heading("Results"), *map(body, results))


def test_an_abbreviation_names_the_outcome() -> None:
    result = "The VAS was lower with naps than with walks (P = 0.01)."
    own = paper(result)
    plain = claim_of("Naps reduce visual analogue scale compared with walks")
    claim = in_words_of(own, plain, own.sentences)
    assert (read(result, plain).outcome, read(result, claim).outcome) == (0.0, 1.0)
    assert read(result, claim).sign == -1


def test_the_words_behind_an_abbreviation_name_the_outcome() -> None:
    own = paper("The visual analogue scale fell.")
    claim = in_words_of(own, claim_of("Naps reduce VAS"), own.sentences)
    assert claim.outcome_share(topic("The visual analogue scale fell.")) == 1.0
    assert claim.outcome_share(topic("The scale fell.")) == 0.0


def test_a_drug_stands_for_its_class_on_its_side() -> None:
    result = "Stings were lower with placebo than with simvastatin (P = 0.01)."
    own = paper(result)
    plain = claim_of("Statins increase stings compared with placebo")
    assert "simvastatin" in in_words_of(own, plain, own.sentences).intervention


def test_a_drug_is_not_all_of_an_outcome_that_names_its_class() -> None:
    result = "Satisfaction with morphine was higher with naps than with walks (P = 0.01)."
    own = paper(result)
    claim = in_words_of(own, claim_of("Naps reduce opioid consumption compared with walks"), own.sentences)
    assert claim.outcome_share(topic(result)) == 0.5  # {opioid} of {opioid, consumption}
    assert claim.outcome_share(topic("Morphine consumption was lower with naps.")) == 1.0


def test_two_drugs_of_one_class_do_not_share_its_name() -> None:
    own = paper("Stings were lower with the newer statin than with the older statin.")
    claim = claim_of("Simvastatin reduces stings compared with pravastatin")
    known = in_words_of(own, claim, own.sentences)
    assert (known.intervention, known.comparator) == (claim.intervention, claim.comparator)
