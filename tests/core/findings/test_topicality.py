"""Whether a paper speaks of what a hypothesis is about."""

from __future__ import annotations

from core.findings.claim import claim_of
from core.findings.topicality import missing_topics
from tests.core.evidence.papers import body, heading, paper_of

PAPER = paper_of(heading("Abstract"), body("Aspirin was given. Deaths were counted, and heart attacks."))


def test_an_outcome_is_named_by_plain_words_and_by_the_terms_of_medicine() -> None:
    for outcome in ("mortality", "myocardial infarction", "deaths"):
        assert missing_topics(PAPER, claim_of(f"Aspirin reduces {outcome}"), "bm25") == ()
    assert missing_topics(PAPER, claim_of("Aspirin reduces headache"), "bm25") == ("headache",)
    assert missing_topics(PAPER, claim_of("Aspirin reduces fatal myocardial infarction and itch"), "bm25") != ()
