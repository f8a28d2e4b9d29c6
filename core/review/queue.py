"""The queue of a review: reads every paper, asks the engines what is missing, and saves each answer as it comes.

Nothing is planned ahead of time: what there is to do follows from what is in the store. So a queue that was paused or
killed goes on where it was, a hypothesis that is added later is answered from the papers as they were read, and nothing
that was finished is done again."""

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
from core.review.jobs import ModelAccess, do_job, models_of, open_engines
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

# What the work takes, kind by kind as this run measured it. What it takes to read a file says nothing of what it takes to
# judge it: while a kind that is still to come has not been measured, nothing is foretold.


@dataclass(slots=True)
class _Took:
    """What the pieces of a kind took of whoever worked on them, in all."""

    jobs: int = 0
    pieces: int = 0
    seconds: float = 0.0
    usd: float | None = 0.0  # None: unknown


@dataclass(slots=True)
class TimeEstimator:
    """What is left of a run in time and money."""

    left: Counter[WorkKind] = field(default_factory=Counter)  # pieces that are not done
    began: float | None = None  # when the first job was, which may have waited for its worker to start
    took: defaultdict[WorkKind, _Took] = field(default_factory=lambda: defaultdict(_Took))

    def count(self, job: Job, outcome: JobResult) -> None:
        """One more job is done."""
        if self.began is None:
            self.began = time.perf_counter() - sum(effort.seconds for effort in outcome.efforts)
        self.left -= job.pieces  # what falls to nothing is dropped
        for kind in +job.pieces:
            self.took[kind].jobs += 1
        for effort in outcome.efforts:
            took = self.took[effort.kind]
            took.pieces += effort.pieces
            took.seconds += effort.seconds
            took.usd = None if took.usd is None or effort.cost_usd is None else took.usd + effort.cost_usd

    def knows(self, pieces: WorkCounts) -> bool:
        """Whether every kind of these was measured."""
        return all(self.took[kind].pieces for kind, number in pieces.items() if number)

    def ahead(self, progress: WorkProgress, in_hand: Collection[Job]) -> WorkProgress:
        """How work stands, with what it will take yet."""
        usd = self._usd_left
        return replace(progress, seconds_left=self._seconds_left(in_hand), least_usd_left=usd, most_usd_left=usd)

    def _seconds_left(self, in_hand: Collection[Job]) -> float | None:
        """At the rate so far, work done by time: so many work at once, however many they are. None: not known yet.

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
        """If a piece costs what those of its kind did. None: not known."""
        if not self.knows(self.left):
            return None
        left = 0.0
        for kind, number in self.left.items():
            took = self.took[kind]
            if took.usd is None:
                return None
            left += number * took.usd / took.pieces
        return left


_MOST_TRIES = 5  # of one item in a run; each should leave an answer or a failure to every question
_DEADLY = "The program that read it ended before its time, perhaps for want of memory. Try another copy of the file."
_FEW = 4  # files and items, at least, that come first for what they take


class QueueCancelled(Exception):
    """Ends the queue's work after a cancel; what is in hand is given up."""


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """Who works: processes of this machine, or a Dask cluster; a language model is waited for in threads."""

    workers: int = 1
    cluster: str | None = None  # the address of a Dask scheduler
    access: ModelAccess = field(default_factory=ModelAccess)
    only_reads: bool = False  # whether the plan's engines are asked nothing, as before a paid run

    @property
    def in_words(self) -> str:
        """For people."""
        if self.cluster:
            return f"the cluster at {self.cluster}"
        return "1 process" if self.workers == 1 else f"{self.workers} processes"


def start_queue(store: Store, project: str, who: str, worker_options: WorkerOptions = WorkerOptions()) -> None:
    """Say that the queue is to run; whoever can may carry it out. Raises `NotStored` without the project."""
    with store.writing(who) as change:
        change.queue.set_state(project, QueueState(QueueMode.RUNNING, worker_options.workers, worker_options.cluster))
        change.queue.forget_failures(project, "", "queue")


def set_mode(store: Store, project: str, who: str, mode: QueueMode) -> None:
    """Pause the queue (what is in hand is finished), or cancel it: `QueueMode.IDLE`."""
    with store.writing(who) as change:
        change.queue.set_state(project, replace(change.queue.state(project), mode=mode))


