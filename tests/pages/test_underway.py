"""One piece of work at a time: asked for, begun, replaced, and taken once."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event

from pages._ui.running import Running
from pages._ui.underway import PaperWork, Underway, Work

Letters = Work[str, Underway[str, str]]


def begin(work: Letters, until: Event) -> Running[str]:
    """Begin what is due; it reports once more when `until` is set, and comes to what was wanted."""
    wanted = work.due()
    assert wanted is not None

    def carry_out(running: Running[str]) -> str:
        until.wait(10)
        running(1, "done")
        return wanted

    running: Running[str] = Running(carry_out)
    work.start(Underway(wanted, running), at_once=0)
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
    work: PaperWork[Asked, Underway[Asked, bool]] = PaperWork()
    assert work.busy_with is None
    work.begin(Asked("one"))
    assert work.busy_with == "one"
    wanted = work.due()
    assert wanted is not None
    goes_on = Event()
    running: Running[bool] = Running(lambda _: goes_on.wait(10))
    work.start(Underway(wanted, running), at_once=0)
    assert work.busy_with == "one"
    work.begin(Asked("two"))
    assert work.busy_with == "two", "what is wanted comes before what is ending"
    work.stop()
    goes_on.set()
    assert running.wait(10)
    assert work.ended() is not None
    assert work.busy_with is None
