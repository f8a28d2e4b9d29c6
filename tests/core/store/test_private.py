"""Papers outside projects: whose they are, what is kept of them, how they are forgotten, and put into a project."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select

from core.bias.model import HIGH, LOW
from core.errors import NotStorable, NotStored, StoreUnreachable
from core.evidence import Evidence, EvidenceQuery
from core.evidence.model import Decision, EvidenceSentence
from core.grounding.model import ModelRun, Step
from core.paper import Paper, read_paper
from core.settings import Settings
from core.store import (
    Project,
    ReviewerJudgement,
    SentenceDecisions,
    Store,
    StoredSummary,
    project_from_json,
    project_to_json,
    record_of,
)
from core.store.blindness import seen_by
from core.store.private import (
    OWNER,
    PageState,
    create_own_project,
    forget,
    move_to_project,
    own_id,
    own_papers,
    page_state_of,
    save_page_state,
)
from core.store.tables import metadata
from core.summary import FaithfulnessReport, Label, SentenceCheck, SummarySource
from core.summary.model import Measures
from tests.core.store.review import SCOPE

OWN = "0123456789abcdef"
REVIEW = Project("tea", "Tea for headache", ("Ann", "Ben"))
TEXT = b"# Tea for headache\n\n## Results\n\nPain fell with tea. Sleep did not.\n"
PAPER: Paper = read_paper(TEXT, name="tea.md")
DECIDED = SentenceDecisions(OWN, PAPER.id, OWNER, "Tea helps", {3: Decision.ACCEPTED})
JUDGED = ReviewerJudgement(OWN, PAPER.id, "rob2", "D1", OWNER, LOW, support=(3,), comment="drawn by lot")
RUN = ModelRun("demo:one", "sections", (), (Step("Results", "because", (3,)),))
CHECK = SentenceCheck("Tea helps.", 0, 10, Label.SUPPORTED, 0.9)
REPORT = FaithfulnessReport("Tea helps.", PAPER.id, "demo:one", SummarySource.WHOLE, (CHECK,), 0.1, run=RUN)
SUMMARY = StoredSummary(
    OWN, PAPER.id, "v1", OWNER, REPORT, Measures(None, (0.5, None)), {0: Label.CANNOT_TELL}, "written by demo"
)
DESK = PageState(
    "Tea helps", Evidence("offline", EvidenceQuery("Tea helps"), (EvidenceSentence(3, 0.5),), 0.1, run=RUN)
)


def keep(store: Store, own: str = OWN, *records: SentenceDecisions | ReviewerJudgement | StoredSummary) -> None:
    """The paper as somebody has it outside projects, with what was done on it."""
    with store.writing(OWNER) as change:
        create_own_project(change, own)
        saved = change.save(record_of(PAPER, project=own))
        change.keep_text(own, PAPER.id, PAPER)
        change.keep_file(saved, TEXT)
        for record in records or (DECIDED, JUDGED, SUMMARY):
            change.put(replace(record, project=own))
        save_page_state(change, own, PAPER.id, DESK)


def review(store: Store) -> None:
    with store.writing("Ann") as change:
        change.save(REVIEW)


def test_a_home_is_one_person(settings: Settings) -> None:
    first = own_id(settings)
    assert len(first) == 32
    assert own_id(settings) == first
    assert own_id(replace(settings, home=settings.home / "other")) != first


def test_a_home_that_cannot_be_written_is_told(settings: Settings) -> None:
    settings.home.parent.mkdir(exist_ok=True)
    settings.home.write_text("a file where the folder should be")
    with pytest.raises(StoreUnreachable, match="person"):
        own_id(settings)


def test_everything_comes_back(store: Store) -> None:
    keep(store)
    with store.reading() as now:
        assert [saved.record for saved in now.work(OWN, PAPER.id, reader=OWNER)] == [DECIDED, JUDGED, SUMMARY]
        assert page_state_of(now, OWN, PAPER.id, reader=OWNER) == DESK
        assert now.text(OWN, PAPER.id) == PAPER


def test_nobody_else_on_a_shared_database_is_shown_it(store: Store) -> None:
    review(store)
    keep(store)
    with store.reading() as now:
        assert [saved.record for saved in now.projects()] == [REVIEW]
        assert own_papers(now, "somebody else") == ()
        assert [paper.id for paper in own_papers(now, OWN)] == [PAPER.id]


def test_the_paper_on_the_desk_last_is_the_last(store: Store) -> None:
    keep(store)
    other = read_paper(b"# Coffee\n\n## Results\n\nNothing happened.\n", name="coffee.md")
    with store.writing(OWNER) as change:
        change.save(record_of(other, project=OWN))
        save_page_state(change, OWN, other.id, PageState())
        assert own_papers(change, OWN)[-1].id == other.id
        save_page_state(change, OWN, PAPER.id, DESK)
        assert own_papers(change, OWN)[-1].id == PAPER.id


def test_a_desk_that_is_damaged_is_empty(store: Store) -> None:
    keep(store)
    with store.writing(OWNER) as change:
        change.connection.exec_driver_sql("UPDATE desks SET body = '{\"evidence\": 5}'")
        assert page_state_of(change, OWN, PAPER.id, reader=OWNER) == PageState()


def test_the_number_of_a_change_that_was_forgotten_is_not_given_again(store: Store) -> None:
    """Otherwise as many new changes would look like the old ones to whoever keeps what was read."""
    keep(store)
    with store.reading() as now:
        before = now.changes_made(OWN)
    with store.writing(OWNER) as change:
        forget(change, OWN, PAPER.id)
    keep(store)
    with store.reading() as now:
        count, newest = now.changes_made(OWN)
    assert (count, newest > before[1]) == (before[0], True)


def test_nothing_is_left_of_what_was_forgotten(store: Store) -> None:
    keep(store)
    with store.writing(OWNER) as change:
        forget(change, OWN, PAPER.id)
    with store.reading() as now:
        for table in metadata.sorted_tables:
            rows = map(str, now.connection.execute(select(table)))
            assert not [row for row in rows if PAPER.id in row or "Tea" in row], table.name
        assert own_papers(now, OWN) == ()
    keep(store)  # and it can be opened again


def test_a_file_that_two_papers_are_of_stays_with_the_other(store: Store) -> None:
    keep(store)
    with store.writing(OWNER) as change:
        other = change.save(replace(record_of(PAPER, project=OWN), id="another reading"))
        change.keep_file(other, TEXT)
        forget(change, OWN, PAPER.id)
        (left,) = own_papers(change, OWN)
        assert left.file is not None
        assert change.file(OWN, left.file) == TEXT


def test_a_project_of_several_people_forgets_nothing(store: Store) -> None:
    review(store)
    with store.writing("Ann") as change:
        change.save(record_of(PAPER, project="tea"))
        with pytest.raises(NotStorable, match="outside projects"):
            forget(change, "tea", PAPER.id)
        assert change.paper("tea", PAPER.id)


def test_into_a_project_with_all_that_was_done(store: Store) -> None:
    review(store)
    keep(store)
    with store.writing("Ann") as change:
        assert move_to_project(change, OWN, PAPER.id, "tea")
    with store.reading() as now:
        theirs = [replace(one, project="tea", reviewer="Ann") for one in (DECIDED, JUDGED, SUMMARY)]
        assert [saved.record for saved in now.work("tea", PAPER.id, reader="Ann")] == theirs
        assert now.work("tea", PAPER.id, reader="Ben") == ()
        stored = now.paper("tea", PAPER.id).record
        assert stored.file is not None
        assert now.file("tea", stored.file) == TEXT
        assert now.text("tea", PAPER.id) == PAPER
        assert page_state_of(now, "tea", PAPER.id, reader="Ann") == DESK
        assert own_papers(now, OWN) == ()


def test_what_was_typed_in_the_project_stays(store: Store) -> None:
    review(store)
    keep(store)
    with store.writing("Ann") as change:
        change.save(record_of(PAPER, project="tea"))
        save_page_state(change, "tea", PAPER.id, PageState("", None, "Tea may help."))
        move_to_project(change, OWN, PAPER.id, "tea")
        assert page_state_of(change, "tea", PAPER.id, reader="Ann") == replace(DESK, draft="Tea may help.")


def test_what_was_judged_with_another_tool_stays_outside(store: Store) -> None:
    review(store)
    keep(store, OWN, DECIDED, replace(JUDGED, tool="rob1", domain="concealment"))
    with store.writing("Ann") as change:
        assert not move_to_project(change, OWN, PAPER.id, "tea")
    with store.reading() as now:
        (taken,) = now.work("tea", PAPER.id, reader="Ann")
        assert taken.record.question == DECIDED.question
        assert len(now.work(OWN, PAPER.id, reader=OWNER)) == 2


def test_what_was_said_in_the_project_is_not_overwritten(store: Store) -> None:
    review(store)
    keep(store)
    with store.writing("Ann") as change:
        change.save(record_of(PAPER, project="tea"))
        change.save(replace(JUDGED, project="tea", reviewer="Ann", level=HIGH))
    with pytest.raises(NotStorable, match="came to something else"), store.writing("Ann") as change:
        move_to_project(change, OWN, PAPER.id, "tea")
    with store.reading() as now:
        (there,) = now.work("tea", PAPER.id, reader="Ann")
        assert there.record.level == HIGH
        assert len(now.work(OWN, PAPER.id, reader=OWNER)) == 3


def test_only_a_reviewer_puts_something_in_and_never_into_a_private_project(store: Store) -> None:
    review(store)
    keep(store)
    with pytest.raises(NotStorable, match="Cleo is not a reviewer"), store.writing("Cleo") as change:
        move_to_project(change, OWN, PAPER.id, "tea")
    with pytest.raises(NotStored), store.writing("Ann") as change:
        move_to_project(change, OWN, "no paper", "tea")


def test_summaries_go_with_the_project_and_wait_where_it_is_blind(store: Store) -> None:
    review(store)
    keep(store)
    with store.writing("Ann") as change:
        move_to_project(change, OWN, PAPER.id, "tea")
    with store.reading() as now:
        whole = now.whole("tea")
        assert project_from_json(project_to_json(whole)) == whole
        assert len(whole.summaries) == 1
        assert len(seen_by(now.present("tea"), "Ann", SCOPE)[0].summaries) == 1
        blind, _ = seen_by(whole, "Ben", SCOPE)
        assert blind.summaries == ()
        assert not [change for change in blind.history if change.kind == "summaries"]
