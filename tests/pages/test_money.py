"""Money in words: what is unknown is never shown as nothing."""

from __future__ import annotations

import pytest

from core.evidence import ModelRun
from core.evidence.model import Step
from core.llm import Estimate, Spending, Usage
from pages._ui.model_choice import Tally
from pages._ui.money import dollars, estimate_in_words, run_cost, step_cost, tally_in_words

USAGE = Usage(1000, 234)


def step(cost: float | None, *, usage: Usage | None = USAGE, from_cache: bool = False) -> Step:
    return Step("Results", "", (), usage=usage, cost_usd=cost, from_cache=from_cache)


def run(*steps: Step) -> ModelRun:
    return ModelRun("openai:demo", "sections", (), steps)


@pytest.mark.parametrize(
    ("usd", "words"), [(0, "$0"), (0.00001, "less than $0.0001"), (0.0123, "$0.0123"), (1234.5, "$1,234.50")]
)
def test_small_amounts_are_exact(usd: float, words: str) -> None:
    assert dollars(usd) == words


def test_a_run_costs_what_its_steps_cost() -> None:
    assert run_cost(run(step(0.01), step(0.02))) == "cost $0.0300 (2,468 tokens)"
    assert run_cost(run(step(0.01), step(0.0, from_cache=True))) == "cost $0.0100 (1,234 tokens)"


def test_one_unknown_step_makes_the_cost_unknown() -> None:
    assert run_cost(run(step(0.01), step(None))) == "cost unknown (2,468 tokens)"
    assert run_cost(run(step(None, usage=Usage(None, None)))) == "cost unknown (tokens unknown)"


def test_a_step_says_what_it_cost() -> None:
    assert step_cost(step(0.0, from_cache=True)) == "kept from before"
    assert step_cost(step(0.0, usage=Usage(None, None))) == "cost nothing"  # no server answered
    assert step_cost(step(None)) == "1,234 tokens"
    assert step_cost(step(None, usage=None)) == "tokens unknown"
    assert step_cost(step(0.5)) == "1,234 tokens, $0.5000"


def test_an_estimate_names_calls_tokens_money_and_the_day_of_the_prices() -> None:
    words = estimate_in_words(Estimate(5, 9000, 750, 40_000, 0.02, 0.5))
    assert words.startswith(
        "About 5 calls with 9,000 tokens of input, output not counted · $0.0200 to $0.5000 at the prices of 20"
    )
    unknown = estimate_in_words(Estimate(1, 9000, 750, 40_000, None, None))
    assert unknown.startswith("About 1 call with 9,000 tokens of input, output not counted · cost unknown")
    assert "$" not in unknown


def test_the_tally_keeps_what_is_known_and_says_what_is_not() -> None:
    known = Tally().plus(Spending(calls=2, input_tokens=10, output_tokens=5, usd=0.25))
    assert tally_in_words(Tally()) == ""
    assert tally_in_words(known) == "This session so far: $0.2500 (2 calls, 15 tokens)"
    both = known.plus(Spending(calls=1, input_tokens=1, usd=None))
    assert tally_in_words(both) == "This session so far: $0.2500 and an unknown part (3 calls, 16 tokens)"
    nothing_counted = tally_in_words(Tally().plus(Spending(calls=1, usd=None)))
    assert nothing_counted == "This session so far: cost unknown (1 call, tokens unknown)"
