"""Text recognition for scans: the real programs where they are installed, and what is said where they are not."""

from __future__ import annotations

import io
import tempfile
import time
from pathlib import Path

import pypdf
import pypdfium2
import pytest

from core.__main__ import main
from core.errors import NoTextLayer, OcrFailed
from core.paper import read_paper
from core.paper.pdf import ocr
from core.paper.pdf.pdfium import PDFIUM_LOCK
from core.paper.read import read_scan
from tests.core.paper.pdf.pages import Text, column, pdf, prose

pytestmark = pytest.mark.slow

PAGES = [
    [Text(60, 780, title, 16, "bold"), *column(60, 750, prose(f"{title} tell", 20))] for title in ("Methods", "Results")
]
needs_ocr = pytest.mark.skipif(not ocr.ocr_is_available(), reason="ocrmypdf or tesseract is not installed")


def pictures_of(data: bytes) -> bytes:
    """A scan: the pages of a PDF as pictures."""
    with PDFIUM_LOCK:
        document = pypdfium2.PdfDocument(data)
        pages = [page.render(scale=2).to_pil().convert("L") for page in document]
        document.close()
    out = io.BytesIO()
    pages[0].save(out, format="PDF", save_all=True, append_images=pages[1:], resolution=144)
    return out.getvalue()


@pytest.fixture(scope="module")
def scan() -> bytes:
    return pictures_of(pdf(*PAGES))


@pytest.fixture(scope="module")
def scanned_page(scan: bytes) -> bytes:
    """Its first page, for tests to which the number of pages does not matter: each takes seconds."""
    writer = pypdf.PdfWriter()
    writer.append(io.BytesIO(scan), pages=(0, 1))
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@needs_ocr
def test_a_scan_is_read_with_a_warning(scan: bytes) -> None:
    with pytest.raises(NoTextLayer, match=r"no text layer.*recognised \(OCR\)\.$"):
        read_paper(scan, name="scan.pdf")
    steps: list[tuple[float, str]] = []
    before = set(Path(tempfile.gettempdir()).glob("vouch-ocr-*"))
    paper, recognised = read_scan(scan, name="scan.pdf", progress=lambda done, step: steps.append((done, step)))
    assert [section.title for section in paper.sections] == ["Methods", "Results"]
    assert "nurses of before after left" in paper.text
    assert paper.name == "scan.pdf"
    assert (paper.warnings[0].kind, paper.set_aside) == ("ocr", ())
    assert "pages 1 to 2" in paper.warnings[0].message
    assert [s.page for s in paper.sentences if s.kind == "heading"] == [1, 2]
    assert read_paper(recognised, name="scan.pdf").text == paper.text
    assert steps[0] == (0, "Recognising text: 0 of 2 pages")
    assert "Recognising text: 2 of 2 pages" in [step for _, step in steps]
    assert set(Path(tempfile.gettempdir()).glob("vouch-ocr-*")) == before


@needs_ocr
def test_a_paper_with_one_scanned_page_keeps_the_text_of_the_others(scan: bytes) -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(PAGES[0])))
    writer.append(io.BytesIO(scan), pages=(1, 2))
    out = io.BytesIO()
    writer.write(out)
    without = read_paper(out.getvalue(), name="trial.pdf")
    assert [(w.kind, w.page) for w in without.warnings if w.kind == "page-without-text"] == [("page-without-text", 2)]
    paper, _ = read_scan(out.getvalue(), name="trial.pdf")
    assert [(w.kind, w.page) for w in paper.warnings] == [("ocr", 2)]
    assert paper.sentences[1].text == without.sentences[1].text
    assert "Results" in [section.title for section in paper.sections]


@needs_ocr
def test_a_scan_with_a_stamp_is_recognised(scanned_page: bytes) -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(scanned_page))
    stamp = pypdf.PdfReader(io.BytesIO(pdf([Text(60, 20, "Copy 7", 8)]))).pages[0]
    for page in writer.pages:
        page.merge_page(stamp)
    out = io.BytesIO()
    writer.write(out)
    paper, _ = read_scan(out.getvalue(), name="scan.pdf")
    assert "nurses of before after left" in paper.text


@pytest.mark.alone
@needs_ocr
def test_it_can_be_stopped(scan: bytes) -> None:
    class Stop(Exception):
        pass

    def stop(done: float, step: str) -> None:
        raise Stop

    started = time.perf_counter()
    with pytest.raises(Stop):
        ocr.recognise(scan, name="scan.pdf", progress=stop)
    assert time.perf_counter() - started < 3


@needs_ocr
def test_it_stops_by_itself(scan: bytes) -> None:
    with pytest.raises(OcrFailed, match="not recognised within 0 minutes"):
        ocr.recognise(scan, name="scan.pdf", limits=ocr.OcrLimits(start_s=0, page_s=0))


@needs_ocr
def test_a_picture_too_large_is_refused_in_one_sentence(scan: bytes) -> None:
    with pytest.raises(
        OcrFailed, match=r"^The text of “scan.pdf” could not be recognised; ocrmypdf says: .+"
    ) as caught:
        ocr.recognise(scan, name="scan.pdf", limits=ocr.OcrLimits(megapixels=0.01))
    assert "\n" not in str(caught.value)


def test_too_many_pages_are_refused(monkeypatch: pytest.MonkeyPatch, scan: bytes) -> None:
    monkeypatch.setattr(ocr, "PAGES", 1)
    monkeypatch.setattr(ocr, "ocr_is_available", lambda: True)
    with pytest.raises(OcrFailed, match="2 pages without text; text recognition takes up to 1"):
        ocr.recognise(scan, name="scan.pdf")


def test_where_it_is_not_installed_the_message_says_how(scan: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert not ocr.ocr_is_available()
    with pytest.raises(NoTextLayer, match=r"no text layer.*apt install ocrmypdf"):
        read_paper(scan, name="scan.pdf")
    with pytest.raises(OcrFailed, match="apt install ocrmypdf"):
        read_scan(scan, name="scan.pdf")


@needs_ocr
def test_the_command_line(scanned_page: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "scan.pdf"
    file.write_bytes(scanned_page)
    assert main(["read", str(file)]) == 2
    assert "--ocr" in capsys.readouterr().err
    assert main(["read", str(file), "--ocr"]) == 0
    printed = capsys.readouterr()
    assert "Methods" in printed.out
    assert "recognised by machine" in printed.err
