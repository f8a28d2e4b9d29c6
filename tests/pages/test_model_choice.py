"""The choice of a model, its cost in words, and a compatible server."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from core.evidence import ModelRun
from core.grounding.model import Step
from core.llm import CostEstimate, Provider, Server, Spending, Usage
from core.llm.demo import DemoServer
from pages._ui import engines_page
from pages._ui.model_choice import Tally, dollars, estimate_in_words, run_cost, step_cost, tally_in_words
from run import ROOT
from tests.pages.waiting import session_of

# ---- costs in words ----

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
    words = estimate_in_words(CostEstimate(5, 9000, 750, 40_000, 0.02, 0.5))
    assert words.startswith(
        "About 5 calls with 9,000 tokens of input, output not counted · $0.0200 to $0.5000 at the prices of 20"
    )
    unknown = estimate_in_words(CostEstimate(1, 9000, 750, 40_000, None, None))
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


# ---- a compatible server on the page “Engines & data” ----


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoServer]:
    monkeypatch.delenv("VOUCH_COMPATIBLE_URL", raising=False)
    with DemoServer() as running:
        found = Server("Ollama", f"{running.address}/v1", ("a", "b"))
        monkeypatch.setattr(engines_page, "servers_here", lambda: (found,))
        yield running


def opened() -> AppTest:
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    return settled(app.switch_page("pages/engines.py").run())


def settled(app: AppTest) -> AppTest:
    session = session_of(app)
    for _ in range(100):
        if (
            session.servers_here is not None
            and session.servers_here.ended
            and (session.server_models is None or session.server_models[1].ended)
        ):
            break
        time.sleep(0.05)
    app.run()
    assert not app.exception
    return app


def test_a_typed_address_is_used_and_one_of_its_models_chosen(server: DemoServer) -> None:
    app = opened()
    app.text_input(key="server-address").set_value("localhost")
    app.button(key="FormSubmitter:server-Use this address").click().run()
    assert "The field holds no web address" in app.error[0].value
    app.text_input(key="server-address").set_value(f"{server.address}/v1")
    settled(app.button(key="FormSubmitter:server-Use this address").click().run())
    session = session_of(app)
    assert session.keys.of(Provider.COMPATIBLE) is not None
    model = session.choice.known[0]
    app.selectbox(key=f"server-model-{server.address}/v1").set_value(model).run()
    assert session.choice.models[Provider.COMPATIBLE] == model
    app.button(key="forget-address").click().run()
    assert (session.keys.address, session.keys.of(Provider.COMPATIBLE), session.choice.known) == (None, None, ())


def test_a_server_on_this_machine_is_offered(server: DemoServer) -> None:
    app = opened()
    (offered,) = [one for one in app.button if one.key == "server-0"]
    assert "Ollama" in offered.label
    assert "2 models" in offered.label
    settled(offered.click().run())
    assert session_of(app).keys.address == f"{server.address}/v1"
    assert not [one for one in app.button if one.key == "server-0"]


def test_one_that_does_not_answer_is_told_and_blocks_nothing(server: DemoServer) -> None:
    app = opened()
    app.text_input(key="server-address").set_value("http://127.0.0.1:9/v1")
    settled(app.button(key="FormSubmitter:server-Use this address").click().run())
    assert any("No server answers" in caption.value for caption in app.caption)
