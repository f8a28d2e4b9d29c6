"""All that the page on screening shows, from one snapshot of the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.screening.model import CriterionSuggestion
from core.store import ItemView, Project, Reading, ReviewItem, Saved, StoredCriterion, items_of
from pages._ui.paper_view.screening import Standing


@dataclass(frozen=True, slots=True)
class Seen:
    """The items of a project, and what one reviewer may see of the decisions on them."""

    saved: Saved[Project]
    reviewer: str
    items: Mapping[str, ReviewItem]  # by id, in the order they came
    views: Mapping[str, ItemView]  # by item; those that nobody has decided on are left out

    @property
    def project(self) -> Project:
        """The project itself."""
        return self.saved.record

    @property
    def undecided(self) -> list[str]:
        """What the reviewer has not decided yet, in the order it came."""
        return [item for item in self.items if not self.decided(item)]

    @property
    def conflicts(self) -> list[str]:
        """Where reviewers differ and have settled nothing, as far as the reader may see it."""
        return [item for item in self.items if item in self.views and self.views[item].differ]

    @property
    def standing(self) -> Standing:
        """How far the reviewer is."""
        return Standing(len(self.items) - len(self.undecided), len(self.items), len(self.conflicts))

    def decided(self, item: str) -> bool:
        """Whether the reviewer has a verdict on the item."""
        return item in self.views and self.reviewer in self.views[item].by

    def view(self, item: str) -> ItemView:
        """What the reader may see of the decisions on an item."""
        return self.views.get(item, ItemView(item))


def look(store: Reading, project: str, reviewer: str) -> Seen:
    """What there is now. Raises `NotStored` without the project."""
    papers = (saved.record for saved in store.stored_papers(project))
    references = (saved.record for saved in store.references(project))
    pairings = (saved.record for saved in store.pairings(project))
    return Seen(
        store.project(project),
        reviewer,
        {item.id: item for item in items_of(papers, references, pairings)},
        store.screenings(project, reader=reviewer),
    )


def is_by(engine: str, chosen: str) -> bool:
    """Whether an engine is the one that was chosen: its full name may tell the strategy too."""
    return engine == chosen or engine.startswith(f"{chosen}@")


def by_criterion(stored: Sequence[StoredCriterion], *, engine: str | None) -> dict[str, CriterionSuggestion]:
    """One suggestion for each criterion, by `Criterion.id`: of the engine that the project has chosen, else any other."""
    found = {one.criterion: one.suggestion for one in stored}
    return found | {one.criterion: one.suggestion for one in stored if is_by(one.engine, engine or "")}
