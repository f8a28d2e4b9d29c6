"""The Review page without a browser: projects, papers, deletions and files; and the data of its tables."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.bias import StudyContext, tool_named
from core.bias.model import HIGH, LOW
from core.references import Reference
from core.screening.model import Criterion, CriterionKind, ScreeningVerdict
from core.settings import load_settings
from core.store import (
    Consensus,
    Plan,
    Project,
    ReviewerJudgement,
    Scope,
    ScreeningDecision,
    Store,
    StoredPaper,
    StoredReference,
    open_store,
    project_from_json,
    project_to_file,
    project_to_json,
)
from core.work.pools import ThreadWorkers
from pages._ui.review import board
from pages._ui.review.board import ProjectSnapshot
from pages._ui.review.references import References
from pages._ui.review.screening_tab import by_domain
from pages._ui.review.tables import papers_payload, references_payload
from pages._ui.state import Session
from pages._ui.stored import the_runner

ROOT = Path(__file__).resolve().parents[2]
TEA = b"# Tea for headache\n\n## Methods\n\nAdults were assigned at random by a computer.\n"
COFFEE = TEA.replace(b"Tea", b"Coffee")
ROB1 = tool_named("rob1")
IDS = [domain.id for domain in ROB1.domains]
SCOPE = Scope(ROB1.id, tuple(IDS))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The page's store, empty."""
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))
    return open_store(load_settings())


