"""What a session remembers of reviews: what belongs to one project is forgotten when another is opened."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from streamlit.testing.v1 import AppTest

from core.review.status import QueueStatus
from core.store import Failure, Incoming, QueueState
from pages._ui.review.work import Opened, ReviewWork

NOW = datetime(2026, 3, 1, tzinfo=UTC)
READ = Failure("paper", "evidence: bm25", "The server is down.", 1, NOW)


def test_another_project_forgets_what_was_hidden_and_opened() -> None:
    work = ReviewWork()
    work.enter("p", "Ann")
    work.put_aside, work.opened = frozenset({"a file"}), Opened("paper", "Tea helps", 3)
    work.enter("p")
    assert (work.reviewer, work.put_aside, work.opened) == ("Ann", {"a file"}, Opened("paper", "Tea helps", 3))
    work.enter("q")
    assert (work.reviewer, work.put_aside, work.opened) == (None, frozenset(), None)


def note_of_the_status() -> None:
    """The line above a tab other than that of papers; of a script's source alone, no name from above is known."""
    import streamlit as st

    from pages._ui.review import arrivals
    from pages._ui.state import session

    session().review.tab = "Evidence table"
    arrivals.note(session(), None, st.session_state["status"])  # type: ignore[arg-type]


def test_a_note_that_was_hidden_comes_again_with_a_new_trouble_only() -> None:
    at = AppTest.from_function(note_of_the_status, default_timeout=30)
    assert told(at, files=["a", "b"]) == [":material/error: 2 files could not be read\\: listed under Papers"]
    at.button(key="hide-troubles").click()
    assert told(at, files=["a", "b"]) == []
    assert told(at, files=["a"]) == [], "one less is nothing new"
    assert len(told(at, files=["a", "c"])) == 1, "as many as before, another one"
    at.button(key="hide-troubles").click()
    assert told(at, files=["a", "c"]) == []
    assert len(told(at, files=["a", "c"], failures=[READ])) == 1
    at.button(key="hide-troubles").click()
    assert told(at, failures=[READ]) == []
    assert told(at) == []
    assert len(told(at, failures=[READ])) == 1, "it was tried again, and failed again"


def told(at: AppTest, *, files: Sequence[str] = (), failures: Sequence[Failure] = ()) -> list[str]:
    """The note while these files cannot be read, and these questions not be answered."""
    unreadable = tuple(Incoming(one, f"{one}.pdf", "Ann", NOW, "Cut off.") for one in files)
    at.session_state["status"] = QueueStatus(QueueState(), 2, 0, 0, unreadable, 2, 2, 0, tuple(failures), (), None)
    at.run()
    assert not at.exception
    return [one.value for one in at.caption]
