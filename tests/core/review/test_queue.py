"""The queue: it reads, asks, saves, pauses, goes on, and tries again; what comes later is answered without reading."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from core.errors import EngineError, NoCluster, QueueHeld, WorkersLost
from core.grounding.model import PaperVerdict
from core.llm import Budget
from core.llm.demo import DemoServer
from core.review import jobs, queue
from core.review.intake import keep_read
from core.review.jobs import ModelAccess
from core.review.planning import READ, Job, JobResult
from core.review.queue import WorkerOptions, retry_failures, set_mode, start_queue
from core.review.status import queue_status
from core.store import Conflict, Plan, Project, QueueMode, QueueState, Store, StoreWriter, scope_of, tool_of
from core.work.pools import ProcessWorkers, ThreadWorkers
from core.work.progress import WorkProgress
from tests.core.review.papers import ADULTS, HYPOTHESIS, begin, trial

run_queue = partial(queue.run_queue, look_s=0)  # sees at once what others want


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """New processes take seconds to start; one test below has them, and so has the one that kills."""
    monkeypatch.setattr("core.review.queue.ProcessWorkers", lambda do, workers, **_: ThreadWorkers(do, at_once=workers))


def run(store: Store, **rest: object) -> None:
    start_queue(store, "towns", "Ann")
    run_queue(store, "towns", **rest)


def findings(store: Store) -> list[tuple[str, str, int]]:
    """Study and hypothesis of each finding, with its version."""
    with store.reading() as now:
        titles = {saved.record.id: saved.record.name for saved in now.stored_papers("towns")}
        found = now.findings("towns")
    return sorted((titles[one.record.paper], one.record.finding.hypothesis, one.version) for one in found)


@pytest.mark.slow
def test_every_paper_is_read_and_answered(store: Store) -> None:
    begin(store, plan=Plan("offline", "bm25", "offline"), trials=2)
    run(store)
    with store.reading() as now:
        project = now.project("towns").record
        status = queue_status(now, project)
        papers = [saved.record for saved in now.stored_papers("towns")]
        verdicts = {one.record.paper: one.record.finding.verdict for one in now.findings("towns")}
        fits = now.criteria("towns")
        levels = now.queue.suggestions_done("towns", scope_of(project, tool_of(project)))
        (sitting,) = now.queue.runs("towns")
    assert [paper.name for paper in papers] == ["trial-00.md", "trial-01.md"]
    assert verdicts[papers[0].id] in (PaperVerdict.SUPPORTS, PaperVerdict.UNCLEAR)
    assert {one.criterion for one in fits} == {ADULTS.id}
    assert len(levels) == 2 * 5
    assert (status.state.mode, status.waiting, status.open_items, status.failures) == (QueueMode.IDLE, 0, 0, ())
    assert (sitting.done, sitting.failed, sitting.cost_usd) == (4, 0, 0.0)


@pytest.mark.slow
def test_a_second_run_has_nothing_to_do(store: Store) -> None:
    begin(store, trials=2)
    run(store)
    before = findings(store)
    start_queue(store, "towns", "Ann")
    assert run_queue(store, "towns") is None
    assert findings(store) == before


@pytest.mark.slow
def test_a_hypothesis_that_comes_later_is_answered_without_reading_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = begin(store, trials=2)
    run(store)
    with store.writing("Ann") as change:
        change.save(replace(project, hypotheses=(HYPOTHESIS, "Walking is easy to do")), seen=1)
    monkeypatch.setattr(jobs, "read_paper", lambda *_, **__: pytest.fail("it was read again"))
    run(store)
    assert [version for _, _, version in findings(store)] == [1, 1, 1, 1]


def test_a_file_that_cannot_be_read_is_listed_and_the_rest_goes_on(store: Store) -> None:
    begin(store, trials=1)
    with store.writing("Ann") as change:
        change.queue.add_file("towns", "broken.pdf", b"%PDF-1.7 and no more")
    run(store)
    with store.reading() as now:
        status = queue_status(now, now.project("towns").record)
    assert [(one.name, bool(one.error)) for one in status.unreadable] == [("broken.pdf", True)]
    assert len(findings(store)) == 1
    assert not status.anything_to_do, "it is not tried again by itself"
    retry_failures(store, "towns", "Ann")
    with store.reading() as now:
        assert queue_status(now, now.project("towns").record).waiting == 1


@pytest.mark.slow
def test_a_pause_finishes_what_is_in_hand_and_a_start_goes_on(store: Store) -> None:
    begin(store, trials=4)
    done = []

    def pause(standing: WorkProgress) -> None:
        if standing.done >= 1 and not done:
            done.append(standing)
            set_mode(store, "towns", "Ben", QueueMode.PAUSED)

    start_queue(store, "towns", "Ann")
    run_queue(store, "towns", report=pause)
    with store.reading() as now:
        status = queue_status(now, now.project("towns").record)
    assert status.state.mode is QueueMode.PAUSED
    assert status.anything_to_do
    with pytest.raises(QueueHeld):
        run_queue(store, "towns")
    run(store)
    assert len(findings(store)) == 4


def test_a_cancel_leaves_what_was_saved(store: Store) -> None:
    begin(store, trials=4)

    def cancel(standing: WorkProgress) -> None:
        if standing.done >= 2:
            set_mode(store, "towns", "Ben", QueueMode.IDLE)

    start_queue(store, "towns", "Ann")
    run_queue(store, "towns", report=cancel)
    with store.reading() as now:
        assert now.queue.state("towns").mode is QueueMode.IDLE
        assert len(now.stored_papers("towns")) >= 2


def test_one_works_at_a_time(store: Store) -> None:
    begin(store, trials=1)
    start_queue(store, "towns", "Ann")
    with store.writing("elsewhere") as change:
        assert change.queue.claim("towns", "another machine")
    with pytest.raises(QueueHeld, match="at work"):
        run_queue(store, "towns")


def test_an_engine_that_there_is_not_stops_the_queue_and_says_so(store: Store) -> None:
    begin(store, plan=Plan(None, "nonsense", None), trials=1)
    start_queue(store, "towns", "Ann")
    with pytest.raises(EngineError):
        run_queue(store, "towns")
    with store.reading() as now:
        status = queue_status(now, now.project("towns").record)
    assert status.state == QueueState(QueueMode.PAUSED)
    assert "nonsense" in (status.problem or "")


@pytest.mark.slow
def test_files_that_come_meanwhile_are_taken_too(store: Store) -> None:
    begin(store, trials=1)
    late = []

    def add(standing: WorkProgress) -> None:
        if not late:
            late.append(standing)
            with store.writing("Ben") as change:
                change.queue.add_file("towns", "late.md", trial(9))

    start_queue(store, "towns", "Ann")
    run_queue(store, "towns", report=add)
    assert [name for name, _, _ in findings(store)] == ["late.md", "trial-00.md"]


@pytest.mark.slow
def test_a_paper_that_was_taken_out_meanwhile_gets_nothing(store: Store) -> None:
    begin(store, trials=2)
    out = []

    def remove(standing: WorkProgress) -> None:
        if standing.done == 2 and not out:
            with store.writing("Ben") as change:
                out.append(change.remove(change.stored_papers("towns")[0]))

    start_queue(store, "towns", "Ann")
    run_queue(store, "towns", report=remove)
    assert out
    assert len(findings(store)) == 1


@pytest.mark.usefixtures("home")
def test_a_paper_that_was_kept_without_its_file_has_it_once_the_file_is_added(store: Store) -> None:
    begin(store, trials=1)
    run(store)
    with store.writing("Ann") as change:
        (paper,) = change.stored_papers("towns")
        change.save(replace(paper.record, file=None), seen=paper.version)
        change.queue.note_failure("towns", paper.record.id, READ, "Its file is not here.")
        assert change.queue.add_file("towns", "trial-00.md", trial(0))
    run(store)
    with store.reading() as now:
        (again,) = now.stored_papers("towns")
        assert (again.record, now.queue.failures("towns"), now.queue.incoming("towns")) == (paper.record, (), ())


@pytest.mark.slow
def test_a_change_by_a_reviewer_at_the_same_moment_does_not_stop_the_queue(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store, trials=2)
    first: list[str] = []

    def keep(change: StoreWriter, project: Project, job: Job, outcome: JobResult) -> None:
        if not first:
            first.append(job.item)
            raise Conflict("Ann changed this.", None)
        keep_read(change, project, job, outcome)

    monkeypatch.setattr("core.review.queue.keep_read", keep)
    run(store)
    assert len(findings(store)) == 2


def test_a_run_that_ends_in_an_error_is_recorded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it did before may have cost something."""
    begin(store, trials=2)

    def lost(*_: object) -> None:
        raise NoCluster("The scheduler has gone.")

    monkeypatch.setattr("core.review.queue.match_references", lost)
    with pytest.raises(NoCluster):
        run(store)
    with store.reading() as now:
        (sitting,) = now.queue.runs("towns")
        assert [one.error for one in now.queue.failures("towns")] == ["The scheduler has gone."]
    assert (sitting.done, sitting.cost_usd) == (2, 0.0)


