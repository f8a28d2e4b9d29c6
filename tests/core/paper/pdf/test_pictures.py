"""Pages as pictures, and their sizes."""

from __future__ import annotations

import io

import pypdf
import pytest
from PIL import Image

from core.errors import DamagedFile
from core.paper.pdf.pictures import page_picture, page_sizes
from tests.core.paper.pdf.pages import column, pdf, prose

DATA = pdf(column(60, 700, prose("Sleep was short", 20)), column(60, 700, prose("More", 5)))


def test_a_page_as_a_picture_with_print_where_the_text_stands() -> None:
    picture = Image.open(io.BytesIO(page_picture(DATA, 1, width=1190))).convert("L")
    assert picture.size == (1190, 1684)
    assert min(picture.crop((0, 0, 1190, 200)).getextrema()) > 250
    darkest, lightest = picture.crop((110, 250, 600, 320)).getextrema()
    assert darkest < 60
    assert lightest > 250


def test_sizes_are_those_of_the_page_as_it_is_shown() -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(DATA))
    writer.pages[1].rotate(90)
    out = io.BytesIO()
    writer.write(out)
    assert page_sizes(out.getvalue()) == ((595, 842), (842, 595))
    assert Image.open(io.BytesIO(page_picture(out.getvalue(), 2, width=421))).size[0] == 421


def test_a_very_long_page_is_drawn_smaller() -> None:
    writer = pypdf.PdfWriter()
    writer.add_blank_page(10, 14_000)
    out = io.BytesIO()
    writer.write(out)
    assert max(Image.open(io.BytesIO(page_picture(out.getvalue(), 1, width=1000))).size) <= 4001


def test_a_file_that_cannot_be_drawn_says_so() -> None:
    assert page_sizes(b"%PDF-1.7 nothing") == ()
    with pytest.raises(DamagedFile, match="Page 1 is damaged and cannot be drawn"):
        page_picture(b"%PDF-1.7 nothing", 1, width=100)
