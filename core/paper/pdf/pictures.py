"""The pages of a PDF as pictures, to lay boxes on."""

from __future__ import annotations

import io

import pypdfium2
from PIL import Image

from core.errors import DamagedFile
from core.paper.pdf.lock import PDFIUM
from core.paper.pdf.opening import open_document

_TALLEST = 4  # times its width: a longer page is drawn smaller, for it would fill the memory
_COLOURS = 128  # of print: the shades of black letters' edges, and some colours for headings and charts


def page_sizes(data: bytes) -> tuple[tuple[float, float], ...]:
    """Width and height of every page as it is shown, in points; none where PDFium cannot open the file."""
    with PDFIUM:
        document = open_document(data, name="The PDF")
        if document is None:
            return ()
        try:
            return tuple(document.get_page_size(index) for index in range(len(document)))
        finally:
            document.close()


def page_picture(data: bytes, page: int, *, width: int) -> bytes:
    """A page, counted from 1, as a picture `width` pixels wide: PNG, or JPEG where photographs make that smaller.

    Raises `DamagedFile` if PDFium cannot draw the page.
    """
    picture = _drawn(data, page, width)
    png, jpeg = io.BytesIO(), io.BytesIO()
    picture.quantize(_COLOURS, method=Image.Quantize.FASTOCTREE).save(png, "PNG", compress_level=3)
    picture.save(jpeg, "JPEG", quality=88, subsampling=0)
    return min(png.getvalue(), jpeg.getvalue(), key=len)


def _drawn(data: bytes, number: int, width: int) -> Image.Image:
    with PDFIUM:
        document = open_document(data, name="The PDF")
        if document is None:
            raise _cannot_be_drawn(number)
        try:
            page = document[number - 1]
            across, down = page.get_size()
            scale = min(width / across, _TALLEST * width / down)
            picture: Image.Image = page.render(scale=scale, rev_byteorder=True).to_pil().convert("RGB")
            return picture
        except pypdfium2.PdfiumError as error:
            raise _cannot_be_drawn(number) from error
        finally:
            document.close()


def _cannot_be_drawn(number: int) -> DamagedFile:
    return DamagedFile(f"Page {number} is damaged and cannot be drawn. Read what it says in the text view.")
