"""What the browser gets of a PDF's pages, and what is believed of what it asks for."""

from __future__ import annotations

import io
import json
from base64 import b64decode

import pytest
from PIL import Image

from core.benchmarks.samples import SAMPLE_DATA
from core.paper import read_paper
from core.paper.pdf.pictures import page_sizes
from pages._ui.paper_view.pdf_pages import Asked, asked_from, box_rows, picture_source

DATA = (SAMPLE_DATA / "sleep-app.pdf").read_bytes()
QUESTION = {"number": 3, "paper": False, "boxes": True, "width": 640, "pages": [2, 1]}


def test_a_picture_has_the_width_asked_for_and_the_proportions_of_its_page() -> None:
    source = picture_source(DATA, 2, width=640)
    assert source is not None
    head, _, body = source.partition(",")
    picture = Image.open(io.BytesIO(b64decode(body)))
    assert head == f"data:image/{(picture.format or '').lower()};base64"
    across, down = page_sizes(DATA)[1]
    assert picture.width == 640
    assert picture.height == pytest.approx(640 * down / across, abs=1)


def test_a_page_that_cannot_be_drawn_has_no_picture() -> None:
    assert picture_source(DATA, 9, width=640) is None


def test_boxes_name_their_sentence_and_lie_on_its_page() -> None:
    paper = read_paper(DATA, name="sleep-app.pdf")
    rows = json.loads(json.dumps(box_rows(DATA, paper)))
    assert {row[0] for row in rows} == {sentence.index for sentence in paper.sentences}
    for index, page, left, top, width, height in rows:
        assert page in (paper.sentences[index].page, (paper.sentences[index].page or 0) + 1)
        assert 0 <= left <= left + width <= 1
        assert 0 <= top <= top + height <= 1


def test_a_question_is_read() -> None:
    assert asked_from(json.loads(json.dumps(QUESTION))) == Asked(number=3, boxes=True, width=640, pages=[2, 1])


@pytest.mark.parametrize(
    "wrong",
    [
        {"number": "3"},
        {"number": None},
        {"width": 640.5},
        {"width": 0},
        {"width": 1_000_000},
        {"pages": [0]},
        {"pages": ["1"]},
        {"pages": [True]},
        {"pages": 1},
        {"pages": [1] * 5},
    ],
)
def test_what_is_no_question_is_not_answered(wrong: dict[str, object]) -> None:
    assert asked_from(QUESTION | wrong) is None
    assert asked_from(QUESTION) is not None


@pytest.mark.parametrize("sent", [None, 3, "ask", [1], {}])
def test_what_is_nothing_like_a_question_is_not_answered(sent: object) -> None:
    assert asked_from(sent) is None
