"""How retractions, concerns and corrections mark a review's items, and which items can be asked about. Nobody is asked here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.sources.model import Notice, gravest
from core.store import StoreReader


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


def marks(now: StoreReader, project: str) -> dict[str, Notice]:
    """The gravest notice of each item that has one: what was said of a paper's references, and of what was left out for it, counts too."""
    said: dict[str, tuple[Notice, ...]] = {}
    papers, own = {*now.paper_ids(project)}, now.reference_papers(project)
    stands_for = now.left_out(project)
    for item, stored in now.notices(project).items():
        paper = own.get(item)
        marked = [item, paper if paper in papers and paper is not None else item]
        marked += [stands_for[one] for one in marked if one in stands_for]
        for one in dict.fromkeys(marked):
            said[one] = (*said.get(one, ()), *stored.notices)
    return {item: worst for item, some in said.items() if (worst := gravest(some)) is not None}


def last_checked(now: StoreReader, project: str) -> tuple[datetime | None, int]:
    """When items were asked about, the longest ago, and how many of those that can be asked about never were."""
    asked = to_check(now, project)
    checked = {item: one.checked for item, one in now.notices(project).items() if len(one.services) > 1}
    items = {*asked.dois, *asked.pmids}
    moments = [checked[item] for item in items if item in checked]
    return min(moments, default=None), len(items - {*checked})
