"""The page on risk of bias without a browser: what a click makes of the session."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.bias import Answer, Level, StudyContext, tool_named
from core.bias.assessment import Assessment, OwnJudgement
from core.evidence.model import Decision
from core.export.assessment import assessment_json
from core.paper import read_paper
from pages._ui.open_paper import OpenPaper
from pages._ui.state import Session

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


def session(at: AppTest) -> Session:
    now: Session = at.session_state["vouch"]
    return now


def opened(at: AppTest) -> OpenPaper:
    paper = session(at).open
    assert paper is not None
    return paper


def upload(at: AppTest, data: bytes, *, at_field: int = 0, name: str = "tea.md") -> None:
    at.file_uploader[at_field].set_value((name, data, "text/plain")).run()
    assert not at.exception


def suggest(at: AppTest) -> None:
    """Ask for suggestions, and wait for all of them."""
    at.button(key="suggest").click().run()
    while (underway := session(at).bias.underway) is not None:
        assert underway.running.wait(60)
        at.run()
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
    assert session(app).bias.wanted is None
    assert not opened(app).bias.begun  # nothing of it is the reviewer's


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
    assert session(app).bias.study == StudyContext("Does tea help?", outcome="pain")


def test_a_file_brings_back_judgements_tool_and_question(app: AppTest) -> None:
    upload(app, PAPER)
    tool = tool_named("rob2")
    own = OwnJudgement({"1.1": Answer.YES}, Level.HIGH, "Why.", {3: Decision.ADDED})
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


def test_a_paper_with_judgements_is_not_closed_without_asking(app: AppTest) -> None:
    upload(app, PAPER)
    paper = opened(app)
    judged = paper.bias.with_tool(tool_named("rob1"))
    judged.assessment = judged.assessment.with_own(judged.assessment.tool.domains[0], OwnJudgement(level=Level.LOW))
    assert paper.has_work
    app.button(key=f"close-{paper.paper.id}").click().run()
    assert not app.exception
    assert any("judged risk of bias" in text.value for text in app.markdown)
    assert session(app).open is paper
