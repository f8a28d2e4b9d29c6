"""The Risk of bias page without a browser: judging, language models, and outputs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.benchmarks.bias_gold import for_tool
from core.bias import Answer, StudyContext, tool_named
from core.bias.assessment import Assessment, OwnJudgement, Suggestion
from core.bias.model import HIGH, LOW
from core.evidence.model import Decision
from core.export.assessment import assessment_json
from core.grounding.model import Match
from core.llm.demo import DemoServer
from core.paper import read_paper
from pages._ui.open_paper import OpenPaper
from pages._ui.paper_view.bias import judging_payload
from tests.pages.waiting import session_of, settle

# ---- the Risk of bias page without a browser ----

ROOT = Path(__file__).resolve().parents[2]
PAPER = b"""# Tea for headache

## Methods

Adults were assigned at random by a computer. Sealed envelopes were used.

## Results

Tea reduced pain. Two of 60 people were lost.
"""


@pytest.fixture
def app() -> AppTest:
    at = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    at.switch_page("pages/bias.py").run()
    assert not at.exception
    return at


def opened(at: AppTest) -> OpenPaper:
    paper = session_of(at).open
    assert paper is not None
    return paper


def upload(at: AppTest, data: bytes, *, at_field: int = 0, name: str = "tea.md") -> None:
    at.file_uploader[at_field].set_value((name, data, "text/plain")).run()
    assert not at.exception


def suggest(at: AppTest) -> None:
    """Ask for suggestions, and wait for all of them."""
    at.button(key="suggest").click().run()
    settle(at)
    assert not at.exception


def test_the_first_screen_offers_an_upload_and_samples(app: AppTest) -> None:
    assert "risk of bias" in app.title[0].value
    app.button(key="try-sample").click().run()
    assert not app.exception
    assert opened(app).paper.title


def test_a_paper_that_is_open_on_one_page_is_open_on_the_other(app: AppTest) -> None:
    upload(app, PAPER)
    app.switch_page("pages/evidence.py").run()
    assert app.text_area[0].label == "Hypothesis"
    assert opened(app).paper.title == "Tea for headache"


def test_suggestions_come_for_every_domain_of_the_tool(app: AppTest) -> None:
    upload(app, PAPER)
    app.selectbox(key="bias-engine").set_value("bm25")
    suggest(app)
    suggestions = opened(app).bias.by_tool["rob1"].assessment.suggestions
    assert list(suggestions) == [domain.id for domain in tool_named("rob1").domains]
    assert {suggestion.engine for suggestion in suggestions.values()} == {"bm25"}
    assert session_of(app).suggestions.request is None
    assert not opened(app).bias.begun  # nothing in it is the reviewer's own


def test_choices_are_there_after_a_visit_to_another_page(app: AppTest) -> None:
    upload(app, PAPER)
    app.selectbox(key="tool").set_value("rob2").run()
    app.toggle(key="blind").set_value(True).run()
    app.text_area(key="study-objective").set_value("Does tea help?").run()
    app.text_input(key="study-outcome").set_value("pain").run()
    app.switch_page("pages/engines.py").run()
    app.switch_page("pages/bias.py").run()
    assert not app.exception
    assert app.selectbox(key="tool").value == "rob2"
    assert app.toggle(key="blind").value is True
    assert app.text_area(key="study-objective").value == "Does tea help?"
    assert session_of(app).bias.study == StudyContext("Does tea help?", outcome="pain")


def test_a_file_brings_back_judgements_tool_and_question(app: AppTest) -> None:
    upload(app, PAPER)
    tool = tool_named("rob2")
    own = OwnJudgement({"1.1": Answer.YES}, HIGH, "Why.", {3: Decision.ADDED})
    assessment, study = Assessment(tool, {"D1": own}), StudyContext("Does tea help?", "adults")
    paper = read_paper(PAPER, name="tea.md")
    written = assessment_json(paper, assessment, study, date=datetime.now(UTC))
    restore = [field.label for field in app.file_uploader].index("Open a JSON file from here again")
    upload(app, written.encode(), at_field=restore, name="tea.json")
    assert not app.error
    assert opened(app).bias.by_tool["rob2"].assessment == assessment
    assert opened(app).bias.by_tool["rob2"].number == 1
    assert app.selectbox(key="tool").value == "rob2"
    assert app.text_area(key="study-objective").value == "Does tea help?"

    restore = [field.label for field in app.file_uploader].index("Open a JSON file from here again")
    upload(app, b"{}", at_field=restore, name="other.json")
    assert "no assessment" in app.error[0].value
    assert opened(app).bias.by_tool["rob2"].assessment == assessment


def test_a_file_brings_its_outcome_into_the_field(app: AppTest) -> None:
    upload(app, PAPER)
    app.selectbox(key="tool").set_value("rob2").run()
    assert app.selectbox(key="outcome").value == ""
    own = OwnJudgement({"1.1": Answer.YES}, HIGH)
    assessment = Assessment(tool_named("rob2"), {"D1": own}, outcome="Pain")
    written = assessment_json(read_paper(PAPER, name="tea.md"), assessment, StudyContext(), date=datetime.now(UTC))
    restore = [field.label for field in app.file_uploader].index("Open a JSON file from here again")
    upload(app, written.encode(), at_field=restore, name="tea.json")
    assert app.selectbox(key="outcome").value == session_of(app).bias.outcome == "Pain"


def test_a_paper_with_judgements_is_not_closed_without_asking(app: AppTest) -> None:
    upload(app, PAPER)
    paper = opened(app)
    judged = paper.bias.with_tool(tool_named("rob1"))
    judged.assessment = judged.assessment.with_own(judged.assessment.tool.domains[0], OwnJudgement(level=LOW))
    assert paper.has_work
    app.button(key=f"close-{paper.paper.id}").click().run()
    assert not app.exception
    assert any("judged risk of bias" in text.value for text in app.markdown)
    assert session_of(app).open is paper


# ---- language models on the Risk of bias page, without a browser ----


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[DemoServer]:
    """A demo server with its keys set, and a home without cached replies."""
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
    assert session_of(app).tally.calls == 10
    assert session_of(app).problem is None


def test_the_panel_says_what_is_not_in_the_paper_and_what_it_cost(app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo-wrong")
    suggest(app)
    payload = judging_payload(opened(app).bias.by_tool["rob1"].assessment, hidden=frozenset())
    (first, *_) = payload["domains"]  # type: ignore[misc]
    suggestion = first["suggestion"]  # type: ignore[index]
    (step,) = suggestion["run"]["steps"]
    assert step["notInPaper"][0][0].startswith("[10")
    assert suggestion["notInPaper"] == []  # the run shows it instead
    assert suggestion["cost"].startswith("cost unknown (")
    assert {one["match"] for one in first["ranked"]} <= {"exact", "repaired"}  # type: ignore[index]


def test_a_domain_that_failed_is_named_and_the_others_are_kept(app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo-prosex1")
    suggest(app)
    assert len(made(app)) == 6
    problem = session_of(app).problem
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
    assert "was refused" in str(session_of(app).problem)
    assert demo.desk.statistics()["calls"] == 1


@pytest.mark.parametrize(("model", "usd", "message"), [("", None, "No model is named"), ("demo", -1.0, "above 0")])
def test_what_cannot_be_run_is_said_before_it_is(
    model: str, usd: float | None, message: str, app: AppTest, demo: DemoServer
) -> None:
    choose(app, model)
    app.number_input(key="usd").set_value(usd).run()
    app.button(key="suggest").click().run()
    assert message in str(session_of(app).problem)
    assert session_of(app).suggestions.running is None
    assert demo.desk.statistics()["calls"] == 0


def test_the_model_and_the_budget_are_those_of_the_other_pages_and_the_strategy_is_not(
    app: AppTest, demo: DemoServer
) -> None:
    choose(app, "demo")
    app.selectbox(key="bias-strategy").set_value("highlights").run()
    app.switch_page("pages/evidence.py").run()
    app.selectbox(key="engine").set_value("openai").run()
    assert app.text_input(key="model-openai").value == "demo"
    assert app.selectbox(key="strategy").value == "digest"
    app.switch_page("pages/bias.py").run()
    assert app.selectbox(key="bias-strategy").value == "highlights"


def test_confounders_are_asked_for_by_the_tools_that_need_them(app: AppTest) -> None:
    upload(app, PAPER)
    assert "study-confounders" not in {field.key for field in app.text_input}
    app.selectbox(key="tool").set_value("robins-i").run()
    app.text_input(key="study-confounders").set_value("age, smoking").run()
    assert session_of(app).bias.study.confounders == "age, smoking"
    app.selectbox(key="tool").set_value("rob1").run()
    assert session_of(app).bias.study.confounders == "age, smoking", "kept for when the tool asks again"


# ---- gold ----

ELEMENTS = ["Adults were assigned at random by a computer.", "Sealed envelopes were used.", "Tea reduced pain."]
ELEMENTS += ["Two of 60 people were lost."]


def robbr(bias: str, **more: object) -> bytes:
    return json.dumps({"paper_doi": "x", "bias": bias, "PICO": "", "objective": "Tea?"} | more).encode()


def judged(at: AppTest) -> list[dict[str, Any]]:
    session = session_of(at)
    golds = for_tool(opened(at).bias.labelled, session.bias.tool)
    found: list[dict[str, Any]] = judging_payload(opened(at).bias.with_tool(session.bias.tool).assessment, golds=golds)[
        "domains"
    ]
    return found


def test_gold_of_two_files_is_laid_beside_the_open_paper_and_measured(app: AppTest) -> None:
    upload(app, PAPER)
    paper = opened(app)
    suggest(app)
    assert "Show gold" not in {toggle.label for toggle in app.toggle}
    aspects = {"aspects": {"a": "Computer"}, "aspect2sentence_indices": {"a": [0]}}
    name = "Random sequence generation (selection bias)"
    upload(app, robbr(name, paper_as_candidate_pool=ELEMENTS, **aspects), name="sentences.json")
    upload(app, robbr(name, full_paper="\n".join(ELEMENTS), label="Low"), name="levels.json")
    assert session_of(app).problem is None
    assert opened(app) is paper
    gold = judged(app)[0]["gold"]
    assert (gold["levels"], gold["own"]) == ((LOW,), None)
    suggestion = paper.bias.by_tool["rob1"].assessment.suggestions["sequence"].judgement
    assert gold["suggested"] is (None if suggestion.level is None else suggestion.level == LOW)
    [computer] = [one.index for one in paper.paper.sentences if "computer" in one.text]
    assert gold["sentences"]["hits"] == (computer,)
    assert set(gold["sentences"]["extras"]) == {one.index for one in suggestion.support} - {computer}
    assert judged(app)[1]["gold"] is None
    [shown] = [toggle for toggle in app.toggle if toggle.label == "Show gold"]
    assert shown.value is True
    shown.set_value(False).run()
    assert paper.bias.show_gold is False


def test_a_file_with_gold_for_another_tool_chooses_that_tool(app: AppTest) -> None:
    upload(app, PAPER)
    name = "Bias due to missing outcome data"
    content = {
        "one": json.loads(robbr(name, full_paper="\n".join(ELEMENTS), label="high")),
        "two": json.loads(robbr(name, full_paper="Coffee.\nIt was hot.", label="low", paper_doi="y")),
    }
    app.selectbox(key="tool").set_value("quadas-2").run()
    upload(app, json.dumps(content).encode(), name="levels.json")
    assert session_of(app).bias.tool_id == "rob2"
    assert [one["gold"] and one["gold"]["levels"] for one in judged(app)[:5]] == [None, None, (HIGH,), None, None]
    assert any("also holds 1 judgement on other papers" in caption.value for caption in app.caption)


def test_a_file_with_gold_opens_its_paper_where_none_is_open(app: AppTest) -> None:
    upload(app, robbr("attrition bias", full_paper="\n".join(ELEMENTS), label="high"), name="levels.json")
    assert [one.text for one in opened(app).paper.sentences] == ELEMENTS
    assert opened(app).bias.show_gold
    upload(app, robbr("attrition bias", full_paper="", label="high"), name="broken.json")
    assert "no judgement on a bias that can be used" in app.error[0].value
