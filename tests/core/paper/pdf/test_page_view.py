"""Pages as pictures, and boxes that cover the words of their sentence and nothing else's."""

from __future__ import annotations

import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pypdf
import pytest
from PIL import Image
from pypdf.generic import RectangleObject

from core.errors import DamagedFile
from core.paper import Kind, Paper, read_paper
from core.paper.pdf.page_view import Box, characters_of, page_picture, page_sizes, sentence_boxes
from tests.core.paper.pdf.pages import Text, column, pdf, prose
from tests.core.paper.pdf.under_boxes import Pages, shares

# ---- Pages as pictures, and their sizes ----

DATA = pdf(column(60, 700, prose("Sleep was short", 20)), column(60, 700, prose("More", 5)))


def test_a_page_as_a_picture_with_print_where_the_text_stands() -> None:
    picture = Image.open(io.BytesIO(page_picture(DATA, 1, width=1190))).convert("L")
    assert picture.size == (1190, 1684)
    assert min(picture.crop((0, 0, 1190, 200)).getextrema()) > 250
    darkest, lightest = picture.crop((110, 250, 600, 320)).getextrema()
    assert darkest < 60
    assert lightest > 250


def test_sizes_are_those_of_the_page_as_it_is_shown() -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(DATA))
    writer.pages[1].rotate(90)
    out = io.BytesIO()
    writer.write(out)
    assert page_sizes(out.getvalue()) == ((595, 842), (842, 595))
    assert Image.open(io.BytesIO(page_picture(out.getvalue(), 2, width=421))).size[0] == 421


def test_a_very_long_page_is_drawn_smaller() -> None:
    writer = pypdf.PdfWriter()
    writer.add_blank_page(10, 14_000)
    out = io.BytesIO()
    writer.write(out)
    assert max(Image.open(io.BytesIO(page_picture(out.getvalue(), 1, width=1000))).size) <= 4001


def test_a_file_that_cannot_be_drawn_says_so() -> None:
    assert page_sizes(b"%PDF-1.7 nothing") == ()
    with pytest.raises(DamagedFile, match="Page 1 is damaged and cannot be drawn"):
        page_picture(b"%PDF-1.7 nothing", 1, width=100)


# ---- Boxes cover the words of their sentence and nothing else's, by what stands on the page under them ----

ENOUGH = 0.97
# A page of these was placed as a picture and cut to size: its text lies, unseen, across the real text.
CLIPPED = {"PMC12113407"}
REAL = ["38914124pmid", "PMC12113407", "PMC4655321", "PMC7068068", "PMC7594536", "PMC7864599", "PMC9669535"]

PAGE = [
    Text(60, 790, "A randomised trial of sleep training for nurses", 20, "bold"),
    Text(60, 766, "who work at night", 20, "bold"),
    Text(60, 740, "1. Introduction", 12, "bold"),
    *column(60, 720, prose("Nurses at night", 20)),
    *column(330, 720, prose("Sleep of others", 20)),
    Text(60, 440, "Design. ", 10, "bold"),
    *column(100, 440, ["This was a trial, and nothing else was planned. One line holds two sentences, or"]),
    *column(60, 428, prose("more than two of them. Slept well", 5, width=16)),
    Text(60, 330, "Table 1. Hours of sleep", 9, "bold"),
    *[
        Text(x, 310 - 12 * row, cell, 9)
        for row, cells in enumerate((("Group", "Before", "After"), ("Trained", "5.1", "6.2"), ("Control", "5.0", "5.1")))
        for x, cell in zip((60, 200, 300), cells, strict=True)
    ],
]  # fmt: skip


def check(data: bytes, paper: Paper, *, clipped: bool = True) -> None:
    boxes = sentence_boxes(data, paper, range(len(paper.sentences)))
    pages = Pages(data, clipped=clipped)
    wrong = []
    for sentence in paper.sentences:
        printed = pages.under(boxes[sentence.index])
        if min(shares(sentence.text, printed)) < ENOUGH:
            wrong.append((sentence.index, sentence.kind.value, sentence.page, printed))
    assert not wrong


@pytest.mark.parametrize("name", REAL)
def test_boxes_cover_every_sentence_of_real_papers_and_nothing_else(
    shared_data: Path, read_once: Callable[[Path], Paper], name: str
) -> None:
    file = shared_data / "pdf" / f"{name}.pdf"
    check(file.read_bytes(), read_once(file), clipped=name not in CLIPPED)


def changed(data: bytes, *, turn: int = 0, crop: tuple[float, float, float, float] | None = None) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    for page in writer.pages:
        page.rotate(turn)
        if crop:
            page.cropbox = RectangleObject(crop)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.repetition
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (40.0, 250.0, 590.0, 810.0)])
def test_turned_and_cropped_pages(turn: int, crop: tuple[float, float, float, float] | None) -> None:
    data = changed(pdf(PAGE), turn=turn, crop=crop)
    paper = read_paper(data, name="trial.pdf")
    assert [s.kind for s in paper.sentences] == [s.kind for s in read_paper(pdf(PAGE), name="trial.pdf").sentences]
    check(data, paper)