@pytest.fixture
def app(store: Store, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    # New processes take seconds to start.
    monkeypatch.setattr("core.review.queue.ProcessWorkers", lambda do, workers, **_: ThreadWorkers(do, at_once=workers))
    at = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    return ran(at.switch_page("pages/review.py"))


def ran(changed: Any) -> AppTest:
    """Run the app after a change to it."""
    at: AppTest = changed.run()
    assert not at.exception
    return at


def click(at: AppTest, key: str) -> AppTest:
    return ran(at.button(key=key).click())


def create(at: AppTest, name: str = "Tea", reviewers: str = "Ann, Ben") -> AppTest:
    at.text_input[0].set_value(name)
    at.text_input[1].set_value(reviewers)
    ran(next(button for button in at.button if button.label == "Create the project").click())
    only_read(at)
    return at


def only_read(at: AppTest) -> None:
    """Leave all engines out of the open project's plan, to save their time."""
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        if (id := at.session_state["vouch"].review.project) is not None:
            saved = change.project(id)
            change.save(replace(saved.record, plan=Plan(None, None, None)), seen=saved.version)
    store.close()


def add(at: AppTest, *files: tuple[str, bytes]) -> AppTest:
    field = next(field for field in at.file_uploader if "Any number of files" in field.label)
    ran(field.set_value([(name, data, "text/plain") for name, data in files]))
    queue_is_through(at)
    return ran(at)


def queue_is_through(at: AppTest) -> None:
    """Wait until the queue's thread has ended."""
    work = the_runner().of(at.session_state["vouch"].review.project)
    end = time.monotonic() + 60
    while work is not None and work.alive and time.monotonic() < end:
        time.sleep(0.02)
    assert work is None or not work.alive


def texts(at: AppTest) -> str:
    return "\n".join(str(one.value) for one in (*at.caption, *at.markdown, *at.subheader, *at.title, *at.error))


def only_project(store: Store) -> Project:
    with store.reading() as now:
        (saved,) = now.projects()
    return saved.record


def test_a_project_is_begun_and_belongs_to_its_first_reviewer(app: AppTest, store: Store) -> None:
    app.text_area(key="new-objective").set_value("Does tea help?")
    create(app, " Tea  ", "Ann,  Ben Okafor, ")
    project = only_project(store)
    assert (project.name, project.reviewers, project.blind) == ("Tea", ("Ann", "Ben Okafor"), True)
    assert project.study == StudyContext("Does tea help?")
    assert app.session_state["vouch"].review.reviewer == "Ann"
    assert app.button(key="next-undone").label == "No papers yet"


def test_an_empty_project_says_how_large_a_file_may_be_and_screening_leads_back_to_it(app: AppTest) -> None:
    create(app)
    (field,) = [field for field in app.file_uploader if "Any number of files" in field.label]
    assert field.proto.max_upload_size_mb == 200
    ran(app.switch_page("pages/screening.py"))
    assert "No papers and no references yet" in app.info[0].value
    assert "Tea" in [link.proto.label for link in app.main.get("page_link")]


@pytest.mark.parametrize(
    ("name", "reviewers", "wrong"),
    [("", "Ann", "no name"), ("Tea", " , ", "reviewers"), (" ", " ", "no name and no reviewers")],
)
def test_a_project_needs_a_name_and_reviewers(app: AppTest, name: str, reviewers: str, wrong: str) -> None:
    create(app, name, reviewers)
    assert any(wrong in error.value for error in app.error)


def test_files_that_cannot_be_read_are_listed_while_the_rest_goes_on(app: AppTest, store: Store) -> None:
    create(app)
    add(app, ("tea.md", TEA), ("empty.md", b" "), ("again.md", TEA), ("picture.png", b"\x89PNG"), ("c.md", COFFEE))
    said = texts(app)
    assert "2 papers added · 1 file here already · listed below\\: 2 files that could not be read" in said
    assert "empty" in said
    assert "picture" in said
    project = only_project(store)
    with store.reading() as now:
        papers = [state.paper.record for state in now.papers(project.id, SCOPE)]
        assert [paper.title for paper in papers] == ["Tea for headache", "Coffee for headache"]
        assert now.file(project.id, papers[0].file or "") == TEA


def test_a_deleted_paper_comes_back_by_undo_or_by_its_file(app: AppTest, store: Store) -> None:
    create(app)
    add(app, ("tea.md", TEA))
    project = only_project(store)
    for bring_back in (lambda: click(app, "undo-delete"), lambda: add(app, ("tea.md", TEA))):
        with store.reading() as now:
            (state,) = now.papers(project.id, SCOPE)
        with store.writing("Ann") as change:
            app.session_state["vouch"].review.removed = change.remove(state.paper)
        ran(app)
        assert any("was deleted" in caption.value for caption in app.caption)
        bring_back()
        with store.reading() as now:
            assert len(now.papers(project.id, SCOPE)) == 1


def test_a_project_comes_from_its_file_and_once_only(app: AppTest, store: Store) -> None:
    create(app)
    add(app, ("tea.md", TEA))
    project = only_project(store)
    with store.reading() as now:
        document = project_to_json(now.whole(project.id, with_files=True)).encode()
    click(app, "leave-project")
    ran(app.file_uploader[0].set_value(("tea.json", document, "application/json")))
    assert "“Tea” is here already" in app.error[0].value
    ran(app.file_uploader[0].set_value(("other.json", document.replace(project.id.encode(), b"another"), "json")))
    assert any("Choose who you are" in caption.value for caption in app.caption)
    with store.reading() as now:
        assert len(now.papers("another", SCOPE)) == 1
    again = project_to_file(project_from_json(document.replace(project.id.encode(), b"a third")))
    click(app, "leave-project")
    ran(app.file_uploader[0].set_value(("third.vouch", again, "application/zip")))
    with store.reading() as now:
        assert len(now.papers("a third", SCOPE)) == 1
    click(app, "leave-project")
    ran(app.file_uploader[0].set_value(("damaged.vouch", again[:-40], "application/zip")))
    assert any("no project that Vouch saved" in error.value for error in app.error)


def test_the_next_paper_opens_at_its_first_domain_that_is_not_done(app: AppTest, store: Store) -> None:
    create(app)
    add(app, ("tea.md", TEA), ("c.md", COFFEE))
    project = only_project(store)
    with store.writing("Ann") as change:
        first, second = (state.paper.record.id for state in change.papers(project.id, SCOPE))
        for paper, domains in ((first, IDS), (second, IDS[:2])):
            for domain in domains:
                change.save(ReviewerJudgement(project.id, paper, "rob1", domain, "Ann", LOW))
    click(ran(app), "next-undone")
    now = app.session_state["vouch"]
    assert now.current == second
    assert now.review.begin_at == (1, IDS[2])
    ran(app.switch_page("pages/bias.py"))
    assert any("You are **Ann**" in caption.value for caption in app.caption)


def test_suggestions_are_stored_and_hidden_from_who_is_blind(app: AppTest, store: Store) -> None:
    create(app)
    add(app, ("tea.md", TEA))
    click(app, "next-undone")
    ran(app.switch_page("pages/bias.py"))
    app.selectbox(key="bias-engine").set_value("bm25")
    click(app, "suggest")
    project = only_project(store)
    with store.reading() as now:
        state = now.whole(project.id)
    assert {saved.record.engine for saved in state.suggestions} == {"bm25"}
    assert len(state.suggestions) == len(IDS)
    (sheet,) = app.session_state["vouch"].review.sheets.values()
    assert sheet.hidden >= set(IDS)
    assert sheet.assessment.suggestions == {}


def test_a_paper_that_was_opened_alone_is_judged_in_the_project_that_has_it(app: AppTest) -> None:
    create(app)
    add(app, ("tea.md", TEA))
    ran(app.switch_page("pages/bias.py"))
    ran(app.file_uploader[0].set_value(("tea.md", TEA, "text/plain")))
    assert app.session_state["vouch"].open.home is None
    assert "Kept in the project, as Ann" in texts(app)
    ran(app.switch_page("pages/evidence.py"))
    assert "Kept in the project" not in texts(app)


def test_a_paper_that_is_none_of_the_project_is_judged_on_its_own(app: AppTest) -> None:
    create(app)
    app.switch_page("pages/bias.py")
    ran(app)
    ran(app.file_uploader[0].set_value(("tea.md", TEA, "text/plain")))
    assert any("not in the project" in caption.value for caption in app.caption)
    assert app.selectbox(key="tool").value == "rob1"
    app.session_state["vouch"].review.reviewer = None
    assert any("who you are" in caption.value for caption in ran(app).caption)


def judged(store: Store, *, blind: bool = False) -> ProjectSnapshot:
    """Three papers. Ann and Ben have judged two, and differ in one settled domain; Ben has judged the third."""
    with store.writing("Ann") as change:
        change.save(Project("p", "Tea", ("Ann", "Ben"), "rob1", blind=blind))
        for number in range(3):
            change.save(StoredPaper("p", str(number), f"{number}.pdf", f"Trial {number}"))
            for domain in IDS if number < 2 else ():
                change.save(ReviewerJudgement("p", str(number), "rob1", domain, "Ann", LOW))
    with store.writing("Ben") as change:
        for number in range(3):
            for domain in IDS:
                level = HIGH if (number, domain) in ((0, IDS[1]), (1, IDS[0]), (1, IDS[6])) else LOW
                change.save(ReviewerJudgement("p", str(number), "rob1", domain, "Ben", level))
        change.save(Consensus("p", "1", "rob1", IDS[0], HIGH, "By date of birth.", ("Ann", "Ben")))
    with store.reading() as now:
        saved = now.project("p")
    return board.read_project(saved, "Ann")


def leads(at: AppTest) -> list[str]:
    """The next steps that are highlighted on the page."""
    return [key for key in ("screen", "next-undone") if at.button(key=key).proto.type == "primary"]


def test_what_leads_follows_where_the_project_stands(app: AppTest, store: Store) -> None:
    """Without criteria, judging comes first. With criteria, screening comes first until all is screened."""
    create(app)
    assert leads(app) == ["next-undone"]
    add(app, ("tea.md", TEA), ("c.md", COFFEE))
    assert (leads(app), app.button(key="screen").label) == (["next-undone"], "Screen (2 left)")
    with store.writing("Ann") as change:
        (saved,) = change.projects()
        change.save(replace(saved.record, criteria=(Criterion(CriterionKind.DESIGN, "Trial"),)), seen=saved.version)
        ids = change.paper_ids(saved.record.id)
        change.save(ScreeningDecision(saved.record.id, ids[0], "Ann", ScreeningVerdict.UNSURE))
    assert (leads(ran(app)), app.button(key="screen").label) == (["screen"], "Screen (1 left)")
    with store.writing("Ben") as change:
        change.save(ScreeningDecision(saved.record.id, ids[1], "Ben", ScreeningVerdict.INCLUDE))
    assert leads(ran(app)) == ["screen"], "he has decided, she has not"
    with store.writing("Ann") as change:
        change.save(ScreeningDecision(saved.record.id, ids[1], "Ann", ScreeningVerdict.INCLUDE))
    assert (leads(ran(app)), app.button(key="screen").label) == (["next-undone"], "Screen")


def test_while_only_references_are_here_one_screens(app: AppTest, store: Store) -> None:
    create(app)
    with store.writing("Ann") as change:
        project = change.projects()[0].record.id
        change.save(StoredReference(project, "r", "a.ris", 1, Reference("Tea")))
    assert leads(ran(app)) == ["screen"]


@pytest.fixture
def of_store(store: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setattr(board, "the_store", lambda: store)
    return store


@pytest.mark.parametrize("blind", [False, True])
def test_the_table_counts_what_is_final_and_what_differs(of_store: Store, blind: bool) -> None:
    found = judged(of_store, blind=blind)
    payload = papers_payload(found.project, found.papers, found.levels, scope=SCOPE, reviewer="Ann")
    rows = payload["papers"]
    assert isinstance(rows, list)
    assert [(row["done"], row["final"], row["conflicts"]) for row in rows] == [
        ([7, 7], 6, 1),
        ([7, 7], 6, 1),
        ([0, 7], 0, 0),
    ]
    assert [(one.paper, one.domain) for one in found.conflicts] == [("0", IDS[1]), ("1", IDS[6])]


def test_what_screening_excluded_is_not_to_be_judged(of_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    project = judged(of_store, blind=True).project
    opened: list[str] = []
    monkeypatch.setattr(board.navigation, "open_paper", lambda _, paper, *__: opened.append(paper))
    now = Session()
    now.review.enter("p", "Ann")
    board.go_to_next_undone(now, project, ROB1)
    with of_store.writing("Ben") as change:
        change.save(ScreeningDecision("p", "2", "Ben", ScreeningVerdict.EXCLUDE, "Animals"))
    board.go_to_next_undone(now, project, ROB1)  # ann must not see it yet
    with of_store.writing("Ann") as change:
        change.save(ScreeningDecision("p", "2", "Ann", ScreeningVerdict.EXCLUDE, "Animals"))
    board.go_to_next_undone(now, project, ROB1)
    assert opened == ["2", "2"]
    with of_store.reading() as reading:
        assert board.read_project(reading.project("p"), "Ann").excluded == {"2": "Animals"}


def test_a_reference_that_screening_excluded_says_so_and_the_others_lack_their_text() -> None:
    entries = {id: StoredReference("p", id, "a.ris", 1, Reference("Tea")) for id in ("r1", "r2", "r3")}
    payload = references_payload(References(all=entries), (), excluded={"r1": "Animals", "r2": ""})
    rows = payload["references"]
    assert isinstance(rows, list)
    assert [row["excluded"] for row in rows] == ["Excluded in screening: Animals", "Excluded in screening", None]


@pytest.mark.parametrize("blind", [False, True])
def test_agreement_leaves_out_and_counts_what_one_has_not_judged(of_store: Store, blind: bool) -> None:
    found = by_domain(judged(of_store, blind=blind), "Ann", "Ben")
    first, *_, last = found.values()
    assert (first.pairs, first.unpaired, first.agreed.value) == (2, 1, 0.5)
    assert (last.pairs, last.unpaired, last.agreed.value) == (2, 1, 0.5)
    assert found["Incomplete outcome data"].agreed.value == 1.0
