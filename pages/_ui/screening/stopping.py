"""A hint that little may be left to find, for a reviewer who screens the most promising first."""

from __future__ import annotations

from collections.abc import Sequence

from core.screening.model import ScreeningVerdict
from core.screening.ordering import QUIET, may_stop
from pages._ui.screening.ordering import LEARNT

# Measured on the topics held out (docs/screening-order.md).
_FOUND = "In our measurements 92% of the papers to include had been found by then on average, and 70% at worst"


def stop_hint(verdicts: Sequence[ScreeningVerdict], *, left: int) -> str:
    """One sentence; empty where there is no reason for it. `verdicts`: the reviewer's, in the order they came."""
    if not left or not may_stop([LEARNT[verdict] for verdict in verdicts]):
        return ""
    return f"You included none of the last {QUIET}. {_FOUND}: look through what is left before you stop."
