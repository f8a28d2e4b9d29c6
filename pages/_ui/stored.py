"""The store of this machine or team, and the queues of this server: opened once for all windows."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from threading import Lock, Thread

import streamlit as st

from core.errors import VouchError
from core.review.jobs import models_of
from core.review.queue import WorkerOptions, run_queue, set_mode, start_queue
from core.settings import load_settings
from core.store import QueueMode, Store, open_store
from core.work.progress import WorkProgress

# ---- queues ----
# The work of a queue is in the store (`core.review.queue`), so that any window sees it and a restarted app resumes it.
# Only the worker, its current state and a typed key are held here.


@dataclass(slots=True)
class QueueJob:
    """This server's work on a queue."""

    worker_options: WorkerOptions
    standing: WorkProgress | None = None  # None: still starting
    error: BaseException | None = None  # an unexpected exception, raised when it is seen
    alive: bool = True
    wanted: tuple[str, WorkerOptions] | None = None  # a start requested meanwhile, and by whom


@dataclass(slots=True)
class QueueRunner:
    """All queues that this server works on."""

    store: Store
    look_s: float = 2.0  # seconds between looks at a queue, even one that another server works on
    lock: Lock = field(default_factory=Lock)
    works: dict[str, QueueJob] = field(default_factory=dict)

    def start(self, project: str, who: str, worker_options: WorkerOptions) -> None:
        """Start a project's queue, on this server unless it is already being worked on. Raises `StoreError`."""
        start_queue(self.store, project, who, worker_options)
        with self.lock:
            work = self.works.get(project)
            if work is not None and work.alive:
                work.wanted = who, worker_options
            else:
                self._begin(project, worker_options)

    def stop(self, project: str, who: str, mode: QueueMode) -> None:
        """Pause a project's queue or cancel it (`QueueMode.IDLE`), whoever works on it. Raises `StoreError`."""
        with self.lock:
            if (work := self.works.get(project)) is not None:
                work.wanted = None  # a pending start would restart it
        set_mode(self.store, project, who, mode)

    def take_up(self) -> None:
        """Resume the queues that were running when the app was stopped. Raises `StoreError`.

        Language models are not asked before somebody starts them again: key and budget were only in memory.
        """
        with self.store.reading() as now:
            here = {saved.record.id: saved.record for saved in now.projects()}
            running = [(here[id], now.queue.state(id)) for id in now.queue.in_mode(QueueMode.RUNNING) if id in here]
        for project, state in running:
            asks = bool(models_of(project.plan))
            self.stand_by(project.id, WorkerOptions(state.workers, state.cluster, only_reads=asks))

    def stand_by(self, project: str, worker_options: WorkerOptions) -> None:
        """Make sure that a running queue is worked on: by this server, as soon as no other server does it."""
        with self.lock:
            work = self.works.get(project)
            if work is None or not work.alive:
                self._begin(project, worker_options)

    def of(self, project: str) -> QueueJob | None:
        """This server's work on a project; None if it never had any."""
        return self.works.get(project)

    def _begin(self, project: str, worker_options: WorkerOptions) -> None:
        work = self.works[project] = QueueJob(worker_options)
        Thread(target=self._carry_out, args=(project, work), name="queue", daemon=True).start()

    def _carry_out(self, project: str, work: QueueJob) -> None:
        while self._goes_on(project, work):
            try:
                run_queue(
                    self.store,
                    project,
                    worker_options=work.worker_options,
                    report=lambda standing: _note(work, standing),
                    look_s=self.look_s,
                )
            except VouchError:  # another server works on it, or the store has the error
                time.sleep(self.look_s)
            except BaseException as error:  # noqa: BLE001 - raised where it is seen
                work.error = error

    def _goes_on(self, project: str, work: QueueJob) -> bool:
        """Whether to continue. A start that came after the last look at the queue is not lost."""
        with self.lock:
            wanted, work.wanted = work.wanted, None
            work.alive = work.error is None and (wanted is not None or self._is_to_run(project))
            # A later start may bring other options: a key for the engines, for example, after papers were only read.
            if wanted is not None and wanted[1] != work.worker_options:
                try:
                    start_queue(self.store, project, *wanted)
                    work.worker_options = wanted[1]
                except VouchError:  # the store does not answer at present: the next look tries again
                    work.wanted = wanted
            return work.alive

    def _is_to_run(self, project: str) -> bool:
        try:
            with self.store.reading() as now:
                return now.queue.state(project).mode is QueueMode.RUNNING
        except VouchError:
            return False


def _note(work: QueueJob, standing: WorkProgress) -> None:
    work.standing = standing


# ---- store ----


def the_store() -> Store:
    """The store that the settings name. Raises `StoreError` if it cannot be opened."""
    settings = load_settings()
    return _opened(str(settings.home), settings.database_url)


@st.cache_resource(show_spinner=False)
def _opened(home: str, address: str | None) -> Store:
    return open_store(load_settings())


def the_runner() -> QueueRunner:
    """The queues of this server. The first call resumes those of an earlier server."""
    settings = load_settings()
    return _runner(str(settings.home), settings.database_url)


@st.cache_resource(show_spinner=False)
def _runner(home: str, address: str | None) -> QueueRunner:
    runner = QueueRunner(the_store())
    runner.take_up()
    return runner
