"""The Ask page without a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Expander

from core.answering import Action, CitationStatus, ReportedChange, Statement
from core.answering.llm import AnswerStrategy, sharers
from core.articles import nothing_left
from core.errors import StoreUnreachable
from core.export.answer import answer_markdown
from core.export.answer_files import ANSWER_FILES
from core.findings.model import Finding
from core.grading import Grade, GradedStatement
from core.grounding.model import PaperVerdict
from core.library.indexing import encode_one
from core.llm.demo import DemoServer
from core.paper import read_paper
from core.review.indexing import FEW, project_library
from core.screening.model import ScreeningVerdict
from core.settings import load_settings
from core.sources.model import Notice, NoticeKind
from core.store import (
    Plan,
    Project,
    QueueMode,
    QueueState,
    ScreeningDecision,
    StoredFinding,
    StoredGrading,
    StoredNotices,
    open_store,
    record_of,
)
from core.text.similarity import Embedder
from core.work.pools import ThreadWorkers
from pages._ui.ask import article as article_part
from pages._ui.ask import earlier, leaving, written
from pages._ui.ask.files import content
from pages._ui.ask.state import AskChoices, EarlierAnswer, Screened
from pages._ui.model_choice import FOR_ANSWERS
from pages._ui.stored import the_store
from run import ROOT
from tests.core.review.papers import trial
from tests.pages.waiting import session_of, settle

pytestmark = pytest.mark.usefixtures("own_home")

LONG = 60.0
SLEEPING = "Walking for insomnia improves sleep"
WALKING = "Does walking improve sleep in adults with insomnia?"


def page(*, papers: int = 2) -> AppTest:
    """The page, with a project of some trials."""
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        change.save(Project("walks", "Walks", ("Ann",), blind=False))
        for number in range(papers):
            read = read_paper(trial(number), name=f"trial-{number}.md")
            change.keep_file(change.save(record_of(read, project="walks")), trial(number))
    store.close()
    return AppTest.from_file(ROOT / "app.py", default_timeout=LONG).run().switch_page("pages/ask.py").run()


def ask(app: AppTest, question: str) -> None:
    app.text_input(key="ask-question").set_value(question).run()
    app.button(key="ask-button").click().run()
    settle(app)
    assert not app.exception


@contextmanager
def indexed_elsewhere() -> Iterator[None]:
    """Simulate another window that is indexing the papers."""
    with the_store().reading() as now:
        of_project = project_library(now, "walks", load_settings())
    with of_project.alone():
        yield


def shown(app: AppTest) -> str:
    parts = [*app.caption, *app.markdown, *app.error, *app.warning, *app.info]
    return "\n".join(re.sub(r"\\(.)", r"\1", part.value) for part in parts)


def test_papers_are_quoted_with_their_place() -> None:
    app = page()
    ask(app, WALKING)
    found = session_of(app).part(AskChoices).answers["walks"]
    assert not found.answer.cannot_answer
    assert found.answer.searched == 2
    said = shown(app)
    assert "2 papers searched" in said
    for one in found.answer.papers:
        assert f"“{one.sentence}”" in said
    written = answer_markdown(found.answer)
    assert found.answer.disagree == ("do not agree" in said)
    assert written.startswith(f"# {WALKING}")
    assert written.count("\n> ") == len(found.answer.papers)
    app.button(key="ask-open-0").click().run()
    opened = session_of(app).open
    assert opened is not None
    first = found.answer.papers[0]
    assert opened.paper.id == first.paper.id
    assert opened.begin_at == (1, first.strongest.strongest)


def test_what_they_cannot_answer_is_said() -> None:
    app = page()
    ask(app, "Does copper sulphate kill snails in aquaria?")
    assert "These papers do not seem to answer it." in shown(app)


def test_only_what_is_missing_is_indexed_and_what_left_is_taken_out() -> None:
    app = page(papers=3)
    ask(app, WALKING)
    store = open_store(load_settings())
    with store.reading() as reading:
        gone = reading.stored_papers("walks")[0]
    with store.writing("Ann") as change:
        change.remove(gone)
    store.close()
    encoded: list[int] = []
    whole = Embedder.encode

    def counting(self: Embedder, texts: list[str]) -> object:
        encoded.append(len(texts))
        return whole(self, texts)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Embedder, "encode", counting)
        ask(app, WALKING)
    assert session_of(app).part(AskChoices).answers["walks"].answer.searched == 2
    assert encoded == [1]  # only the question


@pytest.mark.slow
def test_many_papers_are_indexed_by_the_queue_which_goes_on_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.review.indexing.indexing_pool", lambda *_: ThreadWorkers(encode_one))
    app = page(papers=FEW + 1)
    with the_store().writing("Ann") as change:
        project = change.project("walks")
        change.save(replace(project.record, plan=Plan(None, None, None)), seen=project.version)
        change.queue.want_indexed("walks", FEW + 1)
        change.queue.set_state("walks", replace(change.queue.state("walks"), mode=QueueMode.PAUSED))
        change.queue.note_failure("walks", "", "queue", "The disk was full yesterday.")
    app.run()
    assert f"{FEW + 1} papers to index. The project's queue is at rest." in shown(app)
    monkeypatch.setattr("pages._ui.ask.work.ASKING.at_once", 0.0)
    app.text_input(key="ask-question").set_value(WALKING).run()
    app.button(key="ask-button").click().run()
    app.button(key="ask-resume").click().run()
    settle(app)
    app.run()
    assert not app.exception
    assert session_of(app).part(AskChoices).answers["walks"].answer.searched == FEW + 1
    with the_store().reading() as now:
        (run,) = now.queue.runs("walks")
        assert (run.done, now.queue.to_index("walks")) == (FEW + 1, 0)


def test_hostile_text_of_papers_stays_text() -> None:
    app = page(papers=0)
    hostile = (
        trial(0)
        .replace(b"# Walking", b"# <img src=x> [go](http://x) Walking")
        .replace(b"walking improved", b"walking **improved** :red[x]")
    )
    read = read_paper(hostile, name="hostile.md")
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        change.keep_file(change.save(record_of(read, project="walks")), hostile)
    store.close()
    ask(app.run(), WALKING)
    found = session_of(app).part(AskChoices).answers["walks"].answer
    assert read.id in {one.paper.id for one in found.papers}
    for part in [*app.markdown, *app.caption]:
        assert not re.search(r"(?<!\\)(<img|:red\[|\]\()", part.value)


def test_an_empty_question_is_refused() -> None:
    app = page()
    app.button(key="ask-button").click().run()
    assert "Ask one of 1 to 100 words." in shown(app)


def test_without_a_project_the_way_to_one_is_shown() -> None:
    app = AppTest.from_file(ROOT / "app.py", default_timeout=LONG).run().switch_page("pages/ask.py").run()
    assert not app.exception
    assert "Make a project first" in shown(app)


def test_papers_that_disagree_come_first_direction_by_direction() -> None:
    app = page()
    ask(app, WALKING)
    session = session_of(app)
    kept = session.part(AskChoices).answers["walks"]
    one = kept.answer.papers[0]
    told = [ReportedChange.INCREASED, None, ReportedChange.NO_DIFFERENCE, ReportedChange.INCREASED]
    papers = tuple(replace(one, told=way, probability=0.9 if way else None) for way in told)
    session.part(AskChoices).answers["walks"] = replace(kept, answer=replace(kept.answer, papers=papers))
    app.run()
    assert not app.exception
    (warning,) = app.warning
    assert warning.value == "The papers do not agree: 2 ↑ increased, 1 = no difference, 1 cannot be told which way."
    directions = [part.value.split(" · ")[0] for part in app.caption if "reports on it" in part.value]
    assert directions == ["**↑ increased**", "**↑ increased**", "**= no difference**", "Which way cannot be told"]


def test_a_question_that_is_cancelled_brings_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    app = page()
    monkeypatch.setattr("pages._ui.ask.work.ASKING.at_once", 0.0)
    with indexed_elsewhere():
        app.text_input(key="ask-question").set_value(WALKING).run()
        app.button(key="ask-button").click().run()
        app.button(key="cancel-asking").click().run()
    settle(app)
    assert not app.exception
    assert not session_of(app).part(AskChoices).answers
    assert session_of(app).part(AskChoices).question == WALKING


# ---- settings ----


def test_settings_and_choices_survive_leaving_the_page() -> None:
    app = page()
    app.number_input(key="ask-first").set_value(1990).run()
    app.number_input(key="ask-k").set_value(3).run()
    app.number_input(key="ask-spread").set_value(0.8).run()
    app.text_input(key="ask-question").set_value(WALKING).run()
    app.switch_page("pages/engines.py").run()
    app.switch_page("pages/ask.py").run()
    assert app.number_input(key="ask-first").value == 1990
    assert app.number_input(key="ask-spread").value == 0.8
    ask(app, WALKING)
    question = session_of(app).part(AskChoices).answers["walks"].answer.question
    assert (question.years.first, question.years.last, question.k, question.spread) == (1990, None, 3, 0.8)
    assert len(session_of(app).part(AskChoices).answers["walks"].answer.evidence) <= 3


def test_a_setting_that_is_changed_with_the_press_counts() -> None:
    app = page()
    app.text_input(key="ask-question").set_value(WALKING)
    app.number_input(key="ask-k").set_value(2)
    app.button(key="ask-button").click().run()
    settle(app)
    assert session_of(app).part(AskChoices).answers["walks"].answer.question.k == 2


def test_a_question_goes_to_the_papers_of_all_projects_and_opens_them_there() -> None:
    app = page()
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        change.save(Project("more", "More walks", ("Ann",), blind=False))
        read = read_paper(trial(5), name="trial-5.md")
        change.keep_file(change.save(record_of(read, project="more")), trial(5))
    store.close()
    app.run()
    app.selectbox(key="ask-project").set_value("walks").run()
    app.selectbox(key="ask-everywhere").set_value(True).run()
    ask(app, WALKING)
    found = session_of(app).part(AskChoices).answers["walks"]
    assert found.answer.searched == 3
    assert "of all projects" in shown(app)
    assert read.id in {one.passage.paper for one in found.answer.evidence}
    assert leaving._project_of(read.id, asked="walks") == "more"
    assert leaving._project_of(found.answer.papers[0].paper.id, asked="walks") in ("walks", "more")


def test_a_question_goes_to_what_screening_decided() -> None:
    app = page(papers=3)
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        first, second, third = sorted(change.paper_ids("walks"))
        change.save(ScreeningDecision("walks", first, "Ann", ScreeningVerdict.INCLUDE))
        change.save(ScreeningDecision("walks", second, "Ann", ScreeningVerdict.EXCLUDE, reason="Wrong design"))
    store.close()
    wanted = {Screened.INCLUDED: {first}, Screened.NOT_EXCLUDED: {first, third}, Screened.EXCLUDED: {second}}
    for screened, papers in wanted.items():
        app.selectbox(key="ask-screened").set_value(str(screened)).run()
        ask(app, WALKING)
        answer = session_of(app).part(AskChoices).answers["walks"].answer
        assert answer.question.only == papers
        assert answer.searched == len(papers)
        assert f"{screened} at screening" in shown(app)
    with open_store(load_settings()).writing("Ann") as change:
        change.save(ScreeningDecision("walks", third, "Ann", ScreeningVerdict.EXCLUDE, reason="Wrong design"))
    again = earlier.asked_again(session_of(app), session_of(app).part(AskChoices).answers["walks"])
    session_of(app).part(AskChoices).questions.ask(again)
    app.run()
    settle(app)
    assert session_of(app).part(AskChoices).answers["walks"].answer.question.only == {second, third}, (
        "as it is decided now"
    )


def test_settings_beyond_their_limits_are_refused_in_words() -> None:
    app = page()
    app.number_input(key="ask-k").set_value(61).run()
    ask(app, WALKING)
    assert "61 passages cannot be gathered. Gather 1 to 60." in shown(app)
    assert not session_of(app).part(AskChoices).answers


# ---- language models ----


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoServer]:
    """A demo server with its address and keys set."""
    with DemoServer() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        yield server


def choose(app: AppTest, model: str, strategy: str = "agent") -> None:
    app.selectbox(key="ask-engine").set_value("openai").run()
    app.text_input(key="model-openai").set_value(model).run()
    app.selectbox(key=FOR_ANSWERS.key).set_value(strategy).run()
    assert not app.exception


def test_every_strategy_is_offered_in_words_the_default_first() -> None:
    assert list(FOR_ANSWERS.ways) == [str(one) for one in AnswerStrategy]


def test_a_model_plans_gathers_and_writes_with_its_sources(demo: DemoServer) -> None:
    app = page()
    choose(app, "demo")
    assert "Type a question to see what an answer will cost." in shown(app)
    app.text_input(key="ask-question").set_value(WALKING).run()
    assert "The papers are not indexed yet" in shown(app)
    ask(app, WALKING)
    found = session_of(app).part(AskChoices).answers["walks"]
    answer = found.answer
    assert answer.engine == "openai:demo@agent"
    assert answer.statements
    assert [step.action for step in answer.steps][:2] == [Action.SEARCH, Action.GATHER]
    assert "walks" not in session_of(app).part(AskChoices).trails
    said = shown(app)
    assert "Citations: “" in said
    assert "[1]" in "".join(re.sub(r"\\(.)", r"\1", button.label) for button in app.button)
    assert "About " in said  # the papers are indexed by now
    assert session_of(app).tally.calls == demo.desk.statistics()["calls"] == len(answer.run.steps if answer.run else ())


def test_a_press_on_a_citation_opens_its_sentences_with_a_way_back(demo: DemoServer) -> None:
    app = page()
    choose(app, "demo", "fixed")
    ask(app, WALKING)
    session = session_of(app)
    answer = session.part(AskChoices).answers["walks"].answer
    citation = answer.statements[0].citations[0]
    assert written._chosen(answer, [0, 0]) == citation
    for nothing in (None, [0, 9], [99, 0], [-1, 0], ["0", 0], "x"):
        assert written._chosen(answer, nothing) is None
    app.button(key="ask-open-0").click().run()
    opened = session.open
    assert opened is not None
    assert session.review.opened is not None
    assert session.review.opened.cited == (opened.begin_at[1],)
    assert not app.exception
    app.switch_page("pages/evidence.py").run()
    assert not app.exception
    assert "Back to the answer" in [link.label for link in app.get("page_link")]


def test_an_answer_with_sources_that_were_not_given_is_refused(demo: DemoServer) -> None:
    app = page()
    choose(app, "demo-wrong", "fixed")
    ask(app, WALKING)
    answer = session_of(app).part(AskChoices).answers["walks"].answer
    assert not answer.statements
    (error,) = app.error
    assert "names sources that it was not given" in error.value
    assert answer.evidence
    assert [box for box in app.checkbox if box.key and box.key.startswith("use-walks-")]


def test_a_run_that_is_stopped_says_so_and_goes_on(demo: DemoServer, monkeypatch: pytest.MonkeyPatch) -> None:
    app = page()
    choose(app, "demo", "fixed")
    monkeypatch.setattr("pages._ui.ask.work.ASKING.at_once", 0.0)
    with indexed_elsewhere():
        app.text_input(key="ask-question").set_value(WALKING).run()
        app.button(key="ask-button").click().run()
        app.button(key="cancel-asking").click().run()
    settle(app)
    app.run()
    assert "Stopped. Ask once more to go on. What was answered until then is kept, and costs nothing again." in shown(
        app
    )
    ask(app, WALKING)
    assert "Stopped." not in shown(app)
    assert session_of(app).part(AskChoices).answers["walks"].answer.statements


def test_evidence_is_turned_down_and_added_and_answered_again(demo: DemoServer) -> None:
    app = page()
    app.number_input(key="ask-k").set_value(2).run()
    choose(app, "demo", "fixed")
    ask(app, WALKING)
    panel = session_of(app).part(AskChoices).panels["walks"]
    first, second = panel.passages
    calls = demo.desk.statistics()["calls"]
    app.checkbox(key=f"use-walks-{first}").uncheck().run()
    assert panel.used == {second}
    ask_again(app)
    answer = session_of(app).part(AskChoices).answers["walks"].answer
    assert [one.passage.id for one in answer.evidence] == [second]
    assert demo.desk.statistics()["calls"] == calls + 1, "the passage that stays was read before"
    assert {citation.passage for said in answer.statements for citation in said.citations} <= {second}
    assert not app.checkbox(key=f"use-walks-{first}").value, "it can be taken back"

    app.text_input(key="add-passages-walks").set_value("Participants were randomised").run()
    app.button(key="search-passages").click().run()
    added = panel.found[0].id
    app.button(key="add-passage-0").click().run()
    assert "added, not read yet" in shown(app)
    app.checkbox(key=f"use-walks-{first}").check().run()
    ask_again(app)
    answer = session_of(app).part(AskChoices).answers["walks"].answer
    assert {one.passage.id for one in answer.evidence} == {first, second, added}


def ask_again(app: AppTest) -> None:
    app.button(key="answer-again").click().run()
    settle(app)
    app.run()
    assert not app.exception
    assert not app.error


OTHER = "Walking does nothing for insomnia.[1]\n1. Nobody. Elsewhere. 2001."


def give(app: AppTest, one: GradedStatement) -> None:
    grade = Grade.UNSUPPORTED if one.origin == "other" else Grade.SUPPORTED
    app.button(key=f"grade-{grade}-{one.id}").click().run()


def grade_blind(app: AppTest) -> StoredGrading:
    """Draw the statements of the article and of another text, and grade each."""
    app.text_area(key="grading-beside").set_value(OTHER).run()
    app.button(key="grading-draw").click().run()
    with the_store().reading() as now:
        [saved] = now.gradings("walks")
    statements = saved.record.statements
    assert {one.origin for one in statements} == {"article", "other"}
    for place, one in enumerate(statements):
        said = shown(app)
        assert f"Statement {place + 1} of {len(statements)}" in said
        assert one.text in said
        assert "the other text" not in said, "it is graded blind"
        if place == 1:  # the first is graded once more
            app.button(key="grade-back").click().run()
            assert statements[0].text in shown(app)
            give(app, statements[0])
        give(app, one)
        assert not app.exception
    said = shown(app)
    count = len(statements) - 1
    assert re.search(rf"Ann \| the article \| {count} \| 100\.0", said)
    assert re.search(r"Ann \| the other text \| 1 \| 0\.0", said)
    assert [one.label for one in app.get("download_button")][-2:] == ["Statements", "Where they are from"]
    return saved.record


def test_statements_are_graded_blind_by_a_person_and_by_a_model(demo: DemoServer) -> None:
    app = page()
    choose(app, "demo", "fixed")
    app.text_input(key="article-topic").set_value("walking and usual care for sleep in adults with insomnia").run()
    app.button(key="article-button").click().run()
    settle(app)
    grading = grade_blind(app)
    app.button(key="grade-by-model").click().run()
    settle(app)
    assert not app.exception
    with the_store().reading() as now:
        found = {one.record.reviewer: one.record for one in now.grades("walks", grading.id, reader="Ann")}
    assert found["openai:demo"].by_model
    by_origin = {(one.origin, found["openai:demo"].grades[one.id]) for one in grading.statements}
    assert by_origin == {("article", Grade.SUPPORTED), ("other", Grade.NOT_APPLICABLE)}
    count = len(grading.statements)
    assert f"openai:demo agrees with you on {100 * (count - 1) / count:.1f}" in shown(app)


def test_another_name_in_another_project_leaves_the_open_review_alone() -> None:
    app = page()
    statements = (GradedStatement("1", "article", "Walking helps."),)
    with the_store().writing("Ann") as change:
        change.save(Project("tea", "Tea", ("Ann", "Cleo"), blind=True))
        change.save(StoredGrading("tea", "grading", "Tea", statements))
    session = session_of(app)
    session.review.enter("walks", "Ann")
    session.part(AskChoices).project = "tea"
    app.run()
    app.selectbox(key="grading-who-tea").select("Cleo").run()
    assert not app.exception
    assert (session.review.project, session.review.reviewer) == ("walks", "Ann")
    give(app, statements[0])
    with the_store().reading() as now:
        assert [saved.record.reviewer for saved in now.grades("tea", "grading", reader="Cleo")] == ["Cleo"]


def test_others_may_read_and_plan(demo: DemoServer) -> None:
    app = page()
    choose(app, "demo")
    app.text_input(key="ask-gathers").set_value("offline").run()
    app.text_input(key="ask-plans").set_value("openai:demo-plans").run()
    ask(app, WALKING)
    found = session_of(app).part(AskChoices).answers["walks"]
    assert found.answer.engine == "openai:demo@agent, evidence by offline, planned by openai:demo-plans"
    again = earlier._request_of("walks", found.answer)
    assert (again.engine, again.gathers, again.plans) == ("openai:demo@agent", "offline", "openai:demo-plans")
    for named in (
        ("compatible:a, b@agent", "openai:c, d", ""),
        ("openai:demo@fixed", "", "openai:x"),
        ("offline", "", ""),
    ):
        answers, gathers, plans = named
        name = answers + f", evidence by {gathers}" * bool(gathers) + f", planned by {plans}" * bool(plans)
        assert sharers(name) == named
    app.text_input(key="ask-plans").set_value("bm25").run()
    ask(app, WALKING)
    assert "“bm25” is no language model" in app.error[0].value


# ---- data for the browser ----


def test_numbers_statuses_and_sentences_without_a_source(demo: DemoServer) -> None:
    app = page()
    choose(app, "demo", "fixed")
    ask(app, WALKING)
    session = session_of(app)
    found = session.part(AskChoices).answers["walks"]
    first = found.answer.statements[0]
    doubted = replace(first.citations[0], status=CitationStatus.CONTRADICTED)
    statements = (replace(first, citations=(doubted,)), Statement("<b>Nobody</b> says :red[this].", ()))
    session.part(AskChoices).answers["walks"] = replace(found, answer=replace(found.answer, statements=statements))
    app.run()
    assert not app.exception
    assert "Citations: ✗ 1 contradicted · 1 of 2 sentences without a source" in shown(app)
    sent = written.payload(session.part(AskChoices).answers["walks"].answer)
    one, other = json.loads(json.dumps(sent))["sentences"]
    assert one["citations"][0]["number"] == 1
    assert one["citations"][0]["sign"] == "✗"
    assert "contradicted" in one["citations"][0]["about"]
    assert (other["text"], other["citations"]) == ("<b>Nobody</b> says :red[this].", [])


def test_every_cited_sentence_is_marked_while_the_paper_comes_from_the_answer() -> None:
    app = page()
    ask(app, WALKING)
    session = session_of(app)
    passage = session.part(AskChoices).answers["walks"].answer.evidence[0].passage
    app.button(key="open-passage-0").click().run()
    assert session.open is not None
    assert session.review.opened is not None
    assert sorted(session.review.opened.cited) == list(range(passage.first, passage.last + 1))


# ---- earlier questions, and files ----


def test_answers_are_kept_opened_asked_again_and_deleted() -> None:
    app = page()
    ask(app, WALKING)
    kept = session_of(app).part(AskChoices).answers["walks"].kept
    ask(app, "Does copper sulphate kill snails in aquaria?")
    assert "Earlier questions (1)" in [one.label for one in app.expander]
    app.button(key=f"ask-show-{kept}").click().run()
    assert session_of(app).part(AskChoices).answers["walks"].kept == kept
    assert app.text_input(key="ask-question").value == WALKING
    other = next(b.key for b in app.button if b.key and b.key.startswith("ask-again-"))
    app.button(key=other).click().run()
    settle(app)
    app.run()
    assert not app.exception
    assert "It says the same. As many papers are searched." in shown(app)
    assert "Earlier questions (2)" in [one.label for one in app.expander]
    app.button(key=f"ask-delete-{kept}").click().run()
    app.button(key="delete-answer").click().run()
    assert not app.exception
    store = open_store(load_settings())
    with store.reading() as reading:
        listed = reading.answers.listed("walks")
    store.close()
    assert len(listed) == 2
    assert kept not in [one.id for one in listed]
    assert {one.by for one in listed} == {"Ann"}


def test_a_paper_that_came_in_is_told_when_it_is_asked_again() -> None:
    app = page()
    ask(app, WALKING)
    kept = session_of(app).part(AskChoices).answers["walks"].kept
    ask(app, "Does copper sulphate kill snails in aquaria?")
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        read = read_paper(trial(7), name="trial-7.md")
        change.keep_file(change.save(record_of(read, project="walks")), trial(7))
    store.close()
    app.button(key=f"ask-again-{kept}").click().run()
    settle(app)
    app.run()
    assert not app.exception
    assert "1 paper more searched." in shown(app)


def test_what_changed_is_told_paper_by_paper() -> None:
    app = page()
    ask(app, WALKING)
    session = session_of(app)
    found = session.part(AskChoices).answers["walks"]
    one = found.answer.papers[0]
    turned = replace(found.answer, papers=(replace(one, told=ReportedChange.NO_DIFFERENCE),))
    after = replace(found.answer, papers=(replace(one, told=ReportedChange.INCREASED),))
    none = replace(found.answer, papers=(), cannot_answer=True)
    for before, line in (
        (turned, f"≠ {one.paper.title}: = no difference → ↑ increased"),
        (none, f"+ {one.paper.title}: ↑ increased"),
        (none, "There is an answer now."),
    ):
        request = replace(found.request, before=EarlierAnswer(before, found.asked))
        session.part(AskChoices).answers["walks"] = replace(found, request=request, answer=after)
        app.run()
        assert not app.exception
        assert line in shown(app)


def test_files_of_every_kind_are_made() -> None:
    app = page()
    ask(app, WALKING)
    found = session_of(app).part(AskChoices).answers["walks"]
    paper = found.answer.papers[0].paper.id
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        retracted = Notice(NoticeKind.RETRACTED, "Crossref", "2024-05-01")
        change.put(
            StoredNotices("walks", paper, (retracted,), datetime(2026, 1, 1, tzinfo=UTC), ("Crossref", "PubMed"))
        )
    store.close()
    made = {file.name: content(file, found) for file in ANSWER_FILES.values()}
    assert [one["notice"] for one in json.loads(made["JSON"])["papers"] if one["paper"] == paper] == [
        "Retracted 2024-05-01 (Crossref)"
    ]
    assert list(made) == ["Word", "HTML", "Markdown", "RIS", "BibTeX", "JSON"]
    assert [one.label for one in app.get("download_button")] == list(made), "all of them are offered"
    assert made["Word"].startswith(b"PK")
    assert json.loads(made["JSON"])["question"] == WALKING
    assert all(made.values())


def with_a_finding() -> None:
    """Give the review a hypothesis on the topic, and one paper that supports it."""
    with the_store().writing("Ann") as change:
        saved = change.project("walks")
        change.save(replace(saved.record, hypotheses=(SLEEPING,), plan=Plan(evidence="bm25")), seen=saved.version)
        paper = change.paper_ids("walks")[0]
        change.put(StoredFinding("walks", paper, Finding("bm25", SLEEPING, PaperVerdict.SUPPORTS, "It says so.")))


def the_kept(project: str) -> list[str]:
    with the_store().reading() as now:
        return [saved.record.id for saved in now.articles(project)]


def test_an_article_is_written_from_the_projects_papers() -> None:
    app = page()
    app.text_input(key="article-topic").set_value("walking for insomnia").run()
    app.button(key="article-button").click().run()
    settle(app)
    assert not app.exception
    article = session_of(app).part(AskChoices).articles["walks"].article
    assert [one.heading for one in article.sections][:2] == ["What it is", "Effects"]
    said = shown(app)
    quoted = [one for section in article.sections for one in section.answer.papers]
    assert quoted
    assert all(f"“{one.sentence}”" in said for one in quoted)
    assert f"{sum(one.answer.answered for one in article.sections)} of {len(article.sections)} sections" in said
    with_a_finding()
    app.run()
    assert f"{SLEEPING}: 1 of 2 papers report a result on it" in shown(app)
    assert app.dataframe[-1].value["What it reports"].tolist() == ["✓ supports"]
    [kept] = the_kept("walks")
    assert "Earlier questions" not in "".join(one.label for one in app.expander), (
        "its sections are no questions of a list"
    )
    del session_of(app).part(AskChoices).articles["walks"]
    app.run()
    app.button(key=f"article-show-{kept}").click().run()
    assert session_of(app).part(AskChoices).articles["walks"].article == article
    del session_of(app).part(AskChoices).articles["walks"]
    app.run()
    app.button(key=f"article-delete-{kept}").click().run()
    assert not the_kept("walks")
    app.text_input(key="article-topic").set_value(" ").run()
    app.button(key="article-button").click().run()
    assert "The topic has 0 words" in shown(app)


def test_a_section_with_nothing_left_to_quote_says_so() -> None:
    app = page()
    app.text_input(key="article-topic").set_value("walking for insomnia").run()
    app.button(key="article-button").click().run()
    settle(app)
    articles = session_of(app).part(AskChoices).articles
    one = articles["walks"].article.sections[0]
    left = replace(one.answer, papers=(), cannot_answer=True, notes=(nothing_left(one.heading),))
    article = replace(articles["walks"].article, sections=(replace(one, answer=left),))
    articles["walks"] = replace(articles["walks"], article=article)
    app.run()
    assert not app.exception
    said = shown(app)
    assert nothing_left(one.heading) in said
    assert "0 of 1 section answered" in said


def test_an_article_that_is_being_written_is_shown_and_not_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app = page()
    monkeypatch.setattr("pages._ui.ask.article.WRITING.at_once", 0.0)
    with indexed_elsewhere():
        app.text_input(key="article-topic").set_value("walking for insomnia").run()
        app.button(key="article-button").click().run()
        running = session_of(app).part(AskChoices).writings.running
        assert running is not None
        app.switch_page("pages/engines.py").run()
        app.switch_page("pages/ask.py").run()
        assert article_box(app).proto.expanded
        assert "“walking for insomnia”" in article_box(app).get("progress")[0].proto.text
        assert app.button(key="cancel-writing-article")
        assert app.button(key="article-button").disabled
        article_part._ask(session_of(app), "walks")  # a second press may arrive before the page is drawn
        app.run()
        assert session_of(app).part(AskChoices).writings.running is running
        assert not running.job.stopped
        app.button(key="cancel-writing-article").click().run()
    settle(app)
    assert not app.exception
    assert not app.button(key="article-button").disabled
    assert "walks" not in session_of(app).part(AskChoices).articles


def article_box(app: AppTest) -> Expander:
    [box] = [one for one in app.expander if one.label == "Write an article on a topic"]
    return box


def test_why_indexing_does_not_go_on_is_said_where_it_was_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    app = page()
    with the_store().writing("Ann") as change:
        change.queue.want_indexed("walks", 2)
        change.queue.set_state("walks", QueueState(QueueMode.PAUSED))
    app.run()
    assert "2 papers to index. The project's queue is at rest." in shown(app)
    with monkeypatch.context() as patch:
        patch.setattr("pages._ui.stored.QueueRunner.start", unreachable)
        app.button(key="ask-resume").click().run()
        assert [one.value for one in app.error] == ["The database is away\\."]
        app.run()
        assert [one.value for one in app.error] == ["The database is away\\."], "it stays until the next press"
        patch.setattr("pages._ui.stored.QueueRunner.start", lambda *_: None)
        app.button(key="ask-resume").click().run()
    assert not app.error
    assert not app.exception


def unreachable(*_: object) -> None:
    raise StoreUnreachable("The database is away.")
