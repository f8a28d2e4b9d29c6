"""Highlights in the paper's own PDF: read back by another library than the one that wrote them, and drawn."""

from __future__ import annotations

import ctypes
import io
import re
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pypdf
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from pypdf.annotations import FreeText
from pypdf.generic import RectangleObject

from core.errors import DamagedFile, LockedFile
from core.evidence.model import Decision, Evidence, EvidenceQuery, EvidenceSentence, Stance
from core.export.annotated_pdf import annotated_pdf
from core.export.evidence import EvidenceReview
from core.paper import Paper, read_paper
from core.paper.pdf.page_view import Box, sentence_boxes
from core.paper.pdf.pdfium import PDFIUM_LOCK
from run import ROOT

DATE = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
SAMPLE = (ROOT / "sample_data" / "sleep-app.pdf").read_bytes()
HYPOTHESIS = "The app (v2) makes “sleep” longer than 7 h, P ≤ 0.05."
FINE = 1 << 20


def read(data: bytes) -> Paper:
    return read_paper(data, name="trial.pdf")


def review_of(paper: Paper, indices: list[int], decisions: dict[int, Decision] | None = None) -> EvidenceReview:
    chosen = tuple(EvidenceSentence(at, 0.9, Stance.SUPPORTS, "names the outcome") for at in indices)
    evidence = Evidence("offline", EvidenceQuery(HYPOTHESIS), chosen, seconds=0.1)
    return EvidenceReview(paper.id, evidence, decisions or {})


def every_few(paper: Paper) -> list[int]:
    return list(range(0, len(paper.sentences), 4))


def marked(data: bytes, paper: Paper, decisions: dict[int, Decision] | None = None) -> bytes:
    return annotated_pdf(data, paper, review_of(paper, every_few(paper), decisions), date=DATE)


def drawn_boxes(data: bytes) -> list[tuple[float, ...]]:
    """The quadrilaterals of all highlights as PDFium reads them: page, left, top, width and height as shown."""
    found = []
    with PDFIUM_LOCK:
        document = pypdfium2.PdfDocument(data)
        for number, page in enumerate(document, 1):
            for at in range(pdfium.FPDFPage_GetAnnotCount(page.raw)):
                annotation = pdfium.FPDFPage_GetAnnot(page.raw, at)
                if pdfium.FPDFAnnot_GetSubtype(annotation) == pdfium.FPDF_ANNOT_HIGHLIGHT:
                    for quad in range(pdfium.FPDFAnnot_CountAttachmentPoints(annotation)):
                        corners = pdfium.FS_QUADPOINTSF()
                        pdfium.FPDFAnnot_GetAttachmentPoints(annotation, quad, corners)
                        left, top = _shown(page, corners.x1, corners.y1)
                        right, bottom = _shown(page, corners.x4, corners.y4)
                        other_right, other_top = _shown(page, corners.x2, corners.y2)
                        assert (other_right, other_top) == (
                            pytest.approx(right, abs=1e-4),
                            pytest.approx(top, abs=1e-4),
                        )
                        found.append((number, left, top, right - left, bottom - top))
                pdfium.FPDFPage_CloseAnnot(annotation)
        document.close()
    return found


def _shown(page: pypdfium2.PdfPage, x: float, y: float) -> tuple[float, float]:
    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page.raw, 0, 0, FINE, FINE, 0, x, y, across, down)
    return across.value / FINE, down.value / FINE


def boxes_of(data: bytes, paper: Paper, indices: list[int]) -> list[Box]:
    return [box for several in sentence_boxes(data, paper, indices).values() for box in several]


def check(data: bytes, paper: Paper | None = None) -> bytes:
    """Mark a file, and compare what is read back with the boxes of its sentences."""
    paper = paper or read(data)
    out = marked(data, paper)
    boxes = sorted(boxes_of(data, paper, every_few(paper)), key=lambda box: box.page)
    expected = [(box.page, box.left, box.top, box.width, box.height) for box in boxes]
    assert len(expected) > len(every_few(paper)) / 2
    for found, box in zip(drawn_boxes(out), expected, strict=True):
        assert found == pytest.approx(box, abs=1e-4)
    return out


@pytest.mark.parametrize(
    "name", ["38914124pmid", "PMC12113407", "PMC4655321", "PMC7068068", "PMC7594536", "PMC9669535"]
)
def test_highlights_stand_on_the_boxes_of_real_papers_and_nothing_else_changes(
    shared_data: Path, read_once: Callable[[Path], Paper], name: str
) -> None:
    file = shared_data / "pdf" / f"{name}.pdf"
    data = file.read_bytes()
    out = check(data, read_once(file))
    assert out.startswith(data)
    before, after = pypdf.PdfReader(io.BytesIO(data)), pypdf.PdfReader(io.BytesIO(out), strict=True)
    assert after.metadata == before.metadata
    for old, new in zip(before.pages, after.pages, strict=True):
        kept = [item for item in new.annotations or () if item.get_object().get("/T") != "Vouch"]
        assert [item.idnum for item in kept] == [item.idnum for item in old.annotations or ()]
        assert {key: new.get(key) for key in new if key != "/Annots"}.keys() == old.keys() - {"/Annots"}


