"""`read_pdf`: from the bytes of a PDF to a draft of the paper."""

from __future__ import annotations

from collections.abc import Iterator

import pypdfium2

from core.errors import NoText
from core.paper.draft import Block, Draft
from core.paper.model import Kind, PaperWarning
from core.paper.pdf.building import Item, build
from core.paper.pdf.columns import in_columns
from core.paper.pdf.dropcaps import join_drop_caps
from core.paper.pdf.floats import Float
from core.paper.pdf.furniture import without_furniture
from core.paper.pdf.hyphens import settle_hyphens
from core.paper.pdf.identity import find_doi, find_title, title_text
from core.paper.pdf.lines import Line, PageLines, page_lines
from core.paper.pdf.lock import PDFIUM
from core.paper.pdf.opening import open_document
from core.paper.pdf.paragraphs import joined, paragraphs_of
from core.paper.pdf.regions import PageParts, take_apart
from core.paper.pdf.second_reader import page_text, page_texts
from core.paper.pdf.typography import Typography, measure
from core.paper.plain import read_text
from core.paper.sections import is_left_out
from core.paper.tables import CELL_SEPARATOR

_LIGHT_TEXT = 25  # characters a page: less than any page of print has, more than a stamp on a scan


def read_pdf(data: bytes, *, name: str) -> Draft:
    """The draft of a paper in PDF.

    PDFium reads it; pypdf reads what PDFium cannot, and the draft's warnings say so.
    Raises `LockedFile`, `DamagedFile` or `NoText`.
    """
    draft = Draft()
    with PDFIUM:
        document = open_document(data, name=name)
        if document is None:
            return _read_with_pypdf(data, name)
        try:
            pages = _all_pages(document, data, name, draft)
            draft.doi = find_doi(data, document, pages)
            stated = document.get_metadata_value("Title")
        finally:
            document.close()
    if sum(len(line.text) for page in pages for line in page.lines) < _LIGHT_TEXT * len(pages):
        raise _scan(name)
    pages = without_furniture(pages)
    settle_hyphens(pages)
    typography = measure(pages)
    if typography is None:
        raise _scan(name)
    title = find_title(pages[0], typography.size, stated) if pages else []
    if title:
        draft.title = title_text(title)
        draft.blocks.append(Block(Kind.TITLE, draft.title, page=1))
    build(draft, list(_items(pages, title, typography)), typography)
    return draft


def _all_pages(document: pypdfium2.PdfDocument, data: bytes, name: str, draft: Draft) -> list[PageLines]:
    pages = []
    for number in range(1, len(document) + 1):
        try:
            page = document[number - 1]
            try:
                pages.append(page_lines(page, number))
            finally:
                page.close()
        except pypdfium2.PdfiumError:
            text = page_text(data, number, name=name)
            what = "it was left out" if not text else "only its plain text is kept"
            draft.warnings.append(PaperWarning("page-unreadable", f"Page {number} could not be read; {what}.", number))
    return pages


def _items(pages: list[PageLines], title: list[Line], typography: Typography) -> Iterator[Item]:
    """Everything on the pages in reading order; what stands beside the text comes before the text of its page."""
    named = {id(line) for line in title}
    top = max((line.y for line in title), default=float("inf"))
    for page in pages:
        join_drop_caps(page, typography)
        if page.number == 1:
            page.lines[:] = [line for line in page.lines if id(line) not in named and line.y <= top]
        parts = take_apart(page, typography, front=page.number == 1)
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
            yield Block(Kind.TABLE, CELL_SEPARATOR.join(line.text for line in row), page=number)
    if notes:
        yield Block(Kind.TABLE, joined(notes)[0], page=number)


def _box_blocks(parts: PageParts, typography: Typography) -> Iterator[Block]:
    lines = [line for region in parts.boxes for line in region.lines]
    for column in in_columns(lines):
        for paragraph in paragraphs_of(column, typography):
            if is_left_out(paragraph.lines[0].lead.strip(" :.")):
                return  # statements at the end of a paper, in small print
            if paragraph.heading:
                yield Block(Kind.HEADING, paragraph.text, 2, page=parts.number)
            else:
                yield Block(Kind.BODY, paragraph.text, page=parts.number)


def _read_with_pypdf(data: bytes, name: str) -> Draft:
    texts = page_texts(data, name=name)
    text = "\n\f\n".join(text or "" for text in texts)
    if not text.strip():
        raise _scan(name)
    draft = read_text(text)
    draft.warnings.append(
        PaperWarning("second-reader", "The PDF is damaged; a simpler reader was used. Check the order of the text.")
    )
    for number, page in enumerate(texts, 1):
        if page is None:
            draft.warnings.append(
                PaperWarning("page-unreadable", f"Page {number} could not be read; it was left out.", number)
            )
    return draft


def _scan(name: str) -> NoText:
    return NoText(
        f"“{name}” has no text layer: it seems to be a scan. Run OCR (text recognition) on it, then upload it again."
    )
