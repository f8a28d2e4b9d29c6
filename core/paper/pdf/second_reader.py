"""pypdf, the second reader: slower and without geometry, but forgiving where PDFium gives up."""

from __future__ import annotations

import io
import logging
import struct
import zlib

import pypdf
from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError, WrongPasswordError

from core.paper.pdf.opening import damaged, locked

# pypdf lets a malformed object surface as whatever the code that met it raised.
_MALFORMED = (
    PyPdfError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    OSError,
    NotImplementedError,
    struct.error,
    zlib.error,
)
logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # the draft's warnings speak for both readers


def page_texts(data: bytes, *, name: str) -> list[str | None]:
    """The text of each page; None for a page that pypdf cannot read either.

    Raises `LockedFile` or `DamagedFile`.
    """
    reader = _open(data, name)
    try:
        count = len(reader.pages)
    except _MALFORMED as error:
        raise damaged(name) from error
    if count == 0:
        raise damaged(name)
    return [_text_of(reader, number) for number in range(count)]


def page_text(data: bytes, number: int, *, name: str) -> str | None:
    """The text of one page, counted from 1, or None."""
    return _text_of(_open(data, name), number - 1)


def _open(data: bytes, name: str) -> pypdf.PdfReader:
    try:
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise locked(name)
    except (DependencyError, FileNotDecryptedError, WrongPasswordError) as error:
        raise locked(name) from error
    except _MALFORMED as error:
        raise damaged(name) from error
    return reader


def _text_of(reader: pypdf.PdfReader, index: int) -> str | None:
    try:
        return reader.pages[index].extract_text()
    except _MALFORMED:
        return None
