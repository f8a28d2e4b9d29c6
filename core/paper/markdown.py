"""Read Markdown, as CommonMark with pipe tables understands it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.paper.draft import Draft
from core.paper.plain import Part, PartKind, PartReader
from core.paper.tables import join_cells
from core.paper.xml import squeeze

# What a writing program puts before the text, between two lines of hyphens.
_METADATA = re.compile(r"\A---\s*\n.{0,4000}?\n---\s*\n", re.DOTALL)


def read_markdown(text: str) -> Draft:
    """A draft from headings, paragraphs, lists and tables. Marks around words go; links and HTML stay as written."""
    tokens = MarkdownIt("commonmark", {"html": False}).enable("table").parse(_METADATA.sub("", text))
    return PartReader(_parts(tokens)).read(text)


def _parts(tokens: list[Token]) -> Iterator[Part]:
    level = 0  # of the heading that is open
    row: list[str] | None = None
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1])
        elif token.type == "heading_close":
            level = 0
        elif token.type == "tr_open":
            row = []
        elif token.type == "tr_close" and row is not None:
            yield Part(PartKind.ROW, join_cells(row))
            row = None
        elif token.type in {"fence", "code_block"}:
            yield Part(PartKind.PARAGRAPH, squeeze(token.content))
        elif token.type == "inline":
            content = squeeze(_as_written(token.children or []))
            if row is not None:
                row.append(content)
            elif content:
                yield Part(PartKind.HEADING if level else PartKind.PARAGRAPH, content, level)


def _as_written(tokens: list[Token]) -> str:
    """The text of a line. A link shows where it leads, since a reviewer should see it before following it."""
    pieces: list[str] = []
    target = ""
    for token in tokens:
        if token.type in {"softbreak", "hardbreak"}:
            pieces.append(" ")
        elif token.type == "link_open":
            target = str(token.attrGet("href") or "")
            pieces.append("[")
        elif token.type == "link_close":
            pieces.append(f"]({target})")
        else:
            pieces.append(token.content)
    return "".join(pieces)
