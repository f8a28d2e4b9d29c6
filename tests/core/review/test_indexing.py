"""Indexing as a piece of the queue: it pauses, goes on, and tells what fails; each store's library is its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from core.errors import LibraryError, SourceError, VouchError
from core.library import open_library
from core.library.indexing import encode_one
from core.paper import read_paper
from core.review import queue
from core.review.indexing import project_library
from core.review.queue import set_mode, start_queue
from core.review.status import QueueStatus, queue_status
from core.settings import Settings, load_settings
from core.store import Plan, Project, QueueMode, Store, open_store, record_of
from core.text.similarity import Embedder
from core.work.pools import ThreadWorkers
from core.work.progress import WorkProgress
from tests.core.review.papers import begin, trial

run_queue = partial(queue.run_queue, look_s=0)
NOTHING = Plan(None, None, None)
PAPERS = 6


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.review.queue.ProcessWorkers", lambda do, workers, **_: ThreadWorkers(do, at_once=workers))
    monkeypatch.setattr("core.review.indexing.indexing_pool", lambda *_: ThreadWorkers(encode_one))


def kept(store: Store, papers: int, project: str = "towns") -> None:
    """So many papers in a project, as they were read."""
    with store.writing("Ann") as change:
        for number in range(papers):
            read = read_paper(trial(number), name=f"trial-{number:02}.md")
            change.save(record_of(read, project=project))
            change.keep_text(project, read.id, read)


def wanted(store: Store, papers: int = PAPERS) -> None:
    with store.writing("Ann") as change:
        change.queue.want_indexed("towns", papers)
    start_queue(store, "towns", "Ann")


def status(store: Store) -> QueueStatus:
    with store.reading() as now:
        return queue_status(now, now.project("towns").record)


def missing(store: Store) -> list[str]:
    with store.reading() as now:
        return [one.name for one in project_library(now, "towns", load_settings()).missing(now)]


@pytest.mark.slow
def test_paused_it_goes_on_with_what_is_missing(store: Store) -> None:
    begin(store, plan=NOTHING)
    kept(store, PAPERS)
    wanted(store)
    assert (status(store).to_index, status(store).anything_to_do) == (PAPERS, True)

    def pause(progress: WorkProgress) -> None:
        if progress.done >= 2 and status(store).state.mode is QueueMode.RUNNING:
            set_mode(store, "towns", "Ann", QueueMode.PAUSED)

    run_queue(store, "towns", report=pause)
    left = missing(store)
    assert 0 < len(left) < PAPERS, "what was in hand is saved, and nothing new begun"
    assert (status(store).to_index, status(store).state.mode) == (len(left), QueueMode.PAUSED)

    start_queue(store, "towns", "Ann")
    run_queue(store, "towns")
    assert (missing(store), status(store).to_index, status(store).state.mode) == ([], 0, QueueMode.IDLE)
    start_queue(store, "towns", "Ann")
    assert run_queue(store, "towns") is None, "nobody wants more"


@pytest.mark.slow
def test_a_cancel_keeps_what_is_indexed_and_the_wish(store: Store) -> None:
    begin(store, plan=NOTHING)
    kept(store, PAPERS)
    wanted(store)

    def cancel(progress: WorkProgress) -> None:
        if progress.done:
            raise queue.QueueCancelled

    run_queue(store, "towns", report=cancel)
    assert 0 < len(missing(store)) < PAPERS
    assert (status(store).to_index, status(store).state.mode) == (len(missing(store)), QueueMode.IDLE)


def test_an_index_that_fails_is_told_and_files_are_read_all_the_same(store: Store, home: Path) -> None:
    begin(store, plan=NOTHING, trials=1)
    home.joinpath("library").write_text("no folder")
    wanted(store)
    with pytest.raises(LibraryError, match="cannot be opened"):
        run_queue(store, "towns")
    found = status(store)
    assert (found.papers, found.to_index, found.state.mode) == (1, PAPERS, QueueMode.PAUSED)
    assert "library cannot be opened" in (found.problem or "")


@pytest.mark.slow
def test_a_question_does_not_wait_for_the_end_of_other_work(store: Store) -> None:
    begin(store, plan=NOTHING, trials=PAPERS)
    start_queue(store, "towns", "Ann")
    seen: list[tuple[int, int]] = []

    def ask(progress: WorkProgress) -> None:
        found = status(store)
        if found.papers and not seen:
            with store.writing("Ann") as change:
                change.queue.want_indexed("towns", found.papers)
        if found.papers:
            seen.append((found.waiting, found.to_index))

    run_queue(store, "towns", report=ask)
    asked = seen[1:]
    assert any(to_index == 0 and waiting for waiting, to_index in asked), "indexed while files wait"
    assert (status(store).papers, status(store).waiting) == (PAPERS, 0)


def test_why_fetching_failed_is_told_beside_why_indexing_did(
    store: Store, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise SourceError("The service does not answer.")

    begin(store, plan=NOTHING)
    home.joinpath("library").write_text("no folder")
    monkeypatch.setattr("core.review.retrieval.fetch_wanted", fail)
    monkeypatch.setattr("core.store.retrievals.StoreRetrievals.wanted_count", lambda *_: 1)
    wanted(store)
    with pytest.raises(VouchError, match=r"does not answer.*cannot be opened"):
        run_queue(store, "towns")


def test_another_process_waits_for_its_turn(store: Store, home: Path) -> None:
    class Tired(Exception):
        """Ends the wait."""

    def give_up(done: float, step: str) -> None:
        assert "Waiting for another window" in step
        raise Tired

    begin(store, plan=NOTHING)
    with store.reading() as now:
        of_project = project_library(now, "towns", load_settings())
    hold = "import sys, filelock\nwith filelock.FileLock(sys.argv[1]):\n    print('held', flush=True)\n    sys.stdin.read()"
    lock = home / "library" / f"{of_project.library.name}.lock"
    other = subprocess.Popen([sys.executable, "-c", hold, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdin is not None
    assert other.stdout is not None
    assert other.stdout.readline().strip() == b"held"
    with pytest.raises(Tired), of_project.alone(give_up):
        pass
    other.communicate()
    with of_project.alone(give_up):
        pass


def test_the_library_of_all_projects_takes_the_place_of_the_one_of_an_older_vouch(store: Store, home: Path) -> None:
    begin(store, plan=NOTHING)
    settings = load_settings()
    for name in ("all-projects", "project-other"):
        open_library(name, Embedder.installed(settings.embeddings), settings)
    with store.reading() as now:
        of_all = project_library(now, None, settings)
    tables = {path.stem for path in (home / "library").iterdir()}
    names = ("project-other", of_all.library.name)
    assert tables == {f"{name}-{part}" for name in names for part in ("papers", "passages")}


def test_the_library_of_all_projects_is_of_one_store(store: Store, migrated_file: Path, tmp_path: Path) -> None:
    shared = replace(load_settings(), library_url=str(tmp_path / "shared"))
    other = open_store(Settings(home=tmp_path / "other", data=None))
    libraries = []
    for number, one in enumerate((store, other)):
        with one.writing("Ann") as change:
            change.save(Project("towns", "Walking", ("Ann",)))
        kept(one, number + 1)
        with one.reading() as now:
            of_all = project_library(now, "towns", shared, everywhere=True)
            papers = of_all.missing(now)
        of_all.add(one, papers)
        libraries.append(of_all)
    with store.reading() as now:
        libraries[0].take_out_gone(now)
    other.close()
    assert [len(one.library.papers()) for one in libraries] == [1, 2]
    assert libraries[0].library.name != libraries[1].library.name
    shutil.rmtree(tmp_path / "shared")
