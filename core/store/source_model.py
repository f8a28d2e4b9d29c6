"""What literature services add to a review: searches, open full texts to fetch, notices, registrations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.sources.model import Notice, Registration, SearchRun


@dataclass(frozen=True, slots=True)
class StoredSearch:
    """A search of a project: what was sent to which service, and every run of it."""

    project: str
    id: str
    asked: str  # as the reviewer pasted it
    strings: Mapping[str, tuple[str, ...]]  # by service, as they were sent
    runs: tuple[SearchRun, ...] = ()

    @property
    def last(self) -> SearchRun | None:
        """The last run."""
        return self.runs[-1] if self.runs else None


@dataclass(frozen=True, slots=True)
class StoredNotices:
    """What services said about an item when last asked: retractions, concerns, corrections; often nothing."""

    project: str
    item: str
    notices: tuple[Notice, ...]
    checked: datetime  # UTC
    services: tuple[str, ...]  # the services that were asked, by name


@dataclass(frozen=True, slots=True)
class StandingCheck:
    """A reviewer's standing consent that services are asked about retractions of new papers and before an export."""

    by: str
    at: datetime  # UTC
    services: tuple[str, ...]  # by id; no others may be asked
    problem: str = ""  # why the last check failed
    failed: datetime | None = None  # UTC; when it failed


@dataclass(frozen=True, slots=True)
class StoredRegistration:
    """A trial's registration, as its register had it."""

    project: str
    number: str  # NCT01234567
    registration: Registration
    fetched: datetime  # UTC


class RetrievalState(StrEnum):
    """Whether an open full text is wanted, was fetched, or could not be fetched."""

    WANTED = "wanted"
    FETCHED = "fetched"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Retrieval:
    """An open full text of a reference that a reviewer wants. Wanting it is consent to ask services for it."""

    item: str  # the reference
    state: RetrievalState
    by: str
    at: datetime  # UTC; of the last change
    why: str = ""  # why it failed
    service: str = ""  # the service that gave the location
    location: str = ""  # its address
    sha256: str | None = None  # of the file
