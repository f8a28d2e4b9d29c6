"""The state of screening: the items as one reviewer may see them, their order, and the moves between them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from core.screening.model import CriterionSuggestion, ScreeningVerdict
from core.screening.ordering import QUIET, Corpus, may_stop
from core.store import ItemView, Project, ReviewItem, Saved, ScreeningDecision, StoredCriterion, StoreReader, items_of
from pages._ui.jobs import BackgroundJob, RunningJob
from pages._ui.paper_view.screening import ScreeningProgress

# ---- snapshot of the store ----


@dataclass(frozen=True, slots=True)
class ScreeningSnapshot:
    """The items of a project, and what one reviewer may see of the decisions on them."""

    saved: Saved[Project]
    reviewer: str
    items: Mapping[str, ReviewItem]  # by id, in the order of arrival
    views: Mapping[str, ItemView]  # by item, without those that nobody has decided on

    @property
    def project(self) -> Project:
        """The project itself."""
        return self.saved.record

    @property
    def undecided(self) -> list[str]:
        """The items that the reviewer has not decided on, in the order of arrival."""
        return [item for item in self.items if not self.decided(item)]

    @property
    def conflicts(self) -> list[str]:
        """The items on which reviewers differ and have not settled, as far as the reader may see it."""
        return [item for item in self.items if item in self.views and self.views[item].differ]

    @property
    def standing(self) -> ScreeningProgress:
        """The reviewer's progress."""
        return ScreeningProgress(len(self.items) - len(self.undecided), len(self.items), len(self.conflicts))

    def decided(self, item: str) -> bool:
        """Whether the reviewer has decided on the item."""
        return item in self.views and self.reviewer in self.views[item].by

    def view(self, item: str) -> ItemView:
        """What the reader may see of the decisions on an item."""
        return self.views.get(item, ItemView(item))


def read_screening(store: StoreReader, project: str, reviewer: str) -> ScreeningSnapshot:
    """Read the current state. Raises `NotStored` without the project."""
    papers = (saved.record for saved in store.stored_papers(project))
    references = (saved.record for saved in store.references(project))
    pairings = (saved.record for saved in store.pairings(project))
    return ScreeningSnapshot(
        store.project(project),
        reviewer,
        {item.id: item for item in items_of(papers, references, pairings)},
        store.screenings(project, reader=reviewer),
    )


def is_by(engine: str, chosen: str) -> bool:
    """Whether an engine is the chosen one. Its full name may include a strategy."""
    return engine == chosen or engine.startswith(f"{chosen}@")


def by_criterion(stored: Sequence[StoredCriterion], *, engine: str | None) -> dict[str, CriterionSuggestion]:
    """One suggestion per criterion, by `Criterion.id`: by the chosen engine, else by any other."""
    found = {one.criterion: one.suggestion for one in stored}
    return found | {one.criterion: one.suggestion for one in stored if is_by(one.engine, engine or "")}


# ---- order of the items ----
# A new order only determines what comes next. It does not move items that are or were on the desk.

_EVERY = 5  # new decisions after which the order is learnt again
_FIRST = 0.5  # seconds to wait for the first order, which uses only the question, as learning takes longer
LEARNT = {ScreeningVerdict.INCLUDE: True, ScreeningVerdict.EXCLUDE: False, ScreeningVerdict.UNSURE: None}


