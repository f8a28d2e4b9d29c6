"""Screening without a browser: which item comes next, and how decisions are stored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.references.model import Reference
from core.screening.model import Criterion, CriterionKind, CriterionSuggestion, Fit, ScreeningVerdict
from core.settings import Settings
from core.store import Project, ScreeningDecision, Store, StoredCriterion, StoredReference, open_store
from pages._ui.paper_view.screening import SentDecision, SentScreeningConsensus
from pages._ui.screening.desk import _arrive
from pages._ui.screening.items import decide, next_conflict, settle, undo
from pages._ui.screening.state import ScreeningSnapshot, ScreeningWork, read_screening

INCLUDE, EXCLUDE, UNSURE = ScreeningVerdict
ADULTS = Criterion(CriterionKind.POPULATION, "Adults")
ITEMS = ["a", "b", "c", "d"]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A project of Ann and Ben, with four references and a criterion."""
    opened = open_store(Settings(home=tmp_path, data=None))
    with opened.writing("Ann") as change:
        change.save(Project("p", "Tea", ("Ann", "Ben"), criteria=(ADULTS,)))
        for number, id in enumerate(ITEMS):
            change.save(StoredReference("p", id, "one.ris", number, Reference(f"Title {id}")))
        change.put(StoredCriterion("p", "a", CriterionSuggestion("offline", ADULTS.id, Fit.MET, "It says so.")))
    return opened


def work(reviewer: str = "Ann", item: str | None = "a") -> ScreeningWork:
    """A reviewer's window with an item on its desk."""
    made = ScreeningWork("p", reviewer)
    made.go_to(item)
    return made


def said(
    verdict: ScreeningVerdict | None = INCLUDE, *, version: int = 0, acted: bool = True, **rest: object
) -> SentDecision:
    """A decision as the browser sends it."""
    parts = {"reason": "", "note": "", "fits": {}, "seen": ()} | rest
    return SentDecision(verdict=verdict, version=version, acted=acted, **parts)  # type: ignore[arg-type]


def seen(store: Store, reviewer: str = "Ann") -> ScreeningSnapshot:
    """What the reviewer may see."""
    with store.reading() as now:
        return read_screening(now, "p", reviewer)


def own(store: Store, item: str = "a", reviewer: str = "Ann") -> ScreeningDecision:
    """A reviewer's stored decision."""
    found = seen(store, reviewer).view(item).own
    assert found is not None
    return found


def give(store: Store, here: ScreeningWork, item: str, number: int = 1, **rest: object) -> None:
    """Decide on an item with a message from the browser."""
    decide(store, here, item, said(version=here.entry(item).version, **rest), number, order=seen(store).undecided)  # type: ignore[arg-type]


def test_after_a_verdict_the_next_undecided_item_comes(store: Store) -> None:
    here = work()
    give(store, here, "a")
    assert (here.item, own(store).verdict) == ("b", INCLUDE)
    give(store, here, "b", verdict=EXCLUDE, reason="Wrong design")
    assert (here.item, own(store, "b").reason) == ("c", "Wrong design")


def test_a_fit_alone_stays_on_the_item_and_is_no_verdict(store: Store) -> None:
    here = work()
    give(store, here, "a", verdict=None, acted=False, fits={ADULTS.id: Fit.UNCLEAR})
    assert (here.item, own(store).verdict, own(store).fits) == ("a", None, {ADULTS.id: Fit.UNCLEAR})
    assert here.taken_back == []


def test_who_goes_back_comes_to_what_was_passed_over(store: Store) -> None:
    here = work()
    here.go_to(here.next(ITEMS, ITEMS))
    assert here.item == "b"
    assert here.previous(ITEMS) == "a"
    here.go_to("a")
    give(store, here, "a")
    assert here.item == "b", "where the reader went back from, before anything new"
    here.go_to("c")
    give(store, here, "c")
    give(store, here, "d")
    assert here.item == "b", "passed over, and the only one left"
    give(store, here, "b")
    assert here.item == "b", "nothing is left: the last one stays"


def test_a_reason_that_was_typed_is_the_projects_from_then_on(store: Store) -> None:
    give(store, work(), "a", verdict=EXCLUDE, reason="Animals")
    assert seen(store).project.reasons[-1] == "Animals"
    give(store, work("Ann", "b"), "b", verdict=EXCLUDE, reason="Animals")
    assert seen(store).project.reasons.count("Animals") == 1


def test_a_reason_belongs_to_an_exclusion_only(store: Store) -> None:
    give(store, work(), "a", reason="Wrong design")
    assert own(store).reason == ""


def test_the_decision_says_which_suggestions_were_in_view(store: Store) -> None:
    here = work()
    give(store, here, "a", acted=False, seen=("offline", "invented"))
    assert own(store).suggestions_seen == ("offline",), "an engine that said nothing of it was not in view"
    give(store, here, "a", number=2)
    assert own(store).suggestions_seen == ("offline",), "what was seen once was seen"


def test_a_message_counts_once_and_an_older_one_not_at_all(store: Store) -> None:
    here = work()
    give(store, here, "a", number=2)
    give(store, here, "a", number=2, verdict=UNSURE)
    give(store, here, "a", number=1, verdict=UNSURE)
    assert own(store).verdict is INCLUDE


def test_another_window_is_not_overwritten(store: Store) -> None:
    one, two = work(), work()
    give(store, one, "a")
    give(store, two, "a", verdict=EXCLUDE, reason="Wrong design")
    assert (own(store).verdict, two.item) == (INCLUDE, "a")
    assert (two.entry("a").problem or "").startswith("You have decided this in another window meanwhile: included.")
    decide(store, two, "a", said(EXCLUDE, version=0), 2, order=[])
    assert own(store).verdict is INCLUDE, "sent before the browser knew"
    decide(store, two, "a", said(EXCLUDE, version=two.entry("a").version), 3, order=[])
    assert own(store).verdict is EXCLUDE
    assert two.entry("a").problem is None


