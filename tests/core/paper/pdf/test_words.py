"""The words of a page, of which PDFium is asked for the places in one go."""

from __future__ import annotations

from itertools import pairwise

import pypdfium2

from core.paper.pdf.lock import PDFIUM
from core.paper.pdf.page_text import open_text
from core.paper.pdf.words import Words
from tests.core.paper.pdf.pages import column, pdf

NAPS = [f"nap {number} rest {number + 1} bed {number + 2}" for number in range(100)]


def test_each_word_is_where_pdfium_says_it_is() -> None:
    page = [piece for x in range(0, 1600, 100) for piece in column(x + 10, 780, NAPS, size=6)]
    with PDFIUM:
        document = pypdfium2.PdfDocument(pdf(page))
        with open_text(document[0]) as (_, characters):
            words = Words(characters)
            one_by_one = [characters.extent(*span, 0) for span in zip(words.firsts, words.stops, strict=True)]
            types = [characters.type(first) for first in words.firsts]
            known = words.types(range(len(words.texts)))
        document.close()
    assert len(words.texts) > 4096  # more than are asked about at once
    assert list(zip(words.x0, words.x1, strict=True)) == one_by_one
    assert words.gaps == [after[0] - before[1] for before, after in pairwise(one_by_one)]
    assert known == types
