"""What is made once a process."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from core.work.worker import once


def test_threads_that_come_together_make_one_thing_between_them() -> None:
    made: list[str] = []

    @once
    def opened(name: str) -> object:
        time.sleep(0.02)
        made.append(name)
        return object()

    with ThreadPoolExecutor(4) as threads:
        first = set(threads.map(opened, ["bm25"] * 4))
    assert len(first) == 1
    assert opened("offline") not in first
    assert made == ["bm25", "offline"]
