"""PubMed by NCBI's E-utilities (NBK25499): `esearch` takes the query as reviewers write it, `efetch` gives the records.

According to its documentation, `esearch` gives the first 10,000 PMIDs of a query. Its server has been seen to stop one
short of that without saying so. If PMIDs are missing from a count, the time in which records came in is halved, and
each half is searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.errors import SourceRefused
from core.paper.identifiers import year_in
from core.paper.metadata import registrations_in
from core.paper.xml import Element, children, descendants, first_child, local_name, squeeze
from core.references import Reference, bare_doi
from core.sources.asked import Asked, batches, query_of
from core.sources.client import SourceClient
from core.sources.model import Notice, NoticeKind, SourceRecord
from core.sources.reading import at, many, name_of, number
from core.sources.services import PUBMED

service = PUBMED
takes_queries = True
_AT_ONCE = 200  # records in one call, as NCBI asks; their numbers fit into an address
_NAMED_AT_ONCE = 40
_MOST = 10_000
_FIRST, _LAST = 1700, 2100  # years in which a record may have come in
_NOTICES = {
    "RetractionIn": NoticeKind.RETRACTED,
    "RetractedandRepublishedIn": NoticeKind.RETRACTED,
    "ExpressionOfConcernIn": NoticeKind.CONCERN,
    "ErratumIn": NoticeKind.CORRECTED,
    "CorrectedandRepublishedIn": NoticeKind.CORRECTED,
}


def strings(asked: Asked) -> tuple[str, ...]:
    """The strings to send, in the service's own query language."""
    if not asked.is_list:
        return (query_of(asked.text),)
    parts = [
        *(f'"{doi}"[doi]' for doi in asked.dois),
        *(f"{pmid}[uid]" for pmid in asked.pmids),
        *(f"{pmcid}[pmcid]" for pmcid in asked.pmcids),
        *(f"{trial}[si]" for trial in asked.trials),
        *(f'"{title}"[ti]' for title in asked.titles),
    ]
    return tuple(" OR ".join(some) for some in batches(parts, _NAMED_AT_ONCE))


def count(client: SourceClient, string: str) -> int:
    """How many records match."""
    return _search(client, string, 0)[0]


def records(client: SourceClient, string: str, most: int) -> Iterator[SourceRecord]:
    """The records, in batches of 200."""
    for some in batches(list(_pmids(client, string, min(most, _MOST)))[:most], _AT_ONCE):
        yield from fetched(client, some)


def nearest(
    client: SourceClient, words: Sequence[str], years: tuple[int | None, int | None], most: int, *, any_word: bool
) -> tuple[SourceRecord, ...]:
    """The records nearest to some words, best first ("best match"), of these years of publication."""
    first, last = years
    params = {"sort": "relevance"}
    if first is not None or last is not None:
        params |= {"datetype": "pdat", "mindate": str(first or _FIRST), "maxdate": str(last or _LAST)}
    _, pmids = _search(client, (" OR " if any_word else " ").join(words), most, params)
    found = {record.accession: record for record in fetched(client, pmids)} if pmids else {}
    return tuple(found[pmid] for pmid in pmids if pmid in found)


def fetched(client: SourceClient, pmids: Sequence[str], *, keep: bool = True) -> tuple[SourceRecord, ...]:
    """The records of these PMIDs, at most 200."""
    params = {"db": "pubmed", "id": ",".join(pmids), "retmode": "xml"}

    def read(root: Element) -> tuple[SourceRecord, ...]:
        if root.tag != "PubmedArticleSet":
            raise ValueError("no set of articles")
        return tuple(
            _book_record(one) if local_name(one) == "PubmedBookArticle" else _record(one)
            for one in children(root, "PubmedArticle", "PubmedBookArticle")
        )

    return client.xml(service, "efetch.fcgi", params, read=read, keep=keep)


def _pmids(client: SourceClient, string: str, most: int, first: int = _FIRST, last: int = _LAST) -> dict[str, None]:
    """The PMIDs of a query that came in within some years; if some are missing, each half of the years is searched."""
    whole = (first, last) == (_FIRST, _LAST)
    within = {} if whole else {"datetype": "edat", "mindate": str(first), "maxdate": str(last)}
    count, found = _search(client, string, most, within)
    listed = dict.fromkeys(found)
    if len(found) < min(count, most) and first < last:
        middle = (first + last) // 2
        listed |= _pmids(client, string, most, first, middle) | _pmids(client, string, most, middle + 1, last)
    return listed


def _search(
    client: SourceClient, string: str, most: int, more: Mapping[str, str] | None = None
) -> tuple[int, list[str]]:
    params = {"db": "pubmed", "term": string, "retmode": "json", "retmax": str(most), "retstart": "0", **(more or {})}

    def read(document: Any) -> tuple[int, list[str]]:
        if wrong := at(document, "esearchresult", "ERROR"):
            raise SourceRefused(
                f"PubMed cannot read this query: “{squeeze(str(wrong))[:160]}”. Change it and try again."
            )
        found = [one for one in many(document, "esearchresult", "idlist") if isinstance(one, str) and one.isdigit()]
        return number(document, "esearchresult", "count"), found

    return client.json(service, "esearch.fcgi", params, read=read, keep=False)


