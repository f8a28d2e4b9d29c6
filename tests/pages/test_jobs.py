"""Background jobs: a thread of its own, one at a time, and how they are shown."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event

import pytest
from streamlit.testing.v1 import AppTest

from core.grounding.questions import QuestionProgress, QuestionState
from pages._ui import jobs
from pages._ui.jobs import BackgroundJob, JobSlot, PaperJobSlot, RunningJob, row_in_words
from run import ROOT

# ---- interpreter ----
# The server's interpreter: short turns for its threads, and libraries that no collection looks through.

PYTHONS_TURN_S = 0.005


@pytest.fixture
def as_python_starts() -> Iterator[None]:
    sys.setswitchinterval(PYTHONS_TURN_S)
    gc.unfreeze()
    jobs._pass_over.clear()
    yield
    sys.setswitchinterval(PYTHONS_TURN_S)
    gc.unfreeze()


def test_a_drawn_page_leaves_short_turns_and_nothing_to_look_through(as_python_starts: None) -> None:
    AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    assert sys.getswitchinterval() < PYTHONS_TURN_S / 5
    assert gc.get_freeze_count() > 10_000  # the libraries' objects


# ---- running ----
# Work in a thread of its own, without a page.


def reporting(go: Event) -> Callable[[BackgroundJob[str]], str]:
    """Work that reports until it is told to come to its end."""

    def work(progress: BackgroundJob[str]) -> str:
        while not go.wait(0.01):
            progress(0.5, "Half way")
        return "found"

    return work


def test_work_is_seen_while_it_runs_and_brings_its_result() -> None:
    go, reported = Event(), Event()

    def work(progress: BackgroundJob[str]) -> str:
        progress(1.5, "Half way")
        reported.set()
        go.wait(10)
        return "found"

    at_work = BackgroundJob(work)
    assert reported.wait(10)
    assert at_work.report == (1.0, "Half way")
    assert not at_work.ended
    assert at_work.result is None
    go.set()
    assert at_work.wait(10)
    assert (at_work.result, at_work.error, at_work.stopped) == ("found", None, False)


def test_work_that_is_stopped_ends_at_its_next_report() -> None:
    at_work = BackgroundJob(reporting(Event()))
    assert not at_work.wait(0.05)
    at_work.stop()
    assert at_work.wait(10)
    assert (at_work.result, at_work.error) == (None, None)


def test_a_result_that_comes_after_all_is_not_wanted() -> None:
    go = Event()

    def work(_: BackgroundJob[str]) -> str:
        go.wait(10)
        return "found"

    at_work = BackgroundJob(work)
    at_work.stop()
    go.set()
    assert at_work.wait(10)
    assert at_work.result is None


def test_work_goes_on_through_a_broken_connection_and_stops_when_nobody_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    monkeypatch.setattr(jobs.time, "monotonic", lambda: clock[0])
    there = [True, False, True, False]
    steps: list[int] = []

    def work(progress: BackgroundJob[str]) -> str:
        for step in range(5):
            progress(step / 5, "Looking")
            steps.append(step)
            clock[0] += 8.0
        return "found"

    at_work = BackgroundJob(work, watched=lambda: there.pop(0) if there else False)
    assert at_work.wait(10)
    assert steps == [0, 1, 2, 3]  # away for 8 s, back, then away for 16 s
    assert at_work.stopped
    assert at_work.result is None


def test_what_went_wrong_is_kept_for_who_takes_the_outcome() -> None:
    def work(_: BackgroundJob[str]) -> str:
        raise ZeroDivisionError("a mistake")

    at_work = BackgroundJob(work)
    assert at_work.wait(10)
    assert isinstance(at_work.error, ZeroDivisionError)
    assert at_work.result is None


# ---- underway ----
# One piece of work at a time: asked for, begun, replaced, and taken once.

Letters = JobSlot[str, RunningJob[str, str]]


def begin(work: Letters, until: Event) -> BackgroundJob[str]:
    """Begin what is due; it reports once more when `until` is set, and comes to what was wanted."""
    wanted = work.due()
    assert wanted is not None

    def carry_out(running: BackgroundJob[str]) -> str:
        until.wait(10)
        running(1, "done")
        return wanted

    running: BackgroundJob[str] = BackgroundJob(carry_out)
    work.start(RunningJob(wanted, running), at_once=0)
    return running


def test_what_is_wanted_begins_once_and_is_taken_once() -> None:
    work, goes_on = Letters(), Event()
    assert work.due() is None
    work.begin("a")
    running = begin(work, goes_on)
    assert work.due() is None
    assert work.ended() is None, "it runs"
    goes_on.set()
    assert running.wait(10)
    ended = work.ended()
    assert ended is not None
    assert (ended.wanted, ended.running.result) == ("a", "a")
    assert work.ended() is None
    assert work.due() is None, "it is not begun again"


def test_what_is_replaced_ends_without_a_result_before_the_next_begins() -> None:
    work, goes_on = Letters(), Event()
    work.begin("a")
    first = begin(work, goes_on)
    work.begin("b")
    assert first.stopped
    assert work.due() is None, "the first has yet to end"
    goes_on.set()
    assert first.wait(10)
    ended = work.ended()
    assert ended is not None
    assert ended.running.result is None
    assert begin(work, goes_on).wait(10)
    ended = work.ended()
    assert ended is not None
    assert ended.running.result == "b"


def test_nothing_is_wanted_after_a_stop() -> None:
    work = Letters()
    work.begin("a")
    work.stop()
    assert work.due() is None


@dataclass(frozen=True)
class Asked:
    """Something that is wanted of a paper."""

    paper: str


def test_a_paper_is_busy_from_the_wish_to_the_end() -> None:
    work: PaperJobSlot[Asked, RunningJob[Asked, bool]] = PaperJobSlot()
    assert work.busy_with is None
    work.begin(Asked("one"))
    assert work.busy_with == "one"
    wanted = work.due()
    assert wanted is not None
    goes_on = Event()
    running: BackgroundJob[bool] = BackgroundJob(lambda _: goes_on.wait(10))
    work.start(RunningJob(wanted, running), at_once=0)
    assert work.busy_with == "one"
    work.begin(Asked("two"))
    assert work.busy_with == "two", "what is wanted comes before what is ending"
    work.stop()
    goes_on.set()
    assert running.wait(10)
    assert work.ended() is not None
    assert work.busy_with is None


# ---- live ----
# How a run is shown while it runs.


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (QuestionProgress("Methods"), ":gray[waiting]"),
        (QuestionProgress("Methods", QuestionState.ANSWERED), ":gray[answered]"),
        (QuestionProgress("Methods", QuestionState.ANSWERED, from_cache=True), ":gray[kept from before]"),
        (QuestionProgress("Methods", QuestionState.AGAIN), ":gray[asked again]"),
        (QuestionProgress("Methods", QuestionState.FAILED), ":gray[failed]"),
    ],
)
def test_every_standing_has_a_sign_and_a_word(row: QuestionProgress, words: str) -> None:
    shown = row_in_words(row).replace("\u00a0", " ")
    assert shown.startswith(":material/")
    assert shown.endswith(f" Methods {words}")


def test_a_section_title_is_shown_letter_by_letter_and_fits_a_telephone() -> None:
    shown = row_in_words(QuestionProgress("<b>:red[x]</b> [click](http://x) " + "long " * 30))
    assert r"\<b\>\:red\[x\]" in shown
    assert " " not in shown
    assert "…" in shown
