"""The queue of a review: reads every paper, asks the engines what is missing, and saves each answer as it comes.

Nothing is planned in advance: what there is to do follows from what is in the store. So a queue that was paused or
killed resumes, a hypothesis that is added later is answered from the papers as they were read, and no finished work is
done again."""

from __future__ import annotations

import os
import socket
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from uuid import uuid4

import psutil

from core.engines import TaskKind
from core.errors import LibraryError, QueueHeld, SourceError, VouchError, WorkersLost
from core.llm.runner import AT_ONCE
from core.review.intake import QUEUE, keep_read, keep_work, match_references
from core.review.jobs import ModelAccess, OpenEngines, do_job, models_of, open_engines
from core.review.planning import (
    READ,
    Job,
    JobResult,
    MissingAnswers,
    WorkCounts,
    WorkKind,
    missing,
    next_in_turn,
    pieces_left,
    reading_job,
    unread,
    working_job,
)
from core.settings import load_settings
from core.store import Conflict, IncomingFile, Plan, Project, QueueMode, QueueRun, QueueState, Store, StoreReader
from core.work.identity import commit_now, fingerprint, versions_now
from core.work.pools import ProcessWorkers, ThreadWorkers, WorkerPool, work_through
from core.work.progress import ProgressCounter, Report, WorkProgress, no_report

# The time and cost of each kind of work, as measured in this run. The time to read a file says nothing about the time
# to judge it, so nothing is predicted while a kind that is still to come has not been measured.


@dataclass(slots=True)
class _Took:
    """The total time and cost of the finished pieces of one kind of work, summed over the workers."""

    jobs: int = 0
    pieces: int = 0
    seconds: float = 0.0
    usd: float | None = 0.0  # None: unknown


@dataclass(slots=True)
class TimeEstimator:
    """Estimates the time and cost left in a run."""

    left: Counter[WorkKind] = field(default_factory=Counter)  # pieces still to do
    began: float | None = None  # when the first job began; it may have waited for its worker to start
    took: defaultdict[WorkKind, _Took] = field(default_factory=lambda: defaultdict(_Took))

    def count(self, job: Job, outcome: JobResult) -> None:
        """Count one more finished job."""
        if self.began is None:
            self.began = time.perf_counter() - sum(effort.seconds for effort in outcome.efforts)
        self.left -= job.pieces  # drops the kinds that reach zero
        for kind in +job.pieces:
            self.took[kind].jobs += 1
        for effort in outcome.efforts:
            took = self.took[effort.kind]
            took.pieces += effort.pieces
            took.seconds += effort.seconds
            took.usd = None if took.usd is None or effort.cost_usd is None else took.usd + effort.cost_usd

    def knows(self, pieces: WorkCounts) -> bool:
        """Whether every one of these kinds was measured."""
        return all(self.took[kind].pieces for kind, number in pieces.items() if number)

    def ahead(self, progress: WorkProgress, in_hand: Collection[Job]) -> WorkProgress:
        """The progress with the estimates of the time and cost left."""
        usd = self._usd_left
        return replace(progress, seconds_left=self._seconds_left(in_hand), least_usd_left=usd, most_usd_left=usd)

    def _seconds_left(self, in_hand: Collection[Job]) -> float | None:
        """The work left, at the rate so far: work done per wall-clock second by all workers. None: not known yet.

        While more jobs of a kind are in hand than are done, the rate would be too low.
        """
        begun = Counter(kind for job in in_hand for kind in +job.pieces)
        done = sum(took.seconds for took in self.took.values())
        if self.began is None or not done or not self.knows(self.left):
            return None
        if any(begun[kind] > self.took[kind].jobs for kind in self.left):
            return None
        to_come = sum(number * self.took[kind].seconds / self.took[kind].pieces for kind, number in self.left.items())
        return (time.perf_counter() - self.began) * to_come / done

    @property
    def _usd_left(self) -> float | None:
        """The cost left, if a piece costs as much as the average of its kind. None: not known."""
        if not self.knows(self.left):
            return None
        left = 0.0
        for kind, number in self.left.items():
            took = self.took[kind]
            if took.usd is None:
                return None
            left += number * took.usd / took.pieces
        return left


