"""Open a PDF with PDFium, and say in one sentence what is wrong with a file that does not open."""

from __future__ import annotations

import warnings

import pypdfium2
import pypdfium2.raw as pdfium

from core.errors import DamagedFile, LockedFile
from core.paper.pdf.limits import CHARACTERS, PAGES


def open_document(data: bytes, *, name: str) -> pypdfium2.PdfDocument | None:
    """The document, or None where PDFium cannot open it and the second reader should try. Call under the lock.

    Raises `LockedFile` if it needs a password.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pypdfium2.PdfiumWarning)
        try:
            document = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            if error.err_code in {pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY}:
                raise locked(name) from error
            return None
    if len(document) == 0:
        document.close()
        return None
    return document


def locked(name: str) -> LockedFile:
    """The error for a file that needs a password."""
    return LockedFile(
        f"“{name}” is locked with a password. Open it in a PDF viewer, save it without one and try again."
    )


def too_large(name: str) -> DamagedFile:
    """The error for a file that holds more than any paper."""
    return DamagedFile(
        f"“{name}” is too large to be a paper: Vouch reads up to {PAGES:,} pages and {CHARACTERS:,} characters. "
        "Save the paper's own pages as a PDF and upload that."
    )


def damaged(name: str) -> DamagedFile:
    """The error for a file that neither reader can open."""
    return DamagedFile(f"“{name}” is a damaged PDF: it may be cut off. Download or export the file again.")


def no_page(name: str) -> DamagedFile:
    """The error for a file that opens, and of which no page can be read."""
    return DamagedFile(f"No page of “{name}” could be read: it is a damaged PDF. Download or export the file again.")
