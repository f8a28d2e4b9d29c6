"""A reviewer's own definition, without a browser: typed, cut, shared and judged with; and variants of tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.bias import tool_named
from core.bias.assessment import OwnJudgement, Suggestion
from core.bias.model import Answer, Judgement, Level
from core.bias.own import OwnDomain, OwnTool, as_tool, own_tool_json
from core.llm.demo import DemoServer
from pages._ui.bias import settings
from pages._ui.bias.state import BiasChoices
from pages._ui.open_paper import OpenPaper
from tests.pages.waiting import session_of, settle

ROOT = Path(__file__).resolve().parents[2]
PAPER = b"# Tea for headache\n\n## Methods\n\nAdults drank tea. Cups were counted. The tea trade paid.\n"
METHODS = "Funding bias\nWhether the trade paid.\nLow risk: the public paid.\nHigh risk: the trade paid.\n"
FUNDING = OwnTool("own-funding", domains=(OwnDomain("D1", "Funding", "Whether the trade paid."),))


@pytest.fixture
def app() -> AppTest:
    return started()


def started() -> AppTest:
    """A new window with the paper on the desk."""
    at = AppTest.from_file(ROOT / "app.py", default_timeout=120).run()
    at.switch_page("pages/bias.py").run()
    if session_of(at).open is None:
        at.file_uploader[0].set_value(("tea.md", PAPER, "text/plain")).run()
    assert not at.exception
    return at


def opened(at: AppTest) -> OpenPaper:
    paper = session_of(at).open
    assert paper is not None
    return paper


def own(at: AppTest) -> OwnTool:
    (tool,) = session_of(at).bias.own_tools
    return tool


def definitions(at: AppTest) -> list[str]:
    """The options in the list of own definitions; empty if the list is not drawn."""
    return [title for field in at.selectbox if field.label == "Definition" for title in field.options]


def define(at: AppTest, **words: str) -> OwnTool:
    """Choose a definition of one's own, and type into fields given by the ends of their keys."""
    at.selectbox(key="tool").set_value("own").run()
    for field, text in words.items():
        key = f"own-{own(at).id}-D1-{field.replace('_', '-')}"
        fields = at.text_input if field == "name" else at.text_area
        fields(key=key).set_value(text).run()
    assert not at.exception
    return own(at)


def test_what_is_typed_is_kept_at_once_half_done_too(app: AppTest) -> None:
    first = app.selectbox(key="tool").options[0]
    assert first == "My own definition"
    typed = define(app, name="Adherence")
    assert "Say what “Adherence” is about" in " ".join(caption.value for caption in app.caption)
    other = started()
    assert session_of(other).bias.tool_id == typed.id
    key = f"own-{typed.id}-D1"
    assert other.text_input(key=f"{key}-name").value == "Adherence"
    other.text_area(key=f"{key}-definition").set_value("Whether the tea was drunk.").run()
    other.text_area(key=f"{key}-criterion-2").set_value("Fewer than half of the cups.").run()
    (domain,) = own(other).domains
    assert domain == OwnDomain(
        "D1", "Adherence", "Whether the tea was drunk.", ("", "", "Fewer than half of the cups.")
    )
    assert own(other).missing == ""
    app.run()  # the first window takes in what the second typed
    assert app.text_area(key=f"{key}-definition").value == "Whether the tea was drunk."


def test_the_only_definition_has_another_beside_it_as_soon_as_it_has_a_name(app: AppTest) -> None:
    first = define(app)
    assert definitions(app) == []
    app.text_input(key=f"own-{first.id}-D1-name").set_value("Adherence").run()
    assert definitions(app) == ["Adherence", "Another one …"]
    next(field for field in app.selectbox if field.label == "Definition").set_value("new").run()
    assert not app.exception
    assert definitions(app) == ["Adherence", "My own definition", "Another one …"]
    assert session_of(app).bias.tool_id == session_of(app).bias.own_tools[-1].id != first.id
    next(field for field in app.selectbox if field.label == "Definition").set_value(first.id).run()
    assert session_of(app).bias.tool_id == first.id


