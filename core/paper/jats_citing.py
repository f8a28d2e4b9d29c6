"""The paragraphs of a JATS article with the works that they cite at each place, and the licence of the article."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import pairwise

from core.paper.identifiers import bare_doi, bare_pmid
from core.paper.jats import RULES
from core.paper.jats_references import works_of_entry
from core.paper.model import CitedWork
from core.paper.xml import Element, all_text, children, descendants, first_child, inline_text, local_name, parse_xml

_MARK = re.compile("\ue000(\\d+)\ue001")  # marks a citation while a paragraph's text is assembled
_BETWEEN = re.compile(r"[\s,;&/–—‒-]*(?:and)?\s*")
_RANGE = re.compile(r"\s*[–—‒-]\s*")
_BRACKETS = re.compile(r"\s*[(\[]\s*((?:\ue000\d+\ue001|[\s,;–—‒-])+)\s*[)\]]")
_OPEN = re.compile(
    r"creativecommons\.org|\bcreative commons\b|\bCC[- ](?:BY|0)\b|\bCC0\b|\bpublic domain\b", re.IGNORECASE
)
CITATION = "[citation]"


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a paragraph's text where works are cited, and the keys of these works in the list of references."""

    start: int
    end: int
    works: tuple[str, ...]  # several if they are cited together


@dataclass(frozen=True, slots=True)
class CitingParagraph:
    """A paragraph, the number of its section in the article, and its citations, each written as `CITATION`."""

    section: int
    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class CitingArticle:
    """The parts of an article that concern its citations."""

    id: str  # its DOI, PMC number or PMID; the file's name where it has none
    title: str | None
    paragraphs: tuple[CitingParagraph, ...]
    works: dict[str, tuple[CitedWork, str | None]]  # by their key in the list: the work, and its PMC number


def citing_article(data: bytes, *, name: str) -> CitingArticle:
    """Read the paragraphs of the article's body and the works of its list. Raises `DamagedFile` as `parse_xml` does.

    An `xref` of the type `bibr` cites a work. A dash between two of them also cites all works listed between the two.
    """
    root = parse_xml(data, name=name)
    article = root if local_name(root) == "article" else next(descendants(root, "article"), root)
    works = {entry.get("id") or "": _entry(entry) for entry in descendants(article, "ref") if entry.get("id")}
    body = first_child(article, "body")
    title = next(descendants(article, "article-title"), None)
    return CitingArticle(
        next(iter(identifiers_of(article)), name),
        all_text(title) if title is not None else None,
        tuple(_paragraphs(body, list(works))) if body is not None else (),
        works,
    )


def identifiers_of(article: Element) -> list[str]:
    """The article's own DOI, PMC number and PMID, as far as it gives them."""
    meta = first_child(article, "front", "article-meta")
    given = {one.get("pub-id-type"): all_text(one) for one in children(meta, "article-id")} if meta is not None else {}
    doi, pmid = bare_doi(given.get("doi") or ""), bare_pmid(given.get("pmid") or "")
    pmcid = bare_pmcid(given.get("pmcid") or given.get("pmc") or "")
    return [id for id in (doi, pmcid, pmid) if id]


def bare_pmcid(text: str) -> str | None:
    """A PMC number as `PMC123`; None if the text is none."""
    found = re.fullmatch(r"(?:PMC)?\s*([1-9]\d{0,8})(?:\.\d+)?", text.strip(), re.IGNORECASE)
    return f"PMC{found[1]}" if found else None


def licence_in(data: bytes, *, name: str) -> str | None:
    """`licence_of` a file; None if it is no XML. Raises `DamagedFile` as `parse_xml` does."""
    return licence_of(parse_xml(data, name=name)) if data.lstrip()[:1] == b"<" else None


def licence_of(article: Element) -> str | None:
    """The licence's address or words if it is Creative Commons or the work is in the public domain; else None.

    Only the article's own permissions count, not those of a figure or of an article within it.
    """
    own = article if local_name(article) == "article" else next(descendants(article, "article"), article)
    permissions = first_child(own, "front", "article-meta", "permissions")
    for licence in descendants(permissions, "license", "copyright-statement") if permissions is not None else ():
        links = [
            value
            for element in (licence, *licence.iterdescendants())
            for key, value in element.attrib.items()
            if str(key).endswith("href")
        ]
        told = " ".join([*map(str, links), all_text(licence)])
        if _OPEN.search(told):
            return (
                next((str(link) for link in links if "creativecommons.org" in str(link)), None)
                or all_text(licence)[:200]
            )
    return None


def _entry(entry: Element) -> tuple[CitedWork, str | None]:
    """The work of an entry if it lists just one (else an empty work), and the entry's PMC number."""
    works = [work for work in works_of_entry(entry) if work != CitedWork()]
    numbers = (
        bare_pmcid(all_text(one)) for one in descendants(entry, "pub-id") if one.get("pub-id-type") in {"pmc", "pmcid"}
    )
    return (works[0] if len(works) == 1 else CitedWork()), next(filter(None, numbers), None)


def _paragraphs(body: Element, listed: list[str]) -> Iterator[CitingParagraph]:
    sections: dict[Element | None, int] = {}
    for paragraph in descendants(body, "p"):
        if any(
            local_name(above) in {"p", "fig", "table-wrap", "boxed-text", "fn"} for above in paragraph.iterancestors()
        ):
            continue
        section = next((above for above in paragraph.iterancestors() if local_name(above) == "sec"), None)
        number = sections.setdefault(section, len(sections))
        made = _paragraph(paragraph, listed)
        if made.text:
            yield replace(made, section=number)


def _paragraph(paragraph: Element, listed: list[str]) -> CitingParagraph:
    """Replace each citation in the text by `CITATION`, and find the works that it cites."""
    copy = deepcopy(paragraph)
    copy.tail = None
    keys: list[list[str]] = []
    for reference in list(descendants(copy, "xref")):
        if reference.get("ref-type") == "bibr":
            for child in list(reference):
                reference.remove(child)
            reference.text = f"\ue000{len(keys)}\ue001"
            reference.set("ref-type", "other")  # so that `inline_text` adds no brackets
            keys.append((reference.get("rid") or "").split())
    text = _BRACKETS.sub(lambda found: f" {found[1].strip()}", inline_text(copy, RULES))
    marks = list(_MARK.finditer(text))
    groups: list[list[re.Match[str]]] = []
    for mark in marks:
        if groups and _BETWEEN.fullmatch(text, groups[-1][-1].end(), mark.start()):
            groups[-1].append(mark)
        else:
            groups.append([mark])
    pieces, citations, at = "", [], 0
    for group in groups:
        pieces += text[at : group[0].start()]
        citations.append(Citation(len(pieces), len(pieces) + len(CITATION), _works(group, keys, listed, text)))
        pieces += CITATION
        at = group[-1].end()
    return CitingParagraph(0, pieces + text[at:], tuple(citations))


def _works(group: list[re.Match[str]], keys: list[list[str]], listed: list[str], text: str) -> tuple[str, ...]:
    found = [key for mark in group for key in keys[int(mark[1])]]
    for one, other in pairwise(group):
        first, last = keys[int(one[1])][-1:], keys[int(other[1])][:1]
        if _RANGE.fullmatch(text, one.end(), other.start()) and first and last and {*first, *last} <= set(listed):
            found += listed[listed.index(first[0]) : listed.index(last[0])]
    return tuple(dict.fromkeys(found))
