"""Language models on the page of risk of bias, without a browser: the row, suggestions as they come, and failures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.bias import tool_named
from core.bias.assessment import Suggestion
from core.evidence.model import Match
from core.llm.demo import DemoServer
from pages._ui.paper_view.judging import judging_payload
from tests.pages.test_bias_page import PAPER, app, opened, session, suggest, upload

__all__ = ["app"]


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[DemoServer]:
    """A demo server with keys set, and a home without replies."""
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))
    with DemoServer() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        yield server


def choose(at: AppTest, model: str, provider: str = "openai") -> None:
    upload(at, PAPER)
    at.selectbox(key="bias-engine").set_value(provider).run()
    at.text_input(key=f"model-{provider}").set_value(model).run()
    assert not at.exception


def made(at: AppTest, tool: str = "rob1") -> dict[str, Suggestion]:
    return dict(opened(at).bias.by_tool[tool].assessment.suggestions)


def test_the_row_names_the_strategies_and_what_a_run_will_cost(app: AppTest, demo: DemoServer) -> None:
    choose(app, "gpt-5.4")
    assert app.selectbox(key="bias-strategy").options[0].startswith("Whole")
    assert any("About 7 calls" in caption.value for caption in app.caption)
    app.selectbox(key="bias-strategy").set_value("highlights").run()
    assert any("About 14 calls" in caption.value for caption in app.caption)
    assert demo.desk.statistics()["calls"] == 0


def test_every_domain_is_suggested_by_the_model_with_its_run(app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo")
    app.selectbox(key="tool").set_value("rob2").run()
    app.selectbox(key="bias-strategy").set_value("retrieved").run()
    suggest(app)
    suggestions = made(app, "rob2")
    assert set(suggestions) == {domain.id for domain in tool_named("rob2").domains}
    for suggestion in suggestions.values():
        assert suggestion.engine == "openai:demo@retrieved"
        assert suggestion.judgement.level is not None
        assert suggestion.run is not None
        assert {support.match for support in suggestion.judgement.support} <= {Match.EXACT}
    assert session(app).tally.calls == 10
    assert session(app).problem is None


def test_the_panel_says_what_is_not_in_the_paper_and_what_it_cost(app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo-wrong")
    suggest(app)
    payload = judging_payload(opened(app).bias.by_tool["rob1"].assessment, hidden=frozenset())
    (first, *_) = payload["domains"]  # type: ignore[misc]
    suggestion = first["suggestion"]  # type: ignore[index]
    (step,) = suggestion["run"]["steps"]
    assert step["notInPaper"][0][0].startswith("[10")
    assert suggestion["notInPaper"] == []  # the run tells it
    assert suggestion["cost"].startswith("cost unknown (")
    assert {one["match"] for one in first["ranked"]} <= {"exact", "repaired"}  # type: ignore[index]


def test_a_domain_that_failed_is_named_and_the_others_are_kept(app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo-prosex1")
    suggest(app)
    assert len(made(app)) == 6
    problem = session(app).problem
    assert problem is not None
    assert problem.startswith("No suggestion for “Random sequence generation”: The model's reply")
    judged = opened(app).bias.by_tool["rob1"]
    (first, *others) = judging_payload(judged.assessment, failures=judged.failures)["domains"]  # type: ignore[misc]
    assert first["failure"]["run"]["steps"][0]["text"].startswith("Here is what I found.")  # type: ignore[index]
    assert all(other["failure"] is None for other in others)  # type: ignore[index]
    suggest(app)
    assert judged.failures == {}
    assert len(made(app)) == 7


def test_a_refused_key_is_one_sentence_and_one_call(app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo-401")
    suggest(app)
    assert made(app) == {}
    assert "was refused" in str(session(app).problem)
    assert demo.desk.statistics()["calls"] == 1


@pytest.mark.parametrize(("model", "usd", "message"), [("", None, "No model is named"), ("demo", -1.0, "above 0")])
def test_what_cannot_be_run_is_said_before_it_is(
    model: str, usd: float | None, message: str, app: AppTest, demo: DemoServer
) -> None:
    choose(app, model)
    app.number_input(key="usd").set_value(usd).run()
    app.button(key="suggest").click().run()
    assert message in str(session(app).problem)
    assert session(app).bias.underway is None
    assert demo.desk.statistics()["calls"] == 0


def test_the_model_and_the_budget_are_those_of_the_other_pages_and_the_strategy_is_not(
    app: AppTest, demo: DemoServer
) -> None:
    choose(app, "demo")
    app.selectbox(key="bias-strategy").set_value("highlights").run()
    app.switch_page("pages/evidence.py").run()
    app.selectbox(key="engine").set_value("openai").run()
    assert app.text_input(key="model-openai").value == "demo"
    assert app.selectbox(key="strategy").value == "sections"
    app.switch_page("pages/bias.py").run()
    assert app.selectbox(key="bias-strategy").value == "highlights"