_MOST_TRIES = 5  # of one item in a run: normally each leaves an answer or a failure for every question
_DEADLY = "The program that read it ended before its time, perhaps for want of memory. Try another copy of the file."
_FEW = 4  # at least so many files and items are done first, to measure them


class QueueCancelled(Exception):
    """Ends the queue's work after a cancel. Work in hand is abandoned."""


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """Which workers run: processes of this machine, or a Dask cluster; threads if a language model is asked."""

    workers: int = 1
    cluster: str | None = None  # the address of a Dask scheduler
    access: ModelAccess = field(default_factory=ModelAccess)
    only_reads: bool = False  # do not ask the plan's engines, as before a paid run

    @property
    def in_words(self) -> str:
        """The workers, in words for the user."""
        if self.cluster:
            return f"the cluster at {self.cluster}"
        return "1 process" if self.workers == 1 else f"{self.workers} processes"


def start_queue(store: Store, project: str, who: str, worker_options: WorkerOptions = WorkerOptions()) -> None:
    """Mark the queue as to be run; any process may then run it. Raises `NotStored` without the project."""
    with store.writing(who) as change:
        change.queue.set_state(project, QueueState(QueueMode.RUNNING, worker_options.workers, worker_options.cluster))
        change.queue.forget_failures(project, "", "queue")


def set_mode(store: Store, project: str, who: str, mode: QueueMode) -> None:
    """Pause the queue (work in hand is finished), or cancel it (`QueueMode.IDLE`)."""
    with store.writing(who) as change:
        change.queue.set_state(project, replace(change.queue.state(project), mode=mode))


def retry_failures(store: Store, project: str, who: str) -> None:
    """Delete failures, so that the queue tries again: files that could not be read, and engines' failures."""
    with store.writing(who) as change:
        for one in change.queue.failures(project):
            if not one.task.startswith("reference"):  # a wrong entry of a file stays wrong
                change.queue.forget_failures(project, one.item, one.task)
        for waiting in change.queue.incoming(project):
            if waiting.error is not None:
                change.queue.set_error(project, waiting.sha256, None)


def run_queue(
    store: Store,
    project: str,
    *,
    worker_options: WorkerOptions = WorkerOptions(),
    report: Report = no_report,
    look_s: float = 2.0,
) -> QueueRun | None:
    """Work until nothing is missing, or the queue is paused or cancelled. None if there was nothing to do.

    Every `look_s` seconds it reads the queue's mode and reports that it is still running.

    Every answer is saved as soon as it is there. Raising from `report`, which is called a few times a second, cancels.
    Raises `QueueHeld` if another process runs the queue or if it is not to run; `VouchError` if an engine, the cluster
    or the store cannot be used, which is also kept among the project's failures.
    """
    holder = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex}"
    with store.writing(QUEUE) as change:
        if not change.queue.claim(project, holder, ended=_has_ended):
            raise QueueHeld(
                "The queue of this project is at work in another window or on another machine, or is paused."
            )
    mode: QueueMode | None = QueueMode.PAUSED
    try:
        options = replace(worker_options, access=worker_options.access.for_one_run())
        work = _QueueWorker(store, project, options, holder, report, look_s)
        work.run()
        while not work.given_back():
            work.run()
        return work.record()
    except QueueCancelled:
        mode = None if work.told_to_end else QueueMode.IDLE  # it may have been started again meanwhile
        return work.record()
    except VouchError as error:
        with store.writing(QUEUE) as change:
            change.queue.note_failure(project, "", "queue", str(error))
        work.record()  # what was done before has its cost
        raise
    finally:
        with store.writing(QUEUE) as change:
            change.queue.release(project, holder, mode)


