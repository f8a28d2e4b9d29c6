"""Boxes and side bars that stand beside the text: their headings and paragraphs, apart from the paper's sections."""

from __future__ import annotations

from collections.abc import Iterator

from core.paper.draft import Block
from core.paper.model import Account, Kind, SectionKind
from core.paper.pdf.columns import in_columns
from core.paper.pdf.headings import heading_title, left_out_lead
from core.paper.pdf.lines import Line, leave_out
from core.paper.pdf.paragraphs import Paragraph, paragraphs_of
from core.paper.pdf.printed import PrintedText
from core.paper.pdf.regions import PageParts
from core.paper.pdf.typography import Typography
from core.paper.pdf.writing import DraftWriter
from core.paper.sections import is_left_out, main_kind

BOX_LEVEL = 2  # of a box's first heading; those inside it are one deeper


def box_blocks(parts: PageParts, typography: Typography) -> Iterator[Block]:
    """The blocks of the boxes of a page."""
    level = BOX_LEVEL
    lines = [line for region in parts.boxes for line in region.lines]
    leave_out(lines, Account.STATEMENT)  # unless they are read: boxes behind the references are not
    for paragraph in _continued(in_columns(lines), typography):
        if left_out_lead(paragraph.lines[0]):
            return  # statements at the end of a paper, in small print
        if paragraph.heading:
            yield paragraph.printed.block(Kind.HEADING, level, SectionKind.OTHER)
            level = BOX_LEVEL + 1
        else:
            yield paragraph.printed.block(Kind.BODY)


def _continued(columns: list[list[Line]], typography: Typography) -> list[Paragraph]:
    """The paragraphs of a box, those that go on in its next column in one piece."""
    result: list[Paragraph] = []
    for column in columns:
        for index, paragraph in enumerate(paragraphs_of(column, typography)):
            if index == 0 and result and not (result[-1].heading or paragraph.heading or result[-1].ends()):
                result[-1].lines += paragraph.lines
            else:
                result.append(paragraph)
    return result


class BoxReader:
    """Reads a box that stands in the flow of the text: from its heading to where its type ends."""

    def __init__(self, writer: DraftWriter) -> None:
        self._writer = writer
        self._is_open = False
        self._style: tuple[str, float] | None = None

    def begin(self, title: PrintedText) -> None:
        self._is_open, self._style = True, None
        self._writer.put_in_box([title.block(Kind.HEADING, BOX_LEVEL, SectionKind.OTHER)])

    def read(self, paragraph: Paragraph) -> bool:
        """Put what belongs to the box aside; False where there is no box, or it has ended."""
        if not self._is_open:
            return False
        title = heading_title(paragraph.text)
        if paragraph.heading and main_kind(title) is None and not is_left_out(title):
            block = paragraph.printed.block(Kind.HEADING, BOX_LEVEL + 1, SectionKind.OTHER)
        elif not paragraph.heading and self._style in {None, paragraph.style}:
            self._style = paragraph.style
            block = paragraph.printed.block(Kind.BODY)
        else:
            self._is_open = False
            return False
        self._writer.put_in_box([block])
        return True
