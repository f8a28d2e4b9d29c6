"""What literature services add to a review: searches, open full texts that are sought, notices, registrations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.sources.model import Notice, Registration, SearchRun


@dataclass(frozen=True, slots=True)
class StoredSearch:
    """A search of a project: what was asked of which service, and every time that it was run."""

    project: str
    id: str
    asked: str  # as it was pasted
    strings: Mapping[str, tuple[str, ...]]  # by service, as they were sent
    runs: tuple[SearchRun, ...] = ()

    @property
    def last(self) -> SearchRun | None:
        """The run before now."""
        return self.runs[-1] if self.runs else None


@dataclass(frozen=True, slots=True)
class StoredNotices:
    """What services said of an item when they were asked last: retractions, concerns, corrections; often nothing."""

    project: str
    item: str
    notices: tuple[Notice, ...]
    checked: datetime  # UTC
    services: tuple[str, ...]  # who was asked, by name


@dataclass(frozen=True, slots=True)
class StandingCheck:
    """A reviewer's word, given once, that services are asked about retractions when papers come in and before an export."""

    by: str
    at: datetime  # UTC
    services: tuple[str, ...]  # by id: nobody else may be asked
    problem: str = ""  # why the last check failed
    failed: datetime | None = None  # UTC; when


@dataclass(frozen=True, slots=True)
class StoredRegistration:
    """A trial's registration, as its register had it."""

    project: str
    number: str  # NCT01234567
    registration: Registration
    fetched: datetime  # UTC


class RetrievalState(StrEnum):
    """How it stands with an open full text."""

    WANTED = "wanted"
    FETCHED = "fetched"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Retrieval:
    """An open full text of a reference that a reviewer wants. Asking for it is agreeing that services are asked."""

    item: str  # the reference
    state: RetrievalState
    by: str
    at: datetime  # UTC; of the last change
    why: str = ""  # it failed
    service: str = ""  # who said where it is
    location: str = ""  # where it was
    sha256: str | None = None  # of the file
