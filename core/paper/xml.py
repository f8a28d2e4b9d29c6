"""Hostile XML: no entities from outside, no network, no bombs; and the few tree walks every XML reader needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import html5

from lxml import etree

from core.errors import DamagedFile

# Named characters such as "&alpha;", which older papers take from a DTD that is never loaded.
_NAMED_CHARACTER = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,31});")
_OWN_TO_XML = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})

Element = etree._Element


def parse_xml(data: bytes, *, name: str) -> Element:
    """The root element of `data`. Named characters are those of HTML, whatever DTD the file points at.

    Raises `DamagedFile` if the XML is not well formed, declares entities of its own (which is how XML bombs
    and file-reading entities are built), or uses a name that nobody knows.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(_NAMED_CHARACTER.sub(_numbered, data), parser)
    except etree.XMLSyntaxError as error:
        raise DamagedFile(
            f"“{name}” is damaged XML (line {error.lineno}): it may be cut off. Download or export the file again."
        ) from error
    if root is None:
        raise DamagedFile(f"“{name}” holds no XML element. Download or export the file again.")
    own = root.getroottree().docinfo.internalDTD
    if own is not None and next(own.iterentities(), None) is not None:  # type: ignore[union-attr]  # not in the stubs
        raise DamagedFile(
            f"“{name}” declares its own XML entities, which can hide harmful content. "
            "Export the paper again without them, or upload the PDF."
        )
    for unknown in root.iter(etree.Entity):
        raise DamagedFile(
            f"“{name}” uses the character name “{unknown.text}”, which nobody declares. Export the file again, or upload the PDF."
        )
    return root


def _numbered(match: re.Match[bytes]) -> bytes:
    """A named character as the numbers of its code points, which need no declaration in any encoding."""
    characters = html5.get(f"{match[1].decode()};")
    if match[1] in _OWN_TO_XML or characters is None:
        return match[0]
    return b"".join(b"&#%d;" % ord(character) for character in characters)


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


def spaced_text(element: Element) -> str:
    """Everything written inside `element` on one line, the texts of different elements set apart."""
    return squeeze(" ".join(str(piece) for piece in element.itertext()))
