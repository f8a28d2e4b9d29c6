"""Retractions, expressions of concern and corrections: Crossref by DOI, PubMed by PMID."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.progress import Progress, silent
from core.sources import crossref, pubmed
from core.sources.asked import batches
from core.sources.client import SourceClient
from core.sources.model import Notice
from core.sources.services import CROSSREF, PUBMED, Service

ASKED: tuple[Service, ...] = (CROSSREF, PUBMED)
_DOIS, _PMIDS = 40, 200  # in one call


def notices_on(
    client: SourceClient,
    dois: Mapping[str, str],
    pmids: Mapping[str, str],
    progress: Progress = silent,
) -> dict[str, tuple[Notice, ...]]:
    """What was said about each item; `dois` and `pmids` are by item. Always asked anew. Raises `SourceError`."""
    found: dict[str, list[Notice]] = {item: [] for item in (*dois, *pmids)}
    numbers = list(dict.fromkeys(dois.values()))
    calls: list[tuple[Service, Sequence[str]]] = [
        *((CROSSREF, some) for some in batches([one for one in numbers if "," not in one], _DOIS)),
        *((CROSSREF, [one]) for one in numbers if "," in one),  # a comma would separate the numbers of a call
        *((PUBMED, some) for some in batches(list(dict.fromkeys(pmids.values())), _PMIDS)),
    ]
    for place, (service, some) in enumerate(calls):
        progress(place / len(calls), f"Asking {service.name} about {len(some)} papers")
        by_crossref = service is CROSSREF
        records = crossref.works(client, some, keep=False) if by_crossref else pubmed.fetched(client, some, keep=False)
        said = {record.accession: record.notices for record in records}
        for item, number in (dois if by_crossref else pmids).items():
            found[item] += [one for one in said.get(number, ()) if one not in found[item]]
    return {item: tuple(some) for item, some in found.items()}
