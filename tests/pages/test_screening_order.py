"""The order of items in screening, and the text and suggestions of an item."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.paper import read_paper
from core.references.model import Reference
from core.screening.model import Criterion, CriterionKind, CriterionSuggestion, Fit, ScreeningVerdict
from core.settings import Settings
from core.store import (
    Plan,
    Project,
    QueueMode,
    QueueState,
    ScreeningDecision,
    Store,
    StoredCriterion,
    StoredReference,
    open_store,
    record_of,
)
from pages._ui.screening.desk import suggestion_is_missing
from pages._ui.screening.items import text_of
from pages._ui.screening.state import Ordering, ScreeningSnapshot, by_criterion, read_screening

INCLUDE, EXCLUDE, UNSURE = ScreeningVerdict
SLEEP = Criterion(CriterionKind.OUTCOME, "Sleep")
TOPICS = {"tea": "Tea and headache in adults", "walk": "Walking and sleep in adults", "nap": "Naps in a hive"}
DATA = b"# Walking\n\n## Abstract\n\nSleep was better.\n\n## Results\n\nIt lasted longer.\n"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A project of Ann and Ben, with three references on each topic."""
    opened = open_store(Settings(home=tmp_path, data=None))
    with opened.writing("Ann") as change:
        change.save(Project("p", "Sleep", ("Ann", "Ben"), criteria=(SLEEP,)))
        for round in range(3):
            for number, (topic, title) in enumerate(TOPICS.items()):
                reference = Reference(f"{title} {round}", abstract=f"{title}, studied in {topic}.")
                change.save(StoredReference("p", f"{topic}-{round}", "one.ris", 10 * round + number, reference))
    return opened


def seen(store: Store, reviewer: str = "Ann") -> ScreeningSnapshot:
    """What the reviewer may see."""
    with store.reading() as now:
        return read_screening(now, "p", reviewer)


def decide(store: Store, reviewer: str, **verdicts: ScreeningVerdict) -> None:
    """Decide on these items."""
    with store.writing(reviewer) as change:
        for item, verdict in verdicts.items():
            change.save(ScreeningDecision("p", item.replace("_", "-"), reviewer, verdict))


def ordered(ordering: Ordering, now: ScreeningSnapshot) -> list[str]:
    """The order after running jobs have ended: first by the question alone, then as learnt from decisions."""
    for _ in range(2):
        ordering.of(now)
        if ordering.running is not None:
            assert ordering.running.wait(300)
    return ordering.of(now)


def test_before_any_decision_the_question_orders(store: Store) -> None:
    assert ordered(Ordering(), seen(store))[:3] == ["walk-0", "walk-1", "walk-2"]


def test_what_was_decided_moves_what_is_alike_and_only_ones_own_counts(store: Store) -> None:
    decide(store, "Ann", tea_0=INCLUDE, tea_1=INCLUDE, walk_0=EXCLUDE, walk_1=EXCLUDE, nap_0=UNSURE)
    assert ordered(Ordering(), seen(store))[0] == "tea-2"
    assert ordered(Ordering(), seen(store, "Ben"))[:3] == ["walk-0", "walk-1", "walk-2"], "Ben is blind to it"


def test_the_order_is_learnt_anew_after_five_decisions_and_stays_until_then(store: Store) -> None:
    ordering = Ordering()
    ordered(ordering, seen(store))
    decide(store, "Ann", tea_0=INCLUDE, tea_1=INCLUDE, walk_0=EXCLUDE, walk_1=EXCLUDE)
    assert ordered(ordering, seen(store))[0] == "walk-2", "as it was, without what was decided"
    assert ordering.decisions == 0
    decide(store, "Ann", nap_0=EXCLUDE)
    assert ordered(ordering, seen(store))[0] == "tea-2"
    assert ordering.decisions == 5


def test_what_comes_later_is_there_before_the_next_order(store: Store) -> None:
    ordering = Ordering()
    ordered(ordering, seen(store))
    with store.writing("Ann") as change:
        change.save(StoredReference("p", "late", "two.ris", 1, Reference("Sleep, sleep, sleep")))
    assert "late" in ordering.of(seen(store))


def test_the_text_of_a_reference_is_made_once_and_kept(store: Store) -> None:
    item = seen(store).items["tea-0"]
    paper = text_of(store, "p", item, who="Ann")
    assert "studied in tea" in paper.text
    with store.reading() as now:
        assert now.text("p", "tea-0") == paper


def test_the_text_of_a_paper_comes_from_its_file_and_else_from_what_is_known(store: Store) -> None:
    paper = read_paper(DATA, name="walking.md")
    with store.writing("Ann") as change:
        saved = change.save(record_of(paper, project="p"))
    item = seen(store).items[paper.id]
    assert text_of(store, "p", item, who="Ann").text.count("Sleep was better.") == 1
    with store.reading() as now:
        assert now.text("p", paper.id) is None, "what is known of a paper is not the paper"
    with store.writing("Ann") as change:
        change.keep_file(saved, DATA)
    assert text_of(store, "p", item, who="Ann") == paper
    with store.reading() as now:
        assert now.text("p", paper.id) == paper


def suggestion(engine: str, fit: Fit) -> StoredCriterion:
    """An engine's suggestion on the criterion."""
    return StoredCriterion("p", "tea-0", CriterionSuggestion(engine, SLEEP.id, fit, "So."))


def test_the_chosen_engine_is_shown_before_others() -> None:
    found = by_criterion([suggestion("openai:m@whole", Fit.MET), suggestion("offline", Fit.UNCLEAR)], engine="openai:m")
    assert found[SLEEP.id].engine == "openai:m@whole"
    assert by_criterion([suggestion("offline", Fit.MET)], engine=None)[SLEEP.id].engine == "offline"


def test_suggestions_are_missing_until_the_chosen_engine_or_the_queue_is_at_it(store: Store) -> None:
    project = seen(store).project

    def missing(changed: Project = project) -> bool:
        with store.reading() as now:
            return suggestion_is_missing(now, changed, "tea-0")

    assert missing()
    assert not missing(replace(project, plan=Plan(criteria=None)))
    assert not missing(replace(project, criteria=()))
    with store.writing("Ann") as change:
        change.queue.set_state("p", QueueState(QueueMode.RUNNING))
    assert not missing()
    with store.writing("Ann") as change:
        change.queue.set_state("p", QueueState(QueueMode.PAUSED))
        change.put(suggestion("bm25", Fit.MET))
    assert missing()
    with store.writing("Ann") as change:
        change.put(suggestion("offline", Fit.MET))
    assert not missing()
