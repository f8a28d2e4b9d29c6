"""A paper given as a list of text elements, of which nothing tells what each is: RoBBR's candidate pools and papers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from core.paper import Format, Kind, Paper
from core.paper.assemble import assemble
from core.paper.draft import Block, Draft
from core.paper.sections import is_left_out, main_kind
from core.paper.xml import squeeze

_LONGEST_HEADING = 12  # words
_NUMBERING = re.compile(r"^\s*(?:\d+(?:\.\d+)*|[IVX]+)\.?\s+")
_OF_A_SENTENCE = re.compile(r"[.?!…]|[:;,]\s*$")
_LABEL = r"(fig(ure)?|table|box)s?\.?\s*\w{0,3}\d+"
_CAPTION = re.compile(rf"\s*(supplement\w+ )?{_LABEL}|.*{_LABEL}\s*$", re.IGNORECASE | re.DOTALL)


def paper_of(elements: Sequence[str], *, name: str) -> Paper:
    """The elements as a paper: the same, in the same number and order, to the letter. Its id is their hash.

    An element with cells is a table; one that begins or ends with a figure's or table's number is a caption; a few words
    without the marks of a sentence are a heading, which no engine chooses: so in doubt, it is a sentence.
    Raises `NoText` if there is no element.
    """
    kinds = [_kind(element) for element in elements]
    draft = Draft(blocks=list(_blocks(elements, kinds)))
    data = json.dumps(list(elements)).encode()
    return assemble(draft, data=data, name=name, format=Format.TEXT, keep_set_aside=True)


def elements_of(text: str) -> list[str]:
    """The elements of a paper's whole text, in which each has a line and a table has many."""
    return [line for line in text.split("\n") if line.strip()]


def _kind(element: str) -> Kind:
    if " | " in element:
        return Kind.TABLE
    if _CAPTION.match(element):
        return Kind.CAPTION
    title = _NUMBERING.sub("", element).strip()
    if title[:1].isupper() and len(title.split()) <= _LONGEST_HEADING and not _OF_A_SENTENCE.search(title):
        return Kind.HEADING
    return Kind.BODY


def _blocks(elements: Sequence[str], kinds: Sequence[Kind]) -> Iterator[Block]:
    """Headings by themselves, and what stands between two of them as one paragraph."""
    below_main = False
    for kind, members in groupby(range(len(elements)), key=kinds.__getitem__):
        sentences = tuple(elements[index] for index in members)
        if kind is not Kind.HEADING:
            yield Block(kind, squeeze(" ".join(sentences)), sentences=sentences)
            continue
        for sentence in sentences:
            main = main_kind(sentence) is not None or is_left_out(sentence)
            below_main |= main
            yield Block(kind, squeeze(sentence), 1 if main or not below_main else 2, sentences=(sentence,))
