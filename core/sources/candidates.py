"""Find papers by words: the few nearest ones, from several services in turn.

A review's search wants all records of a query. Someone who looks for an answer wants the best, as the service ranks
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest
from typing import Protocol

from core.errors import QueryError, SourceError
from core.sources import crossref, europepmc, openalex, pubmed, semanticscholar
from core.sources.client import SourceClient
from core.sources.model import SourceRecord
from core.sources.services import CROSSREF, EUROPE_PMC, OPENALEX, PUBMED, SEMANTIC_SCHOLAR, Service
from core.text.words import as_written

SEARCHED: tuple[Service, ...] = (EUROPE_PMC, PUBMED, OPENALEX, SEMANTIC_SCHOLAR, CROSSREF)


class Ranking(Protocol):
    """A module for a service that ranks its records by words."""

    def nearest(
        self,
        client: SourceClient,
        words: Sequence[str],
        years: tuple[int | None, int | None],
        most: int,
        *,
        any_word: bool,
    ) -> tuple[SourceRecord, ...]:
        """The nearest records, best first; `any_word`: one of the words is enough. Raises `SourceError`."""
        ...


_RANKINGS: Mapping[str, Ranking] = {
    EUROPE_PMC.id: europepmc,
    PUBMED.id: pubmed,
    OPENALEX.id: openalex,
    SEMANTIC_SCHOLAR.id: semanticscholar,
    CROSSREF.id: crossref,
}


def searched_services(ids: Sequence[str]) -> tuple[Service, ...]:
    """The services of these ids, each once. Raises `QueryError` for one that ranks no papers, or for none at all."""
    known = {service.id: service for service in SEARCHED}
    unknown = [id for id in ids if id not in known]
    if unknown or not ids:
        what = f"“{unknown[0]}” is no service that finds papers by words." if unknown else "No service is named."
        raise QueryError(f"{what} Choose among {', '.join(known)}.")
    return tuple(known[id] for id in dict.fromkeys(ids))


def candidates(
    client: SourceClient, services: Sequence[Service], text: str, years: tuple[int | None, int | None], most: int
) -> tuple[tuple[SourceRecord, ...], dict[str, str]]:
    """The records nearest to the words of a text, one from each service in turn; and why services failed, by name.

    Only the words are sent, without signs that a service would read as operators. All of them must match; if no record
    has all of them, any one is enough. A work that two services give comes twice: the caller tells which are the same.
    """
    words = [word.lower() for word in as_written(text).values()]
    found: list[tuple[SourceRecord, ...]] = []
    problems: dict[str, str] = {}
    for service in services if words else ():
        ranking = _RANKINGS[service.id]
        try:
            some = ranking.nearest(client, words, years, most, any_word=False)
            if not some and len(words) > 1:
                some = ranking.nearest(client, words, years, most, any_word=True)
            found.append(some)
        except SourceError as error:
            problems[service.name] = str(error)
    by_turns = chain.from_iterable(zip_longest(*found))
    return tuple(one for one in by_turns if one is not None), problems
