"""Many requests at once, and a process that is killed in mid-run."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import BudgetUsedUp, KeyRefused, ModelTimeout, QueryError, UnknownModel
from core.llm import Budget, BudgetGuard, Provider, Reply, Spending, estimate, together
from core.llm.demo import DemoServer, Fault
from core.llm.demo.questions import FaultOrder
from core.llm.runner import ReplyCache
from run import ROOT
from tests.core.llm.questions import all_quiet, question, runner

# ---- runner ----
# Many requests at once.

TEN = [question(number) for number in range(10)]


def timed(work: object) -> float:
    """Seconds that calling `work` takes."""
    started = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - started


@pytest.mark.slow
def test_ten_at_once_take_as_long_as_one() -> None:
    with DemoServer(latency=1.0) as server:
        asking = runner(server)
        asking.ask(question(99))  # imports the client
        assert timed(lambda: asking.ask_all(TEN)) < 5, "one after the other they take 10 s"
        assert server.desk.statistics()["most_at_once"] == 10


def test_replies_keep_the_order_of_the_requests(demo: DemoServer) -> None:
    requests = [question(number, context=f"[{number}] caffeine keeps bees awake") for number in range(40)]
    replies = runner(demo).ask_all(requests)
    assert [reply.data.decision for reply in replies] == [[number] for number in range(40)]  # type: ignore[union-attr]


def test_connections_of_a_model_that_was_dropped_are_closed_in_order(demo: DemoServer) -> None:
    """Left to the collector of garbage they are closed by numbers that new connections may have by then."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", ResourceWarning)
        runner(demo).ask_all(TEN)  # and is never closed
        gc.collect()
        runner(demo).ask(question(1))  # the loop has had its turn
        gc.collect()
    assert [str(one.message) for one in said if "transport" in str(one.message)] == []


def test_the_limit_holds_for_all_threads_together() -> None:
    with DemoServer(latency=0.05) as server:
        asking = runner(server, at_once=4)
        with ThreadPoolExecutor(8) as threads:
            done = list(
                threads.map(lambda paper: asking.ask_all([question(paper * 10 + n) for n in range(3)]), range(8))
            )
        assert sum(map(len, done)) == 24
        assert server.desk.statistics()["most_at_once"] == 4
        assert asking.spent.calls == 24


@pytest.mark.slow
def test_many_papers_with_sixteen_at_once() -> None:
    """At least twelve times as fast as one call after the other; a busy machine may try again."""
    assert any(speed_up() >= 12 for _ in range(3))


def speed_up() -> float:
    """How many times faster 16 papers of 4 calls are with 16 calls at once; each takes the server a second."""
    with DemoServer(latency=1.0) as server:
        alone, many = runner(server, at_once=1), runner(server, at_once=16)
        many.ask_all([question(number) for number in range(900, 916)])  # opens the connections
        one_by_one = timed(lambda: [alone.ask(question(number)) for number in range(2)]) / 2
        papers = [[question(paper * 10 + section) for section in range(4)] for paper in range(16)]
        with ThreadPoolExecutor(16) as threads:
            return one_by_one / (timed(lambda: list(threads.map(many.ask_all, papers))) / (16 * 4))


def test_progress_tells_what_was_answered(demo: DemoServer) -> None:
    told: list[tuple[float, str]] = []
    runner(demo).ask_all(TEN, progress=lambda done, step: told.append((done, step)))
    assert [done for done, _ in told][-1] == 1.0
    assert sorted(done for done, _ in told) == [done for done, _ in told]
    assert {step.partition(" (")[0] for _, step in told} >= {f"Section {number}" for number in range(10)}
    assert told[-1][1].endswith("(10 of 10)")


def test_progress_is_told_in_the_callers_thread(demo: DemoServer) -> None:
    threads = set()
    runner(demo).ask_all(TEN, progress=lambda done, step: threads.add(threading.get_ident()))
    assert threads == {threading.get_ident()}


class Stopped(Exception):
    """The user pressed a button."""


