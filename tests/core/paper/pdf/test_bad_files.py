"""Files that are empty, cut off, locked, scanned or damaged in places."""

from __future__ import annotations

import io
import time
from concurrent.futures import ThreadPoolExecutor

import pypdf
import pypdfium2
import pytest
from pypdf.generic import NameObject, NullObject, NumberObject

from core.errors import DamagedFile, LockedFile, NoText
from core.paper import read_paper
from core.paper.pdf.pdfium import PDFIUM_LOCK
from tests.core.paper.pdf.pages import Text, column, pdf, prose

PAGES = [
    [Text(60, 780, title, 14, "bold"), *column(60, 760, prose(f"Page {number} begins", 30, width=15))]
    for number, title in enumerate(("Introduction", "Methods", "Results", "Discussion"), 1)
]
PAPER = pdf(*PAGES)


def changed(change: object) -> bytes:
    """The paper after `change` was applied to a writer of it."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(PAPER))
    change(writer)  # type: ignore[operator]
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize("data", [PAPER[:300], b"%PDF-1.7\nnothing more", b"%PDF-"])
def test_a_file_that_is_cut_off_is_damaged(data: bytes) -> None:
    with pytest.raises(DamagedFile, match=r"“short.pdf” is a damaged PDF.*again"):
        read_paper(data, name="short.pdf")


def test_a_password_locks_a_file() -> None:
    data = changed(lambda writer: writer.encrypt("secret", algorithm="RC4-128"))
    with pytest.raises(LockedFile, match="password"):
        read_paper(data, name="locked.pdf")


def test_an_empty_password_opens() -> None:
    data = changed(lambda writer: writer.encrypt("", "owner", algorithm="RC4-128"))
    assert "Page 4 begins" in read_paper(data, name="open.pdf").text


@pytest.mark.parametrize("page", [[], [Text(300, 20, "1", 8)], [Text(60, 18, "Scanned by a machine", 6)]])
def test_a_scan_has_no_text_layer(page: list[Text]) -> None:
    with pytest.raises(NoText, match=r"scan.*OCR"):
        read_paper(pdf(page, page), name="scan.pdf")


def test_a_page_that_cannot_be_read_is_reported_and_the_rest_is_kept() -> None:
    def take_page_away(writer: pypdf.PdfWriter) -> None:
        writer.root_object["/Pages"]["/Kids"][1] = NullObject()

    paper = read_paper(changed(take_page_away), name="trial.pdf")
    assert [(w.kind, w.page) for w in paper.warnings] == [("page-unreadable", 2)]
    assert "Page 1 begins" in paper.text
    assert "Page 2 begins" not in paper.text
    assert next(s for s in paper.sentences if s.text.startswith("Page 4 begins")).page == 4


def test_a_file_without_a_page_that_can_be_read_is_damaged_and_no_scan() -> None:
    def take_pages_away(writer: pypdf.PdfWriter) -> None:
        for index in range(len(PAGES)):
            writer.root_object["/Pages"]["/Kids"][index] = NullObject()

    with pytest.raises(DamagedFile, match=r"No page of “torn.pdf” could be read"):
        read_paper(changed(take_pages_away), name="torn.pdf")


def test_a_page_without_text_is_reported() -> None:
    def empty_page(writer: pypdf.PdfWriter) -> None:
        writer.pages[2][NameObject("/Contents")] = NumberObject(3)

    paper = read_paper(changed(empty_page), name="trial.pdf")
    assert [(w.kind, w.page) for w in paper.warnings] == [("page-without-text", 3)]


def test_the_second_reader_reads_what_the_first_cannot_open() -> None:
    paper = read_paper(PAPER.replace(b"/Root 1 0 R", b"/Rood 1 0 R"), name="trial.pdf")
    assert paper.warnings[0].kind == "second-reader"
    assert "Page 4 begins" in paper.text
    assert paper.sentences[-1].page == 4


def test_threads_read_the_same_as_one() -> None:
    alone = read_paper(PAPER, name="trial.pdf")
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda _: read_paper(PAPER, name="trial.pdf"), range(16)))
    assert all(paper == alone for paper in together)


@pytest.mark.slow
def test_three_hundred_pages() -> None:
    data = pdf(*[column(60, 780, prose(f"Page number {number}", 50, width=15)) for number in range(300)])
    paper = read_paper(data, name="long.pdf")
    assert paper.sentences[-1].page == 300


def test_several_broken_pages_are_reported_in_order() -> None:
    def take_pages_away(writer: pypdf.PdfWriter) -> None:
        for index in (2, 0):
            writer.root_object["/Pages"]["/Kids"][index] = NullObject()
        writer.pages[1][NameObject("/Contents")] = NumberObject(3)

    paper = read_paper(changed(take_pages_away), name="trial.pdf")
    assert [(w.kind, w.page) for w in paper.warnings if w.page] == [
        ("page-unreadable", 1),
        ("page-without-text", 2),
        ("page-unreadable", 3),
    ]
    assert "Page 4 begins" in paper.text


def test_the_second_reader_opens_a_file_once_and_outside_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    def lock_is_free() -> bool:
        free = PDFIUM_LOCK.acquire(blocking=False)
        if free:
            PDFIUM_LOCK.release()
        return free

    def open_pypdf(data: bytes, name: str) -> pypdf.PdfReader:
        with ThreadPoolExecutor(1) as pool:  # the thread that holds the lock could take it again; another cannot
            opened.append(pool.submit(lock_is_free).result())
        raise DamagedFile(name)

    def no_page(*_: object) -> None:
        raise pypdfium2.PdfiumError("broken")

    monkeypatch.setattr("core.paper.pdf.extract._open", open_pypdf)
    monkeypatch.setattr("core.paper.pdf.read.page_lines", no_page)
    with pytest.raises(DamagedFile, match="No page"):
        read_paper(PAPER, name="trial.pdf")
    assert opened == [True]


@pytest.mark.parametrize(
    ("limit", "value"),
    [
        ("MAX_CHARACTERS_OF_PAGE", 3000),
        ("MAX_LINES_OF_PAGE", 40),
        ("MAX_SIDE_OF_PAGE", 800.0),
    ],
)
def test_a_page_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch, limit: str, value: float) -> None:
    monkeypatch.setattr(f"core.paper.pdf.extract.{limit}", value)
    large = [*PAGES[1], *column(60, 380, prose("Large page", 31, width=15))]
    data = pdf(PAGES[0], large, PAGES[2])
    if limit == "MAX_SIDE_OF_PAGE":
        first, second, third = b"[0 0 595 790]", b"[0 0 595 842]", b"[0 0 595 790]"
        head, *tails = data.split(second)
        data = head + first + tails[0] + second + tails[1] + third + tails[2]
    paper = read_paper(data, name="trial.pdf")
    assert [(w.kind, w.page) for w in paper.warnings] == [("page-unreadable", 2)]
    assert "Page 3 begins" in paper.text
    assert "Large page" not in paper.text


@pytest.mark.parametrize(("limit", "value"), [("MAX_PAGES", 3), ("MAX_CHARACTERS", 5000)])
def test_a_file_too_large_is_refused(monkeypatch: pytest.MonkeyPatch, limit: str, value: int) -> None:
    monkeypatch.setattr(f"core.paper.pdf.read.{limit}", value)
    with pytest.raises(DamagedFile, match=r"“trial.pdf” is too large.*3,000 pages.*own pages"):
        read_paper(PAPER, name="trial.pdf")


def test_thousands_of_pieces_in_one_row_take_no_more_than_seconds() -> None:
    row = [Text(60 + 0.8 * index, 200, f"w{index}", 0.1, "sans") for index in range(16_000)]
    data = pdf([*PAGES[0], *row]).replace(b"595 842", b"14000 842")
    started = time.process_time()
    read_paper(data, name="trial.pdf")
    assert time.process_time() - started < 10
