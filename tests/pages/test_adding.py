"""Adding papers and references to a project, and the session's state of reviews."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import QueryError
from core.review.intake import possible_duplicates_of
from core.review.queue import WorkerOptions, run_queue, set_mode, start_queue
from core.review.status import QueueStatus, queue_status
from core.settings import Settings
from core.store import IncomingFile, QueueFailure, QueueMode, QueueState, Store, open_store
from core.work.pools import ThreadWorkers
from pages._ui.jobs import BackgroundJob
from pages._ui.review import adding
from pages._ui.review.adding import Intake
from pages._ui.review.arrivals import IntakeOutcome, arrivals_in_words, intake_outcome, troubles_in_words
from pages._ui.review.references import References
from pages._ui.review.state import IntakeReport, OpenedPaper, ReviewWork
from pages._ui.stored import QueueRunner
from tests.core.review.papers import begin, trial

# ---- the session's state of reviews ----

NOW = datetime(2026, 3, 1, tzinfo=UTC)
READ = QueueFailure("paper", "evidence: bm25", "The server is down.", 1, NOW)


def test_another_project_forgets_what_was_hidden_and_opened() -> None:
    work = ReviewWork()
    work.enter("p", "Ann")
    work.put_aside, work.opened = frozenset({"a file"}), OpenedPaper("paper", "Tea helps", 3)
    work.enter("p")
    assert (work.reviewer, work.put_aside, work.opened) == ("Ann", {"a file"}, OpenedPaper("paper", "Tea helps", 3))
    work.enter("q")
    assert (work.reviewer, work.put_aside, work.opened) == (None, frozenset(), None)


def note_of_the_status() -> None:
    """Draw the note above tabs other than Papers. Run as a script of its own, it cannot use this module's names."""
    import streamlit as st

    from pages._ui.review import arrivals
    from pages._ui.state import current_session

    current_session().review.tab = "Evidence table"
    arrivals.note_troubles(current_session(), st.session_state["status"])


def test_a_note_that_was_hidden_comes_again_with_a_new_trouble_only() -> None:
    at = AppTest.from_function(note_of_the_status, default_timeout=30)
    assert told(at, files=["a", "b"]) == [":material/error: 2 files could not be read\\: listed under Papers"]
    at.button(key="hide-troubles").click()
    assert told(at, files=["a", "b"]) == []
    assert told(at, files=["a"]) == [], "one less is nothing new"
    assert len(told(at, files=["a", "c"])) == 1, "as many as before, another one"
    at.button(key="hide-troubles").click()
    assert told(at, files=["a", "c"]) == []
    assert len(told(at, files=["a", "c"], failures=[READ])) == 1
    at.button(key="hide-troubles").click()
    assert told(at, failures=[READ]) == []
    assert told(at) == []
    assert len(told(at, failures=[READ])) == 1, "it was tried again, and failed again"


def told(at: AppTest, *, files: Sequence[str] = (), failures: Sequence[QueueFailure] = ()) -> list[str]:
    """The note when these files could not be read and these questions not answered."""
    unreadable = tuple(IncomingFile(one, f"{one}.pdf", "Ann", NOW, "Cut off.") for one in files)
    at.session_state["status"] = QueueStatus(QueueState(), 2, 0, 0, 0, unreadable, 2, 2, 0, tuple(failures), (), None)
    at.run()
    assert not at.exception
    return [one.value for one in at.caption]


# ---- adding files to a project ----

RIS = b"TY  - JOUR\nTI  - Tea for sleep\nER  - \nTY  - JOUR\nAU  - Nobody\nER  - \n"


class Resting(QueueRunner):
    """A runner that only records who started it."""

    def start(self, project: str, who: str, worker_options: WorkerOptions) -> None:
        self.works[project] = worker_options  # type: ignore[assignment]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path / "home"))
    opened = open_store(Settings(home=tmp_path / "home", data=None))
    begin(opened)
    yield opened
    opened.close()


@pytest.fixture
def intake(store: Store) -> Intake:
    return Intake(store, Resting(store), "towns", "Ann", WorkerOptions())


def test_papers_and_references_come_together(intake: Intake, store: Store) -> None:
    taken = intake.files([("1.md", trial(1)), ("2.md", trial(2)), ("again.md", trial(1)), ("export.ris", RIS)])
    assert said(taken, store) == (
        "1 reference added · 2 files put in the queue, to be read · 1 file here already · listed below: 1 wrong entry"
    )
    again = intake.files([("1.md", trial(1)), ("export.ris", RIS)])
    assert said(again, store) == "Nothing new · 1 file and 1 reference here already · listed below: 1 wrong entry"
    with store.reading() as now:
        assert [one.name for one in now.queue.incoming("towns")] == ["1.md", "2.md"]
        assert [one.record.reference.title for one in now.references("towns")] == ["Tea for sleep"]
    assert "towns" in intake.runner.works, "the queue begins by itself"


def test_a_file_of_references_without_any_is_listed_until_it_is_right(intake: Intake, store: Store) -> None:
    intake.files([("list.csv", b"colour,weight\nred,3\n")])
    with store.reading() as now:
        (failure,) = now.queue.failures("towns")
    assert (failure.item, failure.task) == ("list.csv", "reference: the file")
    assert "list.csv" in failure.error
    intake.files([("list.csv", b"title,year\nTea for sleep,2020\n")])
    with store.reading() as now:
        assert now.queue.failures("towns") == ()


