"""What a paper cites and what cites it, as the services know it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.references import Reference
from core.sources import crossref, europepmc, openalex, semanticscholar
from core.sources.client import SourceClient
from core.sources.services import CROSSREF, EUROPE_PMC, OPENALEX, SEMANTIC_SCHOLAR, Service

MOST_LINKS = 1_000  # for one paper, direction and service
LINKING: tuple[Service, ...] = (EUROPE_PMC, CROSSREF, OPENALEX, SEMANTIC_SCHOLAR)


@dataclass(frozen=True, slots=True)
class Links:
    """What a paper cites and what cites it; the same work may come from several services."""

    references: tuple[Reference, ...] = ()
    citers: tuple[Reference, ...] = ()


def links_of(client: SourceClient, doi: str | None, pmid: str | None, services: Sequence[str]) -> Links:
    """The links that these services know. Raises `SourceError`."""
    references: list[Reference] = []
    citers: list[Reference] = []
    for id in services:
        found = _ASKED[id](client, doi, pmid)
        references += found.references
        citers += found.citers
    return Links(tuple(references), tuple(citers))


def _europe_pmc(client: SourceClient, doi: str | None, pmid: str | None) -> Links:
    if pmid is None:
        return Links()
    return Links(europepmc.references(client, pmid), europepmc.citations(client, pmid))


def _crossref(client: SourceClient, doi: str | None, pmid: str | None) -> Links:
    return Links(crossref.references(client, doi)) if doi else Links()


def _openalex(client: SourceClient, doi: str | None, pmid: str | None) -> Links:
    if not doi:
        return Links()
    return Links(openalex.references(client, doi, MOST_LINKS), openalex.citations(client, doi, MOST_LINKS))


def _semantic_scholar(client: SourceClient, doi: str | None, pmid: str | None) -> Links:
    if not doi:
        return Links()
    return Links(
        semanticscholar.references(client, doi, MOST_LINKS), semanticscholar.citations(client, doi, MOST_LINKS)
    )


_ASKED: Mapping[str, Callable[[SourceClient, str | None, str | None], Links]] = {
    EUROPE_PMC.id: _europe_pmc,
    CROSSREF.id: _crossref,
    OPENALEX.id: _openalex,
    SEMANTIC_SCHOLAR.id: _semantic_scholar,
}
