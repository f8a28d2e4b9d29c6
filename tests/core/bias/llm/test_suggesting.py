"""All domains of a paper: many at once, each by itself, and what they are expected to cost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.bias import BiasEngine, bias_engine_named, tool_named
from core.bias.engine import DomainOutcome, suggest_each
from core.bias.llm.engine import BiasStrategy, estimate_run, expected_requests
from core.errors import BudgetUsedUp
from core.grounding.model import NoAnswer
from core.llm import Budget, ModelName, Provider, open_runner
from core.llm.demo import DemoServer, Fault
from core.llm.demo.questions import FaultOrder
from core.settings import Settings
from tests.core.bias.llm.trial import PAPER, STUDY

ROB1, ROB2 = tool_named("rob1"), tool_named("rob2")
Named = Callable[[str], BiasEngine]


@pytest.mark.parametrize("name", ["offline", "openai:demo", "anthropic:demo@highlights"])
def test_every_domain_has_its_outcome_and_the_first_comes_first(name: str, named: Named) -> None:
    seen: list[float] = []
    outcomes = list(
        suggest_each(ROB1.domains, PAPER, STUDY, engine=named(name), progress=lambda done, _: seen.append(done))
    )
    assert outcomes[0].domain.id == "sequence"
    assert {outcome.domain.id for outcome in outcomes} == {domain.id for domain in ROB1.domains}
    assert all(outcome.suggestion and outcome.error is None for outcome in outcomes)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_a_model_reads_the_paper_once_and_then_from_the_provider_s_cache(named: Named) -> None:
    first, *others = suggest_each(ROB1.domains, PAPER, STUDY, engine=named("anthropic:demo"))
    usages = [outcome.suggestion.run.steps[0].usage for outcome in others]  # type: ignore[union-attr]
    assert first.suggestion is not None
    assert first.suggestion.run is not None
    assert first.suggestion.run.steps[0].usage.written_input_tokens > 100  # type: ignore[union-attr,operator]
    assert all(usage.cached_input_tokens > 100 for usage in usages)  # type: ignore[union-attr,operator]


def test_the_other_domains_are_asked_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with DemoServer(latency=0.1) as slow:
        for variable, value in slow.environment.items():
            monkeypatch.setenv(variable, value)
        engine = bias_engine_named("openai:demo", settings=Settings(home=tmp_path, data=None))
        list(suggest_each(ROB1.domains, PAPER, STUDY, engine=engine))
        assert slow.desk.statistics()["most_at_once"] > 2


def test_a_failed_domain_takes_no_other_with_it(named: Named) -> None:
    outcomes = list(suggest_each(ROB2.domains, PAPER, STUDY, engine=named("openai:demo-emptyx1")))
    assert isinstance(outcomes[0].error, NoAnswer)
    assert [outcome.error for outcome in outcomes[1:]] == [None] * 4


def test_what_would_fail_again_is_not_tried_again(demo: DemoServer, named: Named) -> None:
    outcomes = list(suggest_each(ROB2.domains, PAPER, STUDY, engine=named("openai:demo-401")))
    assert [isinstance(outcome.error, NoAnswer) for outcome in outcomes] == [True] * 5
    assert demo.desk.statistics()["calls"] == 1


def test_a_cancel_travels_out_and_what_has_come_is_kept(demo: DemoServer, named: Named) -> None:
    came: list[DomainOutcome] = []

    def cancel_later(done: float, step: str) -> None:
        if came:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        came.extend(suggest_each(ROB1.domains, PAPER, STUDY, engine=named("openai:demo"), progress=cancel_later))
    assert [outcome.domain.id for outcome in came] == ["sequence"]


def test_a_cancel_does_not_wait_for_the_answers(demo: DemoServer, named: Named) -> None:
    hanging = threading.Event()

    def cancel(done: float, step: str) -> None:
        if hanging.is_set() and demo.desk.statistics()["calls"] > 1:
            raise KeyboardInterrupt

    outcomes = suggest_each(ROB1.domains, PAPER, STUDY, engine=named("openai:demo"), progress=cancel)
    assert next(outcomes).suggestion is not None
    demo.desk._order = FaultOrder(Fault.HANG)  # an hour
    hanging.set()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        next(outcomes)
    assert time.monotonic() - started < 10


def test_a_budget_stops_what_could_overrun_it(demo: DemoServer, tmp_path: Path) -> None:
    engine = bias_engine_named("openai:demo", settings=Settings(home=tmp_path, data=None), budget=Budget(tokens=11_000))
    outcomes = list(suggest_each(ROB1.domains, PAPER, STUDY, engine=engine))
    assert outcomes[0].suggestion is not None
    stopped = [outcome for outcome in outcomes if isinstance(outcome.error, NoAnswer)]
    assert stopped
    assert all(isinstance(outcome.error.cause, BudgetUsedUp) for outcome in stopped)  # type: ignore[union-attr]


@pytest.mark.parametrize(("strategy", "calls"), [("whole", 1), ("retrieved", 2), ("highlights", 2)])
def test_an_estimate_counts_the_questions_and_sends_none(strategy: str, calls: int, demo: DemoServer) -> None:
    model = ModelName(Provider.OPENAI, "gpt-5.4", strategy)
    estimate = estimate_run(model, ROB1.domains, PAPER, STUDY)
    assert estimate.calls == calls * len(ROB1.domains)
    assert estimate.least_usd is not None
    assert estimate.most_usd is not None
    assert 0 < estimate.least_usd < estimate.most_usd
    assert demo.desk.statistics()["calls"] == 0


@pytest.mark.parametrize("strategy", list(BiasStrategy))
def test_the_expected_requests_are_those_of_the_run(strategy: BiasStrategy, demo: DemoServer, tmp_path: Path) -> None:
    """Those that do not hang on an answer are the very ones, for the run finds them in the cache."""
    expected = list(expected_requests(strategy, ROB1.domains, PAPER, STUDY))
    settings = Settings(home=tmp_path, data=None)
    open_runner(ModelName(Provider.OPENAI, "demo"), settings=settings).ask_all(expected)
    calls = demo.desk.statistics()["calls"]
    assert calls == len(expected)
    outcomes = list(
        suggest_each(ROB1.domains, PAPER, STUDY, engine=bias_engine_named(f"openai:demo@{strategy}", settings=settings))
    )
    for outcome in outcomes:
        assert outcome.suggestion is not None
        assert outcome.suggestion.run is not None
        assert outcome.suggestion.run.steps[0].from_cache
        assert [step.label for step in outcome.suggestion.run.steps] == [
            request.label for request in expected if request.label.startswith(outcome.domain.name)
        ]


def test_a_server_that_fails_midway_leaves_what_came(demo: DemoServer, named: Named) -> None:
    came: list[DomainOutcome] = []
    for outcome in suggest_each(ROB1.domains, PAPER, STUDY, engine=named("openai:demo")):
        came.append(outcome)
        demo.desk._order = FaultOrder(Fault.REFUSAL)  # from here on
    assert came[0].suggestion is not None
    assert all(outcome.error for outcome in came[1:])
