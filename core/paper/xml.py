"""Safe parsing of hostile XML (no external entities, no network, no bombs), and the text of its elements."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from html.entities import html5

from lxml import etree

from core.errors import DamagedFile

# Named characters such as "&alpha;": older papers take them from a DTD, which is never loaded.
_NAMED_CHARACTER = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,31});")
_OWN_TO_XML = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})

Element = etree._Element


def parse_xml(data: bytes, *, name: str) -> Element:
    """Parse `data` and return its root element. Named characters are those of HTML, whatever DTD the file names.

    Raises `DamagedFile` if the XML is not well formed, declares entities of its own (which is how XML bombs
    and file-reading entities are built), or uses an unknown name.
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
    """A named character as numeric references, which need no declaration."""
    characters = html5.get(f"{match[1].decode()};")
    if match[1] in _OWN_TO_XML or characters is None:
        return match[0]
    return b"".join(b"&#%d;" % ord(character) for character in characters)


def local_name(element: Element) -> str:
    """The tag without its namespace; empty for comments and the like."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def children(element: Element, *names: str) -> Iterator[Element]:
    """Child elements in order, with the given local names if any."""
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
    """One line: runs of white space become one space, none at the ends."""
    return " ".join(text.split())


def all_text(element: Element) -> str:
    """The whole text of `element` on one line."""
    return squeeze("".join(str(piece) for piece in element.itertext()))


def spaced_text(element: Element) -> str:
    """The whole text of `element` on one line, with spaces between elements."""
    return squeeze(" ".join(str(piece) for piece in element.itertext()))


# ---- The text of a paragraph: citations in brackets, exponents kept, notes and formula sources dropped ----

# "[3],[4]" and "[3,][4]" are one citation that markup splits: "[3,4]".
_JOINED_CITATIONS = re.compile(r"(?:([,;–—‒-])\s?\]\s?|\]\s?([,;–—‒-])\s?)\[(?=\d)")
_BARE_CITATION = re.compile(r"[\d\s,;–—‒*-]+[a-z]?")
_SPACE_BEFORE_POINT = re.compile(r"\s+([.,;:!?])(?=\s|$)")


@dataclass(frozen=True, slots=True)
class InlineRules:
    """How one XML vocabulary marks the elements that need care inside a paragraph."""

    skipped: frozenset[str]  # elements whose text is not part of the paragraph
    raised: Callable[[Element], bool]  # superscripts
    citation: Callable[[Element], bool]  # references into the bibliography
    broken: frozenset[str]  # elements that stand for white space


def inline_text(element: Element, rules: InlineRules, *, without: Collection[Element] = ()) -> str:
    """The readable text of `element` on one line.

    A citation printed as a raised number is put in brackets ("slept.[3]") to tell it from a quantity, and an
    exponent gets a caret ("10^9") so that it is not read as 109.
    """
    pieces: list[str] = []
    _collect(element, rules, pieces, frozenset(without), in_citation=False)
    text = squeeze("".join(pieces))
    text = _JOINED_CITATIONS.sub(lambda match: match[1] or match[2], text)
    return _SPACE_BEFORE_POINT.sub(r"\1", text)


def _collect(
    element: Element, rules: InlineRules, pieces: list[str], without: frozenset[Element], *, in_citation: bool
) -> None:
    name = local_name(element)
    if not name or name in rules.skipped or element in without:
        return
    if name in rules.broken:
        pieces.append(" ")
    bracketed = not in_citation and _is_bare_citation(element, rules, pieces)
    if bracketed:
        pieces.append("[")
    elif rules.raised(element) and not in_citation and pieces and pieces[-1][-1:].isdigit():
        pieces.append("^")
    if element.text:
        pieces.append(element.text)
    for child in element:
        _collect(child, rules, pieces, without, in_citation=in_citation or bracketed)
        if child.tail:
            pieces.append(child.tail)
    if bracketed:
        pieces.append("]")


def _is_bare_citation(element: Element, rules: InlineRules, pieces: list[str]) -> bool:
    """Whether an element is a superscript that holds only citations, or a citation as a number outside brackets."""
    if not rules.raised(element) and not rules.citation(element):
        return False
    if not _BARE_CITATION.fullmatch(all_text(element)):
        return False
    if rules.raised(element):
        return any(rules.citation(child) for child in element.iterdescendants())
    before = "".join(pieces[-20:])[-80:].rstrip()
    if max(before.rfind("("), before.rfind("[")) > max(before.rfind(")"), before.rfind("]")):
        return False  # already set in brackets
    return not re.search(r"\bref(s|erences?)?\.?$", before, re.IGNORECASE)


def join_parts(parts: Iterable[str]) -> str:
    """The parts of a caption (label, title, text) on one line, each with a full stop if it has no end."""
    texts = [part for part in parts if part]
    ended = [text if text.endswith((".", ":", "?", "!")) else f"{text}." for text in texts[:-1]]
    return " ".join([*ended, *texts[-1:]])
