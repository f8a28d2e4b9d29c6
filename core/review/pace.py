"""What pieces of a review's work take, kind by kind as this sitting measured them, and so what is left in time and money.

What it takes to read a file says nothing of what it takes to judge it: while a kind that is still to come has not been
measured, nothing is foretold.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from core.review.job import Job, Kind, Outcome, Pieces
from core.work.standing import Standing


@dataclass(slots=True)
class _Took:
    """What the pieces of a kind took of whoever worked on them, in all."""

    jobs: int = 0
    pieces: int = 0
    seconds: float = 0.0
    usd: float | None = 0.0  # None: unknown


@dataclass(slots=True)
class Pace:
    """Measures a sitting."""

    left: Counter[Kind] = field(default_factory=Counter)  # pieces that are not done
    began: float | None = None  # when the first job was, which may have waited for its worker to start
    took: defaultdict[Kind, _Took] = field(default_factory=lambda: defaultdict(_Took))

    def count(self, job: Job, outcome: Outcome) -> None:
        """One more job is done."""
        if self.began is None:
            self.began = time.perf_counter() - sum(effort.seconds for effort in outcome.efforts)
        self.left -= job.pieces  # what falls to nothing is dropped
        for kind in +job.pieces:
            self.took[kind].jobs += 1
        for effort in outcome.efforts:
            took = self.took[effort.kind]
            took.pieces += effort.pieces
            took.seconds += effort.seconds
            took.usd = None if took.usd is None or effort.cost_usd is None else took.usd + effort.cost_usd

    def knows(self, pieces: Pieces) -> bool:
        """Whether every kind of these was measured."""
        return all(self.took[kind].pieces for kind, number in pieces.items() if number)

    def ahead(self, standing: Standing, in_hand: Collection[Job]) -> Standing:
        """How work stands, with what it will take yet."""
        usd = self._usd_left
        return replace(standing, seconds_left=self._seconds_left(in_hand), least_usd_left=usd, most_usd_left=usd)

    def _seconds_left(self, in_hand: Collection[Job]) -> float | None:
        """At the rate so far, work done by time: so many work at once, however many they are. None: not known yet.

        While more jobs of a kind are in hand than are done, the rate would be too low.
        """
        begun = Counter(kind for job in in_hand for kind in +job.pieces)
        done = sum(took.seconds for took in self.took.values())
        if self.began is None or not done or not self.knows(self.left):
            return None
        if any(begun[kind] > self.took[kind].jobs for kind in self.left):
            return None
        to_come = sum(number * self.took[kind].seconds / self.took[kind].pieces for kind, number in self.left.items())
        return (time.perf_counter() - self.began) * to_come / done

    @property
    def _usd_left(self) -> float | None:
        """If a piece costs what those of its kind did. None: not known."""
        if not self.knows(self.left):
            return None
        left = 0.0
        for kind, number in self.left.items():
            took = self.took[kind]
            if took.usd is None:
                return None
            left += number * took.usd / took.pieces
        return left