def _has_ended(holder: str) -> bool:
    """Whether a holder was a process of this machine that has ended, so that nobody must wait for its lease."""
    host, _, rest = holder.partition(":")
    pid = rest.partition(":")[0]
    if host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        return bool(psutil.Process(int(pid)).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


@dataclass(slots=True)
class _QueueWorker:
    """One run of the queue."""

    store: Store
    id: str
    worker_options: WorkerOptions
    holder: str
    tell: Report
    look_s: float
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    clock: ProgressCounter = field(default_factory=lambda: ProgressCounter(0))
    pace: TimeEstimator = field(default_factory=TimeEstimator)
    width: int = 1  # jobs in hand at once
    planned: Plan = field(default_factory=Plan)  # as the project has it
    plan: Plan = field(default_factory=Plan)  # with the engines' full names
    engines: OpenEngines | None = None  # of the plan
    paused: bool = False
    told_to_end: bool = False
    recorded: bool = False
    in_hand: dict[str, Job] = field(default_factory=dict)
    alone: bool = False  # run jobs one by one, because one of them kills its worker
    hopeless: str | None = None
    undone: list[VouchError] = field(default_factory=list)  # why fetching or indexing failed; the rest goes on
    to_index: bool = False  # whether papers were to be indexed at the last look
    looked: float = 0.0
    tried: Counter[str] = field(default_factory=Counter)  # how often each item was worked on
    asked_about: set[str] = field(default_factory=set)  # items checked for retractions: once per run
    unreachable: bool = False  # a check for retractions failed, so none is tried again in this run

    def run(self) -> None:
        """Work until there is nothing to do."""
        project = self._project()
        self.paused, self.planned = False, project.plan
        plan = Plan(None, None, None) if self.worker_options.only_reads else project.plan
        self.engines = open_engines(plan, self.worker_options.access)  # a wrong engine raises before the work starts
        self.plan = self.engines.plan
        with self.store.reading() as now:
            if not self._anything(now):
                return
        self.undone.clear()
        self._attempt(self._fetch, SourceError)
        self._attempt(self._index, LibraryError)
        while not self._worked_through():
            pass
        if self.hopeless is not None:
            with self.store.writing(QUEUE) as change:
                change.queue.note_failure(self.id, "", "queue", self.hopeless)
        if self.undone:
            first, *others = self.undone
            raise VouchError(" ".join(map(str, self.undone))) if others else first

    def _attempt(self, piece: Callable[[], None], kind: type[VouchError]) -> None:
        """Fetch or index. An error is raised at the end: files can be read without a network or an index."""
        try:
            piece()
        except kind as error:
            self.undone.append(error)

    def _index_wanted_meanwhile(self) -> None:
        """Index papers that somebody asked for meanwhile: the end of the other work may be hours away."""
        if self.to_index:
            self._attempt(self._index, LibraryError)
            self.to_index = False

    def _fetch(self) -> None:
        """Fetch the open full texts that reviewers want, before files are read. Raises `SourceError`."""
        with self.store.reading() as now:
            if not now.retrievals.wanted_count(self.id):
                return
        from core.review.retrieval import fetch_wanted  # loads the HTTP client  # noqa: PLC0415

        self.clock.done += fetch_wanted(self.store, self.id, load_settings(), self._teller())

    def _index(self) -> None:
        """Index the papers that are wanted in the project's library. Raises `LibraryError`."""
        with self.store.reading() as now:
            if self.paused or not now.queue.to_index(self.id):
                return
        from core.review.indexing import index_wanted  # loads the library's database  # noqa: PLC0415

        options = self.worker_options
        self.clock.done += index_wanted(
            self.store, self.id, load_settings(), self._teller(), workers=options.workers, cluster=options.cluster
        )

    def _check_what_came_in(self) -> None:
        """Check new items for retractions, if a reviewer has consented. Keeps a failure, but does not stop for it."""
        with self.store.reading() as now:
            items = self._unchecked(now)
        if self.paused or not items:
            return
        from core.review.notices import check_as_agreed  # loads the HTTP client  # noqa: PLC0415

        told = self._teller("Checking for retractions")

        def progress(done: float, step: str) -> None:
            told(round(done * len(items)), len(items))

        problem = check_as_agreed(
            self.store, self.id, load_settings(), goes_on=lambda: not self.paused, progress=progress
        )
        self.unreachable = bool(problem)
        if not self.paused:
            self.asked_about.update(items)

    def _unchecked(self, now: StoreReader) -> tuple[str, ...]:
        """The new items to check for retractions."""
        if self.unreachable or now.standing.of(self.id) is None:
            return ()
        from core.review.notices import due  # loads the HTTP client  # noqa: PLC0415

        return tuple(item for item in due(now, self.id) if item not in self.asked_about)

    def _teller(self, step: str = "") -> Callable[[int, int], bool]:
        """A callback for a piece of work to report (done, of how many); it returns False once the queue is paused."""
        clock = ProgressCounter(0)

        def told(done: int, of: int) -> bool:
            clock.of, clock.done = of, done
            self._look()
            self.tell(replace(clock.progress(), step=step))
            return not self.paused

        return told

    def _worked_through(self) -> bool:
        """Do the work. False if a worker was killed by one of the jobs in hand.

        Jobs are then run one by one. The one that kills its worker again is given up, and the rest goes on.
        """
        try:
            with self._pool() as pool:
                self.width = pool.width
                work_through(self._jobs(), pool, keep=self._keep, report=self._report)
        except WorkersLost:
            if self.alone:
                for job in list(self.in_hand.values()):
                    self._keep(job, JobResult(unreadable=_DEADLY))
            self.alone = True
            self.in_hand.clear()
            self.tried.clear()
            return False
        return True

    def given_back(self) -> bool:
        """Release the queue; False if something was added after the last look, which must be done first.

        Both happen in one transaction. Whoever adds something and starts the queue does so before it, or finds the
        queue released.
        """
        with self.store.writing(QUEUE) as change:
            state = change.queue.state(self.id)
            mine = state.mode is QueueMode.RUNNING and state.holder == self.holder
            more = self._anything(change) or change.project(self.id).record.plan != self.planned
            if mine and self.hopeless is None and more:
                return False
            ended = QueueMode.PAUSED if state.mode is QueueMode.PAUSED else QueueMode.IDLE
            change.queue.release(self.id, self.holder, ended)
        return True

    def record(self) -> QueueRun | None:
        """Save and return the record of this run; None if it did nothing, or is recorded already."""
        if not self.clock.done or self.recorded:
            return None
        made = QueueRun(
            self.id,
            self.holder.rpartition(":")[2],
            self.started,
            datetime.now(UTC),
            self.plan,
            self.worker_options.in_words,
            self.clock.done,
            self.clock.failed,
            self.clock.spent_usd,
            versions_now(),
            commit_now(),
        )
        with self.store.writing(QUEUE) as change:
            change.save(made)
        self.recorded = True
        return made

    def _project(self) -> Project:
        with self.store.reading() as now:
            return now.project(self.id).record

    def _anything(self, now: StoreReader) -> bool:
        wanted = now.retrievals.wanted_count(self.id) or now.queue.to_index(self.id)
        return bool(wanted or unread(now, self.id) or self._wanted(now) or self._unchecked(now))

    def _wanted(self, now: StoreReader) -> list[MissingAnswers]:
        """What is missing, without items that failed too often: they would keep the queue running for ever."""
        project = now.project(self.id).record
        return [one for one in missing(now, project, self.plan) if self.tried[one.item] < _MOST_TRIES]

    def _pool(self) -> WorkerPool[Job, JobResult]:
        plan = self.plan
        if models_of(plan):  # keys and the budget stay in this process, even if there is a cluster
            return ThreadWorkers(partial(do_job, engines=self.engines), at_once=AT_ONCE)
        planned = {TaskKind.SCREENING: plan.criteria, TaskKind.FINDINGS: plan.evidence, TaskKind.BIAS: plan.bias}
        engines = {kind: name for kind, name in planned.items() if name is not None}
        if self.worker_options.cluster is not None:
            from core.work.cluster import ClusterWorkers  # loads Dask  # noqa: PLC0415

            alike = partial(fingerprint, tuple(engines), *engines.values())
            return ClusterWorkers(
                do_job, self.worker_options.cluster, fingerprint=alike, lost=lambda why: JobResult(unreadable=why)
            )
        pool: WorkerPool[Job, JobResult] = ProcessWorkers(
            do_job, workers=1 if self.alone else self.worker_options.workers, in_background=True
        )
        pool.width = 1 if self.alone else pool.width
        return pool

    def _jobs(self) -> Iterator[tuple[Job, Job] | None]:
        """The files to read, then what is missing for papers that were read; repeated until nothing is left."""
        while not self.paused and self.hopeless is None:
            self._index_wanted_meanwhile()
            self._check_what_came_in()
            if self.paused:
                return
            project = self._project()
            with self.store.reading() as now:
                waiting, wanted = unread(now, self.id), self._wanted(now)
            self._count(project, waiting, wanted)
            files, items = next_in_turn(waiting, wanted, few=max(_FEW, self.width), known=self.pace.knows)
            if files:
                yield from self._reading(project, files)
                yield from self._drained()
                match_references(self.store, self.id)
            elif items:
                yield from self._working(project, items)
                yield from self._drained()
            else:
                return

    def _reading(self, project: Project, waiting: Sequence[IncomingFile]) -> Iterator[tuple[Job, Job] | None]:
        for one in waiting:
            if self.paused or self.to_index:
                return
            with self.store.reading() as now:
                job = reading_job(now, project, one)
            if job is None:
                with self.store.writing(QUEUE) as change:
                    change.queue.set_error(
                        self.id, one.sha256, f"“{one.name}” is not in the store any more. Add it again."
                    )
                continue
            yield self._handed_on(job)

    def _working(self, project: Project, wanted: Sequence[MissingAnswers]) -> Iterator[tuple[Job, Job] | None]:
        for one in wanted:
            if self.paused or self.hopeless is not None or self.to_index:
                return
            self.tried[one.item] += 1
            with self.store.reading() as now:
                job = working_job(now, project, self.plan, one)
            if job is None:
                with self.store.writing(QUEUE) as change:
                    change.queue.note_failure(
                        self.id, one.item, READ, "Its file is not here. Add the file to the project again."
                    )
                self.clock.of -= 1
                continue
            yield self._handed_on(job)

    def _drained(self) -> Iterator[None]:
        """Wait until nothing is in hand, because the next jobs depend on the results."""
        while self.in_hand:
            yield None

    def _handed_on(self, job: Job) -> tuple[Job, Job]:
        self.in_hand[job.item] = job
        return job, job

    def _count(self, project: Project, waiting: Sequence[IncomingFile], wanted: Sequence[MissingAnswers]) -> None:
        """Count the work left. A file counts twice if engines are asked: to be read, and for the questions."""
        self.pace.left = pieces_left(project, self.plan, waiting, wanted)
        after = len(waiting) if any((self.plan.criteria, self.plan.evidence, self.plan.bias)) else 0
        self.clock.of = self.clock.done + len(waiting) + after + len(wanted)

    def _keep(self, job: Job, outcome: JobResult) -> None:
        self.in_hand.pop(job.item, None)
        try:
            self._put_away(job, outcome)
        except Conflict:  # somebody has just changed the paper: try again on the new version
            self._put_away(job, outcome)
        self.hopeless = self.hopeless or outcome.hopeless
        self.clock.count(failed=outcome.failed, cost_usd=outcome.cost_usd)
        self.pace.count(job, outcome)

    def _put_away(self, job: Job, outcome: JobResult) -> None:
        project = self._project()
        with self.store.writing(QUEUE) as change:
            if job.only_reads:
                keep_read(change, project, job, outcome)
            else:
                keep_work(change, project, job, outcome)

    def _report(self) -> None:
        self._look()
        self.tell(self.pace.ahead(self.clock.progress(), self.in_hand.values()))

    def _look(self) -> None:
        """Every `look_s` seconds, read the queue's mode and report that this process still holds it."""
        now = time.monotonic()
        if now - self.looked > self.look_s:
            self.looked = now
            with self.store.writing(QUEUE) as change:
                mine = change.queue.claim(self.id, self.holder)
                mode = change.queue.state(self.id).mode
                failed = any(isinstance(one, LibraryError) for one in self.undone)  # if so, do not try again
                self.to_index = not failed and bool(change.queue.to_index(self.id))
            if mode is QueueMode.IDLE or (not mine and mode is QueueMode.RUNNING):
                self.told_to_end = True
                raise QueueCancelled
            self.paused = mode is QueueMode.PAUSED
