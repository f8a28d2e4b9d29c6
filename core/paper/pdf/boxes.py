"""Boxes and side bars that stand beside the text: their headings and paragraphs, apart from the paper's sections."""

from __future__ import annotations

from core.paper.draft import Block
from core.paper.model import Account, Kind, SectionKind
from core.paper.pdf.abstract import label_of
from core.paper.pdf.columns import in_columns
from core.paper.pdf.headings import heading_title, left_out_lead, names_account, names_box
from core.paper.pdf.lines import Line, leave_out
from core.paper.pdf.paragraphs import Paragraph, paragraphs_of
from core.paper.pdf.printed import PrintedText
from core.paper.pdf.regions import PageParts
from core.paper.pdf.typography import Typography
from core.paper.pdf.writing import DraftWriter
from core.paper.sections import is_left_out, main_kind

_PARTS_OF_KEY_POINTS = frozenset({"question", "finding", "findings", "meaning", "significance", "implications"})
BOX_LEVEL = 2  # of a box's first heading; those inside it are one deeper


def box_blocks(parts: PageParts, typography: Typography) -> tuple[list[Block], list[Block]]:
    """The blocks of the boxes of a page, and those of what was written about the paper."""
    boxed: list[Block] = []
    about: list[Block] = []
    level, of_account = BOX_LEVEL, False
    lines = [line for region in parts.boxes for line in region.lines]
    leave_out(lines, Account.STATEMENT)  # unless they are read: boxes behind the references are not
    for paragraph in _continued(in_columns(lines), typography):
        if left_out_lead(paragraph.lines[0]):
            break  # statements at the end of a paper, in small print
        if paragraph.heading and names_account(heading_title(paragraph.text)):
            about.append(paragraph.printed.block(Kind.HEADING, 1 + of_account, SectionKind.ABOUT))
            of_account = True
        elif of_account and not (paragraph.heading and names_box(paragraph.text)):
            heading = paragraph.heading
            about.append(paragraph.printed.block(Kind.HEADING, 2) if heading else paragraph.printed.block(Kind.BODY))
        elif paragraph.heading:
            boxed.append(paragraph.printed.block(Kind.HEADING, level, SectionKind.OTHER))
            level, of_account = BOX_LEVEL + 1, False
        else:
            boxed.append(paragraph.printed.block(Kind.BODY))
    return boxed, about


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
        self._of_account = False  # what was written about the paper
        self._style: tuple[str, float] | None = None

    def begin(self, title: PrintedText) -> None:
        self._is_open, self._style = True, None
        self._of_account = names_account(title.text)
        level, kind = (1, SectionKind.ABOUT) if self._of_account else (BOX_LEVEL, SectionKind.OTHER)
        self._put(title.block(Kind.HEADING, level, kind))

    def read(self, paragraph: Paragraph, *, front: bool) -> bool:
        """Put what belongs to the box aside; False where there is no box, or it has ended.

        `front`: it stands before the abstract, whose first part ends it.
        """
        if not self._is_open:
            return False
        title = heading_title(paragraph.text)
        label = label_of(paragraph) if front else None
        if label is not None and label[0].casefold() not in _PARTS_OF_KEY_POINTS:
            self._is_open = False
        elif paragraph.heading and main_kind(title) is None and not is_left_out(title):
            kind = None if self._of_account else SectionKind.OTHER
            self._put(paragraph.printed.block(Kind.HEADING, 2 if self._of_account else BOX_LEVEL + 1, kind))
        elif not paragraph.heading and self._style in {None, paragraph.style}:
            self._style = paragraph.style
            self._put(paragraph.printed.block(Kind.BODY))
        else:
            self._is_open = False
        return self._is_open

    def _put(self, block: Block) -> None:
        if self._of_account:
            self._writer.draft.about.append(block)
        else:
            self._writer.put_in_box([block])
