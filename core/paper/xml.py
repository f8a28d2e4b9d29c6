"""Hostile XML: no entities from outside, no network, no bombs; and the few tree walks every XML reader needs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from core.errors import DamagedFile

# A document type with an internal subset can declare entities, which is how XML bombs and
# file-reading entities are built. Papers only ever point at a public DTD.
_INTERNAL_SUBSET = re.compile(rb"<!DOCTYPE[^>\[]*\[", re.IGNORECASE)

Element = etree._Element


def parse_xml(data: bytes, *, name: str) -> Element:
    """The root element of `data`.

    Raises `DamagedFile` if the XML is not well formed or declares entities of its own.
    """
    if _INTERNAL_SUBSET.search(data[:4096]) or b"<!ENTITY" in data:
        raise DamagedFile(
            f"“{name}” declares its own XML entities, which can hide harmful content. "
            "Export the paper again without them, or upload the PDF."
        )
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise DamagedFile(
            f"“{name}” is damaged XML (line {error.lineno}): it may be cut off. Download or export the file again."
        ) from error
    if root is None:
        raise DamagedFile(f"“{name}” holds no XML element. Download or export the file again.")
    return root


def local_name(element: Element) -> str:
    """The tag without its namespace; an empty string for what is not an element."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def children(element: Element, *names: str) -> Iterator[Element]:
    """Child elements in order, of the given local names if any are given."""
    for child in element:
        name = local_name(child)
        if name and (not names or name in names):
            yield child


def first_child(element: Element | None, *path: str) -> Element | None:
    """The element reached by taking the first child of each name in turn."""
    for name in path:
        if element is None:
            return None
        element = next(children(element, name), None)
    return element


def descendants(element: Element, *names: str) -> Iterator[Element]:
    """All elements below `element` with one of the local names, in document order."""
    for candidate in element.iterdescendants():
        if local_name(candidate) in names:
            yield candidate


def squeeze(text: str) -> str:
    """One line: runs of white space become one space, and none is left at the ends."""
    return " ".join(text.split())


def all_text(element: Element) -> str:
    """Everything written inside `element`, markup removed, on one line."""
    return squeeze("".join(str(piece) for piece in element.itertext()))
