"""`read_pdf`: from the bytes of a PDF to a draft of the paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import pypdfium2

from core.errors import NoTextLayer
from core.paper.draft import Block, PaperDraft
from core.paper.hidden import only_hidden_text
from core.paper.model import Account, Kind, PaperWarning, PrintedLine, SetAside
from core.paper.pdf.accounts import settle
from core.paper.pdf.blocks import float_blocks
from core.paper.pdf.building import PageItem, box_blocks, build
from core.paper.pdf.columns import in_columns
from core.paper.pdf.extract import all_pages, in_body_type, page_lines, some_pages
from core.paper.pdf.floats import Style, rows_stand_below, style_at_end
from core.paper.pdf.furniture import remove_torn_equations, without_furniture
from core.paper.pdf.glyphs import uncertain_signs
from core.paper.pdf.headings import mark_outlined, outline_of
from core.paper.pdf.hidden import HiddenTextFinder
from core.paper.pdf.lines import Line, PageLines, leave_out
from core.paper.pdf.metadata import (
    STATED,
    find_authors,
    find_citation,
    find_doi,
    find_title,
    stated_by,
    texts_with_marks,
    title_text,
)
from core.paper.pdf.ocr import HOW_TO_INSTALL, ocr_is_available
from core.paper.pdf.paragraphs import join_drop_caps, paragraphs_of, settle_hyphens
from core.paper.pdf.pdfium import (
    MAX_CHARACTERS,
    MAX_PAGES,
    PDFIUM_LOCK,
    PageTooLarge,
    no_page,
    open_document,
    too_large,
)
from core.paper.pdf.regions import sort_lines, take_apart
from core.paper.pdf.typography import Typography, even_out_sizes, measure

_NO_TEXT = "Page {} has no text layer: what is printed there could not be read."
_LIGHT_TEXT = 25  # characters a page: fewer than any printed page, more than a stamp on a scan


def read_pdf(data: bytes, *, name: str, keep_hidden: bool = False) -> PaperDraft:
    """Read a PDF into a draft. Text that nobody can see on its pages is set aside, unless `keep_hidden`.

    PDFium reads the file. pypdf reads what PDFium cannot, and the draft's warnings say so.
    Raises `LockedFile`, `DamagedFile` or `NoText`.
    """
    draft = PaperDraft()
    pages, stated = _read_pages(data, name, draft, HiddenTextFinder(keep=keep_hidden))
    lost = {warning.page for warning in draft.warnings if warning.kind == "page-unreadable"}
    if all(page.number in lost for page in pages):
        raise no_page(name)
    if sum(len(line.text) for page in pages for line in page.lines) < _LIGHT_TEXT * len(pages):
        raise only_hidden_text(name) if draft.set_aside and not keep_hidden else _scan(name)
    whole_pages = pages  # with running heads and feet, which say where the paper was published
    pages = without_furniture(pages, draft)
    on_pages = [replace(page, lines=[*page.lines]) for page in pages]
    settle_hyphens(pages)
    even_out_sizes(pages)
    typography = measure(pages)
    if typography is None:
        raise only_hidden_text(name) if draft.set_aside and not keep_hidden else _scan(name)
    in_body_type(pages, typography)
    title = find_title(pages[0], typography, stated["Title"])
    _identify(draft, whole_pages, typography, stated)
    marked = partial(texts_with_marks, data, name)
    draft.authors = find_authors(whole_pages, title, stated["Author"], marked=marked)
    if title:
        printed = title_text(title)
        draft.title = printed.text
        draft.blocks.append(printed.block(Kind.TITLE))
    build(draft, list(_items(pages, title, typography, draft.warnings)), typography)
    settle(draft, on_pages)
    draft.warnings += uncertain_signs([*draft.blocks, *draft.about])
    if keep_hidden:
        draft.blocks += [_out_of_place(item) for item in draft.set_aside]
        draft.set_aside.clear()
    return draft


def _identify(draft: PaperDraft, pages: list[PageLines], typography: Typography, stated: Mapping[str, str]) -> None:
    """Fill in journal, year and the notes on the first page."""
    citation = find_citation(pages, typography, stated["Subject"])
    draft.journal, draft.year = citation.journal, citation.year
    draft.aside.append(" ".join(line.text for line in pages[0].lines if not typography.is_body(line)))


def _read_pages(
    data: bytes, name: str, draft: PaperDraft, finder: HiddenTextFinder
) -> tuple[list[PageLines], Mapping[str, str]]:
    """Read the pages that can be read, and the file's metadata. Warnings and the DOI go to the draft."""
    pages: list[PageLines] = []
    broken: list[int] = []
    with PDFIUM_LOCK:
        document = open_document(data, name=name)
        if document is not None:
            try:
                _read_with_pdfium(document, name, pages, broken, draft, finder=finder)
                count, stated, outline = len(document), stated_by(document), outline_of(document)
            finally:
                document.close()
    if document is None:
        return _with_pypdf(data, name, draft), dict.fromkeys(STATED, "")
    if broken:
        pages += _second_look(data, broken, count, name, draft)
        pages.sort(key=lambda page: page.number)
    mark_outlined(pages, outline)
    draft.warnings += [
        PaperWarning("page-without-text", _NO_TEXT.format(page.number), page.number)
        for page in pages
        if not page.lines and page.number not in broken
    ]
    draft.warnings.sort(key=lambda warning: warning.page or 0)
    draft.doi = find_doi(data, stated, pages)
    return pages, stated


