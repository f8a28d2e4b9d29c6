"""The text of a paragraph from its XML: citations set apart, exponents kept, notes and formula sources dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from core.paper.xml import Element, all_text, local_name, squeeze

# "[3],[4]" and "[3,][4]" are one citation, set apart by markup: "[3,4]".
_JOINED_CITATIONS = re.compile(r"(?:([,;–—‒-])\s?\]\s?|\]\s?([,;–—‒-])\s?)\[(?=\d)")
_BARE_CITATION = re.compile(r"[\d\s,;–—‒*-]+[a-z]?")
_SPACE_BEFORE_POINT = re.compile(r"\s+([.,;:!?])(?=\s|$)")


@dataclass(frozen=True, slots=True)
class InlineRules:
    """What one XML vocabulary calls the things that need care inside a paragraph."""

    skipped: frozenset[str]  # elements whose text is not part of the paragraph
    raised: Callable[[Element], bool]  # superscripts
    citation: Callable[[Element], bool]  # references into the bibliography
    broken: frozenset[str]  # elements that stand for white space


def inline_text(element: Element, rules: InlineRules, *, without: Collection[Element] = ()) -> str:
    """The readable text of `element` on one line.

    A citation that is printed as a bare raised number is set in brackets ("slept.[3]"), so that it can
    be told from a quantity, and an exponent keeps its caret ("10^9"), so that it is not read as 109.
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
    """A raised element that holds only citations, or a citation that stands outside brackets as a number."""
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
    """The parts of a caption (label, title, text) as one line, each ended by a full stop where it has no end."""
    texts = [part for part in parts if part]
    ended = [text if text.endswith((".", ":", "?", "!")) else f"{text}." for text in texts[:-1]]
    return " ".join([*ended, *texts[-1:]])
