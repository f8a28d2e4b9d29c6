"""Retractions, concerns and corrections of a review's papers and references: asked for, kept, and how they mark items."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from core.errors import NotStored
from core.progress import Progress, silent
from core.review.intake import QUEUE
from core.settings import Settings
from core.sources.client import SourceClient
from core.sources.model import Notice, gravest
from core.sources.notices import ASKED, notices_on
from core.store import Store, StoredNotices, StoreReader


@dataclass(frozen=True, slots=True)
class ToCheck:
    """The items of a review that a service can be asked about, by their DOIs and PMIDs, and those that it cannot."""

    dois: Mapping[str, str]  # by item
    pmids: Mapping[str, str]
    without: int  # items with neither

    @property
    def count(self) -> int:
        """How many are asked about."""
        return len({*self.dois, *self.pmids})


def to_check(now: StoreReader, project: str) -> ToCheck:
    """Papers, and references without theirs; what a paper does not say of itself its references tell."""
    items = now.item_ids(project)
    known = {saved.record.id: (saved.record.doi, saved.record.pmid) for saved in now.stored_papers(project)}
    for saved in now.references(project):
        said, own = saved.record.reference, saved.record.paper or saved.record.id
        own = own if own in known else saved.record.id
        doi, pmid = known.get(own, (None, None))
        known[own] = (doi or said.doi, pmid or said.pmid)
    dois = {item: doi for item in items if (doi := known.get(item, (None, None))[0])}
    pmids = {item: pmid for item in items if (pmid := known.get(item, (None, None))[1])}
    return ToCheck(dois, pmids, len(items) - len({*dois, *pmids}))


def check_notices(store: Store, project: str, settings: Settings, *, progress: Progress = silent) -> int:
    """Ask about every item and keep what was said, of all or, where a service fails, of none; how many are marked.

    Raises `SourceError`.
    """
    with store.reading() as now:
        asked = to_check(now, project)
    at = datetime.now(UTC)
    with SourceClient(settings, asked_anew=at.isoformat()) as client:
        found = notices_on(client, asked.dois, asked.pmids, progress)
    services = tuple(service.name for service in ASKED)
    with store.writing(QUEUE) as change:
        for item, some in found.items():
            with suppress(NotStored):  # a reviewer took it out meanwhile
                change.put(StoredNotices(project, item, some, at, services))
    return sum(map(bool, found.values()))


def marks(now: StoreReader, project: str) -> dict[str, Notice]:
    """The gravest notice of each item that has one: of a paper, what was said of its references counts too."""
    said: dict[str, tuple[Notice, ...]] = {}
    papers, own = {*now.paper_ids(project)}, now.reference_papers(project)
    for item, stored in now.notices(project).items():
        paper = own.get(item)
        for one in dict.fromkeys((item, paper if paper in papers and paper is not None else item)):
            said[one] = (*said.get(one, ()), *stored.notices)
    return {item: worst for item, some in said.items() if (worst := gravest(some)) is not None}


def last_checked(now: StoreReader, project: str) -> tuple[datetime | None, int]:
    """When items were asked about, the longest ago, and how many of those that can be asked about never were."""
    asked = to_check(now, project)
    checked = {item: one.checked for item, one in now.notices(project).items() if len(one.services) > 1}
    items = {*asked.dois, *asked.pmids}
    moments = [checked[item] for item in items if item in checked]
    return min(moments, default=None), len(items - {*checked})
