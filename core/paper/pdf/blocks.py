"""Write the blocks of a draft: paragraphs, captions and rows of tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from core.paper.draft import Block, PaperDraft
from core.paper.model import Kind, PaperWarning, SectionKind
from core.paper.pdf.headings import NUMBERING, level_of, run_in_heading
from core.paper.pdf.lines import Line, PrintedText
from core.paper.pdf.paragraphs import Paragraph, joined
from core.paper.pdf.regions import PageParts
from core.paper.pdf.tables import table_texts
from core.paper.pdf.typography import abstract_labels, is_keywords

# ---- Captions and rows of tables ----

_COLUMNS = "The columns of a table on page {} could not be told apart; check its rows on the page."
_LETTERING = "Text inside a figure on page {} was left out; look at the figure for what it says."
_MARKS = frozenset("*†‡§¶")


def float_blocks(parts: PageParts, warnings: list[PaperWarning]) -> Iterator[Block]:
    """The captions of a page with the rows of their tables. Adds warnings.

    The rest of a table from the page before comes first, and rows without a caption come last.
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
    """A caption on one line. A full stop ends a bold title that only its type tells from the rest."""
    bold = next((index for index, line in enumerate(lines) if not line.font.bold), len(lines))
    if not 0 < bold < len(lines) or lines[bold].lead or lines[bold - 1].hyphenated:
        return joined(lines)
    title, rest = joined(lines[:bold]), joined(lines[bold:])
    ends = title.text[-1:].isalnum() and (rest.text[:1].isupper() or rest.text[:1] in _MARKS)
    return title + ". " + rest if ends else joined(lines)


# ---- Paragraphs, and what waits beside an open one ----

_LEADING = 1.3  # of the size of type: the most from a single line to the next
_CLOSE = 1.1  # of the distance of the lines above: the most between the last two lines of a text
_NOTE_MARK = re.compile(r"[a-z] [A-Z]")  # a raised letter before a note: "a Measured at screening."


class DraftWriter:
    """Writes paragraphs to a draft as they end, and captions, tables and boxes between them."""

    def __init__(self, draft: PaperDraft) -> None:
        self.draft = draft
        self.open: Paragraph | None = None  # the paragraph that may go on
        self._kind = Kind.BODY
        self._beside: list[Block] = []  # captions and tables that wait for the end of a paragraph
        self._boxed: list[Block] = []  # boxes that wait for the end of a section

    def begin(self, paragraph: Paragraph, kind: Kind) -> None:
        """Open a paragraph. Lines may be added to it until it is closed."""
        self.open, self._kind = replace(paragraph, lines=[*paragraph.lines]), kind

    def continue_with(self, paragraph: Paragraph) -> bool:
        """Add a paragraph to the open one if it continues it, after a column or page break or an equation."""
        if self.open is None or not self._goes_on(self.open, paragraph):
            return False
        self.open.lines += paragraph.lines
        return True

    def is_interrupted_by(self, paragraph: Paragraph) -> bool:
        """Whether a paragraph is a note in smaller type at the foot of a column, after which the open one goes on."""
        if self.open is None or paragraph.heading or self.open.ends():
            return False
        last = self.open.lines[-1]
        return paragraph.page == last.page and paragraph.style[1] < self.open.style[1] - 0.6

    def close(self) -> None:
        """Write the open paragraph, its run-in heading first, then what waited for its end."""
        paragraph, self.open = self.open, None
        if paragraph is None:
            return
        last = paragraph.lines[-1]
        if self._kind is Kind.BODY and (title := run_in_heading(paragraph)):
            if number := NUMBERING.match(title):
                name = paragraph.printed.cut(number.end(), len(title.rstrip(" .:")))
                self.heading(name, level=level_of(number))
            else:
                self.heading(paragraph.printed.cut(0, len(title)))
            paragraph = paragraph.after(len(title))
        if paragraph.lines and self._kind is Kind.ABSTRACT:
            self._write_abstract(paragraph.printed)
        elif paragraph.lines:
            self.draft.blocks.append(paragraph.printed.block(self._kind))
        if self._kind is Kind.BODY and not last.text.endswith(":"):  # else a list or an equation follows
            self.write_beside(last.page)

    def _write_abstract(self, printed: PrintedText) -> None:
        """Write a paragraph of an abstract, in parts if it names them."""
        labels = abstract_labels(printed.text)
        for (_, start), (end, after) in pairwise([(0, 0), *labels, (len(printed.text),) * 2]):
            text = printed.cut(start, end).stripped()
            if text.text:
                self.draft.blocks.append(text.block(Kind.ABSTRACT))
            if after > end:
                self.heading(printed.cut(end, after), kind=SectionKind.ABSTRACT)

    def heading(self, title: PrintedText, *, level: int = 0, kind: SectionKind | None = None) -> None:
        self.draft.blocks.append(title.block(Kind.HEADING, level, kind))

    def put_beside(self, blocks: Iterable[Block]) -> None:
        """Keep captions and tables until a paragraph ends."""
        self._beside += blocks

    def put_in_box(self, blocks: Iterable[Block]) -> None:
        """Keep the blocks of a box until a section ends."""
        self._boxed += blocks

    def write_beside(self, page: int) -> None:
        """Write the captions and tables of the pages up to this one."""
        self.draft.blocks += [block for block in self._beside if (block.page or 0) <= page]
        self._beside = [block for block in self._beside if (block.page or 0) > page]

    def write_boxes(self) -> None:
        self.draft.blocks += self._boxed
        self._boxed = []

    def finish(self) -> None:
        """Write all that still waits, except boxes, because a file may have no place for them."""
        self.close()
        self.draft.blocks += self._beside
        self._beside = []

    def _goes_on(self, before: Paragraph, paragraph: Paragraph) -> bool:
        if paragraph.heading:
            return _is_last_line(before.lines, paragraph.lines)
        if paragraph.lines[0].initial or before.ends() or is_keywords(paragraph.text):
            return False
        last, first = before.lines[-1], paragraph.lines[0]
        if abs(last.size - first.size) > 0.6 and self._kind is not Kind.ABSTRACT:
            return False
        if last.page != first.page or last.y <= first.y or first.x0 >= last.x1:
            return True
        return last.hyphenated or (first.text[:1].islower() and not _NOTE_MARK.match(first.text))


def _is_last_line(lines: list[Line], rest: list[Line]) -> bool:
    """Whether a seeming heading is the short last line of a text above columns: as near as the lines before it."""
    last, line = lines[-1], rest[0]
    if len(rest) > 1 or line.page != last.page or line.style != last.style or line.x0 != last.x0:
        return False
    usual = _CLOSE * (lines[-2].y - last.y) if len(lines) > 1 else _LEADING * last.size
    return 0 < last.y - line.y <= usual
