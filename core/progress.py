"""How long-running work reports its progress: a fraction done and a few words on the present step."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called with `done` in 0..1 and the present step in words.

    Raising from it is how a caller cancels: the exception travels out of the work unchanged.
    """

    def __call__(self, done: float, step: str) -> None: ...


def silent(done: float, step: str) -> None:
    """Report nothing."""
