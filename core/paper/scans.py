"""`read_scan`: a PDF whose pages are pictures, read after a machine has recognised its text."""

from __future__ import annotations

from dataclasses import replace

from core.paper.model import Paper, PaperWarning
from core.paper.pdf.ocr import recognise
from core.paper.reading import read_paper
from core.progress import Progress, silent


def read_scan(
    data: bytes, *, name: str, keep_set_aside: bool = False, progress: Progress = silent
) -> tuple[Paper, bytes]:
    """The paper, with a warning that names the recognised pages, and the PDF with the text layer that it now has.

    Raises `OcrFailed`, or what `read_paper` raises; and whatever `progress` raises, which stops the work.
    """
    recognised, pages = recognise(data, name=name, progress=progress)
    paper = read_paper(recognised, name=name, keep_set_aside=keep_set_aside)
    return replace(paper, warnings=(_warning(pages), *paper.warnings)), recognised


def _warning(pages: list[int]) -> PaperWarning:
    where = "page " + str(pages[0]) if len(pages) == 1 else f"pages {_ranges(pages)}"
    message = (
        f"The text of {where} was recognised by machine (OCR): letters, decimal points, minus signs and the order of "
        "lines may be wrong. Check what you quote against the page itself."
    )
    return PaperWarning("ocr", message, pages[0] if len(pages) == 1 else None)


def _ranges(numbers: list[int]) -> str:
    """Ascending numbers in words: "1 to 3, 7".

    >>> _ranges([1, 2, 3, 7])
    '1 to 3, 7'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
