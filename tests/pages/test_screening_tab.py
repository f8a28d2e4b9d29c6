"""The tab on screening: counts, rows and agreement, as far as a reader may see them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from core.screening.model import Criterion, CriterionKind, Fit, ScreeningVerdict
from core.store import ItemView, Project, ReviewItem, Saved, ScreeningConsensus, ScreeningDecision
from pages._ui.review.screening_list.rows import counts_of, list_payload
from pages._ui.review.screening_tab import agreements, words
from pages._ui.screening.seen import Seen
from pages._ui.screening.stopping import stop_hint

INCLUDE, EXCLUDE, UNSURE = ScreeningVerdict
ADULTS = Criterion(CriterionKind.POPULATION, "Adults")
NOW = datetime(2026, 11, 22, tzinfo=UTC)
PROJECT = Saved(Project("p", "Tea", ("Ann", "Ben"), criteria=(ADULTS,)), 1, "Ann", NOW, NOW)


def said(item: str, reviewer: str, verdict: ScreeningVerdict, fit: Fit = Fit.MET) -> ScreeningDecision:
    """What a reviewer decides."""
    reason = "Wrong design" if verdict is EXCLUDE else ""
    return ScreeningDecision("p", item, reviewer, verdict, reason, fits={ADULTS.id: fit})


def view(item: str, ann: ScreeningVerdict, ben: ScreeningVerdict, fit: Fit = Fit.MET, **rest: object) -> ItemView:
    """Both have decided, and Ann may see it."""
    others = (said(item, "Ben", ben, fit),)
    return ItemView(item, said(item, "Ann", ann), 1, others, by=("Ann", "Ben"), all_in=True, **rest)  # type: ignore[arg-type]


def seen() -> Seen:
    """Six items: agreed twice, a conflict, a settled one, one that is hidden, one that nobody decided."""
    settled = ScreeningConsensus("p", "d", EXCLUDE, "Animals", "The methods say so.", ("Ann", "Ben"))
    views = [
        view("a", INCLUDE, INCLUDE),
        view("b", EXCLUDE, EXCLUDE),
        view("c", INCLUDE, EXCLUDE, Fit.NOT_MET),
        view("d", INCLUDE, UNSURE, consensus=settled),
        ItemView("e", by=("Ben",), hidden=True),
    ]
    items = [ReviewItem(id, id != "f", f"Title {id}", study=f"Study {id}") for id in "abcdef"]
    return Seen(PROJECT, "Ann", {item.id: item for item in items}, {one.item: one for one in views})


def test_counts_are_of_final_verdicts_and_of_each_reviewer() -> None:
    counts = counts_of(seen())
    assert (counts.items, counts.decided, counts.open) == (6, {"Ann": 4, "Ben": 5}, 3)
    assert (counts.included, counts.excluded, counts.conflicts) == (1, 2, 1)
    assert words(counts) == "**1** included · **2** excluded · **3** open"


def test_what_is_included_without_its_paper_is_told_apart() -> None:
    one = seen()
    both = replace(one, views={**one.views, "f": view("f", INCLUDE, INCLUDE)})
    assert words(counts_of(both)) == "**2** included (1 by title and abstract) · **2** excluded · **2** open"


def test_rows_tell_verdicts_and_that_hidden_ones_are_in() -> None:
    payload = list_payload(seen())
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
