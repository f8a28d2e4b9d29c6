"""The store of this machine or team, and the queues at work on it: opened once for all windows of the server."""

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
# What a queue is to do is in the store (`core.review.queue`), so that any window sees it and an app that was stopped goes on
# where it was. Here is only who does the work, how it stands at this moment, and a key that was typed in.


@dataclass(slots=True)
class QueueJob:
    """A queue's work in this server."""

    worker_options: WorkerOptions
    standing: WorkProgress | None = None  # None: getting ready
    error: BaseException | None = None  # a programmer's error, to be raised where it is seen
    alive: bool = True
    wanted: tuple[str, WorkerOptions] | None = None  # started again by whom, perhaps after the last look at the queue


@dataclass(slots=True)
class QueueRunner:
    """All queues at work in this server."""

    store: Store
    look_s: float = 2.0  # seconds between looks at a queue, also at one that another server is at work on
    lock: Lock = field(default_factory=Lock)
    works: dict[str, QueueJob] = field(default_factory=dict)

    def start(self, project: str, who: str, worker_options: WorkerOptions) -> None:
        """Let a project's queue run, here unless it is at work already. Raises `StoreError`."""
        start_queue(self.store, project, who, worker_options)
        with self.lock:
            work = self.works.get(project)
            if work is not None and work.alive:
                work.wanted = who, worker_options
            else:
                self._begin(project, worker_options)

    def stop(self, project: str, who: str, mode: QueueMode) -> None:
        """Pause a project's queue, or cancel it (`QueueMode.IDLE`), whoever is at work on it. Raises `StoreError`."""
        with self.lock:
            if (work := self.works.get(project)) is not None:
                work.wanted = None  # an earlier start would let it run again
        set_mode(self.store, project, who, mode)

    def take_up(self) -> None:
        """Go on with the queues that were at work when the app was stopped. Raises `StoreError`.

        A language model is not asked again before somebody says so: key and budget were in memory alone.
        """
        with self.store.reading() as now:
            here = {saved.record.id: saved.record for saved in now.projects()}
            running = [(here[id], now.queue.state(id)) for id in now.queue.in_mode(QueueMode.RUNNING) if id in here]
        for project, state in running:
            asks = bool(models_of(project.plan))
            self.stand_by(project.id, WorkerOptions(state.workers, state.cluster, only_reads=asks))

    def stand_by(self, project: str, worker_options: WorkerOptions) -> None:
        """See to it that a queue that is to run is worked on: here, or here as soon as another server does not."""
        with self.lock:
            work = self.works.get(project)
            if work is None or not work.alive:
                self._begin(project, worker_options)

    def of(self, project: str) -> QueueJob | None:
        """How a project's work stands in this server; None if it never had any."""
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
            except VouchError:  # another server has it, or the store tells why
                time.sleep(self.look_s)
            except BaseException as error:  # noqa: BLE001  raised where it is seen
                work.error = error

    def _goes_on(self, project: str, work: QueueJob) -> bool:
        """Whether there is more to do. A start that came after the last look at what there is to do is not lost."""
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
    """The store that the settings name. Raises `StoreError` where it cannot be opened."""
    settings = load_settings()
    return _opened(str(settings.home), settings.database_url)


@st.cache_resource(show_spinner=False)
def _opened(home: str, address: str | None) -> Store:
    return open_store(load_settings())


def the_runner() -> QueueRunner:
    """The queues that this server works on. Its first call goes on with those that an earlier server left."""
    settings = load_settings()
    return _runner(str(settings.home), settings.database_url)


@st.cache_resource(show_spinner=False)
def _runner(home: str, address: str | None) -> QueueRunner:
    runner = QueueRunner(the_store())
    runner.take_up()
    return runner
