"""Search the services: what is sent to each, how many records each has, and the records."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Protocol

from core.errors import QueryError, SourceError
from core.progress import Progress, silent
from core.sources import clinicaltrials, crossref, europepmc, openalex, pubmed, semanticscholar
from core.sources.asked import Asked, asked
from core.sources.client import SourceClient
from core.sources.model import Counted, SourceRecord
from core.sources.services import Kind, Service, service_named

MOST_TAKEN = 10_000  # records of one service; PubMed gives no more, and nobody screens more


class Source(Protocol):
    """A module for a service that can be searched."""

    service: Service
    takes_queries: bool  # if False, it takes only lists of identifiers and titles

    def strings(self, asked: Asked) -> tuple[str, ...]:
        """What is sent, in the service's own language; several strings if one call cannot hold all."""
        ...

    def count(self, client: SourceClient, string: str) -> int:
        """How many records there are. Raises `SourceError`."""
        ...

    def records(self, client: SourceClient, string: str, most: int) -> Iterator[SourceRecord]:
        """The records, `most` at most. Raises `SourceError`."""
        ...


_MODULES: tuple[Source, ...] = (europepmc, pubmed, crossref, openalex, semanticscholar, clinicaltrials)
SOURCES: Mapping[str, Source] = {module.service.id: module for module in _MODULES}


def strings_of(
    text: str, services: Collection[str], own: Mapping[str, str] | None = None
) -> dict[str, tuple[str, ...]]:
    """What would be sent to each service. A service that cannot answer the question is left out.

    `own`: other queries for some of the services. Raises `QueryError` if there is no question, or no service for it.
    """
    if not services:
        raise QueryError("No service is chosen. Choose at least one.")
    found = {}
    for id in SOURCES:
        if id in services:
            said = asked((own or {}).get(id, "").strip() or text)
            source = SOURCES[id]
            if strings := source.strings(said) if said.is_list or source.takes_queries else ():
                found[id] = strings
    if not found:
        names = " and ".join(service_named(id).name for id in services)
        raise QueryError(f"{names} cannot be asked this: choose another service.")
    return found


def count_all(
    client: SourceClient, strings: Mapping[str, Sequence[str]], progress: Progress = silent
) -> tuple[Counted, ...]:
    """How many records each service has. If one fails, the others are still asked, and its reason is in `problem`."""
    counted = []
    for place, (id, some) in enumerate(strings.items()):
        progress(place / len(strings), f"Asking {service_named(id).name}")
        try:
            number = sum(SOURCES[id].count(client, string) for string in some)
            counted.append(Counted(id, tuple(some), number))
        except SourceError as error:
            counted.append(Counted(id, tuple(some), problem=str(error)))
    return tuple(counted)


def records_of(client: SourceClient, id: str, strings: Sequence[str]) -> Iterator[SourceRecord]:
    """The records of a service, each once. Raises `SourceError`, possibly after some records have been yielded."""
    given: set[str] = set()
    for string in strings:
        for record in SOURCES[id].records(client, string, MOST_TAKEN):
            if record.id not in given:
                given.add(record.id)
                yield record


def is_register(id: str) -> bool:
    """Whether PRISMA counts the service among registers, not databases."""
    return service_named(id).kind is Kind.REGISTER
