"""How work stands while it runs, in words: the time left, and for language models every question and the cost."""

from __future__ import annotations

import time

from streamlit.delta_generator import DeltaGenerator

from core.evidence.llm.live import Row, Standing
from core.llm import Spending
from pages._ui.escape import plain
from pages._ui.money import dollars, used

_EVERY = 0.1  # seconds between two reports: each one travels to the browser
_SIGNS = {
    Standing.WAITING: ":material/hourglass_empty:",
    Standing.ANSWERED: ":material/check:",
    Standing.AGAIN: ":material/replay:",
    Standing.FAILED: ":material/close:",
}


class Board:
    """Shows the progress of work within a script run, with the time left once it can be told. A `Progress`."""

    def __init__(self, bar: DeltaGenerator) -> None:
        self._bar = bar
        self._started = time.monotonic()
        self._shown = 0.0

    def __call__(self, done: float, step: str) -> None:
        """Report progress; see `Progress`."""
        now = time.monotonic()
        if now - self._shown < _EVERY and done < 1:
            return
        self._shown = now
        self._bar.progress(min(1.0, max(0.0, done)), text=plain(step) + time_left(now - self._started, done))


def spent_so_far(spent: Spending) -> str:
    """What a run has used up to now; nothing before its first call."""
    if not spent.calls:
        return ""
    cost = "cost unknown" if spent.usd is None else dollars(spent.usd)
    return f" · {used(spent.tokens)}, {cost} so far"


def row_in_words(row: Row) -> str:
    """How one question stands, as Markdown that breaks into no lines."""
    words = "kept from before" if row.from_cache else row.standing.value
    together = f"{plain(row.label, limit=36)} :gray[{words}]".replace(" ", "\u00a0")  # a line breaks between questions
    return f"{_SIGNS[row.standing]}\u00a0{together}"


def time_left(elapsed: float, done: float) -> str:
    """How long the rest will take at the pace so far, in words; nothing while that is a guess."""
    if elapsed < 2 or not 0.002 < done < 1:
        return ""
    left = elapsed * (1 - done) / done
    return f" · about {left:.0f} s left" if left < 90 else f" · about {left / 60:.0f} min left"
