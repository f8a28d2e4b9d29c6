"""`read_pdf`: from the bytes of a PDF to a draft of the paper."""

from __future__ import annotations

from core.errors import NoText
from core.paper.draft import Draft
from core.paper.pdf.lock import PDFIUM
from core.paper.pdf.opening import open_document
from core.paper.plain import read_text


def read_pdf(data: bytes, *, name: str) -> Draft:
    """The draft of a paper in PDF. Raises `LockedFile`, `DamagedFile` or `NoText`."""
    with PDFIUM:
        document = open_document(data, name=name)
        texts = [] if document is None else [page.get_textpage().get_text_range() for page in document]
    text = "\n".join(texts).replace("\r\n", "\n").replace("\x02\n", "").replace("\ufffe\n", "")
    if not text.strip():
        raise NoText(f"“{name}” is a scan without a text layer. Run OCR (text recognition) on it, then try again.")
    return read_text(text)
