"""The fields for a review's questions: criteria, reasons, hypotheses and engines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.bias import StudyContext
from core.errors import EngineError
from core.review.status import QueueStatus
from core.screening.model import Criterion, CriterionKind
from core.settings import load_settings
from core.store import REASONS, Plan, Project, QueueMode, QueueState, Store, open_store
from pages._ui.review.form import criteria_in, criteria_of_study, engine_in, lines_in, queue_in_words, saved_in_words
from tests.pages.test_review_page import click, create, only_project, ran

ROOT = Path(__file__).resolve().parents[2]
ADULTS, TRIAL = Criterion(CriterionKind.POPULATION, "Adults"), Criterion(CriterionKind.DESIGN, "Trial")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The page's store, empty."""
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))
    return open_store(load_settings())


@pytest.fixture
def app(store: Store) -> AppTest:
    at = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    return ran(at.switch_page("pages/review.py"))


def test_a_line_is_a_criterion_once_and_pico_comes_first() -> None:
    written = {CriterionKind.DESIGN: "Trial", CriterionKind.POPULATION: "- Adults\n\n  Adults \n• With  insomnia"}
    found = criteria_in(written)
    assert found == (ADULTS, Criterion(CriterionKind.POPULATION, "With insomnia"), TRIAL)


def test_lines_are_said_once_without_the_signs_of_lists() -> None:
    assert lines_in("– Wrong design\n\n* Wrong design\nAnimals -- mice") == ("Wrong design", "Animals -- mice")


def test_pico_gives_criteria_where_it_says_something() -> None:
    study = StudyContext("Does tea help?", population=" Adults ", outcome="Pain")
    assert criteria_of_study(study) == {CriterionKind.POPULATION: "Adults", CriterionKind.OUTCOME: "Pain"}


def test_an_engine_is_nobody_one_of_this_machine_or_a_model() -> None:
    assert engine_in("nobody", "criteria") is None
    assert engine_in(None, "bias") is None
    assert engine_in(" Offline ", "criteria") == "offline"
    assert engine_in("bm25", "bias") == "bm25"
    assert engine_in("openai:some-model@whole", "evidence") == "openai:some-model@whole"
    with pytest.raises(EngineError, match="no engine called “bm25” for “Criteria of screening”"):
        engine_in("bm25", "criteria")
    with pytest.raises(EngineError):
        engine_in("openai:", "criteria")


def test_a_new_project_takes_its_criteria_from_pico_unless_they_are_given(app: AppTest, store: Store) -> None:
    app.text_input(key="new-population").set_value("Adults")
    create(app)
    assert only_project(store).criteria == (ADULTS,)
    assert only_project(store).reasons == REASONS


def test_a_new_project_with_criteria_of_its_own(app: AppTest, store: Store) -> None:
    app.text_input(key="new-population").set_value("Children")
    app.text_area(key="new-criterion-population").set_value("Adults")
    app.text_area(key="new-criterion-design").set_value("Trial")
    app.text_area(key="new-reasons").set_value("Animals\nWrong design")
    app.text_area(key="new-hypotheses").set_value("Tea helps\nTea harms")
    create(app)
    project = only_project(store)
    assert project.criteria == (ADULTS, TRIAL)
    assert (project.reasons, project.hypotheses) == (("Animals", "Wrong design"), ("Tea helps", "Tea harms"))


def settings_of_the_only_project() -> None:
    """The dialog alone on a page."""
    from pages._ui.review import form  # appTest runs this function as a script
    from pages._ui.state import current_session
    from pages._ui.stored import the_store

    with the_store().reading() as now:
        (saved,) = now.projects()
    form.change_project(current_session(), saved)


def test_settings_change_what_is_asked_and_by_whom(store: Store) -> None:
    with store.writing("Ann") as change:
        change.save(Project("p", "Tea", ("Ann",), study=StudyContext(population="Adults")))
    at = ran(AppTest.from_function(settings_of_the_only_project, default_timeout=60))
    assert at.text_area(key="change-criterion-population").value == "Adults", "from PICO, as there is none yet"
    at.text_area(key="change-criterion-population").set_value("")
    at.text_area(key="change-criterion-design").set_value("Trial")
    at.text_area(key="change-hypotheses").set_value("Tea helps")
    at.selectbox(key="change-plan-bias").set_value("nobody")
    click(at, "save-project")
    project = only_project(store)
    assert (project.criteria, project.hypotheses) == ((TRIAL,), ("Tea helps",))
    assert project.plan == Plan(bias=None)
    assert at.session_state["vouch"].review.notice == "Saved: criteria, hypotheses, engines."
    click(at, "save-project")
    assert at.session_state["vouch"].review.notice == "Nothing was changed."
    with store.reading() as now:
        assert now.project("p").version == 2


def test_what_could_not_be_saved_stays_in_the_dialog(store: Store) -> None:
    with store.writing("Ann") as change:
        change.save(Project("p", "Tea", ("Ann",)))
    at = ran(AppTest.from_function(settings_of_the_only_project, default_timeout=60))
    at.text_input[0].set_value("")
    at.text_area(key="change-hypotheses").set_value("Tea helps")
    click(at, "save-project")
    assert "name" in at.error[0].value
    assert at.text_area(key="change-hypotheses").value == "Tea helps"
    at.text_input[0].set_value("Teas")
    click(at, "save-project")
    assert not at.error
    assert (only_project(store).name, only_project(store).hypotheses) == ("Teas", ("Tea helps",))


def test_what_was_saved_is_told_with_what_the_queue_makes_of_it(app: AppTest) -> None:
    create(app)
    app.session_state["vouch"].review.notice = "Saved: criteria."
    assert [one.value for one in ran(app).toast] == ["Saved\\: criteria\\."]
    assert not ran(app).toast, "once"


def test_the_words_say_what_was_saved_and_what_is_open() -> None:
    before = Project("p", "Tea", ("Ann",))
    after = replace(before, name="Teas", blind=not before.blind, criteria=(ADULTS,))
    assert saved_in_words(before, after) == "Saved: name, blinding off, criteria."
    assert saved_in_words(after, replace(after, blind=True)) == "Saved: blinding on."
    status = QueueStatus(QueueState(), 2, 0, 0, 0, (), 2, 2, 0, (), (), None)
    assert queue_in_words(status, after) == "2 questions are open: the queue works on them."
    paused = replace(status, state=QueueState(QueueMode.PAUSED), open_questions=1)
    assert queue_in_words(paused, after) == "1 question is open: the queue is paused until you resume it."
    model = replace(after, plan=Plan(evidence="openai:some-model"))
    assert queue_in_words(status, model) == "2 questions are open: press Start to have the language model asked."
    assert queue_in_words(replace(status, open_questions=0), after) == ""
