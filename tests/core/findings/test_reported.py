"""Whether a chosen result is about the outcome that is asked for."""

from __future__ import annotations

import pytest

from core.evidence import engine_named
from core.evidence.model import EvidenceSentence, PaperVerdict
from core.findings import find
from core.findings.claim import claim_of
from core.findings.reported import is_reported, likeness
from core.findings.verdict import judge
from core.paper import Paper
from tests.core.evidence.papers import body, heading, paper_of

RESULT = "Daily naps lowered the number of stings compared with walks (P = 0.01)."


def trial() -> Paper:
    """Bees are measured in many ways; of their temperature no result is given."""
    return paper_of(
        heading("Methods"),
        body("Body temperature of honey bees was measured daily."),
        heading("Results"),
        body(RESULT),
        body("Daily naps raised the yield of honey (P = 0.02)."),
    )


def share(hypothesis: str) -> float:
    paper = trial()
    chosen = [EvidenceSentence(one.index, 1.0) for one in paper.sentences]
    claim = claim_of(hypothesis)
    return likeness(paper, claim, judge(paper, claim, chosen), "bm25").share


def test_the_share_is_that_of_results_alone() -> None:
    assert share("Daily naps reduce stings compared with walks") == 1.0
    assert share("Daily naps reduce wing stings compared with walks") == 0.5
    assert share("Daily naps reduce body temperature compared with walks") == 0.0  # the methods name it


@pytest.mark.parametrize("engine", ["bm25", "offline"])
def test_a_paper_that_measured_something_and_reports_nothing_of_it_is_unclear(engine: str) -> None:
    finding = find(trial(), "Daily naps reduce body temperature compared with walks", engine=engine_named(engine))
    assert finding.verdict is PaperVerdict.UNCLEAR
    assert finding.reason == "No result that was found is plainly about “body temperature”, so none is weighed."
    assert (finding.strongest_for, finding.strongest_against, finding.effect) == (None, None, None)


@pytest.mark.parametrize("engine", ["bm25", "offline"])
def test_an_outcome_that_a_result_names_is_weighed(engine: str) -> None:
    finding = find(trial(), "Daily naps reduce stings compared with walks", engine=engine_named(engine))
    assert finding.verdict is PaperVerdict.SUPPORTS


def test_meaning_is_told_where_words_are_not_shared() -> None:
    paper = paper_of(heading("Results"), body("Drowsiness was lower with daily naps (P = 0.01)."))

    def chosen(hypothesis: str) -> float:
        claim = claim_of(hypothesis)
        near = likeness(paper, claim, judge(paper, claim, [EvidenceSentence(1, 1.0)]), "offline")
        assert (near.share, near.chosen is not None) == (0.0, True)
        return near.chosen or 0.0

    assert chosen("Daily naps reduce sleepiness") > chosen("Daily naps reduce bone fractures") + 0.2


def test_where_nothing_would_decide_nothing_is_held_against_the_paper() -> None:
    assert is_reported(trial(), claim_of("Daily naps reduce flights"), (), "bm25")
