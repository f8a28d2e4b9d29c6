"""How far a run is, and what is left of it."""

from __future__ import annotations

import pytest

from core.llm import CostEstimate, Speed
from core.work.progress import ProgressCounter, WorkProgress


def estimate(least: float | None, most: float | None) -> CostEstimate:
    return CostEstimate(1, 100, 10, 20, least, most)


def test_time_left_goes_by_this_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ProgressCounter(10, started=100.0)
    monkeypatch.setattr("core.work.progress.time.perf_counter", lambda: 106.0)
    assert clock.progress().seconds_left is None
    clock.count_kept(failed=False)
    clock.count(failed=False, cost_usd=0.0)
    clock.count(failed=True, cost_usd=0.0)
    progress = clock.progress()
    assert (progress.done, progress.failed, progress.share) == (3, 1, 0.3)
    assert progress.seconds_left == pytest.approx(6.0 / 2 * 7)


def test_time_is_told_before_the_first_answer_where_the_speed_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ProgressCounter(10, started=100.0, speed=Speed(reading=100.0, writing=10.0))
    monkeypatch.setattr("core.work.progress.time.perf_counter", lambda: 104.0)
    assert clock.progress().seconds_left is None, "no question was estimated yet"
    clock.expect(CostEstimate(2, 1_000, 10, 20, None, None))
    each = Speed(100.0, 10.0).seconds(2, 1_000)
    assert clock.progress().seconds_left == pytest.approx(10 * each)
    clock.count(failed=False, cost_usd=None)
    assert clock.progress().seconds_left == pytest.approx(4.0 * 9), "what it really took tells more"
    unknown = ProgressCounter(10, speed=Speed(100.0, 10.0))
    unknown.expect(None)
    assert unknown.progress().seconds_left is None, "a task that cannot tell its requests tells no time"


def test_money_left_is_estimated_and_then_goes_by_what_was_paid() -> None:
    clock = ProgressCounter(11)
    clock.expect(estimate(0.1, 0.3))
    clock.expect(estimate(0.3, 0.5))
    progress = clock.progress()
    assert (progress.least_usd_left, progress.most_usd_left) == (pytest.approx(2.2), pytest.approx(4.4))
    assert "$2.20 to $4.40 to come" in progress.in_words
    clock.count(failed=False, cost_usd=0.25)
    progress = clock.progress()
    assert (progress.spent_usd, progress.least_usd_left, progress.most_usd_left) == (0.25, 2.5, 2.5)
    assert progress.in_words.endswith("$0.25 spent, about $2.50 to come")


def test_money_that_is_unknown_is_never_shown_as_nothing() -> None:
    clock = ProgressCounter(2)
    clock.expect(estimate(None, None))
    assert clock.progress().most_usd_left is None
    clock.count(failed=False, cost_usd=None)
    progress = clock.progress()
    assert (progress.spent_usd, progress.most_usd_left) == (None, None)
    assert "$" not in progress.in_words


def test_an_engine_on_this_machine_costs_nothing_and_money_is_not_spoken_of() -> None:
    clock = ProgressCounter(3)
    clock.expect(None)
    clock.count(failed=False, cost_usd=0.0)
    assert "$" not in clock.progress().in_words


@pytest.mark.parametrize(("seconds", "words"), [(80.0, "80 s left"), (600.0, "10 min left"), (9000.0, "2.5 h left")])
def test_in_words(seconds: float, words: str) -> None:
    progress = WorkProgress(1_000, 5_000, 2, seconds, 0.0, None, None)
    assert progress.in_words == f"1,000 of 5,000 done, 2 failed, {words}"
