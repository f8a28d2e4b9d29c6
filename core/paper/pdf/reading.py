"""`read_pdf`: from the bytes of a PDF to a draft of the paper."""

from __future__ import annotations

from collections.abc import Iterator

import pypdfium2

from core.errors import NoText, PaperError
from core.paper.draft import Block, Draft
from core.paper.model import Kind, PaperWarning
from core.paper.pdf.building import Item, build
from core.paper.pdf.columns import in_columns
from core.paper.pdf.dropcaps import join_drop_caps
from core.paper.pdf.extraction import page_lines
from core.paper.pdf.floats import Float
from core.paper.pdf.furniture import without_furniture
from core.paper.pdf.hyphens import settle_hyphens
from core.paper.pdf.identity import find_doi, find_title, title_text
from core.paper.pdf.lines import Line, PageLines
from core.paper.pdf.lock import PDFIUM
from core.paper.pdf.opening import open_document
from core.paper.pdf.paragraphs import Paragraph, joined, paragraphs_of
from core.paper.pdf.regions import PageParts, take_apart
from core.paper.pdf.second_reader import all_pages, in_body_type, one_page
from core.paper.pdf.typography import Typography, measure
from core.paper.sections import is_left_out
from core.paper.tables import join_cells

_NO_TEXT = "Page {} has no text layer: what is printed there could not be read."
_LIGHT_TEXT = 25  # characters a page: less than any page of print has, more than a stamp on a scan


def read_pdf(data: bytes, *, name: str) -> Draft:
    """The draft of a paper in PDF.

    PDFium reads it; pypdf reads what PDFium cannot, and the draft's warnings say so.
    Raises `LockedFile`, `DamagedFile` or `NoText`.
    """
    draft = Draft()
    pages, stated = _read_pages(data, name, draft)
    if sum(len(line.text) for page in pages for line in page.lines) < _LIGHT_TEXT * len(pages):
        raise _scan(name)
    pages = without_furniture(pages)
    settle_hyphens(pages)
    typography = measure(pages)
    if typography is None:
        raise _scan(name)
    in_body_type(pages, typography)
    title = find_title(pages[0], typography.size, stated)
    if title:
        draft.title = title_text(title)
        draft.blocks.append(Block(Kind.TITLE, draft.title, page=pages[0].number))
    build(draft, list(_items(pages, title, typography)), typography)
    return draft


def _read_pages(data: bytes, name: str, draft: Draft) -> tuple[list[PageLines], str]:
    """The pages that can be read, and the title that the file states; warnings and the DOI go to the draft."""
    with PDFIUM:
        document = open_document(data, name=name)
        if document is None:
            return _with_pypdf(data, name, draft), ""
        try:
            pages = []
            for number in range(1, len(document) + 1):
                page = _read_page(document, number) or _second_look(data, number, len(document), name, draft)
                if page is not None:
                    pages.append(page)
                    if not page.lines:
                        draft.warnings.append(PaperWarning("page-without-text", _NO_TEXT.format(number), number))
            draft.doi = find_doi(data, document, pages)
            return pages, document.get_metadata_value("Title")
        finally:
            document.close()


def _read_page(document: pypdfium2.PdfDocument, number: int) -> PageLines | None:
    try:
        page = document[number - 1]
        try:
            return page_lines(page, number)
        finally:
            page.close()
    except pypdfium2.PdfiumError:
        return None


def _second_look(data: bytes, number: int, count: int, name: str, draft: Draft) -> PageLines | None:
    """A page that PDFium cannot read, from the second reader."""
    try:
        page = one_page(data, number, of=count, name=name)
    except PaperError:
        page = None
    if page is not None and page.lines:
        message = f"Page {number} is damaged; a simpler reader was used for it. Check the order of its text."
        draft.warnings.append(PaperWarning("second-reader", message, number))
    else:
        draft.warnings.append(_unreadable(number))
    return page


def _with_pypdf(data: bytes, name: str, draft: Draft) -> list[PageLines]:
    message = "The PDF is damaged; a simpler reader was used. Check the order of the text."
    draft.warnings.append(PaperWarning("second-reader", message))
    pages = all_pages(data, name=name)
    draft.warnings += [_unreadable(number) for number, page in enumerate(pages, 1) if page is None]
    return [page for page in pages if page is not None]


def _unreadable(number: int) -> PaperWarning:
    return PaperWarning("page-unreadable", f"Page {number} could not be read; it was left out.", number)


def _items(pages: list[PageLines], title: list[Line], typography: Typography) -> Iterator[Item]:
    """Everything on the pages in reading order; what stands beside the text comes before the text of its page."""
    named = {id(line) for line in title}
    top = max((line.y for line in title), default=float("inf"))
    for page in pages:
        join_drop_caps(page, typography)
        first = page is pages[0]
        if first:
            page.lines[:] = [line for line in page.lines if id(line) not in named and line.y <= top]
        parts = take_apart(page, typography, front=first)
        yield Item(beside=tuple(_float_blocks(parts)), boxed=tuple(_box_blocks(parts, typography)))
        for column in in_columns(parts.flow):
            for paragraph in paragraphs_of(column, typography):
                yield Item(paragraph=paragraph)


def _float_blocks(parts: PageParts) -> Iterator[Block]:
    for item in parts.floats:
        yield Block(Kind.CAPTION, _caption_text(item.caption), page=parts.number)
        yield from _table_blocks(item, parts.number)


def _caption_text(lines: list[Line]) -> str:
    """A caption on one line; its bold title ends in a full stop where only the type tells it from the rest."""
    bold = next((index for index, line in enumerate(lines) if not line.font.bold), len(lines))
    title = joined(lines[:bold])[0] if bold else ""
    if not title or bold == len(lines):
        return joined(lines)[0]
    rest = joined(lines[bold:])[0]
    return f"{title}{'.' if title[-1:].isalnum() and rest[:1].isupper() else ''} {rest}"


def _table_blocks(item: Float, number: int) -> Iterator[Block]:
    notes: list[Line] = []
    width = max((row[-1].x1 - row[0].x0 for row in item.rows), default=0.0)
    for row in item.rows:
        if notes and (len(row) > 1 or notes[-1].style != row[0].style or notes[-1].width < 0.7 * width):
            yield Block(Kind.TABLE, joined(notes)[0], page=number)
            notes = []
        if len(row) == 1 and row[0].words >= (1 if notes else 6):
            notes.append(row[0])
        else:
            yield Block(Kind.TABLE, join_cells(line.text for line in row), page=number)
    if notes:
        yield Block(Kind.TABLE, joined(notes)[0], page=number)


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


def _box_blocks(parts: PageParts, typography: Typography) -> Iterator[Block]:
    lines = [line for region in parts.boxes for line in region.lines]
    for paragraph in _continued(in_columns(lines), typography):
        if is_left_out(paragraph.lines[0].lead.strip(" :.")):
            return  # statements at the end of a paper, in small print
        if paragraph.heading:
            yield Block(Kind.HEADING, paragraph.text, 2, page=parts.number)
        else:
            yield Block(Kind.BODY, paragraph.text, page=parts.number)


def _scan(name: str) -> NoText:
    return NoText(
        f"“{name}” has no text layer: it seems to be a scan. Run OCR (text recognition) on it, then upload it again."
    )
