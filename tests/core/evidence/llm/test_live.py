"""How a run stands while it runs, and what it is expected to ask."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.evidence import EvidenceQuery, NoAnswer
from core.evidence.llm.engine import ModelEngine
from core.evidence.llm.estimating import estimate_run, expected_requests
from core.evidence.llm.live import Row, Standing, WatchedRunner
from core.evidence.llm.strategies import to_come
from core.evidence.llm.wording import Strategy
from core.llm import ModelName, Provider, open_runner
from core.llm.demo import DemoServer, Fault
from core.llm.demo.faults import Order
from core.settings import Settings
from tests.core.evidence.llm.replies import PAPER

QUERY = EvidenceQuery("Tea made people happier than water.", k=2)
ALL = ["Methods", "Results", "Discussion", "Final choice"]


def watched(model: str, home: Path, strategy: Strategy = Strategy.SECTIONS) -> tuple[ModelEngine, list[list[Row]]]:
    """An engine, and the reports that its run will make."""
    reports: list[list[Row]] = []

    def note(rows: Sequence[Row]) -> None:
        reports.append(list(rows))

    name = ModelName(Provider.OPENAI, model, strategy.value)
    runner = open_runner(name, settings=Settings(home=home, data=None))
    return ModelEngine(name, WatchedRunner(runner, note, to_come=to_come(strategy))), reports


def test_every_question_is_shown_from_the_start_until_it_is_answered(demo: DemoServer, tmp_path: Path) -> None:
    engine, reports = watched("demo", tmp_path)
    engine.find(PAPER, QUERY)
    assert all([row.label for row in report] == ALL for report in reports)
    assert {row.standing for row in reports[0]} == {Standing.WAITING}
    assert {row.standing for row in reports[-1]} == {Standing.ANSWERED}
    assert [sum(row.standing is Standing.ANSWERED for row in report) for report in reports] == [0, 1, 2, 3, 3, 4]

    again, reports = watched("demo", tmp_path)
    again.find(PAPER, QUERY)
    assert all(row.from_cache for row in reports[-1])


def test_an_answer_with_faults_is_shown_to_be_asked_again(demo: DemoServer, tmp_path: Path) -> None:
    engine, reports = watched("demo-wrongx1", tmp_path, Strategy.WHOLE)
    engine.find(PAPER, QUERY)
    seen = [row.standing for report in reports for row in report]
    assert seen == [Standing.WAITING, Standing.ANSWERED, Standing.AGAIN, Standing.ANSWERED]


def test_a_failure_is_shown(demo: DemoServer, tmp_path: Path) -> None:
    engine, reports = watched("demo-refusal", tmp_path)
    with pytest.raises(NoAnswer):
        engine.find(PAPER, QUERY)
    assert [row.standing for row in reports[-1]] == [Standing.FAILED] * 3 + [Standing.WAITING]


def test_a_search_for_other_words_begins_anew_and_shows_its_failures(demo: DemoServer, tmp_path: Path) -> None:
    engine, reports = watched("demo", tmp_path)
    engine.find(PAPER, QUERY)
    demo.desk._order = Order(Fault.REFUSAL)  # from here on
    with pytest.raises(NoAnswer):
        engine.find(PAPER, EvidenceQuery("Water made people happier than tea.", k=2))
    assert {row.standing for row in reports[6]} == {Standing.WAITING}
    assert [row.standing for row in reports[-1]] == [Standing.FAILED] * 3 + [Standing.WAITING]


@pytest.mark.parametrize(("strategy", "calls"), [(Strategy.SECTIONS, 4), (Strategy.WHOLE, 1), (Strategy.EXAMPLES, 1)])
def test_an_estimate_counts_the_questions_and_sends_none(strategy: Strategy, calls: int, demo: DemoServer) -> None:
    estimate = estimate_run(ModelName(Provider.OPENAI, "gpt-5.4"), strategy, PAPER, QUERY)
    assert estimate.calls == calls
    assert estimate.input_tokens > 100 * calls
    assert estimate.least_usd is not None
    assert estimate.most_usd is not None
    assert 0 < estimate.least_usd < estimate.most_usd
    assert demo.desk.statistics()["calls"] == 0


def test_the_expected_requests_are_those_of_the_run(demo: DemoServer, tmp_path: Path) -> None:
    expected = expected_requests(Strategy.SECTIONS, PAPER, QUERY)
    assert [request.label for request in expected] == ALL
    runner = open_runner(ModelName(Provider.OPENAI, "demo"), settings=Settings(home=tmp_path, data=None))
    runner.ask_all(expected[:-1])
    engine, _ = watched("demo", tmp_path)
    run = engine.find(PAPER, QUERY).run
    assert run is not None
    assert [step.from_cache for step in run.steps] == [True, True, True, False]


def test_an_unknown_price_is_no_estimate_of_nothing() -> None:
    estimate = estimate_run(ModelName(Provider.COMPATIBLE, "demo"), Strategy.WHOLE, PAPER, QUERY)
    assert (estimate.least_usd, estimate.most_usd) == (None, None)
