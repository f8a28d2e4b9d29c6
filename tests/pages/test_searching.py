"""A search beside the page: it is begun, seen, stopped, replaced and taken, here with an engine that waits for a word."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from threading import Event

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import EngineUnavailable
from core.evidence import Evidence, EvidenceQuery
from core.evidence.bm25 import Bm25Engine
from core.paper import Paper
from core.progress import Progress, silent
from pages._ui.running import Running
from pages._ui.search import Found
from tests.pages.test_evidence_page import HYPOTHESIS, OTHER_PAPER, PAPER, ROOT, app, desk, session, settle, upload

__all__ = ["app"]


class Slow:
    """What every search with bm25 waits for, and may fail with."""

    def __init__(self) -> None:
        self.go = Event()
        self.error: Exception | None = None


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    here, find = Slow(), Bm25Engine.find

    def find_slowly(engine: Bm25Engine, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        while not here.go.wait(0.01):
            progress(0.25, "Looking")
        if here.error:
            raise here.error
        return find(engine, paper, query, progress=progress)

    monkeypatch.setattr(Bm25Engine, "find", find_slowly)
    yield here
    here.go.set()


def begin(at: AppTest, hypothesis: str = HYPOTHESIS) -> Running[Found]:
    at.text_area[0].set_value(hypothesis)
    at.selectbox(key="engine").set_value("bm25")
    at.button(key="find").click().run()
    assert not at.exception
    return running(at)


def running(at: AppTest) -> Running[Found]:
    underway = session(at).searches.underway
    assert underway is not None
    return underway.running


def test_the_page_is_drawn_while_a_search_runs_and_its_result_is_taken_once(
    app: AppTest, slow: Slow, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    upload(app, PAPER)
    first = begin(app)
    assert app.get("bidi_component")  # the desk
    assert app.get("progress")[0].proto.text == "Looking"
    app.number_input(key="k").set_value(2).run()
    assert running(app) is first  # a change of the settings does not break it off
    slow.go.set()
    settle(app)
    assert desk(app).evidence is first.result is not None
    assert desk(app).evidence.query.k == 10
    assert desk(app).answers == 1
    assert not app.get("progress")
    app.run()
    assert desk(app).answers == 1
    assert "Thread 'work'" not in caplog.text  # as Streamlit would warn of a thread that calls it


def test_cancel_ends_a_search_of_an_engine_of_this_machine(app: AppTest, slow: Slow) -> None:
    upload(app, PAPER)
    search = begin(app)
    app.button(key="cancel-searching").click().run()
    assert search.wait(10)
    assert not slow.go.is_set()
    settle(app)
    assert desk(app).evidence is None
    assert not app.error
    assert not [button for button in app.button if button.key == "cancel-searching"]


def test_another_search_takes_the_place_of_one_that_runs(app: AppTest, slow: Slow) -> None:
    upload(app, PAPER)
    first = begin(app)
    app.text_area[0].set_value("Two people felt restless")
    app.button(key="find").click().run()
    assert first.wait(10)
    app.run()
    assert running(app) is not first
    slow.go.set()
    settle(app)
    assert desk(app).question == "Two people felt restless"
    assert desk(app).answers == 1


def test_a_search_goes_on_for_its_paper_while_another_is_on_the_desk(app: AppTest, slow: Slow) -> None:
    upload(app, PAPER)
    first = desk(app)
    begin(app)
    upload(app, OTHER_PAPER, "backache.md")
    assert "Tea for headache" in app.get("progress")[0].proto.text
    app.switch_page("pages/engines.py").run()
    slow.go.set()
    assert running(app).wait(10)
    app.switch_page("pages/evidence.py").run()
    assert session(app).searches.underway is None
    assert first.evidence is not None
    assert desk(app).evidence is None


def test_what_fails_meanwhile_names_its_paper(app: AppTest, slow: Slow) -> None:
    upload(app, PAPER)
    begin(app)
    upload(app, OTHER_PAPER, "backache.md")
    slow.error = EngineUnavailable("Words are missing.")
    slow.go.set()
    settle(app)
    assert app.error[0].value.endswith("The search in “Tea for headache” failed\\. Words are missing\\.")


def test_a_paper_that_is_closed_stops_its_search(app: AppTest, slow: Slow) -> None:
    upload(app, PAPER)
    search = begin(app)
    app.button(key=f"close-{desk(app).paper.id}").click().run()
    assert search.wait(10)
    app.run()
    assert not app.exception
    assert session(app).searches.underway is None


def test_two_sessions_search_side_by_side(app: AppTest, slow: Slow) -> None:
    other = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    upload(app, PAPER)
    upload(other, PAPER)
    searches = begin(app), begin(other, "Sleep did not change")
    assert searches[0] is not searches[1]
    other.button(key="cancel-searching").click().run()
    slow.go.set()
    settle(app)
    settle(other)
    assert desk(app).question == HYPOTHESIS
    assert desk(app).evidence is not None
    assert desk(other).evidence is None