def test_a_table_set_sideways_has_boxes_where_it_stands() -> None:
    upright = pdf(PAGE, [*column(60, 700, prose("Sleep comes first", 12, width=12))])
    reader = pypdf.PdfReader(io.BytesIO(upright))
    writer = pypdf.PdfWriter(clone_from=reader)
    page = writer.pages[1]
    page.add_transformation((0, 1, -1, 0, 842, 0))
    out = io.BytesIO()
    writer.write(out)
    paper = read_paper(out.getvalue(), name="trial.pdf")
    assert "Sleep comes first" in paper.text
    check(out.getvalue(), paper)
    sideways = [s.index for s in paper.sentences if s.page == 2]
    boxes = sentence_boxes(out.getvalue(), paper, sideways)
    assert all(box.height > 3 * box.width for several in boxes.values() for box in several)


def test_one_box_for_each_line_and_part_of_a_line() -> None:
    data = pdf(PAGE)
    paper = read_paper(data, name="trial.pdf")
    check(data, paper)
    by_text = {sentence.text: sentence.index for sentence in paper.sentences}
    heading, first = by_text["Design."], by_text["This was a trial, and nothing else was planned."]
    row = next(s.index for s in paper.sentences if s.kind is Kind.TABLE and s.text.startswith("Trained"))
    boxes = sentence_boxes(data, paper, [heading, first, row, row])
    assert [len(boxes[index]) for index in (heading, first, row)] == [1, 1, 3]
    left, right = boxes[heading][0], boxes[first][0]
    assert left.page == right.page == 1
    assert left.left == pytest.approx(60 / 595, abs=0.002)
    assert left.left + left.width <= right.left
    assert (right.top + right.height / 2) * 842 == pytest.approx(842 - 443, abs=2)


@pytest.mark.slow
def test_eight_threads_that_read_draw_and_box_at_once_get_what_one_gets() -> None:
    data = pdf(PAGE, PAGE)
    paper = read_paper(data, name="trial.pdf")
    everything = range(len(paper.sentences))
    tasks: list[Callable[[], object]] = [
        lambda: read_paper(data, name="trial.pdf"),
        lambda: sentence_boxes(data, paper, everything),
        lambda: page_picture(data, 2, width=300),
    ]
    alone = [task() for task in tasks]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda task: task(), tasks * 16)) == alone * 16


def test_what_is_hidden_at_the_end_of_a_line_is_in_no_box() -> None:
    shown = [Text(60, 700, "Sleep was short that year, and nobody knew the reason"), *column(60, 688, prose("Nor", 9))]
    seen = pdf([*shown, Text(330, 700, "(and more)")])
    hidden = seen.replace(b"BT /regular 10 Tf 1 0 0 1 330", b"1 1 1 rg BT /regular 10 Tf 1 0 0 1 330")
    assert hidden != seen
    paper = read_paper(hidden, name="trial.pdf")
    assert "more" in read_paper(seen, name="trial.pdf").text
    assert "more" not in paper.text
    first = sentence_boxes(hidden, paper, [0])[0][0]
    assert first.left + first.width < 320 / 595


def test_text_without_places_has_no_boxes() -> None:
    plain = read_paper(b"Sleep was short. It was bad.", name="notes.txt")
    assert sentence_boxes(b"", plain, [0, 1]) == {0: (), 1: ()}
    assert sentence_boxes(pdf(PAGE), read_paper(pdf(PAGE), name="trial.pdf"), []) == {}


@pytest.mark.parametrize(
    ("printed", "text", "part", "skipped", "expected"),
    [
        ("slept.3 Then (5%) woke", "slept.[3] Then (5%) woke", "slept.[3]", 0, "slept.3"),
        ("slept.3 Then (5%) woke", "slept.[3] Then (5%) woke", "(5%) woke", 0, "(5%) woke"),
        ("defi ned a ﬁnal P Ͻ 0.05; so", "defined a final P < 0.05; so", "a final P < 0.05;", 0, "a ﬁnal P Ͻ 0.05;"),
        ("1. Sleep 1. Sleep", "Sleep 1. Sleep", "Sleep", 1, "Sleep"),
        ("± 3", "± 3", "± 3", 0, "± 3"),
        ("—", "—", "—", 0, "—"),
        ("a — b", "a — b", "—", 0, ""),
    ],
)
def test_letters_are_matched(printed: str, text: str, part: str, skipped: int, expected: str) -> None:
    start = text.index(part)
    found = characters_of(printed, text, start, start + len(part), skipped=skipped)
    assert "".join(printed[at] for at in found) == expected


def test_a_box_is_in_fractions_of_the_page() -> None:
    data = pdf([Text(100, 400, "Sleep was short that year, and nobody knew why.", 10)])
    paper = read_paper(data, name="note.pdf")
    (box,) = sentence_boxes(data, paper, [0])[0]
    assert (box.page, box.left) == (1, pytest.approx(100 / 595, abs=0.001))
    assert box.top == pytest.approx((842 - 407.6) / 842, abs=0.001)
    assert box.height == pytest.approx(10 / 842, abs=0.001)
    assert isinstance(box, Box)