def test_a_doubt_about_a_whole_file_is_listed(intake: Intake, store: Store) -> None:
    taken = intake.files([("export.ris", b"TY  - JOUR\nTI  - Tea for sleep\n")])
    assert said(taken, store) == "1 reference added · listed below: 1 wrong entry"
    with store.reading() as now:
        (doubt,) = queue_status(now, now.project("towns").record).wrong_entries
    assert (doubt.item, doubt.task.partition(": ")[2]) == ("export.ris", "the file")


def test_a_folder_is_taken_in_with_the_folders_in_it(intake: Intake, store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    (folder / "deep").mkdir(parents=True)
    (folder / "1.md").write_bytes(trial(1))
    (folder / "deep" / "2.md").write_bytes(trial(2))
    (folder / ".hidden").write_bytes(trial(3))
    (folder / "export.ris").write_bytes(RIS)
    running = BackgroundJob(lambda report: intake.folder(folder, report))
    assert running.wait(30)
    taken = running.result
    assert taken is not None
    assert said(taken, store) == (
        f"From {folder}: 1 reference added · 2 files put in the queue, to be read · listed below: 1 wrong entry"
    )
    with store.reading() as now:
        assert {one.name for one in now.queue.incoming("towns")} == {"1.md", "2.md"}


def test_an_empty_folder_is_told(intake: Intake, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    running = BackgroundJob(lambda report: intake.folder(tmp_path / "nothing", report))
    assert running.wait(30)
    assert isinstance(running.error, QueryError)


def test_a_queue_that_was_paused_stays_so(intake: Intake, store: Store) -> None:
    set_mode(store, "towns", "Ben", QueueMode.PAUSED)
    intake.files([("1.md", trial(1))])
    assert intake.runner.works == {}


def test_what_was_left_out_is_said() -> None:
    taken = IntakeReport("towns", files=["a"])
    taken.leave("larger than 200 MB")
    taken.leave("larger than 200 MB")
    assert (
        arrivals_in_words(taken, IntakeOutcome(0, 1, (), 0)) == "1 paper added · 2 files left out: larger than 200 MB"
    )


def test_what_became_of_files_is_told_once_they_are_read(
    intake: Intake, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    twin = trial(1) + b"\nPrinted again.\n"
    taken = intake.files([("1.md", trial(1)), ("2.md", trial(2)), ("cut off.pdf", b"%PDF-1.7"), ("twin.md", twin)])
    assert said(taken, store) == "4 files put in the queue, to be read"
    monkeypatch.setattr("core.review.queue.ProcessWorkers", lambda do, workers, **_: ThreadWorkers(do, at_once=workers))
    start_queue(store, "towns", "Ann")
    run_queue(store, "towns", worker_options=WorkerOptions(only_reads=True))
    listed = "1 file that could not be read (“cut off.pdf”), 1 pair that looks alike"
    assert said(taken, store) == f"3 papers added · listed below: {listed}"
    with store.writing("Ann") as change:
        (unread,) = change.queue.incoming("towns")
        change.queue.remove_file("towns", unread.sha256, with_bytes=True)
    assert "could not be read" not in said(taken, store)
    assert said(taken, store).startswith("3 papers added")


def test_of_many_unreadable_files_a_few_are_named() -> None:
    became = IntakeOutcome(0, 0, ("a", "b", "c", "d", "e"), 0)
    assert arrivals_in_words(IntakeReport("towns"), became) == (
        "listed below: 5 files that could not be read (“a”, “b”, “c” and 2 more)"
    )


def test_the_note_above_other_tabs_counts_each_kind() -> None:
    assert troubles_in_words(2, 1, 0) == (
        "2 files could not be read · 1 wrong entry in files of references: listed under Papers"
    )
    assert troubles_in_words(0, 0, 1) == "1 question could not be answered: listed under Papers"


def said(taken: IntakeReport, store: Store) -> str:
    """What the page says about it now."""
    with store.reading() as now:
        papers = {saved.record.id: saved.record for saved in now.stored_papers("towns")}
        found = References(papers, alike=possible_duplicates_of(now, "towns"))
        return arrivals_in_words(taken, intake_outcome(taken, now.queue.incoming("towns"), lambda: found))


def test_a_folder_with_names_that_are_no_text_is_taken_in(intake: Intake, store: Store, tmp_path: Path) -> None:
    """File names in Latin-1, as found on Linux, are not valid text."""
    folder = tmp_path / "papers"
    folder.mkdir()
    try:
        (folder / "caf\udce9.md").write_bytes(trial(1))
    except OSError:
        pytest.skip("this file system takes no such names")
    (folder / "caf\udce9.ris").write_bytes(RIS)
    (folder / "none \udce9.csv").write_bytes(b"colour,weight\nred,3\n")
    steps: list[str] = []
    intake.folder(folder, lambda done, step: steps.append(step))  # type: ignore[arg-type]
    assert steps[1] == "Taking in 1 of 3: caf?.md"
    with store.reading() as now:
        assert [one.name for one in now.queue.incoming("towns")] == ["caf?.md"]
        assert [one.record.source for one in now.references("towns")] == ["caf?.ris"]
        assert {one.item for one in now.queue.failures("towns")} == {"caf?.ris", "none ?.csv"}


def test_a_file_of_a_folder_is_as_large_as_one_from_the_browser_may_be(
    intake: Intake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adding, "LARGEST_MB", 1)
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "large.md").write_bytes(b" " * 1_000_001)
    (folder / "small.md").write_bytes(trial(1))
    taken = intake.folder(folder, lambda done, step: None)  # type: ignore[arg-type]
    assert (len(taken.files), taken.left) == (1, {"larger than 1 MB": 1})
