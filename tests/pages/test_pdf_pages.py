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
from core.paper.pdf.sentence_boxes import sentence_boxes
from pages._ui.paper_view.pdf_pages import Asked, asked_from, page_boxes, picture_source
from tests.core.paper.pdf.pages import column, pdf, prose

DATA = (SAMPLE_DATA / "sleep-app.pdf").read_bytes()
QUESTION = {"number": 3, "paper": False, "boxes": [1], "pictures": [2, 1], "width": 640}


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


def test_a_page_has_the_boxes_of_every_sentence_that_stands_on_it() -> None:
    first, second = prose("Sleep was longer", 24), prose("Pain was less", 12)
    data = pdf(column(60, 700, first[:-1]), column(60, 700, second))  # one sentence runs over to the second page
    paper = read_paper(data, name="two.pdf")
    sent = dict(json.loads(json.dumps(page_boxes(data, paper, [1, 2]))))
    assert {row[0] for row in sent[1]} & {row[0] for row in sent[2]}
    every = sentence_boxes(data, paper, range(len(paper.sentences)))
    for page, rows in sent.items():
        there = [index for index, boxes in every.items() for box in boxes if box.page == page]
        assert sorted(row[0] for row in rows) == there
        for _, left, top, width, height in rows:
            assert 0 <= left <= left + width <= 1
            assert 0 <= top <= top + height <= 1
    assert json.loads(json.dumps(page_boxes(data, paper, [2]))) == [[2, sent[2]]]


def test_a_page_that_is_not_there_has_no_boxes() -> None:
    assert page_boxes(DATA, read_paper(DATA, name="sleep-app.pdf"), [9]) == [(9, [])]


def test_a_question_is_read() -> None:
    assert asked_from(json.loads(json.dumps(QUESTION))) == Asked(number=3, boxes=[1], pictures=[2, 1], width=640)


@pytest.mark.parametrize(
    "wrong",
    [
        {"number": "3"},
        {"number": None},
        {"width": 640.5},
        {"width": 0},
        {"width": 1_000_000},
        {"pictures": [0]},
        {"pictures": ["1"]},
        {"pictures": [True]},
        {"pictures": 1},
        {"pictures": [1] * 5},
        {"boxes": [0]},
        {"boxes": True},
        {"boxes": [1] * 21},
    ],
)
def test_what_is_no_question_is_not_answered(wrong: dict[str, object]) -> None:
    assert asked_from(QUESTION | wrong) is None
    assert asked_from(QUESTION) is not None


@pytest.mark.parametrize("sent", [None, 3, "ask", [1], {}])
def test_what_is_nothing_like_a_question_is_not_answered(sent: object) -> None:
    assert asked_from(sent) is None
