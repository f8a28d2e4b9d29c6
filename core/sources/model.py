"""What literature services say: records, notices on them, open copies, citations and registrations of trials."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from core.references.model import Reference


class NoticeKind(StrEnum):
    """What was said about a paper after it was published, the gravest first."""

    RETRACTED = "retracted"
    CONCERN = "expression of concern"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True)
class Notice:
    """A retraction, an expression of concern or a correction of a paper."""

    kind: NoticeKind
    service: str  # who says so, by name
    date: str = ""  # as far as it is known: 2024-05-01, 2024
    where: str = ""  # the notice's own DOI or PMID

    @property
    def in_words(self) -> str:
        """The text of a mark: "Retracted 2024-05-01 (Crossref)"."""
        words = self.kind.value
        return f"{words[0].upper()}{words[1:]}{f' {self.date}' if self.date else ''} ({self.service})"


def gravest(notices: tuple[Notice, ...]) -> Notice | None:
    """The notice to mark a paper with: the gravest, and among several of these the latest."""
    order = list(NoticeKind)
    by_date = sorted(notices, key=lambda notice: notice.date, reverse=True)
    return min(by_date, key=lambda notice: order.index(notice.kind), default=None)


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """A record of a service. `accession` is its number there: a PMID, a DOI, an NCT number."""

    service: str  # by id
    accession: str
    reference: Reference
    pmcid: str | None = None
    is_open: bool = False  # whether the service has its full text for everybody
    notices: tuple[Notice, ...] = ()

    @property
    def id(self) -> str:
        """The same for the same record, whichever search finds it."""
        return record_id(self.service, self.accession)


def record_id(service: str, accession: str) -> str:
    """The id under which a project keeps a service's record."""
    return f"{sha256(f'{service} {accession.lower()}'.encode()).hexdigest()[:32]}-1"


@dataclass(frozen=True, slots=True)
class Counted:
    """How many records a service has for a search; `problem`: why this is unknown, in one sentence."""

    service: str
    strings: tuple[str, ...]  # as they were sent
    count: int | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class FoundText:
    """An open full text: where it was, and its bytes."""

    service: str  # the name of the service that said where it is
    location: str  # its address
    name: str  # for the file
    data: bytes


@dataclass(frozen=True, slots=True)
class PlannedOutcome:
    """An outcome of a registration, as it is planned there."""

    kind: str  # primary, secondary, other
    measure: str
    time_frame: str = ""


@dataclass(frozen=True, slots=True)
class Registration:
    """What a register says of a trial."""

    number: str  # NCT01234567
    title: str
    registered: str = ""  # dates as the register has them
    started: str = ""
    completed: str = ""  # the primary completion
    updated: str = ""
    outcomes: tuple[PlannedOutcome, ...] = ()
    status: str = ""


@dataclass(frozen=True, slots=True)
class SearchRun:
    """One time that a search was run."""

    at: datetime  # UTC
    by: str
    found: Mapping[str, int]  # how many records each service has, by id
    taken: Mapping[str, int] = field(default_factory=dict)  # how many of these were new to the project
    problems: Mapping[str, str] = field(default_factory=dict)  # why a service did not answer
