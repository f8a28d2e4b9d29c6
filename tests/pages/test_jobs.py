"""Background jobs: each in a thread of its own, one of each kind at a time, and how they are shown."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from functools import partial
from threading import Event

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import QueryError
from core.grounding.questions import QuestionProgress, QuestionState
from pages._ui import jobs
from pages._ui.jobs import BackgroundJob, JobSlot
from pages._ui.page_jobs import PageJob, Work, row_in_words
from pages._ui.state import Session
from run import ROOT

# ---- the server's interpreter ----

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
    assert gc.get_freeze_count() > 10_000  # objects of the libraries


# ---- a job without a page ----


def reporting(go: Event) -> Callable[[BackgroundJob[str]], str]:
    """Work that reports until it is told to end."""

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


# ---- a page's job ----


class Spelling(PageJob[str, str]):
    """A job that hands over each letter of a word, then the word, once `may_end` is set. `begun` lists the words."""

    key = "spelling"
    at_once = 0.0

    def __init__(self) -> None:
        self.words: JobSlot[str, str] = JobSlot()
        self.may_end = Event()
        self.begun: list[str] = []
        self.kept: list[str] = []
        self.ended = 0

    def slot(self, session: Session) -> JobSlot[str, str]:
        return self.words

    def begin(self, session: Session, request: str) -> Work[str] | None:
        if not request.isalpha():
            return None
        self.begun.append(request)
        return partial(self.spell, request)

    def spell(self, word: str, job: BackgroundJob[str]) -> str:
        for letter in word:
            job.put(letter)
        self.may_end.wait(10)
        job(1, "done")
        if word == "wrong":
            raise QueryError("No such word.")
        return word if word != "mistake" else str(1 / 0)

    def keep(self, session: Session, request: str, result: str) -> None:
        self.kept.append(result)

    def keep_piece(self, session: Session, request: str, piece: str) -> None:
        self.kept.append(piece)

    def end(self, session: Session, job: BackgroundJob[str]) -> None:
        self.ended += 1

    def runs(self) -> BackgroundJob[str]:
        assert self.words.running is not None
        return self.words.running.job


@pytest.fixture
def spelling() -> Iterator[Spelling]:
    job = Spelling()
    yield job
    job.may_end.set()


def test_what_is_asked_for_begins_once_and_is_taken_once(spelling: Spelling) -> None:
    now = Session()
    assert spelling.go_on(now) is None
    spelling.words.ask("a")
    spelling.go_on(now)
    spelling.go_on(now)
    assert spelling.words.busy_with == "a"
    spelling.may_end.set()
    assert spelling.runs().wait(10)
    spelling.go_on(now)
    spelling.go_on(now)
    assert (spelling.begun, spelling.kept, spelling.ended) == (["a"], ["a", "a"], 1)
    assert spelling.words.busy_with is None


def test_a_quick_result_is_there_at_once(spelling: Spelling) -> None:
    spelling.at_once = 10
    spelling.may_end.set()
    spelling.words.ask("a")
    spelling.go_on(Session())
    assert spelling.kept == ["a", "a"]


def test_what_is_replaced_ends_without_a_result_before_the_next_begins(spelling: Spelling) -> None:
    now = Session()
    spelling.words.ask("a")
    spelling.go_on(now)
    first = spelling.runs()
    spelling.words.ask("b")
    assert first.stopped
    assert spelling.words.busy_with == "b", "what is asked for comes before what is ending"
    spelling.go_on(now)
    assert spelling.begun == ["a"], "the first has yet to end"
    spelling.may_end.set()
    assert first.wait(10)
    spelling.at_once = 10
    spelling.go_on(now)
    assert (spelling.begun, spelling.kept, spelling.ended) == (["a", "b"], ["a", "b", "b"], 2)


def test_nothing_begins_that_was_cancelled_or_has_nothing_to_work_on(spelling: Spelling) -> None:
    now = Session()
    spelling.words.ask("a")
    spelling.words.cancel()
    spelling.go_on(now)
    spelling.words.ask("1")
    spelling.go_on(now)
    assert spelling.begun == []
    assert spelling.words.busy_with is None


def test_a_failure_is_told_unless_it_was_cancelled(spelling: Spelling) -> None:
    spelling.at_once = 10
    spelling.may_end.set()
    now = Session()
    spelling.words.ask("wrong")
    assert spelling.go_on(now) is None
    assert now.problem == "No such word."
    spelling.at_once, now.problem = 0.0, None
    spelling.may_end.clear()
    spelling.words.ask("wrong")
    spelling.go_on(now)
    running = spelling.runs()
    spelling.words.cancel()
    spelling.may_end.set()
    assert running.wait(10)
    assert spelling.go_on(now) is None
    assert now.problem is None


def test_a_mistake_of_ours_is_handed_out_once(spelling: Spelling) -> None:
    spelling.at_once = 10
    spelling.may_end.set()
    spelling.words.ask("mistake")
    assert isinstance(spelling.go_on(Session()), ZeroDivisionError)
    assert spelling.go_on(Session()) is None


def test_a_mistake_is_handed_out_with_the_next_result_taken(spelling: Spelling) -> None:
    now = Session()
    spelling.words.ask("mistake")
    spelling.go_on(now)
    crashed = spelling.runs()
    spelling.may_end.set()
    assert crashed.wait(10)
    spelling.at_once = 10
    spelling.words.ask("a")
    assert isinstance(spelling.go_on(now), ZeroDivisionError)
    assert spelling.kept[-1] == "a"
    assert spelling.words.running is None, "nothing is left to rerun the page before it raises"


# ---- progress of a running job ----


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
