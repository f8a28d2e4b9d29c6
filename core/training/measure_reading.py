"""How long reading a PDF takes, beside bare text extraction by pypdfium2: `python -m core.training.measure_reading`.

Both are taken in turn in one process, and the medians of their processor time compared, so that what else the machine
does counts for neither.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import pypdfium2

from core.paper import read_paper
from core.training import evidence_data as data


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=11)
    arguments.add_argument("files", nargs="*", type=Path, help="default: the PDFs of the data folder")
    options = arguments.parse_args()
    print(f"{'file':24} {'pages':>5} {'bare':>8} {'read':>8} {'times':>5}")
    total_bare = total_read = 0.0
    for file in options.files or sorted((data.data_folder() / "pdf").glob("*.pdf")):
        content = file.read_bytes()
        bare, read = seconds_taken(content, runs=options.runs)
        total_bare, total_read = total_bare + bare, total_read + read
        print(_row(file.name, str(len(pypdfium2.PdfDocument(content))), bare, read), flush=True)
    print(_row("all", "", total_bare, total_read))


def seconds_taken(content: bytes, *, runs: int) -> tuple[float, float]:
    """The median processor time of bare extraction, and of reading, after a first time that does not count."""
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs + 1):
        for task, taken in zip((_extract, _read), seconds, strict=True):
            started = time.process_time()
            task(content)
            taken.append(time.process_time() - started)
    bare, read = (statistics.median(taken[1:]) for taken in seconds)
    return bare, read


def _row(name: str, pages: str, bare: float, read: float) -> str:
    return f"{name:24} {pages:>5} {bare * 1000:5.0f} ms {read * 1000:5.0f} ms {read / bare:5.1f}"


def _read(content: bytes) -> None:
    read_paper(content, name="paper.pdf")


def _extract(content: bytes) -> None:
    document = pypdfium2.PdfDocument(content)
    for page in document:
        textpage = page.get_textpage()
        textpage.get_text_range()
        textpage.close()
        page.close()
    document.close()


if __name__ == "__main__":
    main()
