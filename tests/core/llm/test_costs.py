"""What calls cost."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import get_args

import pytest

from core.llm import Provider, Usage, cost, estimate, prices_date, suggested_models
from core.llm.costs import _prices, estimated_tokens, is_priced
from core.llm.demo import DemoServer
from tests.core.llm.questions import question, runner

MILLION = 1_000_000


def test_a_cost_worked_out_by_hand() -> None:
    # gpt-5.4: 2.50 for input, 0.25 for cached input, 15.00 for output; 0.6 + 0.1 + 3.0
    assert cost("openai:gpt-5.4", Usage(640_000 - 400_000, 200_000, 0)) == pytest.approx(3.6)
    assert cost("openai:gpt-5.4", Usage(240_000, 200_000, 40_000)) == pytest.approx(0.5 + 0.01 + 3.0)
    # claude-opus-5-5: 4 for input, 5 for writing to the cache, 0.20 for reading from it, 20 for output
    usage = Usage(MILLION, 100_000, 500_000, 300_000)
    assert cost("anthropic:claude-opus-5-5", usage) == pytest.approx(0.2 * 4 + 0.5 * 0.2 + 0.3 * 5 + 2.0)


def test_a_batch_is_half_price() -> None:
    assert cost("openai:gpt-5.4", Usage(100_000, 0), batch=True) == pytest.approx(0.125)


@pytest.mark.parametrize("model", ["openai:demo", "compatible:gpt-5.4", "anthropic:gpt-5.4", "openai:gpt-5.4-xyz", ""])
def test_an_unknown_price_is_none_and_never_zero(model: str) -> None:
    assert cost(model, Usage(0, 0)) is None
    assert not is_priced(model)
    assert estimate([question()], model).most_usd is None


def test_unknown_tokens_cost_an_unknown_sum() -> None:
    assert cost("openai:gpt-5.4", Usage(None, 5)) is None
    assert cost("openai:gpt-5.4", Usage(5, None)) is None


def test_a_request_longer_than_the_price_holds_for_costs_an_unknown_sum() -> None:
    assert cost("anthropic:claude-haiku-5-5", Usage(100_000, 10)) is not None
    assert cost("anthropic:claude-haiku-5-5", Usage(100_001, 10)) is None


@pytest.mark.parametrize("snapshot", ["openai:gpt-5.4-2026-03-05", "anthropic:claude-haiku-4-5-20251001"])
def test_a_dated_name_costs_what_the_name_costs(snapshot: str) -> None:
    plain = re.sub(r"-2\d[\d-]+$", "", snapshot)
    assert cost(snapshot, Usage(1000, 1000)) == cost(plain, Usage(1000, 1000)) is not None


def test_the_table_is_dated_and_makes_sense() -> None:
    table = _prices()
    assert date.fromisoformat(prices_date()) == date.fromisoformat(table.date)
    assert all(source.startswith("https://") for source in table.sources)
    for name, price in table.models.items():
        assert name.partition(":")[0] in set(Provider), name
        assert 0 < price.cached < price.input < price.output, name
        assert price.written is None or price.input < price.written <= 2 * price.input, name


def test_the_models_are_those_that_the_clients_know() -> None:
    from anthropic.types import Model
    from openai.types import ChatModel

    known = {f"openai:{name}" for name in get_args(ChatModel)}
    known |= {f"anthropic:{name}" for name in get_args(get_args(Model)[0])}
    assert set(_prices().models) <= known
    assert set(suggested_models()) <= set(_prices().models)
    assert {name.partition(":")[0] for name in suggested_models()} == {"openai", "anthropic"}
    assert all(name.startswith("anthropic:") for name in suggested_models(Provider.ANTHROPIC))


def test_an_estimate_holds_the_truth(demo: DemoServer) -> None:
    requests = [question(number, max_output_tokens=1000) for number in range(5)]
    before = estimate(requests, "openai:gpt-5.4")
    asking = runner(demo, "gpt-5.4")
    asking.ask_all(requests)
    assert before.calls == asking.spent.calls == 5
    assert before.input_tokens == pytest.approx(asking.spent.input_tokens, rel=0.2)
    assert before.least_output_tokens == 750
    assert before.most_output_tokens == 5000
    assert before.least_usd is not None
    assert before.most_usd is not None
    assert asking.spent.usd is not None
    assert asking.spent.usd < before.most_usd
    assert estimate(requests, "openai:gpt-5.4", batch=True).most_usd == pytest.approx(before.most_usd / 2)


@pytest.mark.parametrize("model", ["gpt-5.6-sol", "claude-sonnet-5-5"])
def test_an_estimate_knows_that_a_paper_is_read_from_the_provider_s_cache(model: str, demo: DemoServer) -> None:
    """The same paper five times, with another task each: dear at most, and much cheaper at least."""
    provider = Provider.ANTHROPIC if model.startswith("claude") else Provider.OPENAI
    name, context = f"{provider}:{model}", "[0] Bees sleep at night.\n" * 500
    requests = [question(context=context, task=f"Task {n}", cache_context=True) for n in range(5)]
    kept = estimate(requests, name)
    anew = estimate([replace(request, cache_context=False) for request in requests], name)
    asking = runner(demo, model, provider=provider)
    for request in requests:
        asking.ask(request)
    assert kept.input_tokens == anew.input_tokens
    assert None not in (kept.least_usd, kept.most_usd, anew.least_usd, anew.most_usd, asking.spent.usd)
    assert kept.least_usd < anew.least_usd / 2  # type: ignore[operator]
    assert kept.most_usd >= anew.most_usd  # type: ignore[operator]
    assert asking.spent.usd < kept.most_usd  # type: ignore[operator]
    assert asking.spent.cached_input_tokens > 0.7 * kept.input_tokens


def test_longer_requests_have_more_tokens() -> None:
    assert estimated_tokens(question(context="word " * 4000)) == pytest.approx(5000, rel=0.1)
    assert estimated_tokens(question(schema=None)) < estimated_tokens(question())
