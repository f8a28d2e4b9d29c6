"""The state of a session, and which part of it is stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.bias import tool_named
from core.bias.assessment import OwnJudgement
from core.bias.model import HIGH
from core.errors import StoreUnreachable
from core.evidence.model import Decision
from core.paper import Paper, read_paper
from core.settings import load_settings
from core.store import Project, Store, open_store
from core.store.private import own_id, own_papers
from core.summary import Label
from pages._ui import autosave
from pages._ui.engines_page import clear_folder, size_in_words, size_of
from pages._ui.jobs import JobSlot
from pages._ui.open_paper import Decided, OpenPaper
from pages._ui.page_jobs import time_left
from pages._ui.state import Session
from run import ROOT
from tests.pages.waiting import session_of, settle

pytestmark = pytest.mark.usefixtures("own_home")

# ---- what a session keeps and drops ----


def paper(number: int) -> Paper:
    return read_paper(f"Results\n\nPaper number {number} says little.".encode(), name=f"{number}.txt")


def test_a_name_belongs_to_its_project() -> None:
    review = Session().review
    review.enter("a", "Ben")
    assert (review.reader_in("a"), review.reader_in("b")) == ("Ben", "")
    other = Project("b", "B", reviewers=("Ann", "Cleo"))
    assert review.reviewer_in(other) == "Ann"
    review.choose_reviewer("b", "Cleo")
    assert (review.reader_in("a"), review.reader_in("b"), review.reviewer_in(other)) == ("Ben", "Cleo", "Cleo")


def test_a_paper_that_was_worked_on_is_never_closed_by_itself() -> None:
    now = Session()
    first = now.put_on_desk(paper(0))
    first.hypothesis = "Tea helps"
    first.decided.decisions = {1: Decision.ACCEPTED}
    for number in range(1, 30):
        now.put_on_desk(paper(number))
    assert len(now.papers) == 8
    assert first.paper.id in now.papers
    assert now.current == paper(29).id
    assert not now.closed, "other windows may have work on the papers that are set down"


@dataclass(frozen=True)
class Weighing:
    paper: str


@dataclass
class OwnChoices:
    unit: str = "g"
    weighed: JobSlot[Weighing, int] = field(default_factory=JobSlot)


@dataclass
class OwnWork:
    done: str = ""


def test_a_page_keeps_its_own_choices_and_its_job_ends_with_the_paper() -> None:
    now = Session()
    opened = now.put_on_desk(paper(0))
    now.part(OwnChoices).unit = "kg"
    now.part(OwnChoices).weighed.ask(Weighing(opened.paper.id))
    assert (now.part(OwnChoices).unit, now.part(OwnChoices).weighed.paper) == ("kg", opened.paper.id)
    assert not opened.has_work
    opened.part(OwnWork).done = "weighed it"
    assert opened.has_work
    now.close(opened.paper.id)
    assert now.part(OwnChoices).weighed.paper is None
    assert not now.put_on_desk(paper(0)).part(OwnWork).done


def test_decisions_are_counted_over_all_questions() -> None:
    opened = Session().put_on_desk(paper(0))
    opened.hypothesis = "Tea helps"
    opened.decided.decisions = {1: Decision.ACCEPTED}
    opened.hypothesis = "Tea harms"
    opened.decided.decisions = {1: Decision.REJECTED, 2: Decision.ADDED}
    assert opened.decision_count == 3


def test_returning_to_a_paper_keeps_what_was_done() -> None:
    now = Session()
    first = now.put_on_desk(paper(0))
    first.hypothesis = "Tea helps"
    now.put_on_desk(paper(1))
    assert now.put_on_desk(paper(0)) is first
    now.close(paper(0).id)
    assert now.open is not None
    assert now.open.paper.name == "1.txt"
    now.close(paper(1).id)
    assert now.open is None


def test_decisions_follow_the_question() -> None:
    opened = Session().put_on_desk(paper(0))
    opened.hypothesis = "Tea helps"
    opened.decided.decisions = {1: Decision.ADDED}
    opened.hypothesis = "Tea harms"
    assert opened.decided == Decided()
    opened.hypothesis = " Tea  helps"
    assert opened.decided.decisions == {1: Decision.ADDED}


def test_decisions_reach_their_paper_even_when_another_is_on_the_desk() -> None:
    now = Session()
    first = now.put_on_desk(paper(0))
    first.hypothesis = "Tea helps: a claim"
    sent_for = first.question_id
    now.put_on_desk(paper(1))
    now.keep_decisions(sent_for, Decided({1: Decision.REJECTED}, 4))
    assert first.decided == Decided({1: Decision.REJECTED}, 4)


def test_a_closed_paper_is_forgotten() -> None:
    now = Session()
    first = now.put_on_desk(paper(0))
    first.hypothesis = "Tea helps"
    sent_for = first.question_id
    now.close(first.paper.id)
    again = now.put_on_desk(paper(0))
    again.hypothesis = "Tea helps"
    now.keep_decisions(sent_for, Decided({1: Decision.REJECTED}, 4))
    assert again.decided == Decided()


def test_time_left_is_told_once_it_is_known() -> None:
    assert time_left(1, 0.5) == ""
    assert time_left(10, 0) == ""
    assert time_left(10, 0.5) == " · about 10 s left"
    assert time_left(60, 0.1) == " · about 9 min left"
    assert time_left(60, 1) == ""


def test_the_cache_is_measured_and_cleared(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    assert size_of(folder) == 0
    clear_folder(folder)
    (folder / "embeddings").mkdir(parents=True)
    (folder / "embeddings" / "a.npy").write_bytes(b"0" * 250_000)
    assert size_in_words(size_of(folder)) == "0.2 MB"
    clear_folder(folder)
    assert not folder.exists()
    assert size_in_words(size_of(folder)) == "empty"


# ---- work on the desk is stored, and restored in a new window ----

HYPOTHESIS = "It helps"


@pytest.fixture
def store() -> Iterator[Store]:
    opened = open_store(load_settings())
    yield opened
    opened.close()


def window() -> AppTest:
    """A new window on the first page."""
    return AppTest.from_file(ROOT / "app.py", default_timeout=60).run()


def desk(at: AppTest) -> OpenPaper:
    opened = session_of(at).open
    assert opened is not None
    return opened


def with_paper(at: AppTest, data: bytes = b"# Tea\n\n## Results\n\nPain fell. Sleep did not.\n") -> AppTest:
    at.file_uploader[0].set_value(("tea.md", data, "text/markdown")).run()
    return at


def decided(at: AppTest, decisions: dict[int, Decision], question: str = HYPOTHESIS) -> None:
    opened = desk(at)
    session_of(at).keep_decisions(f"{opened.opening}:{question}", Decided(decisions, 1))
    at.run()


def test_a_new_window_has_what_was_decided() -> None:
    one = with_paper(window())
    one.text_area[0].input(HYPOTHESIS)
    one.button(key="find").click().run()
    decided(one, {3: Decision.ACCEPTED})
    two = window()
    assert desk(two).decided_on[HYPOTHESIS].decisions == {3: Decision.ACCEPTED}
    assert desk(two).hypothesis == HYPOTHESIS
    assert desk(two).evidence == desk(one).evidence
    assert desk(two).paper == desk(one).paper


def test_what_is_read_back_is_not_written_again(store: Store) -> None:
    one = with_paper(window())
    decided(one, {3: Decision.ACCEPTED})
    rob2 = tool_named("rob2")
    judged = desk(one).bias.with_tool(rob2)
    judged.assessment = judged.assessment.with_own(rob2.domains[0], OwnJudgement(level=HIGH, comment="because"))
    one.run()
    person = own_id(load_settings())
    with store.reading() as now:
        before = now.changes_made(person)
    two = window().run()
    with store.reading() as now:
        assert now.changes_made(person) == before
    assert desk(two).bias.with_tool(rob2).assessment == judged.assessment
    assert before[0] > 3


def test_two_windows_take_in_what_the_other_did() -> None:
    one = with_paper(window())
    two = window()
    decided(one, {3: Decision.ACCEPTED})
    decided(two, {2: Decision.REJECTED}, "Another question")
    one.run()
    for at in (one, two):
        assert desk(at).decided_on[HYPOTHESIS].decisions == {3: Decision.ACCEPTED}
        assert desk(at).decided_on["Another question"].decisions == {2: Decision.REJECTED}
    decided(two, {}, HYPOTHESIS)
    one.run()
    assert desk(one).decided_on[HYPOTHESIS].decisions == {}
    assert desk(one).decided_on[HYPOTHESIS].number == 2, "newer than what the browser has sent"


def test_labels_of_a_summary_come_back() -> None:
    one = with_paper(window())
    one.switch_page("pages/summary.py").run()
    one.text_area[0].input("Pain fell with tea.")
    one.button(key="check-summary").click().run()
    settle(one)
    version = desk(one).summary.version
    assert version is not None
    version.own = {0: Label.CANNOT_TELL}
    one.run()
    two = window()
    (back,) = desk(two).summary.versions
    assert (back.report, back.own, back.measures) == (version.report, version.own, version.measures)
    assert desk(two).summary.draft == "Pain fell with tea."


def test_what_is_forgotten_in_one_window_is_closed_in_the_other(store: Store) -> None:
    one = with_paper(window())
    two = window()
    decided(one, {3: Decision.ACCEPTED})
    paper = desk(one).paper.id
    one.button(key=f"close-{paper}").click().run()
    one.button(key="forget").click().run()
    with store.reading() as now:
        assert own_papers(now, own_id(load_settings())) == ()
    two.run()
    assert session_of(two).open is None
    assert "forgotten in another window" in two.error[0].value


def test_a_typed_hypothesis_is_not_forgotten_unasked() -> None:
    one = with_paper(window())
    one.text_area[0].input(HYPOTHESIS).run()
    paper = desk(one).paper.id
    one.button(key=f"close-{paper}").click().run()
    assert one.button(key="forget")
    assert paper in session_of(one).papers


@pytest.mark.parametrize("typed", [False, True])
def test_what_another_window_has_done_is_not_forgotten_unasked(typed: bool) -> None:
    one = with_paper(window())
    paper = desk(one).paper.id
    two = window()
    with_paper_beside(two)
    if typed:
        one.text_area[0].input(HYPOTHESIS).run()
    else:
        decided(one, {3: Decision.ACCEPTED})
    two.button(key=f"close-{paper}").click().run()
    assert two.button(key="forget")
    assert paper in session_of(two).papers
    two.button(key="keep-open").click().run()
    two.button(key=f"close-{desk(two).paper.id}").click().run()
    assert list(session_of(two).papers) == [paper], "nothing was done on the other paper"


def test_papers_that_are_not_open_here_stand_in_the_sidebar() -> None:
    one = with_paper(window())
    first = desk(one).paper.id
    two = window()
    with_paper_beside(one)
    two.run()
    (other,) = session_of(two).shelf
    assert other == desk(one).paper.id != first
    two.button(key=f"open-{other}").click().run()
    assert desk(two).paper.id == other


def with_paper_beside(at: AppTest) -> None:
    session_of(at).uploads += 1
    session_of(at).put_on_desk(read_paper(b"# Coffee\n\nNothing happened.\n", name="coffee.md"))
    at.run()


def test_a_paper_is_forgotten_from_its_own_line(store: Store) -> None:
    one = with_paper(window())
    one.button(key="forget-this").click().run()
    one.button(key="forget").click().run()
    assert session_of(one).open is None
    with store.reading() as now:
        assert own_papers(now, own_id(load_settings())) == ()


def test_somebody_else_sees_nothing_of_it() -> None:
    with_paper(window())
    (load_settings().home / "person").unlink()
    other = window()
    assert session_of(other).open is None
    assert session_of(other).shelf == {}
    other.switch_page("pages/review.py").run()
    assert not [button for button in other.button if (button.key or "").startswith("project-")]


def test_a_private_project_is_not_opened_by_its_address(store: Store) -> None:
    with_paper(window())
    at = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    at.switch_page("pages/review.py")
    at.query_params["project"] = own_id(load_settings())
    at.run()
    assert session_of(at).review.project is None


def test_into_a_project(store: Store) -> None:
    with store.writing("Ann") as change:
        change.save(Project("tea", "Tea", ("Ann", "Ben"), blind=False))
    one = with_paper(window())
    decided(one, {3: Decision.ACCEPTED})
    opened = desk(one)
    one.selectbox(key="into-project").select("tea").run()
    one.button(key="into").click().run()
    with store.reading() as now:
        (saved,) = now.decisions("tea", opened.paper.id, reader="Ann")
        assert saved.record.sentences == {3: Decision.ACCEPTED}
        assert own_papers(now, own_id(load_settings())) == ()
    decided(one, {3: Decision.REJECTED})
    with store.reading() as now:
        (saved,) = now.decisions("tea", opened.paper.id, reader="Ann")
        assert saved.record.sentences == {3: Decision.REJECTED}


def test_a_store_that_does_not_answer_is_told_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    one = with_paper(window())

    def away() -> Store:
        raise StoreUnreachable("Cannot use the database.")

    with monkeypatch.context() as patch:
        patch.setattr(autosave, "the_store", away)
        decided(one, {3: Decision.ACCEPTED})
        assert not desk(one).all_stored
        assert any("Cannot use the database" in error.value for error in one.error)
    one.run()
    assert desk(one).all_stored
    assert desk(window()).decided_on[HYPOTHESIS].decisions == {3: Decision.ACCEPTED}
