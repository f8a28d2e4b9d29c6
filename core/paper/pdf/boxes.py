"""Boxes and side bars that stand beside the text: their headings and paragraphs, apart from the paper's sections."""

from __future__ import annotations

from collections.abc import Iterator

from core.paper.draft import Block
from core.paper.model import Kind, SectionKind
from core.paper.pdf.columns import in_columns
from core.paper.pdf.headings import left_out_lead
from core.paper.pdf.lines import Line
from core.paper.pdf.paragraphs import Paragraph, paragraphs_of
from core.paper.pdf.regions import PageParts
from core.paper.pdf.typography import Typography

BOX_LEVEL = 2  # of a box's first heading; those inside it are one deeper


def box_blocks(parts: PageParts, typography: Typography) -> Iterator[Block]:
    """The blocks of the boxes of a page."""
    level = BOX_LEVEL
    lines = [line for region in parts.boxes for line in region.lines]
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
