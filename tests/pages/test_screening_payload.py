"""What the desk of screening is sent, and what is believed of what comes back."""

from __future__ import annotations

import pytest

from core.evidence.model import EvidenceSentence
from core.screening.model import Criterion, CriterionKind, CriterionSuggestion, Fit, ScreeningVerdict
from core.store import ItemView, ScreeningConsensus, ScreeningDecision
from pages._ui.paper_view.screening import (
    criteria_payload,
    letter_of,
    others_payload,
    sent_from,
    settled_from,
    sides_payload,
    went_from,
)

ADULTS, TEA = Criterion(CriterionKind.POPULATION, "Adults"), Criterion(CriterionKind.INTERVENTION, "Tea")
SENT = {"verdict": "include", "reason": "", "note": "", "fits": {}, "seen": [], "version": 0, "acted": True}


def said(reviewer: str, verdict: ScreeningVerdict | None, reason: str = "") -> ScreeningDecision:
    """A decision on an item."""
    return ScreeningDecision("p", "a", reviewer, verdict, reason)


def test_every_criterion_has_a_letter_and_what_is_made_of_it() -> None:
    suggestion = CriterionSuggestion(
        "offline", TEA.id, Fit.MET, "It says so.", (EvidenceSentence(3, 1.0), EvidenceSentence(9, 0.5))
    )
    assert criteria_payload([ADULTS, TEA], {TEA.id: suggestion}, sentences=5) == [
        {"id": ADULTS.id, "letter": "A", "kind": "population", "text": "Adults", "suggestion": None},
        {
            "id": TEA.id,
            "letter": "B",
            "kind": "intervention",
            "text": "Tea",
            "suggestion": {"engine": "offline", "fit": "met", "reason": "It says so.", "sentences": [3]},
        },
    ]


def test_letters_go_on_after_z() -> None:
    assert [letter_of(place) for place in (0, 25, 26, 27, 52)] == ["A", "Z", "AA", "AB", "BA"]


def test_others_are_named_while_hidden_and_shown_once_they_may_be_seen() -> None:
    hidden = others_payload(ItemView("a", by=("Ann", "Zoe"), hidden=True), ("Ann", "Ben"), "Ben")
    assert hidden == {"others": [], "hidden": ["Ann"], "settled": None}, "Zoe is no reviewer any more"
    consensus = ScreeningConsensus("p", "a", ScreeningVerdict.INCLUDE, "", "They are adults.", ("Ann", "Ben"))
    others = (said("Ann", ScreeningVerdict.UNSURE),)
    view = ItemView("a", said("Ben", ScreeningVerdict.INCLUDE), 1, others, consensus, settled_by="Ben")
    shown = others_payload(view, ("Ann", "Ben"), "Ben")
    assert [one["reviewer"] for one in shown["others"]] == ["Ann"]  # type: ignore[attr-defined]
    assert shown["settled"] == {
        "verdict": "include",
        "reason": "",
        "why": "They are adults.",
        "by": ("Ann", "Ben"),
        "who": "Ben",
    }


def test_sides_stand_in_the_projects_order() -> None:
    view = ItemView(
        "a",
        said("Ben", ScreeningVerdict.INCLUDE),
        1,
        (said("Ann", ScreeningVerdict.EXCLUDE, "Wrong design"),),
        by=("Ben", "Ann"),
    )
    sides = sides_payload(view, ("Ann", "Ben"))
    assert [one["reviewer"] for one in sides["sides"]] == ["Ann", "Ben"]  # type: ignore[attr-defined]
    assert sides["differ"] is True


def test_what_is_said_of_a_criterion_that_is_gone_is_left_out() -> None:
    sent = sent_from(SENT | {"fits": {TEA.id: "met", "gone": "met"}}, [ADULTS.id, TEA.id])
    assert sent is not None
    assert sent.fits == {TEA.id: Fit.MET}


@pytest.mark.parametrize(
    "changed",
    [{"verdict": "maybe"}, {"fits": {"a": "often"}}, {"version": -1}, {"note": "x" * 4001}, {"reason": 3}, {"more": 1}],
)
def test_what_is_no_decision_is_not_believed(changed: dict[str, object]) -> None:
    assert sent_from(SENT | changed, []) is None
    assert sent_from([SENT], []) is None


def test_wishes_and_settlements_are_believed_whole_or_not() -> None:
    assert went_from({"number": 1, "do": "next", "on": False}) is not None
    assert went_from({"number": 1, "do": "delete", "on": False}) is None
    settled = {"question": "q", "number": 1, "verdict": "include", "reason": "", "why": "So", "version": 0}
    assert settled_from(settled) is not None
    assert settled_from(settled | {"verdict": None}) is None
