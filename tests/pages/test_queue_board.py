"""The line on the queue: its texts for each state, and its buttons."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from streamlit.testing.v1 import AppTest

from core.llm import Speed
from core.review.status import QueueStatus
from core.store import Plan, QueueMode, QueueState, Store
from core.work.progress import WorkProgress
from pages._ui.review.queues import headline, share_done, what_is_left
from tests.pages.test_review_page import TEA, add, app, click, create, only_project, queue_is_through, ran, store, texts

__all__ = ["app", "store"]  # fixtures

NOW = datetime.now(UTC) + timedelta(days=1)  # later than any run of this test, so that the holder was heard of recently
REST = QueueStatus(QueueState(), 3, 0, 0, 0, (), 0, 0, 21, (), (), None)
HELD = QueueState(QueueMode.RUNNING, holder="somebody", seen=NOW)
STANDING = WorkProgress(done=2, of=8, failed=1, seconds_left=30, spent_usd=0.5, least_usd_left=None, most_usd_left=None)


@pytest.mark.parametrize(
    ("status", "standing", "said"),
    [
        (REST, None, "All 3 papers are read; 21 questions answered by the engines"),
        (replace(REST, papers=1, answered=0), None, "The paper is read"),
        (replace(REST, papers=0, answered=0), None, ""),
        (replace(REST, open_items=1), None, "Waiting for you to start"),
        (replace(REST, state=HELD), None, "At work on another machine"),
        (
            replace(REST, state=HELD, waiting=2, answered=0),
            STANDING,
            "Reading papers: 3 of 5 done, 1 failed, 30 s left, $0.50 spent",
        ),
        (
            replace(REST, state=HELD, waiting=2),
            STANDING,
            "Reading papers and asking the engines: 3 of 5 done, 1 failed, 30 s left, $0.50 spent",
        ),
        (
            replace(REST, state=HELD, open_items=2, open_questions=14),
            STANDING,
            "Asking the engines: 21 of 35 done, 1 failed, 30 s left, $0.50 spent",
        ),
        (replace(REST, state=QueueState(QueueMode.RUNNING)), None, "Getting ready"),
        (
            replace(REST, state=replace(HELD, seen=NOW - timedelta(days=2))),
            STANDING,
            "Interrupted: goes on within half a minute",
        ),
        (replace(REST, state=QueueState(QueueMode.PAUSED)), None, "Paused"),
        (
            replace(REST, state=replace(HELD, mode=QueueMode.PAUSED)),
            STANDING,
            "Pausing: what is in hand is finished first",
        ),
        (replace(REST, state=replace(HELD, mode=QueueMode.IDLE)), None, "Stopping: what is in hand is finished first"),
    ],
)
def test_the_line_says_what_the_queue_does(status: QueueStatus, standing: WorkProgress | None, said: str) -> None:
    assert headline(status, standing) == said


def test_what_this_server_has_begun_is_not_another_machines() -> None:
    assert headline(replace(REST, state=HELD, waiting=2), None, here=True) == "Getting ready"


def test_what_is_left_is_counted() -> None:
    status = replace(REST, waiting=1, open_items=2, open_questions=14)
    assert what_is_left(status) == "1 file to read · 2 papers to ask about, 14 questions open · 21 answered"
    assert what_is_left(REST) == ""


def test_progress_goes_on_where_an_earlier_sitting_left_it() -> None:
    assert share_done(replace(REST, papers=0, answered=0)) == 0
    begun = replace(REST, waiting=1, open_questions=7)  # 3 of 4 files, 21 of 28 questions, and 28 / 3 expected
    assert share_done(begun) == pytest.approx((3 + 21) / (3 + 28 + 1 + 28 / 3))
    assert share_done(replace(begun, waiting=0)) == (3 + 21) / (3 + 28)
    assert share_done(REST) == 1


def test_a_language_model_waits_for_a_click_and_a_key(
    app: AppTest, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._ui.review.queues.known_speed", lambda model, *, key: Speed(100.0, 10.0))
    create(app)
    with store.writing("Ann") as change:
        saved = change.project(only_project(store).id)
        change.save(replace(saved.record, plan=Plan(None, None, "openai:some-model")), seen=saved.version)
    add(app, ("tea.md", TEA))
    said = texts(app)
    assert "Waiting for you to start" in said
    assert "1 paper to ask about, 7 questions open" in said
    assert any("Papers are sent to openai" in caption.value for caption in app.caption)
    assert any("About 7 calls with" in caption.value for caption in app.caption)
    assert any("min at 100 tokens a second read" in caption.value for caption in app.caption), "the time is told too"
    click(app, "queue-start")
    queue_is_through(app)
    assert any("key" in error.value for error in ran(app).error), "it says that a key is missing"
    assert app.button(key="queue-start").label == "Resume"


def test_a_reviewer_pauses_and_dismisses(app: AppTest, store: Store) -> None:
    create(app)
    add(app, ("tea.md", TEA), ("picture.png", b"\x89PNG"))
    assert any("could not be read" in one.label for one in app.expander)
    project = only_project(store).id
    with store.reading() as now:
        (waiting,) = now.queue.incoming(project)
    click(app, f"dismiss-unreadable-{waiting.sha256}")
    with store.reading() as now:
        assert now.queue.incoming(project) == ()
        assert now.file(project, waiting.sha256) is None
    assert not any("could not be read" in one.label for one in ran(app).expander)
