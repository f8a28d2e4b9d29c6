"""What a terminal shows: text of unknown origin, and how far the work is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from core.progress import Progress, silent


def printable(text: str) -> str:
    """Text that cannot steer a terminal: control characters become spaces."""
    return "".join(character if character.isprintable() else " " for character in text)


@contextmanager
def terminal_progress() -> Iterator[Progress]:
    """Shows progress on one line while there is a terminal to show it on, and wipes the line at the end."""
    if not sys.stderr.isatty():
        yield silent
        return
    try:
        yield _show_progress
    finally:
        print("\r\x1b[K", end="", file=sys.stderr)


def _show_progress(done: float, step: str) -> None:
    """One line on standard error that each report writes anew."""
    print(f"\r\x1b[K{done:4.0%}  {printable(step)}", end="", file=sys.stderr, flush=True)
