"""The list of references of a paper in JATS or its forerunners."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce

from core.paper.identifiers import bare_doi, bare_pmid, doi_stated, pmid_stated, year_in
from core.paper.model import CitedWork
from core.paper.xml import Element, all_text, children, descendants, first_child, local_name, squeeze

_PARTS = ("front", "front-stub", "body", "back")  # leaves out letters and replies printed after the article
_CITATIONS = ("element-citation", "mixed-citation", "citation", "nlm-citation")
_OF_BOOKS = frozenset({"book", "thesis", "report", "webpage", "web", "website", "software", "data"})
_HREF = "{http://www.w3.org/1999/xlink}href"
_STATED_DOI = re.compile(r"\bdoi(?:\.org/|\s?[:=]?\s?)(10\.\d{4,9}/\S+)", re.IGNORECASE)
_PUBMED_QUERY = re.compile(r"\bdb=pubmed\b.*?\blist_uids=([1-9]\d{0,8})\b", re.IGNORECASE)
_END = " .,;:"


def cited_works(article: Element) -> tuple[CitedWork, ...]:
    """The works in the article's lists of references, in order, each once.

    In entries without mark-up, the title cannot be told from the rest: at most the DOI is read from them.
    """
    works = (
        work
        for part in children(article, *_PARTS)
        for entry in descendants(part, "ref")
        for work in works_of_entry(entry)
    )
    return tuple(dict.fromkeys(work for work in works if work != CitedWork()))


def works_of_entry(entry: Element) -> Iterator[CitedWork]:
    """The works of one entry, which may list several, or one work in two forms."""
    for child in children(entry):
        if local_name(child) == "citation-alternatives":
            forms = [_work(form) for name in _CITATIONS for form in children(child, name)]
            if forms:
                yield reduce(CitedWork.filled_from, forms)
        elif local_name(child) in _CITATIONS:
            yield _work(child)


def _work(citation: Element) -> CitedWork:
    kind = (citation.get("publication-type") or citation.get("citation-type") or "").lower()
    source = _first(citation, "source")
    title = _first(citation, "article-title", "chapter-title", "data-title", "part-title")
    is_book = title is None and kind in _OF_BOOKS
    years = (
        year_in(all_text(year))
        for year in descendants(citation, "year")
        if (parent := year.getparent()) is None or local_name(parent) != "date-in-citation"
    )
    return CitedWork(
        title=source if is_book else title,
        authors=tuple(dict.fromkeys(filter(None, map(_name, _people(citation))))),
        journal=None if is_book or kind == "book" else source,
        year=next(filter(None, years), None),
        doi=next(filter(None, _dois(citation)), None),
        pmid=next(filter(None, _pmids(citation)), None),
    )


def _first(citation: Element, *names: str) -> str | None:
    """The text of the first of these elements that holds any."""
    texts = (all_text(element).rstrip(_END) for name in names for element in descendants(citation, name))
    return next(filter(None, texts), None)


def _people(citation: Element) -> Iterator[Element]:
    """The authors, who stand by themselves or in a group; without editors and translators."""
    for child in children(citation):
        if local_name(child) == "person-group" and (child.get("person-group-type") or "author") == "author":
            yield from _people(child)
        elif local_name(child) in {"name", "string-name", "collab"}:
            yield child
        elif local_name(child) == "name-alternatives":
            yield from list(_people(child))[:1]


def _name(person: Element) -> str:
    surname = first_child(person, "surname")
    if surname is None:
        return all_text(person).strip(_END)
    given, suffix = first_child(person, "given-names"), first_child(person, "suffix")
    return squeeze(" ".join(all_text(part) for part in (given, surname, suffix) if part is not None))


def _dois(citation: Element) -> Iterator[str | None]:
    """The DOIs, the most reliable form first."""
    yield from (bare_doi(all_text(one)) for one in descendants(citation, "pub-id") if one.get("pub-id-type") == "doi")
    for link in descendants(citation, "ext-link", "uri"):
        yield bare_doi(link.get(_HREF) or "") or doi_stated(all_text(link))
    yield from (bare_doi(stated[1].strip(_END)) for stated in _STATED_DOI.finditer(all_text(citation)))


def _pmids(citation: Element) -> Iterator[str | None]:
    yield from (bare_pmid(all_text(one)) for one in descendants(citation, "pub-id") if one.get("pub-id-type") == "pmid")
    for link in descendants(citation, "ext-link", "uri"):
        address = link.get(_HREF) or ""
        query = _PUBMED_QUERY.search(address)
        yield query[1] if query else pmid_stated(address)