def changed(turn: int = 0, *, crop: bool = False, streams: bool = False) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(SAMPLE))
    for page in writer.pages:
        page.rotate(turn)
        if crop:
            page.cropbox = RectangleObject((30, 20, 580, 830))
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.repetition
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [False, True])
def test_turned_and_cropped_pages(turn: int, crop: bool) -> None:
    check(changed(turn, crop=crop))


def test_the_note_says_question_engine_reason_and_decision() -> None:
    paper = read(SAMPLE)
    first, second, third, other = [s.index for s in paper.sentences if s.kind == "body"][:4]
    decisions = {first: Decision.ACCEPTED, second: Decision.REJECTED, other: Decision.ADDED}
    out = annotated_pdf(SAMPLE, paper, review_of(paper, [first, second, third], decisions), date=DATE)
    notes: dict[str, list[pypdf.generic.DictionaryObject]] = defaultdict(list)
    for page in pypdf.PdfReader(io.BytesIO(out)).pages:
        for item in page.annotations or ():
            notes[item.get_object()["/Subj"]].append(item.get_object())
    assert notes.keys() == {"Accepted evidence", "Suggested evidence", "Added evidence"}
    accepted, added = notes["Accepted evidence"][0], notes["Added evidence"][0]
    assert accepted["/Contents"].split("\n") == [
        f"Evidence for: {HYPOTHESIS}",
        "Decision: accepted by the reviewer",
        "Engine: offline, rank 1, score 0.90",
        "Stance: supports",
        "Reason: names the outcome",
    ]
    assert added["/Contents"].split("\n")[1:] == ["Decision: added by the reviewer; the engine did not choose it"]
    assert "has not decided" in notes["Suggested evidence"][0]["/Contents"]
    assert (accepted["/T"], accepted["/F"], accepted["/M"]) == ("Vouch", 4, "D:20261120093000Z")
    assert accepted["/C"] != notes["Suggested evidence"][0]["/C"]


def test_colour_is_drawn_under_the_words() -> None:
    paper = read(SAMPLE)
    index = next(s.index for s in paper.sentences if s.kind == "body")
    out = annotated_pdf(SAMPLE, paper, review_of(paper, [index], {index: Decision.ACCEPTED}), date=DATE)
    box = boxes_of(SAMPLE, paper, [index])[0]
    with PDFIUM_LOCK:
        pictures = [
            pypdfium2.PdfDocument(data)[box.page - 1].render(scale=3).to_pil().convert("RGB") for data in (SAMPLE, out)
        ]
    width, height = pictures[0].size
    area = (box.left * width, box.top * height, (box.left + box.width) * width, (box.top + box.height) * height)
    plain, colour = (picture.crop(tuple(map(round, area))) for picture in pictures)
    assert plain.getpixel((1, 1)) == (255, 255, 255)
    red, green, blue = colour.getpixel((1, 1))
    assert (red, green, blue) == pytest.approx((255, 209, 77), abs=3)
    assert colour.convert("L").getextrema()[0] < 60


def test_existing_annotations_stay_in_a_file_written_again() -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(SAMPLE))
    writer.add_annotation(0, FreeText(text="mine", rect=(50, 50, 200, 100)))
    writer.encrypt("", "owner", algorithm="RC4-128")
    buffer = io.BytesIO()
    writer.write(buffer)
    out = check(buffer.getvalue())
    reader = pypdf.PdfReader(io.BytesIO(out))
    assert not reader.is_encrypted
    assert "mine" in [item.get_object()["/Contents"] for item in reader.pages[0].annotations or ()]


def test_a_file_whose_table_is_broken_is_written_anew() -> None:
    broken = re.sub(rb"startxref\s+\d+", b"startxref\n7", SAMPLE)
    out = check(broken)
    assert not out.startswith(broken)


def test_twice_in_a_row() -> None:
    once = check(SAMPLE)
    paper = read(once)
    twice = annotated_pdf(once, paper, review_of(paper, [3]), date=DATE)
    assert twice.startswith(once)
    assert len(drawn_boxes(twice)) == len(drawn_boxes(once)) + len(boxes_of(once, paper, [3]))


def test_nothing_to_mark_leaves_the_file_as_it_is() -> None:
    paper = read(SAMPLE)
    assert annotated_pdf(SAMPLE, paper, review_of(paper, []), date=DATE) == SAMPLE
    assert marked(SAMPLE, paper, dict.fromkeys(every_few(paper), Decision.REJECTED)) == SAMPLE


def test_files_that_cannot_be_marked_say_so() -> None:
    paper = read(SAMPLE)
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(SAMPLE))
    writer.encrypt("secret", algorithm="RC4-128")
    locked = io.BytesIO()
    writer.write(locked)
    with pytest.raises(LockedFile, match="password"):
        marked(locked.getvalue(), paper)
    with pytest.raises(DamagedFile, match=r"“trial.pdf” is so damaged .* as CSV or JSON"):
        marked(b"%PDF-1.7 nothing more", paper)