@dataclass(slots=True)
class Ordering:
    """The order of one reviewer's items as last learnt, and the next one being learnt."""

    order: tuple[str, ...] = ()
    decisions: int = -1  # how many it was learnt from; -1: no order yet
    question: str = ""
    items: tuple[str, ...] = ()
    corpus: Corpus | None = field(default=None, repr=False)  # of these items
    running: BackgroundJob[tuple[str, ...]] | None = None
    under_way: int = 0  # how many decisions the next order is learnt from

    def of(self, seen: ScreeningSnapshot) -> list[str]:
        """The undecided items, most promising first. Items newer than the order come last."""
        self._go_on(seen)
        left, ordered = dict.fromkeys(seen.undecided), set(self.order)
        return [item for item in self.order if item in left] + [item for item in left if item not in ordered]

    def _go_on(self, seen: ScreeningSnapshot) -> None:
        self._take()
        decided = _decisions(seen) if self.decisions >= 0 else {}
        question, items = question_of(seen.project), tuple(seen.items)
        stale = question != self.question or items != self.items
        if self.running is None and (stale or self.decisions < 0 or abs(len(decided) - self.decisions) >= _EVERY):
            if items != self.items or self.corpus is None:
                self.corpus = Corpus([title_and_abstract(item) for item in seen.items.values()])
            self.items, self.question, self.under_way = items, question, len(decided)
            self.running = BackgroundJob(partial(_learn, self.corpus, items, decided, question))
            if self.decisions < 0:
                self.running.wait(_FIRST)
                self._take()

    def _take(self) -> None:
        running = self.running
        if running is None or not running.ended:
            return
        self.running = None
        if running.error is not None:
            raise running.error
        self.order, self.decisions = running.result or (), self.under_way


def _learn(
    corpus: Corpus,
    items: tuple[str, ...],
    decided: Mapping[str, bool | None],
    question: str,
    _: BackgroundJob[tuple[str, ...]],
) -> tuple[str, ...]:
    places = {item: place for place, item in enumerate(items)}
    order = corpus.order({places[item]: included for item, included in decided.items()}, question=question)
    return tuple(items[place] for place in order)


def _decisions(seen: ScreeningSnapshot) -> dict[str, bool | None]:
    """The reviewer's own decisions on the current items. Others' decisions are not learnt from."""
    given = {item: seen.view(item).own for item in seen.items}
    return {item: LEARNT[own.verdict] for item, own in given.items() if own is not None and own.verdict is not None}


def question_of(project: Project) -> str:
    """The review question in words."""
    return "\n".join(filter(None, (project.study.objective, *(criterion.text for criterion in project.criteria))))


def title_and_abstract(item: ReviewItem) -> str:
    """The item's title and abstract as one text."""
    return "\n".join(filter(None, (item.title, item.abstract)))


# ---- when to stop ----
# A hint that little may be left to find, for a reviewer who screens in the order of promise.

# Measured on the held-out topics (docs/screening-order.md).
_FOUND = "In our measurements 92% of the papers to include had been found by then on average, and 70% at worst"


def stop_hint(verdicts: Sequence[ScreeningVerdict], *, left: int) -> str:
    """One sentence; empty if there is no reason to stop. `verdicts` holds the reviewer's, in the order of decision."""
    if not left or not may_stop([LEARNT[verdict] for verdict in verdicts]):
        return ""
    return f"You included none of the last {QUIET}. {_FOUND}: look through what is left before you stop."


# ---- the reviewer's work ----

_BACK = "You took this decision back in another window. Decide again if you wish."
_NOTED = "You changed this in another window, without a decision. Nothing was overwritten."
_SAID = {
    ScreeningVerdict.INCLUDE: "included",
    ScreeningVerdict.EXCLUDE: "excluded",
    ScreeningVerdict.UNSURE: "unsure",
}