def retry_failures(store: Store, project: str, who: str) -> None:
    """Forget what failed, so that the queue tries it again: files that could not be read, and engines' failures."""
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

    Every `look_s` seconds it looks what the queue is to do, and gives a sign of life.

    Every answer is saved as soon as it is there. Raising from `report`, which is called a few times a second, cancels.
    Raises `QueueHeld` while another process carries it out, or where it is not to run; `VouchError` where an engine, the
    cluster or the store cannot be used, which the project's failures name too.
    """
    holder = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex}"
    with store.writing(QUEUE) as change:
        if not change.queue.claim(project, holder, ended=_has_ended):
            raise QueueHeld(
                "The queue of this project is at work in another window or on another machine, or is paused."
            )
    mode: QueueMode | None = QueueMode.PAUSED
    try:
        work = _QueueWorker(store, project, worker_options, holder, report, look_s)
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
        raise
    finally:
        with store.writing(QUEUE) as change:
            change.queue.release(project, holder, mode)


def _has_ended(holder: str) -> bool:
    """Whether a holder was a process of this machine that is no more: it was killed, and will not be heard of."""
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
    width: int = 1  # jobs that are handed on at once
    planned: Plan = field(default_factory=Plan)  # as the project has it
    plan: Plan = field(default_factory=Plan)  # with the engines' full names
    paused: bool = False
    told_to_end: bool = False
    in_hand: dict[str, Job] = field(default_factory=dict)
    alone: bool = False  # jobs are handed on one by one, because one of them kills its worker
    hopeless: str | None = None
    undone: list[VouchError] = field(default_factory=list)  # why pieces of work failed, without which the rest goes on
    to_index: bool = False  # whether somebody asked for papers in the library, at the last look
    looked: float = 0.0
    tried: Counter[str] = field(default_factory=Counter)  # how often each item was worked on
    asked_about: set[str] = field(default_factory=set)  # items whose retraction was asked for: once a run
    unreachable: bool = False  # whether a check for retractions failed: no other is tried in this run

    def run(self) -> None:
        """Until there is nothing to do."""
        project = self._project()
        self.paused, self.planned = False, project.plan
        plan = Plan(None, None, None) if self.worker_options.only_reads else project.plan
        self.plan = open_engines(plan, self.worker_options.access).plan  # a wrong engine is told before the work
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
            self.record()
            first, *others = self.undone
            raise VouchError(" ".join(map(str, self.undone))) if others else first

    def _attempt(self, piece: Callable[[], None], kind: type[VouchError]) -> None:
        """Do a piece of work. Why it failed is told in the end: without a network or an index, too, what is here is read."""
        try:
            piece()
        except kind as error:
            self.undone.append(error)

    def _index_wanted_meanwhile(self) -> None:
        """What somebody asks for while other work goes on does not wait for the end of it, which may be hours away."""
        if self.to_index:
            self._attempt(self._index, LibraryError)
            self.to_index = False

    def _fetch(self) -> None:
        """The open full texts that reviewers want, before what is here is read. Raises `SourceError`."""
        with self.store.reading() as now:
            if not now.retrievals.wanted_count(self.id):
                return
        from core.review.retrieval import fetch_wanted  # loads the HTTP client  # noqa: PLC0415

        self.clock.done += fetch_wanted(self.store, self.id, load_settings(), self._teller())

    def _index(self) -> None:
        """The papers that are wanted in the project's library, for questions. Raises `LibraryError`."""
        with self.store.reading() as now:
            if self.paused or not now.queue.to_index(self.id):
                return
        from core.review.indexing import index_wanted  # loads the library's database  # noqa: PLC0415

        options = self.worker_options
        self.clock.done += index_wanted(
            self.store, self.id, load_settings(), self._teller(), workers=options.workers, cluster=options.cluster
        )

    def _check_what_came_in(self) -> None:
        """For retractions, where a reviewer has agreed to that once for all. That it failed is kept, and holds nothing up."""
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
        """What came in and is to be checked for retractions."""
        if self.unreachable or now.standing.of(self.id) is None:
            return ()
        from core.review.notices import due  # loads the HTTP client  # noqa: PLC0415

        return tuple(item for item in due(now, self.id) if item not in self.asked_about)

    def _teller(self, step: str = "") -> Callable[[int, int], bool]:
        """For a piece of work that tells how much is done of how many: False once the queue is paused."""
        clock = ProgressCounter(0)

        def told(done: int, of: int) -> bool:
            clock.of, clock.done = of, done
            self._look()
            self.tell(replace(clock.progress(), step=step))
            return not self.paused

        return told

    def _worked_through(self) -> bool:
        """Whether the work came to its end. Where a worker was killed by what it had in hand, it did not.

        Then jobs are handed on one by one, and the one that kills its worker again is given up: the rest goes on.
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
        """Hold the queue no more; False if something came in after the last look, which is to be done first.

        Both in one change: whoever puts something in and starts the queue does it before, or finds the queue given back.
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
        """What this run came to, saved; None if it did nothing."""
        if not self.clock.done:
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
        return made

    def _project(self) -> Project:
        with self.store.reading() as now:
            return now.project(self.id).record

    def _anything(self, now: StoreReader) -> bool:
        wanted = now.retrievals.wanted_count(self.id) or now.queue.to_index(self.id)
        return bool(wanted or unread(now, self.id) or self._wanted(now) or self._unchecked(now))

    def _wanted(self, now: StoreReader) -> list[MissingAnswers]:
        """What is missing, without items that were tried in vain again and again: they would keep the queue for ever."""
        project = now.project(self.id).record
        return [one for one in missing(now, project, self.plan) if self.tried[one.item] < _MOST_TRIES]

    def _pool(self) -> WorkerPool[Job, JobResult]:
        plan = self.plan
        planned = {TaskKind.SCREENING: plan.criteria, TaskKind.FINDINGS: plan.evidence, TaskKind.BIAS: plan.bias}
        engines = {kind: name for kind, name in planned.items() if name is not None}
        if self.worker_options.cluster is not None:
            from core.work.cluster import ClusterWorkers  # loads Dask  # noqa: PLC0415

            alike = partial(fingerprint, tuple(engines), *engines.values())
            return ClusterWorkers(
                do_job, self.worker_options.cluster, fingerprint=alike, lost=lambda why: JobResult(unreadable=why)
            )
        if models_of(plan):
            return ThreadWorkers(partial(do_job, access=self.worker_options.access), at_once=AT_ONCE)
        pool: WorkerPool[Job, JobResult] = ProcessWorkers(
            do_job, workers=1 if self.alone else self.worker_options.workers, in_background=True
        )
        pool.width = 1 if self.alone else pool.width
        return pool

    def _jobs(self) -> Iterator[tuple[Job, Job] | None]:
        """The files to be read, and what is missing of those that were; and again until nothing is."""
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
        """Until nothing is in hand: what comes next depends on it."""
        while self.in_hand:
            yield None

    def _handed_on(self, job: Job) -> tuple[Job, Job]:
        self.in_hand[job.item] = job
        return job, job

    def _count(self, project: Project, waiting: Sequence[IncomingFile], wanted: Sequence[MissingAnswers]) -> None:
        """Every file that is read will be worked on, too, if there is anything to ask of it."""
        self.pace.left = pieces_left(project, self.plan, waiting, wanted)
        after = len(waiting) if any((self.plan.criteria, self.plan.evidence, self.plan.bias)) else 0
        self.clock.of = self.clock.done + len(waiting) + after + len(wanted)

    def _keep(self, job: Job, outcome: JobResult) -> None:
        self.in_hand.pop(job.item, None)
        try:
            self._put_away(job, outcome)
        except Conflict:  # somebody changed the paper at this very moment: now it is seen how
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
        """Now and then: what the queue is to do, and a sign of life."""
        now = time.monotonic()
        if now - self.looked > self.look_s:
            self.looked = now
            with self.store.writing(QUEUE) as change:
                mine = change.queue.claim(self.id, self.holder)
                mode = change.queue.state(self.id).mode
                failed = any(isinstance(one, LibraryError) for one in self.undone)  # then once is enough
                self.to_index = not failed and bool(change.queue.to_index(self.id))
            if mode is QueueMode.IDLE or (not mine and mode is QueueMode.RUNNING):
                self.told_to_end = True
                raise QueueCancelled
            self.paused = mode is QueueMode.PAUSED
