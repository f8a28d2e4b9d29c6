"""Check whether each service can be asked from this computer, with one small question each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import SourceError
from core.sources import unpaywall
from core.sources.client import SourceClient
from core.sources.searching import SOURCES
from core.sources.services import SERVICES, Service

_QUERY = "sleep"
_DOI = "10.1371/journal.pmed.1000097"  # the PRISMA statement of 2009, which is open


@dataclass(frozen=True, slots=True)
class ServiceCheck:
    """The result of asking a service; `problem` is empty if it works."""

    service: Service
    told: str = ""
    problem: str = ""


def check_all(client: SourceClient) -> Iterator[ServiceCheck]:
    """Ask each service in turn."""
    for service in SERVICES:
        try:
            yield ServiceCheck(service, _asked(client, service))
        except SourceError as error:
            yield ServiceCheck(service, problem=str(error))


def _asked(client: SourceClient, service: Service) -> str:
    source = SOURCES.get(service.id)
    if source is None:
        copies = unpaywall.open_copies(client, _DOI).pdfs
        return f"{len(copies)} open {'copy' if len(copies) == 1 else 'copies'} of one DOI"
    string = _QUERY if source.takes_queries else f"doi: {_DOI}"
    number = source.count(client, string)
    return f"{number:,} {'record' if number == 1 else 'records'} for “{string}”"