def _read_with_pdfium(
    document: pypdfium2.PdfDocument,
    name: str,
    pages: list[PageLines],
    broken: list[int],
    draft: PaperDraft,
    *,
    finder: HiddenTextFinder,
) -> None:
    """Read pages into `pages`, and the numbers of broken ones into `broken`; a page that is too large is in neither."""
    if len(document) > MAX_PAGES:
        raise too_large(name)
    characters = 0
    for number in range(1, len(document) + 1):
        try:
            page = document[number - 1]
            try:
                pages.append(page_lines(page, number, finder, draft))
            finally:
                page.close()
        except pypdfium2.PdfiumError:
            broken.append(number)
        except PageTooLarge:
            message = f"Page {number} is larger, or holds more text, than any page of print; it was left out."
            draft.warnings.append(PaperWarning("page-unreadable", message, number))
        else:
            characters += sum(len(line.text) for line in pages[-1].lines)
            if characters > MAX_CHARACTERS:
                raise too_large(name)


def _second_look(data: bytes, numbers: list[int], count: int, name: str, draft: PaperDraft) -> Iterator[PageLines]:
    """Read with pypdf the pages that PDFium cannot read."""
    for number, page in zip(numbers, some_pages(data, numbers, of=count, name=name), strict=True):
        if page is not None and page.lines:
            message = f"Page {number} is damaged; a simpler reader was used for it. Check the order of its text."
            draft.warnings.append(PaperWarning("second-reader", message, number))
        else:
            draft.warnings.append(_unreadable(number))
        if page is not None:
            yield page


def _with_pypdf(data: bytes, name: str, draft: PaperDraft) -> list[PageLines]:
    message = "The PDF is damaged; a simpler reader was used. Check the order of the text."
    draft.warnings.append(PaperWarning("second-reader", message))
    pages = all_pages(data, name=name)
    draft.warnings += [_unreadable(number) for number, page in enumerate(pages, 1) if page is None]
    return [page for page in pages if page is not None]


def _unreadable(number: int) -> PaperWarning:
    return PaperWarning("page-unreadable", f"Page {number} could not be read; it was left out.", number)


def _items(
    pages: list[PageLines], title: list[Line], typography: Typography, warnings: list[PaperWarning]
) -> Iterator[PageItem]:
    """Everything on the pages in reading order. On each page, what is beside the text comes first."""
    named = {id(line) for line in title}
    top = max((line.y for line in title), default=float("inf"))
    for page in pages:
        join_drop_caps(page, typography)
        remove_torn_equations(page, warnings)
    leave_out((line for line in pages[0].lines if line.y > top), Account.FRONT)
    pages[0].lines[:] = [line for line in pages[0].lines if id(line) not in named and line.y <= top]
    lines_of_pages = [sort_lines(page, typography) for page in pages]
    below = rows_stand_below(lines_of_pages, typography)
    open_table: Style | None = None
    front = True  # the abstract may go on after the first page
    for lines in lines_of_pages:
        parts = take_apart(lines, typography, front=front, below=below, open_table=open_table)
        front = front and not typography.has_begun(parts.flow)
        open_table = style_at_end([*(item.rows for item in parts.floats), *parts.tables, parts.continued], parts.flow)
        beside = tuple(float_blocks(parts, warnings))
        boxed, about = box_blocks(parts, typography)
        yield PageItem(beside=beside, boxed=tuple(boxed), about=tuple(about), left_out=parts.left_out)
        for column in in_columns(parts.flow):
            for paragraph in paragraphs_of(column, typography):
                yield PageItem(paragraph=paragraph)


def _out_of_place(item: SetAside) -> Block:
    """Text without a place on its page, as a paragraph."""
    return Block(Kind.BODY, item.text, lines=(PrintedLine(0, len(item.text), item.page or 0, 0, 0),))


def _scan(name: str) -> NoTextLayer:
    cure = "Have its text recognised (OCR)." if ocr_is_available() else HOW_TO_INSTALL
    return NoTextLayer(f"“{name}” has no text layer: it seems to be a scan. {cure}")