def test_what_another_window_decides_is_told_and_does_not_come_again(store: Store) -> None:
    one, two = work(), replace(work(), by_promise=False)
    _arrive(two, seen(store))
    for item in ("a", "b"):
        give(store, one, item, verdict=EXCLUDE, reason="Wrong design")
    two.go_to("c")
    decide(store, two, "c", said(), 1, order=["b", "d"])
    assert two.item == "b", "the first that was open when the window was drawn"
    _arrive(two, seen(store))
    assert (two.item, two.entry("d").problem) == ("d", None)
    two.go_to("a")
    _arrive(two, seen(store))
    assert two.entry("a").problem is None, "it comes to the desk as it is stored"
    give(store, one, "a", number=2, verdict=UNSURE)
    _arrive(two, seen(store))
    assert "another window meanwhile: unsure" in (two.entry("a").problem or "")
    give(store, two, "a", number=1)
    _arrive(two, seen(store))
    assert (own(store).verdict, two.entry("a").problem) == (INCLUDE, None), "one's own change is not told"


def test_a_decision_that_another_window_took_back_is_told_as_such(store: Store) -> None:
    one, two = work(), work()
    give(store, one, "a")
    _arrive(two, seen(store))
    undo(store, one)
    _arrive(two, seen(store))
    assert two.entry("a").problem == "You took this decision back in another window. Decide again if you wish."
    give(store, one, "a", number=2, verdict=None, acted=False, note="To be read")
    _arrive(two, seen(store))
    changed = "You changed this in another window, without a decision. Nothing was overwritten."
    assert two.entry("a").problem == changed, "nothing was there to be taken back"


def test_a_note_is_gone_once_its_item_was_left(store: Store) -> None:
    one, two = work(), work()
    _arrive(two, seen(store))
    give(store, one, "a")
    _arrive(two, seen(store))
    two.go_to("a")
    assert two.entry("a").problem is not None, "it is still on the desk"
    two.go_to("b")
    two.go_to("a")
    _arrive(two, seen(store))
    assert two.entry("a").problem is None


def test_what_cannot_be_stored_says_so_and_stays(store: Store) -> None:
    here = work("Cleo")
    give(store, here, "a")
    assert (here.item, here.entry("a").failed, here.entry("a").number) == ("a", 1, 0)
    assert "Cleo is not a reviewer" in (here.entry("a").problem or "")


def test_undo_takes_the_verdict_back_and_keeps_what_else_was_set(store: Store) -> None:
    here = work()
    give(store, here, "a", note="Why not", fits={ADULTS.id: Fit.MET}, seen=("offline",))
    give(store, here, "b", verdict=EXCLUDE, reason="Wrong design")
    undo(store, here)
    assert (here.item, own(store, "b").verdict, own(store, "b").reason) == ("b", None, "")
    undo(store, here)
    back = own(store)
    assert (here.item, back.verdict, back.note, back.fits) == ("a", None, "Why not", {ADULTS.id: Fit.MET})
    assert back.suggestions_seen == ("offline",)
    undo(store, here)
    assert here.item == "a", "nothing more to take back"


def test_undo_brings_an_earlier_verdict_back(store: Store) -> None:
    here = work()
    give(store, here, "a", verdict=EXCLUDE, reason="Wrong design")
    here.go_to("a")
    give(store, here, "a", number=2)
    assert own(store).verdict is INCLUDE
    undo(store, here)
    assert (own(store).verdict, own(store).reason) == (EXCLUDE, "Wrong design")


def test_conflicts_are_seen_after_ones_own_verdict_and_settled_one_by_one(store: Store) -> None:
    ann, ben = work("Ann"), work("Ben")
    for item in ("a", "b"):
        give(store, ann, item)
    assert seen(store, "Ben").conflicts == []
    assert (seen(store, "Ben").view("a").hidden, seen(store, "Ben").view("a").by) == (True, ("Ann",))
    for item in ("a", "b"):
        give(store, ben, item, verdict=EXCLUDE, reason="Wrong design")
    assert seen(store, "Ben").conflicts == ["a", "b"]
    assert seen(store).standing.conflicts == 2
    ann.go_to("a")
    message = SentScreeningConsensus(question="", number=1, verdict=EXCLUDE, reason="Wrong design", why=" ", version=0)
    settle(store, ann, "a", message)
    assert "needs its reason" in (ann.unsettled or "")
    settle(store, ann, "a", replace_(message, number=2, why="Ben is right"))
    assert (ann.item, ann.unsettled, seen(store).conflicts) == ("b", None, ["b"])
    settled = seen(store, "Ben").view("a")
    assert settled.consensus is not None
    assert (settled.final, settled.final_reason, settled.consensus.by) == (EXCLUDE, "Wrong design", ("Ann", "Ben"))


def replace_(message: SentScreeningConsensus, **changes: object) -> SentScreeningConsensus:
    """The message with some values replaced."""
    return message.model_copy(update=changes)


def test_after_the_last_conflict_comes_the_first_that_is_left() -> None:
    assert next_conflict(["a", "c"], ["a", "b", "c"], "b") == "c"
    assert next_conflict(["a"], ["a", "c"], "c") == "a"
    assert next_conflict([], ["a"], "a") is None


def test_sitting_down_elsewhere_begins_afresh_and_keeps_the_habits() -> None:
    here = replace(work(), hide=True, by_promise=False)
    here.sit_down("p", "Ann")
    assert here.item == "a"
    here.sit_down("p", "Ben")
    assert (here.item, here.trail, here.hide, here.by_promise) == (None, [], True, False)