def test_another_wording_takes_the_suggestion_back_and_leaves_the_judgement(app: AppTest) -> None:
    typed = define(app, name="Adherence", definition="Whether the tea was drunk.")
    judged = opened(app).bias.with_tool(as_tool(typed))
    judged.assessment = judged.assessment.with_own(judged.tool.domains[0], OwnJudgement(level=Level("high")))
    judged.assessment = judged.assessment.with_suggestion(Suggestion("bm25", Judgement("D1", None, "Nothing.")))
    app.run()
    app.text_area(key=f"own-{typed.id}-D1-definition").set_value("Whether all tea was drunk.").run()
    assert judged.assessment.suggestions == {}
    assert judged.assessment.levels == {"D1": "high"}
    assert judged.tool == as_tool(own(app))
    again = opened(started()).bias.by_tool[typed.id].assessment
    assert (again.suggestions, again.levels) == ({}, {"D1": "high"})


def test_a_level_that_was_given_and_a_domain_that_was_judged_stay(app: AppTest) -> None:
    typed = define(app, name="Adherence", definition="Whether the tea was drunk.")
    judged = opened(app).bias.with_tool(as_tool(typed))
    judged.assessment = judged.assessment.with_own(judged.tool.domains[0], OwnJudgement(level=Level("high")))
    app.run()
    levels = app.text_input(key=f"own-{typed.id}-levels").set_value("Good, Bad").run()
    assert "“high” has been given" in app.error[0].value
    assert session_of(app).problem is None  # the error is below the field, and not at the top of the page as well
    assert len(app.error) == 1
    assert own(app).levels == ("Low", "Unclear", "High")
    assert app.text_input(key=levels.text_input(key=f"own-{typed.id}-levels").key).value == "Good, Bad"  # not lost
    app.text_input(key=f"own-{typed.id}-levels").set_value("Low, Some concerns, High").run()
    assert own(app).levels == ("Low", "Some concerns", "High")
    assert not app.error
    app.button(key="own-remove").click().run()
    assert "have been judged" in app.error[0].value
    assert own(app).id == typed.id


def test_a_methods_section_is_cut_into_the_fields(app: AppTest) -> None:
    define(app)
    app.text_area(key="own-pasted").set_value(METHODS).run()
    app.button(key="own-cut").click().run()
    assert not app.exception
    (domain,) = own(app).domains
    assert domain == OwnDomain(
        "D1", "Funding bias", "Whether the trade paid.", ("the public paid.", "", "the trade paid.")
    )
    assert app.text_area(key="own-pasted").value == ""
    app.text_area(key="own-pasted").set_value(" ").run()
    app.button(key="own-cut").click().run()
    assert "nothing to cut" in app.error[0].value


