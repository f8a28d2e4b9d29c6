"""The letters of notes that stand raised against a name ("Rossi" with an a), which look like part of it in plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pypdfium2

from core.paper.pdf.characters import Characters
from core.paper.pdf.lines import Line
from core.paper.pdf.lock import PDFIUM
from core.paper.pdf.opening import open_document
from core.paper.pdf.page_text import open_text

_AFFILIATION = re.compile(r"[a-h](?:\s|(?=[A-Z]))\s?[A-Z][a-zé]+\b.*[,\s]")
_NOT_PRINTED = re.compile(r"[\s\[\]^\ufffe\x02\xad]")  # what a line's text has more, or less, than the page


def may_have_letters(block: Sequence[Line], page: Sequence[Line]) -> bool:
    """Whether affiliations below the names begin with letters, so that the names may end in them."""
    lowest = min(line.y for line in block)
    return any(line.y < lowest and line.size < 1.05 * block[0].size and _AFFILIATION.match(line.text) for line in page)


def texts_with_marks(data: bytes, name: str, block: Sequence[Line]) -> list[str]:
    """The texts of lines of one page with an asterisk for each raised character; [] where PDFium cannot say."""
    with PDFIUM:
        document = open_document(data, name=name)
        if document is None:
            return []
        try:
            page = document[block[0].page - 1]
            with open_text(page) as (_, characters):
                texts = [_marked(characters, line) for line in block]
            page.close()
        except pypdfium2.PdfiumError:  # a page that the second reader read
            return []
        finally:
            document.close()
    return texts


def _marked(characters: Characters, line: Line) -> str:
    """The text of a line anew: as many letters and signs as it has, whatever line breaks PDFium sees among them."""
    pieces: list[str] = []
    left = len(_NOT_PRINTED.sub("", line.text))
    for index, character in enumerate(characters.text[line.at :], line.at):
        if not left:
            break
        if character.isspace():
            pieces.append(" ")
        elif not _NOT_PRINTED.match(character):
            pieces.append("*" if _is_raised(characters, index, line) else character)
            left -= 1
    return "".join(pieces)


def _is_raised(characters: Characters, index: int, line: Line) -> bool:
    height = characters.baseline(index, line.angle) - line.y
    return characters.size(index) < 0.85 * line.size and height > 0.15 * line.size
