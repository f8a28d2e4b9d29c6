"""What is left of a run, from what each kind of work took: by hand, and as the queue tells it while it works."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from core.bias.model import StudyContext
from core.references.model import Reference
from core.review import jobs
from core.review.planning import Job, JobResult, MissingAnswers, WorkKind, WorkTime, next_in_turn, pieces_left
from core.review.queue import TimeEstimator, run_queue, start_queue
from core.store import Plan, Store, StoredPaper, StoredReference
from core.store.review_model import IncomingFile
from core.work.pools import ThreadWorkers
from core.work.progress import WorkProgress
from tests.core.review.papers import ADULTS, HYPOTHESIS, ONLY_BM25, begin, trial

NOTHING = WorkProgress(0, 10, 0, 1.0, 0.0, 1.0, 1.0)
FILE = Job("f", "a.md", Plan(), "rob2", StudyContext(), data=b"x")
PAPER = Job("p", "a.md", Plan(), "rob2", StudyContext(), hypotheses=(HYPOTHESIS, "Another"))
RECORD = replace(PAPER, hypotheses=(), criteria=(ADULTS,), data=b"x", of_reference=True)


def effort(kind: WorkKind, seconds: float, cost: float | None = 0.0) -> JobResult:
    return JobResult(efforts=(WorkTime(kind, seconds, cost_usd=cost),))


@pytest.fixture
def pace(monkeypatch: pytest.MonkeyPatch) -> TimeEstimator:
    """Ten seconds after its first job began, which took two."""
    moment = [102.0]
    monkeypatch.setattr("core.review.queue.time.perf_counter", lambda: moment[0])
    pace = TimeEstimator(Counter({WorkKind.READING: 5, WorkKind.HYPOTHESIS: 6}))
    pace.count(FILE, effort(WorkKind.READING, 2.0))
    moment[0] = 110.0
    return pace


def test_nothing_is_foretold_of_a_kind_that_was_not_measured(pace: TimeEstimator) -> None:
    found = pace.ahead(NOTHING, [])
    assert (found.seconds_left, found.most_usd_left) == (None, None)
    assert "estimating the time left" in found.in_words


def test_what_is_left_is_counted_kind_by_kind(pace: TimeEstimator) -> None:
    both = JobResult(
        efforts=(WorkTime(WorkKind.HYPOTHESIS, 7.0, cost_usd=0.25), WorkTime(WorkKind.HYPOTHESIS, 11.0, cost_usd=0.75))
    )
    pace.count(PAPER, both)
    found = pace.ahead(NOTHING, [])
    # 20 s of work in 10 s; 4 files at 2 s and 4 hypotheses at 9 s are left
    assert found.seconds_left == pytest.approx((4 * 2 + 4 * 9) * 10 / 20)
    assert (found.least_usd_left, found.most_usd_left) == (2.0, 2.0)


def test_while_more_are_at_work_than_are_through_the_rate_is_not_known(pace: TimeEstimator) -> None:
    pace.count(PAPER, effort(WorkKind.HYPOTHESIS, 9.0))
    assert pace.ahead(NOTHING, [PAPER, FILE]).seconds_left is not None
    assert pace.ahead(NOTHING, [PAPER, PAPER]).seconds_left is None


def test_engines_are_opened_once_and_that_is_not_foretold_again(pace: TimeEstimator) -> None:
    pace.count(
        PAPER, JobResult(efforts=(WorkTime(WorkKind.OPENING, 9.0, pieces=0), WorkTime(WorkKind.HYPOTHESIS, 9.0)))
    )
    # 20 s of work in 10 s, nine of them to open engines; 4 files at 2 s and 4 hypotheses at 9 s are left
    assert pace.ahead(NOTHING, []).seconds_left == pytest.approx((4 * 2 + 4 * 9) * 10 / 20)


def test_a_worker_tells_what_each_kind_took() -> None:
    outcome = jobs.do_job(replace(FILE, data=trial(0), hypotheses=(HYPOTHESIS,), plan=ONLY_BM25))
    found = [(one.kind, one.pieces) for one in outcome.efforts]
    assert found == [(WorkKind.READING, 1), (WorkKind.OPENING, 0), (WorkKind.HYPOTHESIS, 1)]
    assert all(one.seconds > 0 for one in outcome.efforts)


def test_a_cost_that_is_unknown_stays_so(pace: TimeEstimator) -> None:
    pace.count(PAPER, effort(WorkKind.HYPOTHESIS, 1.0, None))
    pace.count(PAPER, effort(WorkKind.HYPOTHESIS, 1.0, 0.5))
    assert pace.ahead(NOTHING, []).most_usd_left is None


def test_a_reference_is_a_kind_of_its_own() -> None:
    assert RECORD.pieces == {WorkKind.ABSTRACT: 1}
    assert +PAPER.pieces == {WorkKind.HYPOTHESIS: 2}
    assert +FILE.pieces == {WorkKind.READING: 1}


FILES = [IncomingFile(str(number), "a.md", "Ann", None) for number in range(9)]
PAPERS = [MissingAnswers(StoredPaper("towns", f"p{number}", "a.md"), (), (HYPOTHESIS,), ()) for number in range(5)]
RECORDS = [
    MissingAnswers(StoredReference("towns", f"r{number}", "a.ris", number, Reference("A title")), ("c",), (), ())
    for number in range(12)
]


@pytest.mark.parametrize(
    ("files", "known", "read", "asked"),
    [
        (FILES, [], FILES[:2], []),
        (FILES, [WorkKind.READING], [], [*PAPERS[:2], *RECORDS[:2]]),
        (FILES, [WorkKind.READING, WorkKind.HYPOTHESIS], [], RECORDS[:2]),
        (FILES, [WorkKind.READING, WorkKind.HYPOTHESIS, WorkKind.ABSTRACT], FILES, []),
        (
            FILES + FILES,
            [WorkKind.READING, WorkKind.HYPOTHESIS],
            FILES + FILES,
            [],
        ),  # each reference may be of one of them
        ([], [], [], [*PAPERS[:2], *RECORDS[:2], *PAPERS[2:], *RECORDS[2:]]),
    ],
)
def test_a_few_of_each_kind_come_first(
    files: list[IncomingFile], known: list[WorkKind], read: list[IncomingFile], asked: list[MissingAnswers]
) -> None:
    found = next_in_turn(
        files, [*PAPERS, *RECORDS], few=2, known=lambda pieces: all(kind in known for kind in +Counter(pieces))
    )
    assert tuple(map(list, found)) == (read, asked)


def test_files_that_wait_are_counted_with_all_that_will_be_asked(store: Store) -> None:
    project = begin(store, plan=Plan("offline", "bm25", "offline"))
    left = pieces_left(project, project.plan, FILES, [*PAPERS, *RECORDS])
    assert left == {
        WorkKind.READING: 9, WorkKind.CRITERION: 9, WorkKind.HYPOTHESIS: 5 + 9, WorkKind.DOMAIN: 9 * 5, WorkKind.ABSTRACT: 12 - 9
    }  # fmt: skip


@pytest.mark.slow
def test_the_time_left_does_not_jump_when_reading_is_over(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading takes a second, a hypothesis nine, one after the other: what was done and what is left is always 120 s."""
    begin(store, trials=12)
    at = [0.0]
    takes = {WorkKind.READING: 1.0, WorkKind.OPENING: 0.0, WorkKind.HYPOTHESIS: 9.0}

    def work(job: Job, progress: object, **_: object) -> JobResult:
        outcome = jobs.do_job(job)
        efforts = tuple(replace(one, seconds=takes[one.kind]) for one in outcome.efforts)
        at[0] += sum(one.seconds for one in efforts)
        return replace(outcome, efforts=efforts)

    monkeypatch.setattr("core.review.queue.do_job", work)
    monkeypatch.setattr("core.review.queue.ProcessWorkers", lambda do, **_: ThreadWorkers(do))
    monkeypatch.setattr("core.review.queue.time.perf_counter", lambda: at[0])
    told: list[tuple[WorkProgress, float]] = []
    start_queue(store, "towns", "Ann")
    run_queue(store, "towns", report=lambda standing: told.append((standing, at[0])))
    known = [(standing.seconds_left + now) for standing, now in told if standing.seconds_left is not None]
    assert [total for total in known if abs(total - 120) > 20] == [], "but for what two threads have in hand"
    early = [standing for standing, _ in told if standing.seconds_left is not None and standing.done <= 6]
    assert early, "it is known long before all papers are read"