def test_raising_from_progress_cancels_even_while_nothing_comes(demo: DemoServer) -> None:
    asking = runner(demo, "demo-hang", timeout=30)
    began = time.perf_counter()

    def stop(done: float, step: str) -> None:
        if time.perf_counter() - began > 0.3:
            raise Stopped

    with pytest.raises(Stopped):
        asking.ask_all(TEN, progress=stop)
    assert time.perf_counter() - began < 15, "it waited for the calls"
    assert runner(demo).ask(question()).problem is None, "others can go on"


@pytest.mark.slow
def test_a_cancelled_run_starts_no_more_calls_and_keeps_what_it_has(cache: ReplyCache) -> None:
    def stop(done: float, step: str) -> None:
        if done >= 0.2:
            raise Stopped

    with DemoServer(latency=0.1) as server:
        asking = runner(server, at_once=2, cache=cache)
        with pytest.raises(Stopped):
            asking.ask_all(TEN, progress=stop)
        all_quiet(server)
        calls = server.desk.statistics()["calls"]
        assert calls <= 5
        asking.ask_all(TEN)
        assert asking.spent.from_cache >= 2
        assert server.desk.statistics()["calls"] <= calls + 8


def test_leaving_the_loop_cancels_the_rest(demo: DemoServer) -> None:
    with DemoServer(latency=0.1) as server:
        for _ in runner(server, at_once=1).as_answered(TEN):
            break
        all_quiet(server)
        assert server.desk.statistics()["calls"] <= 2


def test_nothing_to_ask_is_no_call(demo: DemoServer) -> None:
    assert runner(demo).ask_all([]) == []
    assert demo.desk.statistics()["calls"] == 0


def test_one_failure_does_not_touch_the_others(demo: DemoServer) -> None:
    replies = runner(demo, "demo-500x1", retries=0).ask_all(TEN)
    assert sum(reply.problem is not None for reply in replies) == 1


def test_asking_again_sends_only_what_failed(demo: DemoServer, cache: ReplyCache) -> None:
    asking = runner(demo, "demo-500x3", retries=0, cache=cache)
    assert sum(reply.problem is not None for reply in asking.ask_all(TEN)) == 3
    assert all(reply.problem is None for reply in asking.ask_all(TEN))
    assert demo.desk.statistics()["calls"] == 13


@pytest.mark.parametrize(("fault", "error"), [("401", KeyRefused), ("404", UnknownModel)])
def test_what_must_fail_is_not_sent_again(demo: DemoServer, fault: str, error: type[Exception]) -> None:
    replies = runner(demo, f"demo-{fault}", at_once=2).ask_all([question(number) for number in range(100)])
    assert all(isinstance(reply.problem, error) for reply in replies)
    assert demo.desk.statistics()["calls"] <= 2


def test_a_programmers_error_comes_out(demo: DemoServer) -> None:
    asking = runner(demo)

    async def broken(request: object) -> Reply:
        raise ZeroDivisionError

    asking._model.complete = broken  # type: ignore[method-assign]
    with pytest.raises(ExceptionGroup) as error:
        asking.ask_all(TEN[:1])
    assert error.group_contains(ZeroDivisionError)


def test_a_closed_runner_opens_its_connections_again(demo: DemoServer) -> None:
    with runner(demo) as asking:
        asking.ask(question())
    assert asking.ask(question(1)).problem is None


# Budgets. A question of 100 output tokens needs about 60 input tokens, so about 160 at most.
SMALL = [question(number, max_output_tokens=100) for number in range(10)]


def test_a_budget_stops_before_the_next_call_and_keeps_what_it_has(demo: DemoServer, cache: ReplyCache) -> None:
    asking = runner(demo, cache=cache, budget=Budget(tokens=1000))
    replies = asking.ask_all(SMALL)
    answered = [reply for reply in replies if reply.problem is None]
    refused = [reply for reply in replies if reply.problem is not None]
    assert len(answered) >= 3
    assert len(refused) >= 3
    assert all(isinstance(reply.problem, BudgetUsedUp) for reply in refused)
    assert "Raise the budget and run again" in str(refused[0].problem)
    assert asking.spent.tokens <= 1000
    assert demo.desk.statistics()["calls"] == len(answered)
    again = runner(demo, cache=cache)
    assert sum(reply.from_cache for reply in again.ask_all(SMALL)) == len(answered)


