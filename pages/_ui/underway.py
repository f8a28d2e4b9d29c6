"""Work of a session beside its page: asked for in one run of the page, begun in the next, taken once it has ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pages._ui.running import Running

T = TypeVar("T")
W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Underway(Generic[W, T]):
    """Work that runs, or has ended and is not taken yet."""

    wanted: W
    running: Running[T]


U = TypeVar("U", bound=Underway[Any, Any])


@dataclass(slots=True)
class Work(Generic[W, U]):
    """One piece of work at a time, and what is wanted next."""

    wanted: W | None = None
    underway: U | None = None

    def begin(self, wanted: W) -> None:
        """Ask for work, in the place of what runs."""
        self.stop()
        self.wanted = wanted

    def stop(self) -> None:
        """Want nothing any more: what runs ends at its next report, and brings no result."""
        self.wanted = None
        if self.underway is not None:
            self.underway.running.stop()

    def due(self) -> W | None:
        """What is to begin now, told once. None too while something runs: what was replaced has yet to end."""
        if self.underway is not None:
            return None
        wanted, self.wanted = self.wanted, None
        return wanted

    def start(self, underway: U, *, at_once: float = 0.3) -> None:
        """Keep what has begun. What comes within `at_once` seconds is drawn at once, without a board."""
        self.underway = underway
        underway.running.wait(at_once)

    def ended(self) -> U | None:
        """What has ended, handed out once."""
        if self.underway is None or not self.underway.running.ended:
            return None
        ended, self.underway = self.underway, None
        return ended


class OfPaper(Protocol):
    """What is wanted of a paper."""

    @property
    def paper(self) -> str:
        """The paper's id."""
        ...


P = TypeVar("P", bound=OfPaper)


@dataclass(slots=True)
class PaperWork(Work[P, U]):
    """Work on one paper of the session at a time."""

    @property
    def busy_with(self) -> str | None:
        """The id of the paper that work is asked for, or else is done on."""
        wanted = self.wanted or (self.underway.wanted if self.underway else None)
        return wanted.paper if wanted else None
