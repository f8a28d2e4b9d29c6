"""Captions and the rows of tables as blocks, and what a reviewer should know about them."""

from __future__ import annotations

from collections.abc import Iterator

from core.paper.draft import Block
from core.paper.model import Kind, PaperWarning
from core.paper.pdf.lines import Line
from core.paper.pdf.paragraphs import joined
from core.paper.pdf.printed import PrintedText
from core.paper.pdf.regions import PageParts
from core.paper.pdf.table_rows import table_texts

_COLUMNS = "The columns of a table on page {} could not be told apart; check its rows on the page."
_LETTERING = "Text inside a figure on page {} was left out; look at the figure for what it says."
_MARKS = frozenset("*†‡§¶")


def float_blocks(parts: PageParts, warnings: list[PaperWarning]) -> Iterator[Block]:
    """The captions of a page with the rows of their tables; warnings are added.

    Before them stands the rest of the table that the page before ended in, after them what has no caption.
    """
    clear = True
    tables = [(_caption_text(item.caption), item.rows) for item in parts.floats]
    for caption, rows in [(None, parts.continued), *tables, *((None, rows) for rows in parts.tables)]:
        if caption is not None:
            yield caption.block(Kind.CAPTION)
        texts, is_clear = table_texts(rows)
        clear &= is_clear
        for text in texts:
            yield text.block(Kind.TABLE)
    if not clear:
        warnings.append(PaperWarning("table-columns", _COLUMNS.format(parts.number), parts.number))
    if parts.has_lettering:
        warnings.append(PaperWarning("figure-text", _LETTERING.format(parts.number), parts.number))


def _caption_text(lines: list[Line]) -> PrintedText:
    """A caption on one line; its bold title ends in a full stop where only the type tells it from the rest."""
    bold = next((index for index, line in enumerate(lines) if not line.font.bold), len(lines))
    if not 0 < bold < len(lines) or lines[bold].lead or lines[bold - 1].hyphenated:
        return joined(lines)
    title, rest = joined(lines[:bold]), joined(lines[bold:])
    ends = title.text[-1:].isalnum() and (rest.text[:1].isupper() or rest.text[:1] in _MARKS)
    return title + ". " + rest if ends else joined(lines)
