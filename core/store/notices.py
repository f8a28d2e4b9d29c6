"""Retractions, concerns and corrections of a review's items, and when services were asked. None is asked here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import datetime

from core.sources.model import Notice, gravest
from core.store.items import items_of, left_out_of
from core.store.model import ProjectState, StoredPaper
from core.store.review_model import StoredReference
from core.store.source_model import StoredNotices


@dataclass(frozen=True, slots=True)
class ToCheck:
    """The items of a review that a service can be asked about, by DOI and PMID, and how many cannot be."""

    dois: Mapping[str, str]  # by item
    pmids: Mapping[str, str]
    without: int  # items with neither
    named_by: Mapping[str, tuple[str, ...]]  # by item: the references that are of this paper

    @property
    def items(self) -> tuple[str, ...]:
        """The items that can be asked about, each once."""
        return tuple(dict.fromkeys((*self.dois, *self.pmids)))

    @property
    def count(self) -> int:
        """How many items can be asked about."""
        return len(self.items)


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether and when a review's items were checked for retractions, concerns and corrections."""

    since: datetime | None  # UTC; when the item checked longest ago was checked; None: never
    unasked: int = 0  # items that could be asked about but never were
    without: int = 0  # items without DOI and PMID, which cannot be asked about

    @property
    def in_words(self) -> str:
        """Two or three sentences; empty if there are no items."""
        if self.since is None and not self.unasked + self.without:
            return ""
        parts = ["Nobody has looked yet whether a paper was retracted or corrected."]
        if self.since is not None:
            parts = [f"Checked for retractions, concerns and corrections on {self.since:%Y-%m-%d} (UTC)."]
            if self.unasked:
                parts.append(f"{_papers(self.unasked)} came in since and {_were(self.unasked)} not checked.")
        if self.without:
            parts.append(f"{_papers(self.without)} without DOI and PMID cannot be checked.")
        return " ".join(parts)


def to_check(items: Iterable[str], papers: Iterable[StoredPaper], references: Iterable[StoredReference]) -> ToCheck:
    """What to ask about `items` (ids). A DOI or PMID that a paper lacks is taken from its references."""
    known = {paper.id: (paper.doi, paper.pmid) for paper in papers}
    named_by: dict[str, tuple[str, ...]] = {}
    for entry in references:
        said, own = entry.reference, entry.paper or entry.id
        own = own if own in known else entry.id
        named_by[own] = (*named_by.get(own, ()), entry.id)
        doi, pmid = known.get(own, (None, None))
        known[own] = (doi or said.doi, pmid or said.pmid)
    numbers = {item: known.get(item, (None, None)) for item in items}
    dois = {item: doi for item, (doi, _) in numbers.items() if doi}
    pmids = {item: pmid for item, (_, pmid) in numbers.items() if pmid}
    return ToCheck(dois, pmids, len(numbers) - len({*dois, *pmids}), named_by)


def last_asked(asked: ToCheck, notices: Mapping[str, StoredNotices]) -> dict[str, datetime]:
    """When each item was last asked about, itself or through its references; items that never were are missing.

    Notices that came with a search do not count as a check.
    """
    moments = {item: one.checked for item, one in notices.items() if len(one.services) > 1}
    found = {}
    for item in asked.items:
        here = [moments[one] for one in (item, *asked.named_by.get(item, ())) if one in moments]
        if here:
            found[item] = max(here)
    return found


def checked(asked: ToCheck, notices: Mapping[str, StoredNotices]) -> Checked:
    """Whether and when the items were checked."""
    latest = last_asked(asked, notices)
    return Checked(min(latest.values(), default=None), asked.count - len(latest), asked.without)


def gravest_by_item(
    notices: Mapping[str, StoredNotices],
    *,
    papers: Set[str],
    own: Mapping[str, str | None],
    stands_for: Mapping[str, str],
) -> dict[str, Notice]:
    """The gravest notice of each item that has one. Notices on a paper's references and on its duplicates count too.

    `papers`: the ids of the papers in the project; `own`: the paper of each reference; `stands_for`: the item that
    stands for each item that was left out.
    """
    said: dict[str, tuple[Notice, ...]] = {}
    for item, stored in notices.items():
        paper = own.get(item)
        marked = [item, paper if paper in papers and paper is not None else item]
        marked += [stands_for[one] for one in marked if one in stands_for]
        for one in dict.fromkeys(marked):
            said[one] = (*said.get(one, ()), *stored.notices)
    return {item: worst for item, some in said.items() if (worst := gravest(some)) is not None}


# ---- for a whole project ----


def marks_of(state: ProjectState) -> dict[str, Notice]:
    """The gravest notice of each item."""
    return gravest_by_item(
        _notices(state),
        papers={saved.record.id for saved in state.papers if not saved.removed},
        own={saved.record.id: saved.record.paper for saved in state.references if not saved.removed},
        stands_for=left_out_of(state),
    )


def checked_of(state: ProjectState) -> Checked:
    """Whether and when its items were checked."""
    papers = [saved.record for saved in state.papers if not saved.removed]
    references = [saved.record for saved in state.references if not saved.removed]
    pairings = [saved.record for saved in state.pairings if not saved.removed]
    items = [item.id for item in items_of(papers, references, pairings)]
    return checked(to_check(items, papers, references), _notices(state))


def _notices(state: ProjectState) -> dict[str, StoredNotices]:
    return {saved.record.item: saved.record for saved in state.notices if not saved.removed}


def _papers(number: int) -> str:
    return "1 paper" if number == 1 else f"{number:,} papers"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
