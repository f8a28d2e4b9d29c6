"""What a session remembers of screening: the item on the desk, the way there, and what can be taken back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from core.screening.model import ScreeningVerdict
from core.store import ScreeningDecision
from pages._ui.running import Running
from pages._ui.screening.ordering import Ordering

_BACK = "You took this decision back in another window. Decide again if you wish."
_NOTED = "You changed this in another window, without a decision. Nothing was overwritten."
_SAID = {
    ScreeningVerdict.INCLUDE: "included",
    ScreeningVerdict.EXCLUDE: "excluded",
    ScreeningVerdict.UNSURE: "unsure",
}


@dataclass(slots=True)
class Entry:
    """A reviewer's decision on one item, in this window."""

    own: ScreeningDecision | None = None  # in the store, as it was last seen from here
    version: int = 0  # its version there; 0: none
    since: int = 0  # the version from which on every change was this window's
    number: int = 0  # of the browser's last message that was taken
    failed: int = 0  # of the browser's last message that could not be stored
    problem: str | None = None  # why
    withdrawn: bool = False  # whether another window took a verdict back

    def meet(self, own: ScreeningDecision | None, version: int) -> None:
        """Take over what another window has stored."""
        self.withdrawn = self.verdict is not None and (own is None or own.verdict is None)
        self.own, self.version, self.since = own, version, version

    def tell(self) -> None:
        """Say what another window has made of it."""
        if self.verdict is None:
            self.problem = _BACK if self.withdrawn else _NOTED
            return
        said = f"You have decided this in another window meanwhile: {_SAID[self.verdict]}."
        self.problem = f"{said} Nothing was overwritten: decide again to change it."

    @property
    def verdict(self) -> ScreeningVerdict | None:
        """The reviewer's own, as it was last seen from here."""
        return self.own.verdict if self.own is not None else None


@dataclass(slots=True)
class Suggesting:
    """Suggestions that are being made."""

    items: tuple[str, ...]
    running: Running[None]
    came: list[str]  # the item of each suggestion that the thread has stored
    shown: int = 0  # how many of them were there when the desk was drawn


@dataclass(slots=True)
class ScreeningWork:
    """The work of one reviewer on one project, in one window."""

    project: str | None = None
    reviewer: str | None = None
    restored: bool = False  # whether the address of the page was looked at
    item: str | None = None  # on the desk
    shown: str | None = None  # what was on it when it was drawn last
    onward: bool = False  # whether the item came by itself, after a verdict
    trail: list[str] = field(default_factory=list)  # the items that were on it, each once, in the order they came
    settling: bool = False  # whether the reviewers are side by side
    by_promise: bool = True  # the order of what comes next: most promising first, or as they came
    hide: bool = False  # whether suggestions are out of view
    entries: dict[str, Entry] = field(default_factory=dict)
    taken_back: list[tuple[str, ScreeningDecision | None]] = field(default_factory=list)  # what undo goes back to
    ordering: Ordering = field(default_factory=Ordering)
    suggesting: Suggesting | None = None
    tried: set[str] = field(default_factory=set)  # the items that suggestions were made for unasked
    number: int = 0  # of the browser's last wish that was met
    settled: int = 0  # of the browser's last consensus that was stored, or could not be
    unsettled: str | None = None  # why it could not

    def sit_down(self, project: str, reviewer: str) -> None:
        """Work on this project as this reviewer; what was begun on another is left."""
        if (project, reviewer) == (self.project, self.reviewer):
            return
        fresh = ScreeningWork(project, reviewer, self.restored, by_promise=self.by_promise, hide=self.hide)
        for name in self.__slots__:
            setattr(self, name, getattr(fresh, name))

    def entry(self, item: str) -> Entry:
        """One's own decision on an item."""
        return self.entries.setdefault(item, Entry())

    def go_to(self, item: str | None) -> None:
        """Put an item on the desk. What was told of the one that leaves it was read."""
        if self.item is not None and item != self.item:
            self.entry(self.item).problem = None
        self.item = item
        if item is not None and item not in self.trail:
            self.trail.append(item)

    def after(self, undecided: Sequence[str]) -> str | None:
        """The item to go on with after the one on the desk, of those not decided, in their order; None: there is none.

        What the reader went back from comes first, then what was not on the desk yet, then what was passed over.
        """
        open_ones = set(undecided) - {self.item}
        ahead = [item for item in self._ahead if item in open_ones]
        fresh = (item for item in undecided if item in open_ones and item not in self.trail)
        return ahead[0] if ahead else next(fresh, next((item for item in undecided if item in open_ones), None))

    def next(self, undecided: Sequence[str], here: Collection[str]) -> str | None:
        """The item that comes after the one on the desk: on the way on, where the reader went back, or a new one."""
        ahead = [item for item in self._ahead if item in here]
        return ahead[0] if ahead else self.after(undecided)

    def previous(self, here: Collection[str]) -> str | None:
        """The item that was on the desk before; None: this is the first."""
        behind = self.trail[: self.trail.index(self.item)] if self.item in self.trail else self.trail
        return next((item for item in reversed(behind) if item in here), None)

    @property
    def _ahead(self) -> list[str]:
        return self.trail[self.trail.index(self.item) + 1 :] if self.item in self.trail else []
