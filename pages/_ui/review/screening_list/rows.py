"""The rows of the list, as the plain data that its script expects, and the counts above it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.screening.model import ScreeningVerdict
from core.store import ItemView, ReviewItem
from pages._ui.screening.seen import Seen

HIDDEN = "hidden"  # in place of a verdict that the reader may not see yet


@dataclass(frozen=True, slots=True)
class Counts:
    """How far screening is. What a blind reader may not see yet is in none but `decided`."""

    items: int
    decided: Mapping[str, int]  # by reviewer
    included: int
    by_abstract: int  # of these, those whose paper is not here: title and abstract are all that was read
    excluded: int
    conflicts: int

    @property
    def open(self) -> int:
        """Items without a final verdict, conflicts among them."""
        return self.items - self.included - self.excluded


def counts_of(seen: Seen) -> Counts:
    """The counts of a project as the reader may see it."""
    views = [seen.view(item) for item in seen.items]
    finals = [view.final for view in views]
    included = [item for item in seen.items.values() if seen.view(item.id).final is ScreeningVerdict.INCLUDE]
    return Counts(
        len(views),
        {name: sum(name in view.by for view in views) for name in seen.project.reviewers},
        len(included),
        sum(not item.is_paper for item in included),
        finals.count(ScreeningVerdict.EXCLUDE),
        len(seen.conflicts),
    )


def list_payload(seen: Seen) -> dict[str, object]:
    """Every item with what each reviewer decided, as far as the reader may see it, and what is final."""
    return {
        "reviewers": seen.project.reviewers,
        "me": seen.reviewer if seen.reviewer in seen.project.reviewers else None,
        "items": [_row(item, seen.view(item.id), seen) for item in seen.items.values()],
    }


def _row(item: ReviewItem, view: ItemView, seen: Seen) -> dict[str, object]:
    final = view.final
    return {
        "id": item.id,
        "title": item.title,
        "citation": item.citation or (item.study if item.study != item.title else ""),
        "isPaper": item.is_paper,
        "verdicts": [view.verdicts.get(name, HIDDEN if name in view.by else None) for name in seen.project.reviewers],
        "final": final,
        "reason": view.final_reason,
        "conflict": view.differ,
    }
