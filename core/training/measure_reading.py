"""How long reading a PDF takes, beside bare text extraction by pypdfium2: `python -m core.training.measure_reading`.

Both are taken in turn in one process, and the medians of their processor time compared, so that what else the machine
does counts for neither.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pypdfium2

from core.paper import read_paper
from core.training import evidence_data as data


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=11)
    arguments.add_argument("files", nargs="*", type=Path, help="default: the PDFs of the data folder")
    options = arguments.parse_args()
    for file in options.files or sorted((data.data_folder() / "pdf").glob("*.pdf")):
        content = file.read_bytes()
        bare, read = _taken(options.runs, partial(_extract, content), partial(read_paper, content, name=file.name))
        print(f"{file.name:24} bare {bare * 1000:6.0f} ms  read {read * 1000:6.0f} ms  {read / bare:5.2f}", flush=True)


def _taken(runs: int, *tasks: Callable[[], object]) -> list[float]:
    """The median of the seconds that each task takes, after a first time that does not count."""
    seconds: list[list[float]] = [[] for _ in tasks]
    for _ in range(runs + 1):
        for task, taken in zip(tasks, seconds, strict=True):
            started = time.process_time()
            task()
            taken.append(time.process_time() - started)
    return [statistics.median(taken[1:]) for taken in seconds]


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
