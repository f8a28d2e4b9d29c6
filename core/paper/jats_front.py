"""Who wrote a JATS article, where and when it was published, and the notes around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy

from core.paper.sections import is_about, normalise_title
from core.paper.xml import Element, all_text, children, descendants, first_child, local_name, spaced_text, squeeze

# The issue's year is how a paper is cited, so it comes before that of the first appearance online.
# Dates of other events (a preprint, a manuscript's deposit, a release in an archive) are not of publication.
_YEAR_OF_ISSUE = frozenset({"ppub", "collection", "epub-ppub", "print"})
_YEAR_ONLINE = frozenset({"epub", "pub", "electronic", ""})
_NOTES = (
    "article-id",
    "author-notes",
    "custom-meta-group",
    "custom-meta-wrap",
    "funding-group",
    "kwd-group",
    "related-object",
)
_BRACKET = re.compile(r"\s*\([^()]*\)$")


# What `abstract-type` says of an account of the paper, and what it is called where it has no title.
_ABOUT_TYPES = {
    "editor": "Editors' summary",
    "editor-summary": "Editors' summary",
    "editorial": "Editors' summary",
    "plain-language-summary": "Plain language summary",
    "plain-language": "Plain language summary",
    "plain-english-summary": "Plain English summary",
    "lay-summary": "Lay summary",
    "lay": "Lay summary",
    "author-summary": "Author summary",
    "author-highlights": "Highlights",
    "highlights": "Highlights",
    "key-points": "Key points",
    "keypoints": "Key points",
    "key-messages": "Key messages",
    "teaser": "Teaser",
    "toc": "In the table of contents",
    "graphical": "Graphical abstract",
    "graphical-abstract": "Graphical abstract",
    "video": "Video abstract",
    "precis": "Précis",
    "web-summary": "Web summary",
    "significance": "Significance",
}
# These are an account of the paper where it has an abstract besides, and otherwise that abstract.
_TITLED_BESIDE_ANOTHER = frozenset({"significance", "clinical perspective", "clinical relevance", "what is new"})
_ABOUT_BESIDE_ANOTHER = {"summary": "Summary", "executive-summary": "Executive summary"}


def account_titled(abstract: Element, title: str, *, alone: bool) -> str | None:
    """The title of an account of the paper by its journal or authors, which is no abstract; None for an abstract.

    `alone`: whether the paper has no other abstract.
    """
    kind = (abstract.get("abstract-type") or "").lower().replace("_", "-").replace(" ", "-")
    usual = _ABOUT_TYPES.get(kind) or (None if alone else _ABOUT_BESIDE_ANOTHER.get(kind))
    if usual is None:
        return title if is_about(title) or (not alone and normalise_title(title) in _TITLED_BESIDE_ANOTHER) else None
    return title or usual


def authors(meta: Element) -> tuple[str, ...]:
    """The authors of the article, and groups that sign as one; editors and the members of a group are left out."""
    contributors = [c for group in children(meta, "contrib-group") for c in children(group, "contrib")]
    contributors = [c for c in contributors if (c.get("contrib-type") or "author").lower() == "author"]
    return tuple(dict.fromkeys(name for contributor in contributors if (name := _name(contributor))))


def year(meta: Element) -> int | None:
    """The year of the issue, or else of publication online."""
    dates = [(_type_of(date), text) for date in children(meta, "pub-date") if (text := _year_in(date))]
    for types in (_YEAR_OF_ISSUE, _YEAR_ONLINE):
        for kind, text in dates:
            if kind in types:
                return int(text)
    return None


def pmid(meta: Element) -> str | None:
    """The article's number in PubMed, as digits."""
    for identifier in children(meta, "article-id"):
        text = all_text(identifier)
        if identifier.get("pub-id-type") == "pmid" and re.fullmatch(r"[1-9][0-9]{0,8}", text):
            return text
    return None


def journal(article: Element) -> str | None:
    """The journal's title, without the place by which catalogues tell journals of one name apart."""
    meta = first_child(article, "front", "journal-meta")
    title = next(descendants(meta, "journal-title"), None) if meta is not None else None
    return (title is not None and _BRACKET.sub("", all_text(title))) or None


def notes(meta: Element) -> Iterator[str]:
    """Texts of the front, outside title and abstract, that may state a registration."""
    for element in children(meta, *_NOTES):
        yield spaced_text(element)


def _name(contributor: Element) -> str:
    names = first_child(contributor, "name-alternatives")
    for child in children(contributor if names is None else names):
        kind = local_name(child)
        if kind == "name":
            parts = {local_name(part): all_text(part) for part in children(child)}
            return squeeze(" ".join(parts.get(part, "") for part in ("given-names", "surname", "suffix")))
        if kind == "string-name":
            return _without(child, "degrees", "xref")
        if kind == "collab":
            return _without(child, "contrib-group", "xref", "fn")
    return ""


def _without(element: Element, *names: str) -> str:
    """The text of an element without that of some elements in it."""
    copy = deepcopy(element)
    copy.tail = None
    for inner in list(descendants(copy, *names)):
        parent = inner.getparent()
        if parent is not None:
            before = inner.getprevious()
            if before is not None:
                before.tail = (before.tail or "") + (inner.tail or "")
            else:
                parent.text = (parent.text or "") + (inner.tail or "")
            parent.remove(inner)
    return all_text(copy).rstrip(" ,;*")


def _type_of(date: Element) -> str:
    """What a date is of. JATS 1.1 and later say it in two attributes, the forerunners in one."""
    kind = date.get("pub-type") or date.get("date-type") or ""
    return "print" if kind == "pub" and date.get("publication-format") == "print" else kind


def _year_in(date: Element) -> str | None:
    element = first_child(date, "year")
    text = all_text(element) if element is not None else (date.get("iso-8601-date") or "")[:4]
    return text if re.fullmatch(r"(?:19|20)\d\d", text) else None