def test_runners_of_two_models_spend_from_one_budget(demo: DemoServer) -> None:
    guard = BudgetGuard(Budget(tokens=1000))
    asking = [runner(demo, name, budget=guard) for name in ("demo", "gpt-5.4")]
    replies = [reply for one in asking for reply in one.ask_all(SMALL)]
    assert 3 <= sum(reply.problem is None for reply in replies) < len(SMALL)
    assert isinstance(replies[-1].problem, BudgetUsedUp), "the first one has left nothing"
    assert [one.spent.tokens > 0 for one in asking] == [True, False], "each counts its own"
    assert together(one.spent for one in asking).tokens <= 1000


def test_calls_in_flight_are_waited_for_before_a_budget_is_called_used_up(slow_demo: DemoServer) -> None:
    """A reply is much shorter than it may be, so two calls fit one after the other where they do not at once."""
    requests = [question(number, max_output_tokens=1000) for number in range(2)]
    most = estimate(requests, "openai:demo")
    asking = runner(slow_demo, budget=Budget(tokens=most.input_tokens + most.most_output_tokens - 500))
    assert all(reply.problem is None for reply in asking.ask_all(requests))
    assert slow_demo.desk.statistics()["most_at_once"] == 1


def test_a_budget_in_money(demo: DemoServer) -> None:
    most = estimate(SMALL[:1], "openai:gpt-5.4").most_usd
    assert most is not None
    asking = runner(demo, "gpt-5.4", budget=Budget(usd=most * 3))
    replies = asking.ask_all(SMALL)
    assert 3 <= sum(reply.problem is None for reply in replies) < 10
    assert asking.spent.usd is not None
    assert 0 < asking.spent.usd <= most * 3


def test_a_budget_in_money_counts_what_is_written_to_the_provider_s_cache(demo: DemoServer) -> None:
    name, context = "anthropic:claude-opus-5-5", "[0] Bees sleep at night.\n" * 500
    request = question(context=context, cache_context=True)
    written, unwritten = (estimate([one], name).most_usd for one in (request, replace(request, cache_context=False)))
    assert written is not None
    assert unwritten is not None
    budgets = {unwritten: False, written + 1e-9: True}
    for most, fits in budgets.items():
        asking = runner(demo, "claude-opus-5-5", provider=Provider.ANTHROPIC, budget=Budget(usd=most))
        assert (asking.ask(request).problem is None) == fits


@pytest.mark.parametrize(("fold", "calls"), [(1.5, 0), (2.1, 2)])
def test_a_question_that_may_be_asked_again_plainly_is_reserved_twice(
    fold: float, calls: int, demo: DemoServer
) -> None:
    most = estimate([question()], "compatible:demo")
    budget = Budget(tokens=round(fold * (most.input_tokens + most.most_output_tokens)))
    asking = runner(demo, "demo-unheeded", provider=Provider.COMPATIBLE, budget=budget)
    assert isinstance(asking.ask(question()).problem, BudgetUsedUp) == (calls == 0)
    assert demo.desk.statistics()["calls"] == calls


def test_a_budget_in_money_needs_a_price(demo: DemoServer) -> None:
    with pytest.raises(QueryError, match="Set one in tokens"):
        runner(demo, budget=Budget(usd=1.0))


def test_a_server_that_does_not_count_cannot_overrun_the_budget(demo: DemoServer) -> None:
    most = estimate(SMALL[:1], "openai:demo")
    a_call = most.input_tokens + most.most_output_tokens
    asking = runner(demo, "demo-nousage", budget=Budget(tokens=3 * a_call))
    assert sum(reply.problem is None for reply in asking.ask_all(SMALL)) == 3


