"""Planned outcomes beside those that a paper reports."""

from __future__ import annotations

from core.paper import read_paper
from core.review.registrations import OutcomeState, outcomes_beside, registered_late
from core.sources.model import PlannedOutcome, Registration
from core.sources.stand_in.literature import invented, jats

FOUND = Registration(
    "NCT90000001",
    "Walking and sleep in town 1",
    registered="2009-02-11",
    started="2009-01",
    outcomes=(
        PlannedOutcome("primary", "Daytime tiredness", "8 weeks"),
        PlannedOutcome("secondary", "Sleep quality on a diary", "8 weeks"),
        PlannedOutcome("secondary", "Falls at home", "6 months"),
    ),
)


def test_planned_outcomes_beside_reported_ones() -> None:
    paper = read_paper(jats(invented(1), {}), name="a.xml")
    tired, sleep, falls = outcomes_beside(paper, FOUND)
    assert tired.state is OutcomeState.CHANGED
    assert tired.why == "Planned as primary; the paper calls it secondary."
    assert "A secondary outcome was daytime tiredness." in paper.sentences[tired.sentences[0]].text
    assert sleep.state is OutcomeState.CHANGED
    assert sleep.why == "Planned as secondary; the paper calls it primary."
    assert falls.state is OutcomeState.MISSING
    assert falls.sentences == ()


def test_an_outcome_as_planned_one_at_another_time_and_one_without_a_plan() -> None:
    paper = read_paper(jats(invented(1), {}), name="a.xml")
    as_planned = Registration("N", "", outcomes=(PlannedOutcome("primary", "Sleep quality on a diary", "8 weeks"),))
    same, added = outcomes_beside(paper, as_planned)
    assert (same.state, same.why) == (OutcomeState.MATCHED, "The paper calls it primary, too.")
    assert (added.state, added.outcome.kind) == (OutcomeState.ADDED, "secondary")
    later = Registration("N", "", outcomes=(PlannedOutcome("primary", "Sleep quality on a diary", "2 years"),))
    assert outcomes_beside(paper, later)[0].why == "Its time frame, 2 years, is not in the paper."


def test_dates() -> None:
    assert registered_late(FOUND)
    assert not registered_late(Registration("N", "", registered="2009-01-01", started="2009-01-15"))
    assert not registered_late(Registration("N", "", registered="2009-02-11", started=""))
