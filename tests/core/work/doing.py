"""What workers are given to do in these tests: functions that other processes can import."""

from __future__ import annotations

import os
import time
from pathlib import Path

from core.errors import EngineUnavailable
from core.progress import Progress
from core.work.pools import once_per_process


def double(question: int, progress: Progress) -> int:
    """Twice the number."""
    progress(0.5, "doubling")
    return 2 * question


def fail(question: str, progress: Progress) -> str:
    """A question that cannot be answered."""
    raise EngineUnavailable(f"{question} is out of order")


def wait_for_a_cancel(question: str, progress: Progress) -> None:
    """Reports for a minute, or until a report raises, and then leaves the file `question` behind."""
    Path(question).with_suffix(".begun").touch()
    try:
        for _ in range(600):
            progress(0.5, "waiting")
            time.sleep(0.1)
    except Exception:
        Path(question).touch()
        raise


def process_and_times_opened(question: int, progress: Progress) -> tuple[int, int]:
    """This process, and how often it made what is made once."""
    _opened("bm25")
    time.sleep(0.02)  # so that the other workers get questions, too
    return os.getpid(), len(_times)


def threads_that_compute(question: int, progress: Progress) -> set[int]:
    """How many threads each linear algebra library of this process uses."""
    import numpy  # noqa: F401
    from threadpoolctl import threadpool_info

    return {library["num_threads"] for library in threadpool_info()}


def threads_that_encode(question: int, progress: Progress) -> int:
    """How many threads of this process would encode sentences."""
    from core.text.encoder import threads

    return threads()


def niceness(question: int, progress: Progress) -> int:
    """How far this process leaves the processors to others."""
    return os.getpriority(os.PRIO_PROCESS, 0)


def end_at(question: int, progress: Progress) -> int:
    """Ends its process at 13, as a want of memory would."""
    if question == 13:
        os._exit(9)
    return question


_times: list[str] = []


@once_per_process
def _opened(engine: str) -> str:
    _times.append(engine)
    return engine