@pytest.mark.parametrize(("model", "left"), [("demo", ""), ("demo-invented", METHODS)])
def test_a_language_model_cuts_it_and_what_it_made_up_is_said(
    model: str, left: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with DemoServer() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        app = started()
        define(app)
        app.selectbox(key="bias-engine").set_value("openai").run()
        app.text_input(key="model-openai").set_value(model).run()
        app.text_area(key="own-pasted").set_value(METHODS).run()
        app.button(key="own-cut-model").click().run()
        settle(app)
    assert not app.exception
    (domain,) = own(app).domains
    assert (domain.name, domain.criteria) == ("Funding bias", ("the public paid.", "", "the trade paid."))
    assert domain.definition == ("" if left else "Whether the trade paid.")
    assert app.text_area(key="own-pasted").value == left
    assert ("does not stand in your passage" in session_of(app).bias.told) == bool(left)


def files(at: AppTest) -> list[str]:
    """The labels of the offered files."""
    return [button.proto.label for button in at.get("download_button")]  # type: ignore[attr-defined]


def test_a_file_for_robvis_is_offered_of_what_is_judged_in_every_domain(app: AppTest) -> None:
    app.selectbox(key="tool").set_value("robins-i").run()
    assert "CSV for robvis" not in files(app)
    assert "There is no file for robvis yet" in " ".join(caption.value for caption in app.caption)
    tool = session_of(app).bias.tool
    for outcome in ("pain", "sleep"):
        judged = opened(app).bias.with_tool(tool, outcome)
        for domain in tool.domains if outcome == "pain" else tool.domains[:1]:
            answers: dict[str, Answer] = {}
            while missing := domain.missing(answers):
                answers[missing[0].id] = Answer.YES
            own = OwnJudgement(answers, Level("moderate"), "So it is.")
            judged.assessment = judged.assessment.with_own(domain, own)
    app.run()  # with the unnamed outcome on the desk, for which nothing is judged
    assert "CSV for robvis" in files(app)
    said = next(caption.value for caption in app.caption if "for robvis" in caption.value)
    assert "leaves out 1 result" in said
    assert "sleep" in said
    rows = settings._robvis(session_of(app), opened(app), None).decode().splitlines()
    assert [row.split(",")[-1] for row in rows] == ["Overall", "Moderate"]


def test_several_domains_are_one_tool_with_a_rule_for_the_whole(app: AppTest) -> None:
    typed = define(app, name="Adherence", definition="Whether the tea was drunk.")
    app.button(key="own-add").click().run()
    app.text_input(key=f"own-{typed.id}-D2-name").set_value("Funding").run()
    app.text_area(key=f"own-{typed.id}-D2-definition").set_value("Whether the trade paid.").run()
    app.text_input(key=f"own-{typed.id}-name").set_value("Tea review").run()
    app.toggle(key=f"own-{typed.id}-overall").set_value(True).run()
    tool = session_of(app).bias.tool
    assert (tool.name, [domain.name for domain in tool.domains], tool.overall) == (
        "Tea review",
        ["Adherence", "Funding"],
        True,
    )
    app.button(key="own-remove-domain").click().run()
    assert [domain.id for domain in own(app).domains] == ["D1"]


def test_one_comes_from_a_file_beside_those_that_are_there(app: AppTest) -> None:
    define(app, name="Adherence", definition="Whether the tea was drunk.")
    place = [field.label for field in app.file_uploader].index("Bring one from a file")
    app.file_uploader[place].set_value(("funding.json", own_tool_json(FUNDING).encode(), "application/json")).run()
    assert session_of(app).bias.own_tools[-1] == FUNDING
    assert session_of(app).bias.tool == as_tool(FUNDING)
    assert definitions(app) == ["Adherence", "Funding", "Another one …"]
    place = [field.label for field in app.file_uploader].index("Bring one from a file")
    app.file_uploader[place].set_value(("wrong.json", b"[]", "application/json")).run()
    assert "is no bias definition" in app.error[0].value


def test_rob_2_is_chosen_by_design_and_effect(app: AppTest) -> None:
    app.selectbox(key="tool").set_value("rob2").run()
    assert "Cluster-randomised trial" in app.selectbox(key="tool-design").options
    app.selectbox(key="tool-design").set_value(tool_named("rob2-cluster").design).run()
    assert session_of(app).bias.tool_id == "rob2-cluster"
    app.selectbox(key="tool-effect").set_value(tool_named("rob2-cluster-adhering").effect).run()
    assert session_of(app).bias.tool_id == "rob2-cluster-adhering"
    app.selectbox(key="tool").set_value("rob1").run()
    assert session_of(app).bias.tool_id == "rob1"
    assert not [field for field in app.selectbox if field.key == "tool-design"]


def test_a_tool_that_is_gone_is_not_missed() -> None:
    assert BiasChoices(tool_id="own-gone").tool == tool_named("rob1")
