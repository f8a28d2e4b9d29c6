"""How a run stands while it runs: a bar with the time left, and for language models every question and the cost."""

from __future__ import annotations

import time
from collections.abc import Sequence

from streamlit.delta_generator import DeltaGenerator

from core.evidence.llm.live import Row, Standing
from core.llm import ModelRunner
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
    """Shows a run's progress, with the time left once it can be told. Call it with progress and `show` it rows."""

    def __init__(self, bar: DeltaGenerator, below: DeltaGenerator) -> None:
        self._bar, self._below = bar, below
        self._started = time.monotonic()
        self._shown = 0.0
        self._rows: Sequence[Row] = ()
        self._drawn: Sequence[Row] = ()
        self.runner: ModelRunner | None = None  # whose spending is shown

    def __call__(self, done: float, step: str) -> None:
        """Report progress; see `Progress`."""
        now = time.monotonic()
        if now - self._shown < _EVERY and done < 1:
            return
        self._shown = now
        text = plain(step) + plain(self._spent()) + time_left(now - self._started, done)
        self._bar.progress(min(1.0, max(0.0, done)), text=text)
        if self._rows != self._drawn:
            self._drawn = self._rows
            self._below.caption("\u2003".join(row_in_words(row) for row in self._rows))

    def show(self, rows: Sequence[Row]) -> None:
        """Note how the questions stand; they are drawn with the next report."""
        self._rows = rows

    def _spent(self) -> str:
        if self.runner is None:
            return ""
        spent = self.runner.spent
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
