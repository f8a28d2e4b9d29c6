"""Work while it lasts: questions are handed on while there is room, and each answer is kept as soon as it is there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import TypeVar

from core.work.pools import Pool
from core.work.worker import A, Q

J = TypeVar("J")

_TICK = 0.2  # seconds between reports while no answer comes, so that a cancel is noticed


def work_through(
    jobs: Iterable[tuple[J, Q] | None],
    pool: Pool[Q, A],
    *,
    keep: Callable[[J, A], None],
    report: Callable[[], None],
) -> None:
    """Put the question of every job to the pool, until the jobs are at an end and all are answered.

    The next job is drawn only when there is room for it, so that `jobs` may grow and change its order meanwhile. Where it
    brings None, there is nothing to hand on at present (a pause, or jobs that others in hand will lead to): it is asked
    again a moment later. `keep` gets a job and its answer, in the order of their arrival; `report` is called before every
    wait, at least a few times a second, and raising from it cancels. Both are called in this thread, as `jobs` is drawn.

    What they, the jobs, a question or the pool raise comes out unchanged. The pool is to be left then: close it by `with`.
    """
    in_hand: dict[Future[A], J] = {}

    def wait_a_moment() -> None:
        report()
        pool.look()
        if not in_hand:
            time.sleep(_TICK)
            return
        ready, _ = wait(in_hand, timeout=_TICK, return_when=FIRST_COMPLETED)
        for future in sorted(ready, key=_failed):  # what is there is kept before another's error ends the work
            keep(in_hand.pop(future), pool.result(future))

    for job in jobs:
        if job is None:
            wait_a_moment()
            continue
        itself, question = job
        in_hand[pool.submit(question)] = itself
        while len(in_hand) >= pool.width:
            wait_a_moment()
    while in_hand:
        wait_a_moment()


def _failed(future: Future[A]) -> bool:
    return future.cancelled() or future.exception() is not None
