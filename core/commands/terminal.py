"""What a terminal shows: text of unknown origin, and how far the work is."""

from __future__ import annotations

import sys


def printable(text: str) -> str:
    """Text that cannot steer a terminal: control characters become spaces."""
    return "".join(character if character.isprintable() else " " for character in text)


def show_progress(done: float, step: str) -> None:
    """One line on standard error that each report writes anew."""
    print(f"\r\x1b[K{done:4.0%}  {printable(step)}", end="", file=sys.stderr, flush=True)
