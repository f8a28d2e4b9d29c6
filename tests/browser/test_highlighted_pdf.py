"""The PDF with its highlights, in the viewer that Chromium has."""

from __future__ import annotations

import io
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Error

from core.evidence.model import Decision, Evidence, EvidenceQuery, EvidenceSentence
from core.export.annotated_pdf import annotated_pdf
from core.export.review import Review
from core.paper import Kind, read_paper
from run import ROOT

ACCEPTED = (255, 209, 77)  # on white
NEAR = 6  # of 255
SECONDS = 60  # for the viewer to start


def coloured(picture: Image.Image) -> int:
    """How many pixels have the colour of accepted evidence."""
    colours = picture.convert("RGB").getcolors(picture.width * picture.height)
    return sum(
        count for count, colour in colours if max(abs(a - b) for a, b in zip(colour, ACCEPTED, strict=True)) <= NEAR
    )


def test_chromium_shows_the_highlights(chromium: Browser, tmp_path: Path) -> None:
    data = (ROOT / "sample_data" / "sleep-app.pdf").read_bytes()
    paper = read_paper(data, name="sleep-app.pdf")
    chosen = [s.index for s in paper.sentences if s.kind is Kind.ABSTRACT][:3]
    evidence = Evidence("offline", EvidenceQuery("The app helps."), tuple(EvidenceSentence(n, 1) for n in chosen), 0.1)
    review = Review(paper.id, evidence, dict.fromkeys(chosen, Decision.ACCEPTED))
    seen = {}
    for name, content in (("plain", data), ("marked", annotated_pdf(data, paper, review, date=datetime.now(UTC)))):
        file = tmp_path / f"{name}.pdf"
        file.write_bytes(content)
        window = chromium.new_page(viewport={"width": 1000, "height": 1000})
        try:
            window.goto(file.as_uri())
        except Error:
            pytest.skip("this browser saves PDFs instead of showing them: install Chromium or Chrome")
        last = time.monotonic() + SECONDS
        while True:  # the viewer is no page: it cannot be asked whether it is ready
            window.wait_for_timeout(500)
            picture = Image.open(io.BytesIO(window.screenshot()))
            if (drawn := _is_drawn(picture)) or time.monotonic() > last:
                break
        assert drawn, "Chromium did not show the PDF"
        seen[name] = coloured(picture)
        window.close()
    assert seen["plain"] == 0
    assert seen["marked"] > 2000


def _is_drawn(picture: Image.Image) -> bool:
    """Whether there is a page with print on it: much white, and some black."""
    histogram = picture.convert("L").histogram()
    return sum(histogram[250:]) > 0.2 * picture.width * picture.height and sum(histogram[:60]) > 1000