@pytest.mark.slow
def test_two_processes_come_to_the_same(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.review.queue.ProcessWorkers", ProcessWorkers)
    begin(store, trials=3)
    run(store, worker_options=WorkerOptions(workers=2))
    assert [version for _, _, version in findings(store)] == [1, 1, 1]


class Deadly(ThreadWorkers):
    """Workers that one of the files kills."""

    def result(self, future):
        outcome = future.result()
        if outcome.paper is not None and "town 2:" in (outcome.paper.title or ""):
            raise WorkersLost("A worker process ended before its time.")
        return outcome


@pytest.mark.slow
def test_a_file_that_kills_its_worker_is_given_up_and_the_rest_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.review.queue.ProcessWorkers", lambda do, workers, **_: Deadly(do, at_once=workers))
    begin(store, trials=4)
    run(store, worker_options=WorkerOptions(workers=2))
    with store.reading() as now:
        status = queue_status(now, now.project("towns").record)
    assert [one.name for one in status.unreadable] == ["trial-02.md"]
    assert "ended before its time" in (status.unreadable[0].error or "")
    assert [name for name, _, _ in findings(store)] == ["trial-00.md", "trial-01.md", "trial-03.md"]


def test_text_that_calls_itself_a_pdf_is_refused(store: Store) -> None:
    begin(store)
    with store.writing("Ann") as change:
        change.queue.add_file("towns", "fake.pdf", b"not a pdf at all")
    run(store)
    with store.reading() as now:
        (refused,) = queue_status(now, now.project("towns").record).unreadable
    assert "holds plain text" in (refused.error or "")


def test_a_model_is_asked_from_here_although_there_is_a_cluster(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(store, plan=Plan("compatible:demo", None, None), trials=1)
    with DemoServer() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        run(store, worker_options=WorkerOptions(cluster="tcp://127.0.0.1:9"))
    with store.reading() as now:
        status = queue_status(now, now.project("towns").record)
    assert (status.answered, status.failures) == (1, ())


def test_the_engines_of_a_run_share_its_budget_and_the_next_run_has_its_own(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left after the criterion is too little for the hypothesis, but a new budget is enough."""
    model = "compatible:demo"
    begin(store, plan=Plan(model, f"{model}@whole", None), trials=1)
    options = WorkerOptions(access=ModelAccess(budget=Budget(tokens=20_000)))
    left = []
    with DemoServer() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        for _ in range(2):
            retry_failures(store, "towns", "Ann")
            run(store, worker_options=options)
            with store.reading() as now:
                status = queue_status(now, now.project("towns").record)
            left.append((status.answered, [one.error[:25] for one in status.failures]))
    assert left == [(1, ["The budget is used up: 1,"]), (2, [])]
