"""Semantic Scholar's Academic Graph API (v1): works of all fields, and citations in both directions.

Its bulk search has signs where other databases have words: `+` for AND, `|` for OR, `-` for NOT. A query is translated
into these, and shown in this form before it is sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from core.references import Reference, bare_doi
from core.sources.asked import Asked, page_by_page, query_of
from core.sources.client import SourceClient, quoted
from core.sources.model import SourceRecord
from core.sources.reading import abstract_in, at, many, needed, number, title_in, words
from core.sources.services import SEMANTIC_SCHOLAR

service = SEMANTIC_SCHOLAR
takes_queries = True
_FIELDS = "title,year,authors,venue,externalIds,abstract"
_PAGE = 1000
_MOST_LINKS = 9_999  # offset and limit together
_QUOTED = re.compile(r'("[^"]*")')
_SIGNS = ((re.compile(r"\s*\b(?:AND\s+)?NOT\b\s*"), " -"), (re.compile(r"\bAND\b"), "+"), (re.compile(r"\bOR\b"), "|"))


def strings(asked: Asked) -> tuple[str, ...]:
    """The strings to send: a query, or titles one by one."""
    if not asked.is_list:
        return (_with_signs(query_of(asked.text)),)
    return tuple(f'"{title}"' for title in asked.titles)


def _with_signs(query: str) -> str:
    """A query with signs for its operators, except within quotation marks."""
    parts = _QUOTED.split(query)
    for place in range(0, len(parts), 2):
        for word, sign in _SIGNS:
            parts[place] = word.sub(sign, parts[place])
    return "".join(parts).strip()


def count(client: SourceClient, string: str) -> int:
    """How many works match."""
    return _page(client, string, "")[1]


def records(client: SourceClient, string: str, most: int) -> Iterator[SourceRecord]:
    """The works, page by page."""

    def page(token: str) -> tuple[list[Any], str]:
        works, _, following = _page(client, string, token)
        return works, following

    return map(_record, page_by_page(page, most))


def nearest(
    client: SourceClient, words: Sequence[str], years: tuple[int | None, int | None], most: int, *, any_word: bool
) -> tuple[SourceRecord, ...]:
    """The works nearest to some words, best first, of these years. The service ranks all works, whatever `any_word`."""
    first, last = years
    params = {"query": " ".join(words), "fields": _FIELDS, "limit": str(most)}
    if first is not None or last is not None:
        params["year"] = f"{first or ''}-{last or ''}"
    found = client.json(service, "paper/search", params, read=lambda document: many(document, "data"), keep=False)
    return tuple(map(_record, found[:most]))


def references(client: SourceClient, doi: str, most: int) -> tuple[Reference, ...]:
    """The works that a work cites."""
    return _linked(client, doi, "references", "citedPaper", most)


def citations(client: SourceClient, doi: str, most: int) -> tuple[Reference, ...]:
    """The works that cite a work."""
    return _linked(client, doi, "citations", "citingPaper", most)


def _linked(client: SourceClient, doi: str, what: str, name: str, most: int) -> tuple[Reference, ...]:
    found: list[Reference] = []
    offset: int | None = 0
    none: tuple[list[Any], int | None] = ([], None)

    def read(document: Any) -> tuple[list[Any], int | None]:
        following = at(document, "next")
        # If a publisher does not let its references be shown, `data` is null.
        listed = [] if "data" in document and document["data"] is None else needed(document, "data")
        return listed, following if isinstance(following, int) else None

    while offset is not None and offset < min(most, _MOST_LINKS):
        params = {"fields": _FIELDS.removesuffix(",abstract"), "offset": str(offset), "limit": str(_PAGE)}
        some, following = client.json(service, f"paper/DOI:{quoted(doi)}/{what}", params, read=read, missing=none)
        found += [_reference(at(one, name)) for one in some if words(one, name, "title")]
        offset = following if following is not None and following > offset else None
    return tuple(found[:most])


def _page(client: SourceClient, string: str, token: str) -> tuple[list[Any], int, str]:
    params = {"query": string, "fields": _FIELDS} | ({"token": token} if token else {})

    def read(document: Any) -> tuple[list[Any], int, str]:
        return needed(document, "data"), number(document, "total"), words(document, "token")

    return client.json(service, "paper/search/bulk", params, read=read, keep=False)


def _record(work: Any) -> SourceRecord:
    if not words(work, "paperId"):
        raise ValueError("a work without its number")
    return SourceRecord(service.id, words(work, "paperId"), _reference(work))


def _reference(work: Any) -> Reference:
    pmid = words(work, "externalIds", "PubMed")
    return Reference(
        title=title_in(words(work, "title")),
        authors=tuple(filter(None, (words(one, "name") for one in many(work, "authors")))),
        year=int(words(work, "year")) if words(work, "year").isdigit() else None,
        journal=words(work, "venue"),
        doi=bare_doi(words(work, "externalIds", "DOI")),
        pmid=pmid if pmid.isdigit() else None,
        abstract=abstract_in(words(work, "abstract")),
    )
