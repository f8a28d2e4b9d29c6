"""A part of a page as a picture is that part of the picture of the whole page."""

from __future__ import annotations

import numpy as np
import pypdfium2
import pytest

from core.paper.pdf.lock import PDFIUM
from core.paper.pdf.view import View
from tests.core.paper.pdf.pages import column, pdf, prose

BOX = (60.0, 640.0, 200.0, 660.0)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_view_shows_what_the_whole_page_shows_there(turn: int) -> None:
    with PDFIUM:
        page = pypdfium2.PdfDocument(pdf(column(60, 700, prose("Sleep was short", 20))))[0]
        page.set_rotation(turn)
        whole, view = View.around(page, [(0, 0, 595, 842)]), View.around(page, [BOX])
        everything, some = whole.picture(), view.picture()
    assert some.size < everything.size / 10
    printed = some[view.part(BOX)]
    assert printed.min() < 100
    assert np.array_equal(printed, everything[whole.part(BOX)])


def test_what_lies_beyond_the_page_has_no_picture() -> None:
    with PDFIUM:
        page = pypdfium2.PdfDocument(pdf(column(60, 700, prose("Sleep was short", 20))))[0]
        view = View.around(page, [(700, 900, 800, 950)])
        assert view.picture()[view.part((700, 900, 800, 950))].size == 0
