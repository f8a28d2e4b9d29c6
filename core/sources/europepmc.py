"""Europe PMC's RESTful web service: search, open full texts, references and citations.

Documented at europepmc.org/RestfulWebService (version 6.9): `search` with `cursorMark`, `fullTextXML`, `references`,
`citations`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from core.paper.identifiers import year_in
from core.paper.metadata import registrations_in
from core.references import Reference, bare_doi
from core.sources.asked import Asked, batches, page_by_page, query_of
from core.sources.client import SourceClient, quoted
from core.sources.model import Notice, NoticeKind, SourceRecord
from core.sources.reading import abstract_in, first, many, name_of, needed, number, title_in, words
from core.sources.services import EUROPE_PMC

service = EUROPE_PMC
takes_queries = True
_PAGE = 1000  # the most on one page
_AT_ONCE = 40  # identifiers in one query
_NOTICES = {
    "retraction in": NoticeKind.RETRACTED,
    "retracted and republished in": NoticeKind.RETRACTED,
    "expression of concern in": NoticeKind.CONCERN,
    "erratum in": NoticeKind.CORRECTED,
    "corrected and republished in": NoticeKind.CORRECTED,
}


def strings(asked: Asked) -> tuple[str, ...]:
    """The strings to send, in the service's own query language."""
    if not asked.is_list:
        return (query_of(asked.text),)
    parts = [
        *(f'DOI:"{doi}"' for doi in asked.dois),
        *(f"(EXT_ID:{pmid} AND SRC:MED)" for pmid in asked.pmids),
        *(f"PMCID:{pmcid}" for pmcid in asked.pmcids),
        *(f'"{trial}"' for trial in asked.trials),
        *(f'TITLE:"{title}"' for title in asked.titles),
    ]
    return tuple(" OR ".join(some) for some in batches(parts, _AT_ONCE))


def count(client: SourceClient, string: str) -> int:
    """How many records match."""
    _, found, _ = _page(client, string, "*", 1)
    return found


def records(client: SourceClient, string: str, most: int) -> Iterator[SourceRecord]:
    """The records, page by page."""

    def page(cursor: str) -> tuple[list[Any], str]:
        results, _, following = _page(client, string, cursor, min(_PAGE, most))
        return results, following

    return map(_record, page_by_page(page, most, first="*"))


def nearest(
    client: SourceClient, words: Sequence[str], years: tuple[int | None, int | None], most: int, *, any_word: bool
) -> tuple[SourceRecord, ...]:
    """The records nearest to some words, best first, of these years of publication."""
    first, last = years
    string = f"({(' OR ' if any_word else ' AND ').join(words)})"
    if first is not None or last is not None:
        string += f" AND PUB_YEAR:[{first or 1000} TO {last or 3000}]"
    return tuple(map(_record, _page(client, string, "*", most)[0][:most]))


def full_text(client: SourceClient, pmcid: str) -> bytes | None:
    """The article as JATS if it is open; else None."""
    return client.article(service, f"{quoted(pmcid)}/fullTextXML")


def references(client: SourceClient, pmid: str) -> tuple[Reference, ...]:
    """The works that an article cites, as far as the service knows them."""
    return _linked(client, pmid, "references", ("referenceList", "reference"))


def citations(client: SourceClient, pmid: str) -> tuple[Reference, ...]:
    """The works that cite an article."""
    return _linked(client, pmid, "citations", ("citationList", "citation"))


def _linked(client: SourceClient, pmid: str, what: str, path: tuple[str, str]) -> tuple[Reference, ...]:
    found: list[Any] = []
    page, of = 1, 1
    while len(found) < of:
        params = {"format": "json", "page": str(page), "pageSize": str(_PAGE)}

        def read(document: Any) -> tuple[int, list[Any]]:
            return number(document, "hitCount"), many(document, *path)

        of, some = client.json(service, f"MED/{quoted(pmid)}/{what}", params, read=read)
        if not some:
            break
        found += some
        page += 1
    return tuple(_reference(one) for one in found if words(one, "title"))


def _page(client: SourceClient, string: str, cursor: str, size: int) -> tuple[list[Any], int, str]:
    params = {
        "query": string,
        "format": "json",
        "resultType": "core",
        "synonym": "false",
        "pageSize": str(size),
        "cursorMark": cursor,
    }

    def read(document: Any) -> tuple[list[Any], int, str]:
        return needed(document, "resultList", "result"), number(document, "hitCount"), words(document, "nextCursorMark")

    return client.json(service, "search", params, read=read, keep=False)


def _record(result: Any) -> SourceRecord:
    accession = f"{words(result, 'source')}/{words(result, 'id')}"
    if not words(result, "id"):
        raise ValueError("a record without its number")
    notices = tuple(
        Notice(kind, service.name, str(year_in(words(one, "reference")) or ""), words(one, "id"))
        for one in many(result, "commentCorrectionList", "commentCorrection")
        if (kind := _NOTICES.get(words(one, "type").lower())) is not None
    )
    if not notices and "retracted publication" in [str(one).lower() for one in many(result, "pubTypeList", "pubType")]:
        notices = (Notice(NoticeKind.RETRACTED, service.name),)
    return SourceRecord(
        service.id,
        accession,
        _reference(result),
        words(result, "pmcid") or None,
        words(result, "isOpenAccess") == "Y",
        notices,
    )


def _reference(result: Any) -> Reference:
    people = [
        name_of(words(one, "lastName"), words(one, "firstName") or words(one, "initials"))
        or first((words(one, "collectiveName"), words(one, "fullName")))
        for one in many(result, "authorList", "author")
    ]
    names = [name.strip(" .") for name in words(result, "authorString").split(",")]
    pmid = words(result, "pmid") or (words(result, "id") if words(result, "source") == "MED" else "")
    abstract = abstract_in(words(result, "abstractText"))
    return Reference(
        title=title_in(words(result, "title")).rstrip("."),
        authors=tuple(filter(None, people or names)),
        year=year_in(words(result, "pubYear")),
        journal=first((words(result, "journalInfo", "journal", "title"), words(result, "journalAbbreviation"))),
        doi=bare_doi(words(result, "doi")),
        pmid=pmid if pmid.isdigit() else None,
        abstract=abstract,
        registrations=tuple(dict.fromkeys(registrations_in(abstract))),
    )
