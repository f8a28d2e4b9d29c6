"""Text recognition (OCR) for PDFs whose pages are pictures, by ocrmypdf and tesseract where they are installed.

They run in their own process, on a copy of the file in a folder that is removed afterwards. There is no shell, and
space and time are limited, because the file may be hostile.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.errors import OcrFailed
from core.paper.pdf.pdfium import PDFIUM_LOCK, damaged, open_document
from core.progress import Progress, silent

PROGRAMS = ("ocrmypdf", "tesseract")
PAGES = 300  # more is no paper
HOW_TO_INSTALL = (
    "Text recognition (OCR) needs the programs ocrmypdf and tesseract: install them with “apt install ocrmypdf” (Debian, "
    "Ubuntu) or “brew install ocrmypdf” (macOS), and start Vouch again."
)
_FILE_BYTES = 2_000_000_000  # the largest file that may be written
_EVERY = 0.2  # seconds between two reports of progress
_PAGE_DONE = re.compile(r"^\s*(\d+)\s+(?:Grafting|skipping all processing)")
_LOG_LINES = 20


@dataclass(frozen=True, slots=True)
class OcrLimits:
    """How much text recognition may take."""

    start_s: float = 60  # seconds for any document, and as many again for each page
    page_s: float = 60
    megapixels: float = 100  # of one picture: an A4 page at 600 dots an inch has 35

    def seconds(self, pages: int) -> float:
        """The longest that a document of so many pages may take."""
        return self.start_s + self.page_s * pages


OCR_LIMITS = OcrLimits()


def ocr_is_available() -> bool:
    """Whether the programs for text recognition are installed."""
    return all(shutil.which(program) for program in PROGRAMS)


def recognise(
    data: bytes, *, name: str, progress: Progress = silent, limits: OcrLimits = OCR_LIMITS
) -> tuple[bytes, list[int]]:
    """The PDF with a text layer on the pages that had none, and the numbers of those pages.

    Raises `OcrFailed` if the programs are missing, fail or take too long, and whatever `progress` raises, which
    stops them.
    """
    if not ocr_is_available():
        raise OcrFailed(HOW_TO_INSTALL)
    pages, stamped = _pages_without_text(data, name)
    if len(pages) > PAGES:
        raise OcrFailed(
            f"“{name}” has {len(pages):,} pages without text; text recognition takes up to {PAGES}. "
            "Save the paper's own pages as a PDF and upload that."
        )
    # A page with a stamp ("Downloaded from ...") has some text, and would be skipped.
    mode = "--redo-ocr" if stamped else "--skip-text"
    with tempfile.TemporaryDirectory(prefix="vouch-ocr-", ignore_cleanup_errors=True) as folder:
        source, target = Path(folder, "in.pdf"), Path(folder, "out.pdf")
        source.write_bytes(data)
        command = [
            *(shutil.which(PROGRAMS[0]) or PROGRAMS[0], mode, "--jobs", "2", "--output-type", "pdf", "--optimize", "0"),
            *(
                "--tesseract-timeout",
                str(limits.page_s),
                "--max-image-mpixels",
                str(limits.megapixels),
                "--verbose",
                "1",
            ),
            *("--", str(source), str(target)),
        ]
        with _running(command, folder) as process:
            log = _follow(process, len(pages), name, progress, limits.seconds(len(pages)))
        if process.returncode or not target.is_file():
            reason = next((line.strip() for line in reversed(log) if line.strip()), "no message")
            raise OcrFailed(f"The text of “{name}” could not be recognised; ocrmypdf says: {reason[:200]}")
        return target.read_bytes(), pages


def _pages_without_text(data: bytes, name: str) -> tuple[list[int], bool]:
    """The pages with almost no text, and whether some of them have a little."""
    with PDFIUM_LOCK:
        document = open_document(data, name=name)
        if document is None:
            raise damaged(name)
        try:
            counts = []
            for page in document:
                textpage = page.get_textpage()
                counts.append(textpage.count_chars())
                textpage.close()
                page.close()
        finally:
            document.close()
    light = sum(counts) < 25 * len(counts)
    pages = [number for number, count in enumerate(counts, 1) if count == 0 or light]
    return pages, light and any(counts)


@contextmanager
def _running(command: list[str], folder: str) -> Iterator[subprocess.Popen[str]]:
    """Run the program for a `with` block. Afterwards it is ended in any case, with everything that it started."""
    environment = {
        **{key: os.environ[key] for key in ("PATH", "HOME", "SYSTEMROOT", "TESSDATA_PREFIX") if key in os.environ},
        "LANG": "C.UTF-8",
        "OMP_THREAD_LIMIT": "1",
        "TMPDIR": folder,
        "TEMP": folder,
    }
    process = subprocess.Popen(  # noqa: S603  # no shell, and no argument comes from the file
        command,
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    if sys.platform == "linux":
        import resource  # not on Windows  # noqa: PLC0415

        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (_FILE_BYTES, _FILE_BYTES))
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _follow(process: subprocess.Popen[str], pages: int, name: str, progress: Progress, seconds: float) -> list[str]:
    """Report the program's progress until it ends; returns the last lines it printed."""
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=_collect, args=(process, lines), daemon=True).start()
    deadline = time.monotonic() + seconds
    log: list[str] = []
    done: set[str] = set()
    while True:
        try:
            line = lines.get(timeout=_EVERY)
        except queue.Empty:
            line = ""
        if line is None:
            process.wait()
            return log
        if line:
            log = [*log, line][-_LOG_LINES:]
            if finished := _PAGE_DONE.match(line):
                done.add(finished[1])
        count = min(len(done), pages)
        progress(0.98 * count / max(pages, 1), f"Recognising text: {count} of {pages} page{'s' * (pages != 1)}")
        if time.monotonic() > deadline:
            raise OcrFailed(
                f"The text of “{name}” was not recognised within {seconds / 60:.0f} minutes. "
                "Run ocrmypdf on it yourself, then upload the result."
            )


def _collect(process: subprocess.Popen[str], lines: queue.SimpleQueue[str | None]) -> None:
    if process.stderr is not None:
        for line in process.stderr:
            lines.put(line)
    lines.put(None)