def _text(element: Element | None) -> str:
    return squeeze("".join(str(part) for part in element.itertext())) if element is not None else ""


def _record(article: Element) -> SourceRecord:
    citation = first_child(article, "MedlineCitation")
    pmid = _text(first_child(citation, "PMID"))
    if citation is None or not pmid.isdigit():
        raise ValueError("an article without its PMID")
    said = first_child(citation, "Article")
    ids = _ids(first_child(article, "PubmedData"))
    abstract = _abstract(said)
    numbers = [_text(one) for one in descendants(citation, "AccessionNumber")]
    registered = [*registrations_in(abstract), *(found for one in numbers for found in registrations_in(one))]
    return SourceRecord(
        service.id,
        pmid,
        Reference(
            title=_text(first_child(said, "ArticleTitle")).rstrip("."),
            authors=_authors(said),
            year=_year(said),
            journal=_text(first_child(said, "Journal", "Title")),
            doi=bare_doi(ids.get("doi", "")) or _stated_doi(said),
            pmid=pmid,
            abstract=abstract,
            registrations=tuple(dict.fromkeys(registered)),
        ),
        ids.get("pmc") or None,
        False,
        _notices(citation, said),
    )


def _book_record(article: Element) -> SourceRecord:
    """A book or one of its chapters, such as those of StatPearls. The book stands for the journal."""
    said = first_child(article, "BookDocument")
    pmid = _text(first_child(said, "PMID"))
    if not pmid.isdigit():
        raise ValueError("a book without its PMID")
    book = first_child(said, "Book")
    chapter, whole = _text(first_child(said, "ArticleTitle")), _text(first_child(book, "BookTitle"))
    abstract, ids = _abstract(said), _ids(said)
    return SourceRecord(
        service.id,
        pmid,
        Reference(
            title=(chapter or whole).rstrip("."),
            authors=_authors(said) or _authors(book),
            year=year_in(_text(first_child(book, "PubDate"))),
            journal=whole if chapter else "",
            doi=bare_doi(ids.get("doi", "")),
            pmid=pmid,
            abstract=abstract,
            registrations=tuple(dict.fromkeys(registrations_in(abstract))),
        ),
        ids.get("pmc") or None,
    )


def _ids(element: Element | None) -> dict[str, str]:
    """The other numbers of a record, by their kind."""
    return {one.get("IdType", ""): _text(one) for one in _below(element, "ArticleIdList", "ArticleId")}


def _abstract(said: Element | None) -> str:
    return " ".join(
        f"{label}: {_text(part)}" if (label := part.get("Label", "").capitalize()) else _text(part)
        for part in _below(said, "Abstract", "AbstractText")
    )


def _authors(said: Element | None) -> tuple[str, ...]:
    return tuple(filter(None, map(_author, _below(said, "AuthorList", "Author"))))


def _below(element: Element | None, list_name: str, name: str) -> list[Element]:
    listed = first_child(element, list_name)
    return list(children(listed, name)) if listed is not None else []


def _author(one: Element) -> str:
    given = _text(first_child(one, "ForeName")) or _text(first_child(one, "Initials"))
    return name_of(_text(first_child(one, "LastName")), given) or _text(first_child(one, "CollectiveName"))


def _year(said: Element | None) -> int | None:
    issued = first_child(said, "Journal", "JournalIssue", "PubDate")
    return year_in(_text(issued)) or year_in(_text(first_child(said, "ArticleDate")))


def _stated_doi(said: Element | None) -> str | None:
    places = [one for one in children(said, "ELocationID") if one.get("EIdType") == "doi"] if said is not None else []
    return bare_doi(_text(places[0])) if places else None


def _notices(citation: Element, said: Element | None) -> tuple[Notice, ...]:
    found = [
        Notice(kind, service.name, _date_in(_text(first_child(one, "RefSource"))), _text(first_child(one, "PMID")))
        for one in _below(citation, "CommentsCorrectionsList", "CommentsCorrections")
        if (kind := _NOTICES.get(one.get("RefType", ""))) is not None
    ]
    types = [_text(one) for one in _below(said, "PublicationTypeList", "PublicationType")]
    if "Retracted Publication" in types and all(one.kind is not NoticeKind.RETRACTED for one in found):
        found.append(Notice(NoticeKind.RETRACTED, service.name))
    return tuple(found)


def _date_in(source: str) -> str:
    """The year in a citation such as "J Invented. 2021 May;3(2):11"."""
    found = re.search(r"\b(?:19|20)\d\d\b", source)
    return found.group() if found else ""