@dataclass(slots=True)
class ItemEntry:
    """A reviewer's decision on one item, in this window."""

    own: ScreeningDecision | None = None  # as last seen in the store
    version: int = 0  # its stored version; 0: none
    since: int = 0  # from this version on, all changes are this window's
    number: int = 0  # of the browser's last message that was taken
    failed: int = 0  # of the browser's last message that could not be stored
    problem: str | None = None  # why it could not, or what another window did
    withdrawn: bool = False  # whether another window has withdrawn a verdict

    def meet(self, own: ScreeningDecision | None, version: int) -> None:
        """Take over what another window has stored."""
        self.withdrawn = self.verdict is not None and (own is None or own.verdict is None)
        self.own, self.version, self.since = own, version, version

    def tell(self) -> None:
        """Set the message on what another window has changed."""
        if self.verdict is None:
            self.problem = _BACK if self.withdrawn else _NOTED
            return
        said = f"You have decided this in another window meanwhile: {_SAID[self.verdict]}."
        self.problem = f"{said} Nothing was overwritten: decide again to change it."

    @property
    def verdict(self) -> ScreeningVerdict | None:
        """The reviewer's verdict, as last seen in the store."""
        return self.own.verdict if self.own is not None else None


@dataclass(slots=True)
class ScreeningWork:
    """One reviewer's work on one project, in one window."""

    project: str | None = None
    reviewer: str | None = None
    restored: bool = False  # whether the page's address was read
    item: str | None = None  # the item on the desk
    shown: str | None = None  # the item when the desk was last drawn
    onward: bool = False  # whether the item came by itself, after a verdict
    trail: list[str] = field(default_factory=list)  # the items that were on the desk, each once, in that order
    settling: bool = False  # whether the desk shows the reviewers side by side
    by_promise: bool = True  # the order of items: most promising first, or as they arrived
    hide: bool = False  # whether suggestions are hidden
    entries: dict[str, ItemEntry] = field(default_factory=dict)
    taken_back: list[tuple[str, ScreeningDecision | None]] = field(default_factory=list)  # what undo restores
    ordering: Ordering = field(default_factory=Ordering)
    suggesting: RunningJob[tuple[str, ...], None] | None = None  # for these items; its pieces are the items stored
    tried: set[str] = field(default_factory=set)  # items that suggestions were made for without a request
    number: int = 0  # of the browser's last command that was carried out
    settled: int = 0  # of the browser's last consensus that was stored or failed
    unsettled: str | None = None  # why it failed

    def sit_down(self, project: str, reviewer: str) -> None:
        """Work on this project as this reviewer. Work on another one is dropped."""
        if (project, reviewer) == (self.project, self.reviewer):
            return
        fresh = ScreeningWork(project, reviewer, self.restored, by_promise=self.by_promise, hide=self.hide)
        for name in self.__slots__:
            setattr(self, name, getattr(fresh, name))

    def entry(self, item: str) -> ItemEntry:
        """The reviewer's decision on an item, in this window."""
        return self.entries.setdefault(item, ItemEntry())

    def go_to(self, item: str | None) -> None:
        """Put an item on the desk. The message about the previous one is cleared."""
        if self.item is not None and item != self.item:
            self.entry(self.item).problem = None
        self.item = item
        if item is not None and item not in self.trail:
            self.trail.append(item)

    def after(self, undecided: Sequence[str]) -> str | None:
        """The undecided item that comes after the one on the desk; None if there is none.

        Items that the reviewer went back from come first, then items that were not on the desk yet, then skipped ones.
        """
        open_ones = set(undecided) - {self.item}
        ahead = [item for item in self._ahead if item in open_ones]
        fresh = (item for item in undecided if item in open_ones and item not in self.trail)
        return ahead[0] if ahead else next(fresh, next((item for item in undecided if item in open_ones), None))

    def next(self, undecided: Sequence[str], here: Collection[str]) -> str | None:
        """The item after the one on the desk: one that the reviewer went back from, or else a new one."""
        ahead = [item for item in self._ahead if item in here]
        return ahead[0] if ahead else self.after(undecided)

    def previous(self, here: Collection[str]) -> str | None:
        """The item that was on the desk before; None if this is the first."""
        behind = self.trail[: self.trail.index(self.item)] if self.item in self.trail else self.trail
        return next((item for item in reversed(behind) if item in here), None)

    @property
    def _ahead(self) -> list[str]:
        return self.trail[self.trail.index(self.item) + 1 :] if self.item in self.trail else []
