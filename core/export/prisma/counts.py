"""How many records are where in a review, by the steps of the PRISMA 2020 flow diagram.

Page MJ et al., "The PRISMA 2020 statement", BMJ 2021;372:n71: figure 1, and its version with other methods. A number
counts what has been decided; what has not is `waiting` beside it, so that the numbers of a review under way add up too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.screening.model import ScreeningVerdict

NO_REASON = "No reason given"
_DECIDED = (ScreeningVerdict.INCLUDE, ScreeningVerdict.EXCLUDE)


class SourceKind(StrEnum):
    """How records came into the review."""

    SEARCH = "databases and registers"
    OTHER = "other methods"  # websites, organisations, citations; files that were added without a reference


class Removal(StrEnum):
    """Why a record was removed before anybody screened it."""

    DUPLICATE = "duplicate"
    AUTOMATION = "automation"  # marked as ineligible by an automation tool, and seen by nobody
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class FlowItem:
    """One record of a review, with what was settled about it. A verdict of None, or unsure: it still waits.

    Where two people screen, a verdict is what they agree on, or settled: a conflict that is open is None.
    """

    source: str  # the name of the database, the register or the file of references
    kind: SourceKind = SourceKind.SEARCH
    removal: Removal | None = None
    abstract: ScreeningVerdict | None = None  # by title and abstract
    full_text: ScreeningVerdict | None = None
    reason: str = ""  # of an exclusion by full text
    has_full_text: bool = False
    unobtainable: bool = False  # somebody said that the report cannot be had
    study: str = ""  # reports of one study share it; empty: a study of its own


@dataclass(frozen=True, slots=True)
class Source:
    """Where records came from, and how many."""

    name: str
    records: int


@dataclass(frozen=True, slots=True)
class Stream:
    """The records of one kind of source on their way through the review."""

    sources: tuple[Source, ...] = ()
    duplicates: int = 0
    by_automation: int = 0
    removed_otherwise: int = 0
    screened: int = 0  # by title and abstract
    excluded: int = 0  # of these
    not_retrieved: int = 0
    assessed: int = 0  # by full text
    excluded_by_reason: Mapping[str, int] = field(default_factory=dict)  # most first
    reports_included: int = 0
    waiting_screening: int = 0
    waiting_retrieval: int = 0
    waiting_assessment: int = 0

    @property
    def identified(self) -> int:
        """All records, the removed ones included."""
        return sum(source.records for source in self.sources)

    @property
    def removed(self) -> int:
        """Records removed before screening."""
        return self.duplicates + self.by_automation + self.removed_otherwise

    @property
    def sought(self) -> int:
        """Reports sought for retrieval: what screening left in."""
        return self.screened - self.excluded

    @property
    def waiting(self) -> int:
        """Records and reports that a step still waits for."""
        return self.waiting_screening + self.waiting_retrieval + self.waiting_assessment

    def check(self) -> None:
        """Raise `ValueError` where a step does not follow from the one before."""
        reasons = sum(self.excluded_by_reason.values())
        found = self.not_retrieved + self.waiting_retrieval + self.waiting_assessment + self.assessed
        steps = {
            "identified = removed + screened + waiting": (
                self.identified,
                self.removed + self.screened + self.waiting_screening,
            ),
            "sought = not retrieved + assessed + waiting": (self.sought, found),
            "assessed = excluded by reason + included": (self.assessed, reasons + self.reports_included),
        }
        for step, (before, after) in steps.items():
            if before != after:
                raise ValueError(f"the counts do not add up: {step} is {before} = {after}")
        if min(self.sought, *(getattr(self, name) for name in _NUMBERS), *self.excluded_by_reason.values()) < 0:
            raise ValueError("a count is below zero")


_NUMBERS = (
    *("duplicates", "by_automation", "removed_otherwise", "screened", "excluded", "not_retrieved", "assessed"),
    *("reports_included", "waiting_screening", "waiting_retrieval", "waiting_assessment"),
)


@dataclass(frozen=True, slots=True)
class FlowCounts:
    """Both streams, and the studies that they end in: a study may have several reports."""

    search: Stream = Stream()
    other: Stream = Stream()
    studies: int = 0

    @property
    def reports_included(self) -> int:
        """Reports of included studies."""
        return self.search.reports_included + self.other.reports_included

    @property
    def waiting(self) -> int:
        """Records and reports without a decision; 0: the review is through."""
        return self.search.waiting + self.other.waiting

    def check(self) -> None:
        """Raise `ValueError` where a step does not follow from the one before: whoever counted has made a mistake."""
        self.search.check()
        self.other.check()
        if not min(1, self.reports_included) <= self.studies <= self.reports_included:
            raise ValueError(f"{self.studies} studies cannot have {self.reports_included} reports")


def flow_of(items: Iterable[FlowItem]) -> FlowCounts:
    """The counts, checked.

    A record that was excluded by its abstract ends there. One with a verdict on its full text was left in by its
    abstract, and its report was had, whatever else is said of it. What came by other methods with its full text goes
    on to that without a verdict on its abstract, as in PRISMA's template.
    """
    all_items = list(items)
    search, other = (_stream([item for item in all_items if item.kind is kind]) for kind in SourceKind)
    included = [item for item in all_items if _end(item) == "included"]
    named = {item.study for item in included if item.study}
    counts = FlowCounts(search, other, studies=len(named) + sum(not item.study for item in included))
    counts.check()
    return counts


def _stream(items: Sequence[FlowItem]) -> Stream:
    ends = Counter(_end(item) for item in items)
    removed = ends["duplicate"] + ends["automation"] + ends["other"]
    assessed = ends["excluded by full text"] + ends["included"]
    reasons = Counter(
        " ".join(item.reason.split()) or NO_REASON for item in items if _end(item) == "excluded by full text"
    )
    sources = Counter(item.source for item in items)
    return Stream(
        sources=tuple(Source(name, records) for name, records in sources.items()),
        duplicates=ends["duplicate"],
        by_automation=ends["automation"],
        removed_otherwise=ends["other"],
        screened=len(items) - removed - ends["waits for screening"],
        excluded=ends["excluded"],
        not_retrieved=ends["not retrieved"],
        assessed=assessed,
        excluded_by_reason=dict(sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0].casefold()))),
        reports_included=ends["included"],
        waiting_screening=ends["waits for screening"],
        waiting_retrieval=ends["waits for retrieval"],
        waiting_assessment=ends["waits for assessment"],
    )


def _end(item: FlowItem) -> str:
    """Where a record is: every record is at one place."""
    if item.removal is not None:
        return item.removal.value
    if item.abstract is ScreeningVerdict.EXCLUDE:
        return "excluded"
    if item.full_text in _DECIDED:
        return "included" if item.full_text is ScreeningVerdict.INCLUDE else "excluded by full text"
    unscreened = item.kind is SourceKind.OTHER and item.abstract is None and item.has_full_text
    if item.abstract is not ScreeningVerdict.INCLUDE and not unscreened:
        return "waits for screening"
    if item.has_full_text:
        return "waits for assessment"
    return "not retrieved" if item.unobtainable else "waits for retrieval"
