"""The progress of work, and the time and cost left: estimated from the work so far, or from an estimate before it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.llm import CostEstimate, Speed

_ASKED_FIRST = 20  # questions whose cost is estimated before the first answer


@dataclass(frozen=True, slots=True)
class WorkProgress:
    """How far work is. An estimate of None is not known (yet)."""

    done: int
    of: int
    failed: int
    seconds_left: float | None
    spent_usd: float | None
    least_usd_left: float | None
    most_usd_left: float | None
    step: str = ""  # what is being done, if it is not the usual work

    @property
    def share(self) -> float:
        """The share that is done, 0 to 1."""
        return self.done / max(1, self.of)

    @property
    def in_words(self) -> str:
        """The progress in one line."""
        parts = [f"{self.done:,} of {self.of:,} done"]
        if self.failed:
            parts.append(f"{self.failed:,} failed")
        if self.done < self.of:
            left = self.seconds_left
            parts.append("estimating the time left" if left is None else f"{duration(left)} left")
        if self.spent_usd:
            parts.append(f"${self.spent_usd:,.2f} spent")
        if self.least_usd_left is not None and self.most_usd_left:
            least, most = f"{self.least_usd_left:,.2f}", f"{self.most_usd_left:,.2f}"
            parts.append(f"about ${least} to come" if least == most else f"${least} to ${most} to come")
        return ", ".join(parts)


Report = Callable[[WorkProgress], None]  # raising from it cancels


def no_report(progress: WorkProgress) -> None:
    """Ignore the progress."""


def duration(seconds: float) -> str:
    """A duration in words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


@dataclass(slots=True)
class ProgressCounter:
    """Counts what a run has done, and estimates what is left."""

    of: int  # all questions, including those of earlier runs; may change during the work
    started: float = field(default_factory=time.perf_counter)
    kept: int = 0  # done before this run
    done: int = 0  # done in this run
    failed: int = 0
    spent_usd: float | None = 0.0
    estimates: list[CostEstimate | None] = field(default_factory=list)  # of the first questions
    speed: Speed | None = None  # of a model on one's own server, if it was measured

    @property
    def seconds(self) -> float:
        """The duration of this run so far."""
        return time.perf_counter() - self.started

    @property
    def wants_estimate(self) -> bool:
        """Whether an estimate of one more question would help."""
        return not self.done and len(self.estimates) < _ASKED_FIRST

    def expect(self, estimate: CostEstimate | None) -> None:
        """Add the estimate for one of the first questions; None: no language model is asked."""
        self.estimates.append(estimate)

    def count(self, *, failed: bool, cost_usd: float | None) -> None:
        """Count one more question of this run. A cost of None is unknown."""
        self.failed += failed
        self.done += 1
        self.spent_usd = None if self.spent_usd is None or cost_usd is None else self.spent_usd + cost_usd

    def count_kept(self, *, failed: bool) -> None:
        """Count one more question that was done before this run."""
        self.failed += failed
        self.kept += 1

    def progress(self) -> WorkProgress:
        """The progress now, with estimates."""
        left = self.of - self.kept - self.done
        least, most = self._money_each
        return WorkProgress(
            done=self.kept + self.done,
            of=self.of,
            failed=self.failed,
            seconds_left=None if (each := self._seconds_each) is None else each * left,
            spent_usd=self.spent_usd,
            least_usd_left=None if least is None else least * left,
            most_usd_left=None if most is None else most * left,
        )

    @property
    def _seconds_each(self) -> float | None:
        if self.done:
            return self.seconds / self.done
        if self.speed is None:
            return None
        speed = self.speed
        return _mean([speed.seconds(each.calls, each.input_tokens) if each else None for each in self.estimates])

    @property
    def _money_each(self) -> tuple[float | None, float | None]:
        if self.done:
            mean = None if self.spent_usd is None else self.spent_usd / self.done
            return mean, mean
        return _mean([each.least_usd if each else None for each in self.estimates]), _mean(
            [each.most_usd if each else None for each in self.estimates]
        )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None
