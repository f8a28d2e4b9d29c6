"""OpenAlex's API (developers.openalex.org): works of all fields, what they cite and what cites them.

Without a key, which is free, it allows few calls a day and no cursor. Pages are then asked for by number, which reaches
10,000 records. `OPENALEX_API_KEY` holds the key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from core.references import Reference, bare_doi
from core.sources.asked import Asked, batches, page_by_page, query_of
from core.sources.client import SourceClient, quoted
from core.sources.model import Notice, NoticeKind, SourceRecord
from core.sources.reading import abstract_in, at, first, many, needed, number, title_in, words
from core.sources.services import OPENALEX

service = OPENALEX
takes_queries = True
_PAGE = 100
_MOST_BY_NUMBER = 10_000  # records that can be reached by page number
_AT_ONCE = 50
_DOIS, _ONE_DOI, _PMIDS = "doi: ", "one doi: ", "pmid: "
_PARTING = frozenset(",|")  # they separate a filter's values, and no way to escape them is documented
_LONGEST_ABSTRACT = 20_000  # words


def strings(asked: Asked) -> tuple[str, ...]:
    """The strings to send: a query, or groups of numbers and titles one by one."""
    if not asked.is_list:
        return (query_of(asked.text),)
    plain = [doi for doi in asked.dois if not set(doi) & _PARTING]
    dois = [f"{_DOIS}{' '.join(some)}" for some in batches(plain, _AT_ONCE)]
    dois += [f"{_ONE_DOI}{doi}" for doi in asked.dois if set(doi) & _PARTING]
    pmids = (f"{_PMIDS}{' '.join(some)}" for some in batches(asked.pmids, _AT_ONCE))
    return (*dois, *pmids, *(f'"{title}"' for title in asked.titles))


def count(client: SourceClient, string: str) -> int:
    """How many works match."""
    if string.startswith(_ONE_DOI):
        return len(tuple(records(client, string, 1)))
    return _page(client, _params(string), _first(client), 1)[1]


def records(client: SourceClient, string: str, most: int) -> Iterator[SourceRecord]:
    """The works, page by page."""
    if not string.startswith(_ONE_DOI):
        yield from _all(client, _params(string), most)
    elif words(work := _work(client, string.removeprefix(_ONE_DOI), keep=False), "id"):
        yield _record(work)


def nearest(
    client: SourceClient, words: Sequence[str], years: tuple[int | None, int | None], most: int, *, any_word: bool
) -> tuple[SourceRecord, ...]:
    """The works nearest to some words, best first, of these years of publication."""
    first, last = years
    within = [f"from_publication_date:{first:04}-01-01"] if first is not None else []
    within += [f"to_publication_date:{last:04}-12-31"] if last is not None else []
    params = {"search": (" OR " if any_word else " ").join(words)}
    params |= {"filter": ",".join(within)} if within else {}
    return tuple(map(_record, _page(client, params, _first(client), most)[0][:most]))


def citations(client: SourceClient, doi: str, most: int) -> tuple[Reference, ...]:
    """The works that cite a work."""
    work = _work(client, doi)
    if not words(work, "id"):
        return ()
    found = _all(client, {"filter": f"cites:{_bare(words(work, 'id'))}"}, most)
    return tuple(one.reference for one in found)


def references(client: SourceClient, doi: str, most: int) -> tuple[Reference, ...]:
    """The works that a work cites."""
    cited = [_bare(one) for one in many(_work(client, doi), "referenced_works") if isinstance(one, str)]
    found: list[Reference] = []
    for some in batches(cited[:most], _AT_ONCE):
        found += [one.reference for one in _all(client, {"filter": f"openalex:{'|'.join(some)}"}, _AT_ONCE)]
    return tuple(found)


def _work(client: SourceClient, doi: str, *, keep: bool = True) -> Any:
    def read(document: Any) -> Any:
        if not words(document, "id"):
            raise ValueError("a work without its number")
        return document

    return client.json(service, f"works/doi:{quoted(doi)}", read=read, keep=keep, missing={})


def _bare(id: str) -> str:
    return id.rpartition("/")[2]


def _params(string: str) -> dict[str, str]:
    for mark, name in ((_DOIS, "doi"), (_PMIDS, "pmid")):
        if string.startswith(mark):
            return {"filter": f"{name}:{string.removeprefix(mark).replace(' ', '|')}"}
    return {"search": string}


def _all(client: SourceClient, params: dict[str, str], most: int) -> Iterator[SourceRecord]:
    def page(mark: str) -> tuple[list[Any], str]:
        results, _, following = _page(client, params, mark, min(_PAGE, most))
        return results, following

    return map(_record, page_by_page(page, most, first=_first(client)))


def _first(client: SourceClient) -> str:
    """The mark of the first page: with a key a cursor, which loses no record between pages, else a page number."""
    return "*" if service.id in client.settings.source_keys else "1"


def _page(client: SourceClient, params: dict[str, str], mark: str, size: int) -> tuple[list[Any], int, str]:
    by_number = _first(client) == "1"

    def read(document: Any) -> tuple[list[Any], int, str]:
        found, count = needed(document, "results"), number(document, "meta", "count")
        if not by_number:
            return found, count, words(document, "meta", "next_cursor")
        through = int(mark) * number(document, "meta", "per_page")
        return found, count, str(int(mark) + 1) if through < min(count, _MOST_BY_NUMBER) else ""

    asked = params | {"per_page": str(size), "page" if by_number else "cursor": mark}
    return client.json(service, "works", asked, read=read, keep=False)


def _record(work: Any) -> SourceRecord:
    accession = _bare(words(work, "id"))
    if not accession:
        raise ValueError("a work without its number")
    pmid = _bare(words(work, "ids", "pmid"))
    retracted = at(work, "is_retracted") is True
    return SourceRecord(
        service.id,
        accession,
        Reference(
            title=title_in(first((words(work, "display_name"), words(work, "title")))),
            authors=tuple(filter(None, (words(one, "author", "display_name") for one in many(work, "authorships")))),
            year=int(words(work, "publication_year")) if words(work, "publication_year").isdigit() else None,
            journal=words(work, "primary_location", "source", "display_name"),
            doi=bare_doi(words(work, "doi")),
            pmid=pmid if pmid.isdigit() else None,
            abstract=_abstract(at(work, "abstract_inverted_index")),
        ),
        notices=(Notice(NoticeKind.RETRACTED, service.name),) if retracted else (),
    )


def _abstract(places: Any) -> str:
    """Rebuild the abstract from the places of its words, which is how the service gives it."""
    if not isinstance(places, dict):
        return ""
    at_place: dict[int, str] = {}
    for word, found in places.items():
        for place in found if isinstance(found, list) else ():
            if isinstance(place, int) and 0 <= place < _LONGEST_ABSTRACT:
                at_place[place] = word
    return abstract_in(" ".join(at_place[place] for place in sorted(at_place)))
