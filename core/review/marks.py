"""How retractions, concerns and corrections mark a review's items, as the store knows now. No service is asked here."""

from __future__ import annotations

from core.sources.model import Notice
from core.store import StoreReader
from core.store.notices import Checked, ToCheck, checked, gravest_by_item
from core.store.notices import to_check as to_check_of


def to_check(now: StoreReader, project: str) -> ToCheck:
    """The papers, and references without a paper, that a service can be asked about."""
    papers = [saved.record for saved in now.stored_papers(project)]
    references = [saved.record for saved in now.references(project)]
    return to_check_of(now.item_ids(project), papers, references)


def marks(now: StoreReader, project: str) -> dict[str, Notice]:
    """The gravest notice of each item that has one."""
    return gravest_by_item(
        now.notices(project),
        papers={*now.paper_ids(project)},
        own=now.reference_papers(project),
        stands_for=now.left_out(project),
    )


def last_checked(now: StoreReader, project: str) -> Checked:
    """When the items were last checked, and how many never were."""
    return checked(to_check(now, project), now.notices(project))
