"""Crossref's REST API (api.crossref.org, v1): what publishers deposit about a DOI, and Retraction Watch's retractions.

It is asked about DOIs and titles, and takes no queries: it ranks all its works by words, so a count would say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from core.paper.identifiers import year_in
from core.paper.metadata import registrations_in
from core.references import Entry, Reference, bare_doi, entry_of_reference, match
from core.sources.asked import Asked, batches
from core.sources.client import SourceClient, quoted
from core.sources.model import Notice, NoticeKind, SourceRecord
from core.sources.reading import abstract_in, at, first, many, name_of, needed, title_in, words
from core.sources.services import CROSSREF

service = CROSSREF
takes_queries = False
_AT_ONCE = 40
_BY_TITLE, _BY_DOI = "title: ", "doi: "
_NOTICES = {
    "retraction": NoticeKind.RETRACTED,
    "partial_retraction": NoticeKind.RETRACTED,
    "removal": NoticeKind.RETRACTED,
    "withdrawal": NoticeKind.RETRACTED,
    "expression_of_concern": NoticeKind.CONCERN,
    "correction": NoticeKind.CORRECTED,
    "corrigendum": NoticeKind.CORRECTED,
    "erratum": NoticeKind.CORRECTED,
}
RETRACTION_WATCH = "Retraction Watch"  # Crossref also gives the entries of its database


def strings(asked: Asked) -> tuple[str, ...]:
    """The strings to send: groups of DOIs, and titles one by one."""
    plain = [doi for doi in asked.dois if "," not in doi]
    return (
        *(f"{_BY_DOI}{' '.join(some)}" for some in batches(plain, _AT_ONCE)),
        *(f"{_BY_DOI}{doi}" for doi in asked.dois if "," in doi),
        *(f"{_BY_TITLE}{title}" for title in asked.titles),
    )


def count(client: SourceClient, string: str) -> int:
    """How many of these works it has."""
    return len(list(records(client, string, _AT_ONCE)))


def records(client: SourceClient, string: str, most: int) -> Iterator[SourceRecord]:
    """The works that it has. A title's work is found by the rules that match references to papers."""
    if string.startswith(_BY_TITLE):
        found = _of_title(client, string.removeprefix(_BY_TITLE))
    else:
        found = works(client, string.removeprefix(_BY_DOI).split(" "), keep=False)
    yield from found[:most]


def nearest(
    client: SourceClient, words: Sequence[str], years: tuple[int | None, int | None], most: int, *, any_word: bool
) -> tuple[SourceRecord, ...]:
    """The works nearest to some words, best first, of these years. The service ranks all works, whatever `any_word`."""
    first, last = years
    within = [f"from-pub-date:{first:04}"] if first is not None else []
    within += [f"until-pub-date:{last:04}"] if last is not None else []
    params = {"query.bibliographic": " ".join(words), "rows": str(most)}
    params |= {"filter": ",".join(within)} if within else {}
    return tuple(map(_record, client.json(service, "works", params, read=_items, keep=False)[:most]))


def works(client: SourceClient, dois: Sequence[str], *, keep: bool = True) -> tuple[SourceRecord, ...]:
    """The works of these DOIs, at most 40. Crossref may write a DOI in another case than it was asked for."""
    wanted = {doi.lower() for doi in dois}
    if any("," in doi for doi in dois):  # a comma separates filters
        found = [work for doi in dois if (work := _work(client, doi, keep=keep)) is not None]
    else:
        params = {"filter": ",".join(f"doi:{doi}" for doi in dois), "rows": str(len(dois) * 2)}
        found = client.json(service, "works", params, read=_items, keep=keep)
    return tuple(one for one in map(_record, found) if one.accession in wanted)


def _work(client: SourceClient, doi: str, *, keep: bool = True) -> Any:
    """The work of a DOI; None if there is none."""

    def read(document: Any) -> Any:
        work = at(document, "message")
        if not bare_doi(words(work, "DOI")):
            raise ValueError("a work without its DOI")
        return work

    return client.json(service, f"works/{quoted(doi)}", read=read, keep=keep, missing={}) or None


def references(client: SourceClient, doi: str) -> tuple[Reference, ...]:
    """The works that a work cites, as far as its publisher deposited them."""
    return tuple(
        Reference(
            title=title_in(
                first((words(one, "article-title"), words(one, "volume-title"), words(one, "unstructured")))
            ),
            authors=tuple(filter(None, (words(one, "author"),))),
            year=year_in(words(one, "year")),
            journal=words(one, "journal-title"),
            doi=bare_doi(words(one, "DOI")),
        )
        for one in many(_work(client, doi), "reference")
        if words(one, "DOI") or words(one, "article-title")
    )


def _of_title(client: SourceClient, title: str) -> tuple[SourceRecord, ...]:
    found = client.json(service, "works", {"query.bibliographic": title, "rows": "5"}, read=_items, keep=False)
    made = {str(place): _record(one) for place, one in enumerate(found)}
    entries = [entry_of_reference(place, one.reference) for place, one in made.items()]
    (matched,) = match([Entry("asked", title)], entries)
    return (made[matched.paper],) if matched.paper is not None else ()


def _items(document: Any) -> list[Any]:
    items = needed(document, "message", "items")
    return [one for one in items if isinstance(one, dict) and bare_doi(words(one, "DOI"))]


def _record(item: Any) -> SourceRecord:
    doi = bare_doi(words(item, "DOI")) or ""
    people = [name_of(words(one, "family"), words(one, "given")) or words(one, "name") for one in many(item, "author")]
    abstract = abstract_in(words(item, "abstract"))
    titles = [title_in(one) for one in many(item, "title") if isinstance(one, str)]
    journals = [one for one in many(item, "container-title") if isinstance(one, str)]
    parts = many(item, "issued", "date-parts")
    year = parts[0][0] if parts and isinstance(parts[0], list) and parts[0] else None
    return SourceRecord(
        service.id,
        doi,
        Reference(
            title=first(titles),
            authors=tuple(filter(None, people)),
            year=year if isinstance(year, int) else None,
            journal=first(journals),
            doi=doi,
            abstract=abstract,
            registrations=tuple(
                dict.fromkeys(
                    found
                    for number in [
                        abstract,
                        *(words(one, "clinical-trial-number") for one in many(item, "clinical-trial-number")),
                    ]
                    for found in registrations_in(number)
                )
            ),
        ),
        notices=_notices(item),
    )


def _notices(item: Any) -> tuple[Notice, ...]:
    found: dict[tuple[NoticeKind, str], Notice] = {}
    for one in many(item, "updated-by"):
        kind = _NOTICES.get(words(one, "type").lower().replace("-", "_").replace(" ", "_"))
        if kind is not None:
            who = RETRACTION_WATCH if words(one, "source") == "retraction-watch" else service.name
            notice = Notice(kind, who, words(one, "updated", "date-time")[:10], bare_doi(words(one, "DOI")) or "")
            found.setdefault((kind, notice.where), notice)  # the publisher and Retraction Watch report the same one
    return tuple(found.values())