def test_the_cache_costs_no_budget(demo: DemoServer, cache: ReplyCache) -> None:
    runner(demo, cache=cache).ask_all(SMALL)
    asking = runner(demo, cache=cache, budget=Budget(tokens=0))
    assert all(reply.problem is None for reply in asking.ask_all(SMALL))


def test_a_call_that_ran_out_of_time_may_have_cost_something() -> None:
    with DemoServer(fault=FaultOrder(Fault.HANG)) as server:
        asking = runner(server, "gpt-5.4", timeout=0.3, retries=0)
        reply = asking.ask(question())
    assert isinstance(reply.problem, ModelTimeout)
    assert asking.cost_of(reply) is None
    assert (asking.spent.calls, asking.spent.usd) == (1, None)


@pytest.mark.parametrize(("fold", "calls"), [(1.5, 1), (2.5, 2)])
def test_a_call_that_ran_out_of_time_is_the_dearest_outcome_to_a_budget(fold: float, calls: int) -> None:
    most = estimate([question()], "openai:gpt-5.4").most_usd
    assert most is not None
    with DemoServer(fault=FaultOrder(Fault.HANG, 1)) as server:
        asking = runner(server, "gpt-5.4", timeout=0.3, retries=0, budget=Budget(usd=most * fold))
        replies = [asking.ask(question(number)) for number in range(2)]
    assert isinstance(replies[0].problem, ModelTimeout)
    assert isinstance(replies[1].problem, BudgetUsedUp) == (calls == 1)
    assert asking.spent.calls == calls


def test_a_cancelled_call_may_have_cost_something(demo: DemoServer) -> None:
    asking = runner(demo, "demo-hang")

    def stop(done: float, step: str) -> None:
        if demo.desk.statistics()["calls"]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asking.ask(question(), progress=stop)
    asking.close()
    assert (asking.spent.calls, asking.spent.usd) == (1, None)


def test_what_several_runners_have_used_is_unknown_where_any_part_is() -> None:
    one, other = Spending(calls=2, input_tokens=10, usd=0.5), Spending(calls=1, output_tokens=4, usd=0.25)
    assert together([one, other]) == Spending(calls=3, input_tokens=10, output_tokens=4, usd=0.75)
    assert together([one, Spending(usd=None)]).usd is None
    assert together([]) == Spending()


# ---- killed ----
# A process that is killed in mid-run loses at most the calls in flight; resuming pays for nothing twice.

AT_ONCE = 4
REQUESTS = 40
RUN = f"""
from core.llm import ModelName, Provider, open_runner
from tests.core.llm.questions import question
runner = open_runner(ModelName(Provider.OPENAI, "demo"), at_once={AT_ONCE})
replies = runner.ask_all([question(number) for number in range({REQUESTS})])
assert all(reply.problem is None for reply in replies)
print(runner.spent.calls, runner.spent.from_cache)
"""


@pytest.mark.slow
def test_killed_and_resumed(tmp_path: Path) -> None:
    with DemoServer(latency=0.1) as server:
        environment = os.environ | server.environment | {"VOUCH_HOME": str(tmp_path)}
        command = [sys.executable, "-c", RUN]
        with subprocess.Popen(command, cwd=ROOT, env=environment) as running:
            while server.desk.statistics()["answered"] < 10:
                assert running.poll() is None, "it ended before it could be killed"
                time.sleep(0.01)
            running.kill()
        all_quiet(server)  # calls in flight have come to their end
        paid = server.desk.statistics()["answered"]
        assert paid < REQUESTS

        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=60
        )
        calls, from_cache = map(int, done.stdout.split())
        assert calls + from_cache == REQUESTS
        assert from_cache >= paid - AT_ONCE, "only what was in flight is lost"
        assert server.desk.statistics()["answered"] == paid + calls

        again = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=60
        )
        assert again.stdout.split() == ["0", str(REQUESTS)]
