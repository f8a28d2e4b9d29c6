"""Data for the desk and the tab of screening, and the validation of the browser's messages."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.evidence.model import EvidenceSentence
from core.screening.model import Criterion, CriterionKind, CriterionSuggestion, Fit, ScreeningVerdict
from core.store import ItemView, Project, ReviewItem, Saved, ScreeningConsensus, ScreeningDecision
from pages._ui.paper_view.screening import (
    command_from,
    criteria_payload,
    decision_from,
    letter_of,
    others_payload,
    screening_consensus_from,
    sides_payload,
)
from pages._ui.review.screening_tab import agreements, counts_in_words
from pages._ui.review.tables import counts_of, items_payload
from pages._ui.screening.state import ScreeningSnapshot, stop_hint

# ---- data for the desk of screening, and validation of the browser's messages ----

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
    sent = decision_from(SENT | {"fits": {TEA.id: "met", "gone": "met"}}, [ADULTS.id, TEA.id])
    assert sent is not None
    assert sent.fits == {TEA.id: Fit.MET}


@pytest.mark.parametrize(
    "changed",
    [{"verdict": "maybe"}, {"fits": {"a": "often"}}, {"version": -1}, {"note": "x" * 4001}, {"reason": 3}, {"more": 1}],
)
def test_what_is_no_decision_is_not_believed(changed: dict[str, object]) -> None:
    assert decision_from(SENT | changed, []) is None
    assert decision_from([SENT], []) is None


def test_wishes_and_settlements_are_believed_whole_or_not() -> None:
    assert command_from({"number": 1, "do": "next", "on": False}) is not None
    assert command_from({"number": 1, "do": "delete", "on": False}) is None
    settled = {"question": "q", "number": 1, "verdict": "include", "reason": "", "why": "So", "version": 0}
    assert screening_consensus_from(settled) is not None
    assert screening_consensus_from(settled | {"verdict": None}) is None


# ---- the tab Screening ----

INCLUDE, EXCLUDE, UNSURE = ScreeningVerdict
CRITERION = Criterion(CriterionKind.POPULATION, "Adults")
NOW = datetime(2026, 11, 22, tzinfo=UTC)
PROJECT = Saved(Project("p", "Tea", ("Ann", "Ben"), criteria=(CRITERION,)), 1, "Ann", NOW, NOW)


def decision(item: str, reviewer: str, verdict: ScreeningVerdict, fit: Fit = Fit.MET) -> ScreeningDecision:
    """A reviewer's decision."""
    reason = "Wrong design" if verdict is EXCLUDE else ""
    return ScreeningDecision("p", item, reviewer, verdict, reason, fits={CRITERION.id: fit})


def view(item: str, ann: ScreeningVerdict, ben: ScreeningVerdict, fit: Fit = Fit.MET, **rest: object) -> ItemView:
    """A view for Ann after both have decided."""
    others = (decision(item, "Ben", ben, fit),)
    return ItemView(item, decision(item, "Ann", ann), 1, others, by=("Ann", "Ben"), all_in=True, **rest)  # type: ignore[arg-type]


def seen() -> ScreeningSnapshot:
    """Six items: two agreed, one in conflict, one settled, one hidden, and one without decisions."""
    settled = ScreeningConsensus("p", "d", EXCLUDE, "Animals", "The methods say so.", ("Ann", "Ben"))
    views = [
        view("a", INCLUDE, INCLUDE),
        view("b", EXCLUDE, EXCLUDE),
        view("c", INCLUDE, EXCLUDE, Fit.NOT_MET),
        view("d", INCLUDE, UNSURE, consensus=settled),
        ItemView("e", by=("Ben",), hidden=True),
    ]
    items = [ReviewItem(id, id != "f", f"Title {id}", study=f"Study {id}") for id in "abcdef"]
    return ScreeningSnapshot(PROJECT, "Ann", {item.id: item for item in items}, {one.item: one for one in views})


def test_counts_are_of_final_verdicts_and_of_each_reviewer() -> None:
    counts = counts_of(seen())
    assert (counts.items, counts.decided, counts.open) == (6, {"Ann": 4, "Ben": 5}, 3)
    assert (counts.included, counts.excluded, counts.conflicts) == (1, 2, 1)
    assert counts_in_words(counts) == "**1** included · **2** excluded · **3** open"


def test_what_is_included_without_its_paper_is_told_apart() -> None:
    one = seen()
    both = replace(one, views={**one.views, "f": view("f", INCLUDE, INCLUDE)})
    assert counts_in_words(counts_of(both)) == "**2** included (1 by title and abstract) · **2** excluded · **2** open"


def test_rows_tell_verdicts_and_that_hidden_ones_are_in() -> None:
    payload = items_payload(seen())
    rows = {row["id"]: row for row in payload["items"]}  # type: ignore[attr-defined]
    assert (payload["reviewers"], payload["me"]) == (("Ann", "Ben"), "Ann")
    assert rows["c"]["verdicts"] == ["include", "exclude"]
    assert (rows["c"]["conflict"], rows["c"]["final"]) == (True, None)
    assert (rows["d"]["final"], rows["d"]["reason"], rows["d"]["conflict"]) == ("exclude", "Animals", False)
    assert rows["e"]["verdicts"] == [None, "hidden"]
    assert rows["f"] == {
        "id": "f",
        "title": "Title f",
        "citation": "Study f",
        "isPaper": False,
        "verdicts": [None, None],
        "final": None,
        "reason": "",
        "conflict": False,
    }


def test_agreement_is_on_verdicts_and_on_each_criterion() -> None:
    found = agreements(seen(), "Ann", "Ben")
    assert list(found) == ["Verdict", "All criteria", "A · Adults"]
    assert (found["Verdict"].pairs, found["Verdict"].agreed.value) == (4, 0.5)
    assert (found["A · Adults"].pairs, found["A · Adults"].agreed.value) == (4, 0.75)


def test_the_hint_to_stop_comes_after_fifty_without_one_to_include() -> None:
    quiet = [EXCLUDE] * 49
    assert "none of the last 50" in stop_hint([INCLUDE, *quiet, UNSURE], left=1)
    assert stop_hint([INCLUDE, *quiet, UNSURE], left=0) == "", "there is nothing to stop"
    assert stop_hint([INCLUDE, *quiet], left=1) == ""
    assert stop_hint([*quiet, UNSURE, EXCLUDE], left=1) == "", "nothing was found at all"
