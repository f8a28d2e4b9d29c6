"""The pages of a PDF as a reviewer uses them, and the PDF with highlights."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from math import ceil
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from playwright.sync_api import Browser, Error, Locator, Page, expect
from pypdf import PdfReader, PdfWriter

from core.benchmarks.samples import SAMPLE_DATA
from core.evidence.model import Decision, Evidence, EvidenceQuery, EvidenceSentence
from core.export.annotated_pdf import annotated_pdf
from core.export.evidence import EvidenceReview
from core.paper import Kind, read_paper
from run import ROOT
from tests.browser.desk import PAPER, entries, find, open_paper, stands_in_view, text_file

# ---- the pages of a PDF as a reviewer uses them ----

SAMPLE = SAMPLE_DATA / "sleep-app.pdf"
HYPOTHESIS = "A smartphone app relieves insomnia lastingly in people who work shifts."
Place = tuple[float, float, float, float]  # left, top, right, bottom, in fractions of the page


def boxes(page: Page, index: str | None) -> Locator:
    return page.locator(f'.box[data-i="{index}"]')


def sheet(page: Page, number: int) -> Locator:
    return page.locator(f'.sheet[data-page="{number}"]')


def show_pages(page: Page) -> None:
    page.get_by_role("button", name="Pages", exact=True).click()
    expect(page.locator(".sheet img").first).to_be_visible(timeout=30_000)
    expect(page.locator(".box").first).to_be_attached(timeout=30_000)


def show_text(page: Page) -> None:
    page.get_by_role("button", name="Text", exact=True).click()
    expect(page.locator(".paper section").first).to_be_visible()


def open_pages(page: Page, file: Path = SAMPLE) -> None:
    open_paper(page, file)
    find(page, HYPOTHESIS)
    show_pages(page)


def drawn(box: Locator) -> tuple[int, Place]:
    """The page that a box is drawn on, and its place there."""
    number, *place = box.evaluate(
        """(box) => {
            const sheet = box.closest('.sheet'), page = sheet.getBoundingClientRect(), own = box.getBoundingClientRect();
            const across = (x) => (x - page.left) / page.width, down = (y) => (y - page.top) / page.height;
            return [Number(sheet.dataset.page), across(own.left), down(own.top), across(own.right), down(own.bottom)];
        }"""
    )
    return number, (place[0], place[1], place[2], place[3])


def printed(file: Path, number: int, words: str) -> list[Place]:
    """The place of these words in the PDF, by its text layer, from the first one to the end of its line."""
    page = pypdfium2.PdfDocument(file)[number - 1]
    across, down = page.get_size()
    textpage = page.get_textpage()
    search = textpage.search(words, match_case=True)
    places = []
    while found := search.get_next():
        textpage.count_rects(*found)  # in PDFium, this finds the rectangles that the next line reads
        left, bottom, right, top = textpage.get_rect(0)
        places.append((left / across, 1 - top / down, right / across, 1 - bottom / down))
    return places


def assert_boxed(page: Page, file: Path) -> None:
    """Check that each chosen sentence's first drawn box contains its first words as the PDF prints them."""
    checked = 0
    expect(page.locator('.box[data-group="chosen"] .badge').nth(2)).to_be_attached()  # each sentence has one
    for entry in entries(page).all():
        box = boxes(page, entry.get_attribute("data-i")).first
        words = " ".join(entry.locator(".text").inner_text().split()[:3])
        if box.count() == 0:
            continue
        number, (left, top, right, bottom) = drawn(box)
        assert any(
            abs(x0 - left) < 0.01 and x1 < right + 0.01 and top - 0.005 < (y0 + y1) / 2 < bottom + 0.005
            for x0, y0, x1, y1 in printed(file, number, words)
        ), words
        checked += 1
    assert checked >= 3


def test_the_pages_show_every_chosen_sentence_where_it_is_printed(
    page: Page, screenshot: Callable[[Page, str], Path]
) -> None:
    open_pages(page)
    picture = page.get_by_role("img", name="Page 1 of 2")
    expect(picture).to_be_visible()
    page.wait_for_function(
        "(img) => img.naturalWidth >= img.clientWidth * devicePixelRatio", arg=picture.element_handle()
    )
    expect(page.locator(".page-count")).to_have_text(re.compile("of 2"))
    assert_boxed(page, SAMPLE)
    screenshot(page, "pages")


def test_a_real_trial_shows_its_sentences_where_they_are_printed(
    page: Page, shared_data: Path, screenshot: Callable[[Page, str], Path]
) -> None:
    file = shared_data / "pdf" / "PMC7068068.pdf"
    open_paper(page, file)
    find(page, "The treatment improved the primary outcome compared with the control group")
    show_pages(page)
    assert_boxed(page, file)
    entries(page).nth(3).locator(".jump").click()
    stands_in_view(page.locator(".box.current").first)
    screenshot(page, "pages-of-a-trial")


def test_jumps_go_both_ways(page: Page) -> None:
    open_pages(page)
    last = max(entries(page).all(), key=lambda entry: int(entry.get_attribute("data-i") or 0))
    last.locator(".jump").click()
    current = page.locator(".box.current")
    expect(current.first).to_have_attribute("data-i", last.get_attribute("data-i") or "")
    stands_in_view(current.first)
    assert drawn(current.first)[0] == 2
    expect(page.locator(".page-field")).to_have_value("2")

    other = page.locator('.box[data-group="chosen"]').first
    other.click()
    entry = page.locator('.entry[aria-current="true"]')
    expect(entry).to_have_attribute("data-i", other.get_attribute("data-i") or "")
    stands_in_view(entry)

    plain = page.locator(".box:not([data-group])").nth(5).get_attribute("data-i")
    boxes(page, plain).first.click()
    page.get_by_role("toolbar").get_by_role("button", name="Add as evidence").click()
    expect(entries(page, "added")).to_have_attribute("data-i", plain or "")
    expect(page.locator('.box[data-state="added"] .badge')).to_have_text(re.compile("added by you"))


def test_decisions_show_on_the_page_by_sign_and_line(page: Page) -> None:
    open_pages(page)
    chosen = page.locator('.box[data-group="chosen"]')
    first = chosen.first.get_attribute("data-i")
    chosen.first.click()
    page.keyboard.press("a")
    expect(boxes(page, first).first).to_have_attribute("data-state", "accepted")
    expect(boxes(page, first).locator(".badge")).to_contain_text("✓")
    page.keyboard.press("r")
    expect(boxes(page, first).locator(".badge")).to_contain_text("✕")
    assert boxes(page, first).first.evaluate("(box) => getComputedStyle(box, '::before').backgroundImage") == "none"
    assert boxes(page, first).first.evaluate("(box) => getComputedStyle(box).borderBottomStyle") == "solid"
    page.keyboard.press("u")
    expect(boxes(page, first).first).not_to_have_attribute("data-state", re.compile("."))


def test_the_two_views_keep_the_place_and_the_choice_of_view(page: Page) -> None:
    open_pages(page)
    entries(page).nth(4).locator(".jump").click()
    index = entries(page).nth(4).get_attribute("data-i")
    stands_in_view(boxes(page, index).first)
    page.keyboard.press("v")
    current = page.locator(".paper .s.current")
    expect(current).to_have_attribute("data-i", index or "")
    stands_in_view(current)
    page.keyboard.press("n")
    expect(current).not_to_have_attribute("data-i", index or "")
    stands_in_view(current)
    index = current.get_attribute("data-i")
    page.keyboard.press("v")
    stands_in_view(boxes(page, index).first)
    expect(boxes(page, index).first).to_have_class(re.compile("current"))

    sidebar = page.get_by_test_id("stSidebar")
    sidebar.get_by_role("link", name="Engines").click()
    expect(page.get_by_role("heading", name="Your data")).to_be_visible(timeout=30_000)
    sidebar.get_by_role("link", name="Evidence").click()
    expect(page.locator(".sheet img").first).to_be_visible(timeout=30_000)
    show_text(page)
    expect(page.locator(".sheet").first).to_be_hidden()


def test_from_a_sentence_to_its_page_and_back(page: Page) -> None:
    open_paper(page, SAMPLE)
    find(page, HYPOTHESIS)
    marked = page.locator(".paper .marked").last
    index = marked.get_attribute("data-i")
    marked.click()
    page.get_by_role("toolbar").get_by_role("button", name="On page 2").click()
    stands_in_view(boxes(page, index).first)
    assert drawn(boxes(page, index).first)[0] == 2
    boxes(page, index).first.click()
    page.get_by_role("toolbar").get_by_role("button", name="In the text").click()
    stands_in_view(page.locator(".paper .s.current"))
    expect(page.locator(".paper .s.current")).to_have_attribute("data-i", index or "")


def test_larger_pages_keep_the_place_and_get_sharper(page: Page) -> None:
    open_pages(page)
    entries(page).first.locator(".jump").click()
    stands_in_view(page.locator(".box.current").first)
    expect(sheet(page, 1).locator("img")).to_have_count(1)
    width, sharpness = sheet(page, 1).locator("img").evaluate("(img) => [img.clientWidth, img.naturalWidth]")
    assert width <= sharpness < 2 * width
    for _ in range(3):
        page.keyboard.press("+")
    expect(page.locator(".zoom")).to_have_text("200%")
    assert sheet(page, 1).evaluate("(sheet) => sheet.clientWidth") == pytest.approx(2 * width, abs=2)
    stands_in_view(page.locator(".box.current").first)
    wanted = sheet(page, 1).locator(f'img[data-width="{160 * ceil(2 * width / 160)}"]')
    expect(wanted).to_be_visible()
    expect(sheet(page, 1).locator("img")).to_have_count(1)  # the old picture is gone
    assert wanted.evaluate("(img) => img.naturalWidth >= img.clientWidth")
    page.keyboard.press("-")
    expect(page.locator(".zoom")).to_have_text("150%")


@pytest.fixture(scope="module")
def forty_pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A paper of forty pages: the sample repeated."""
    writer = PdfWriter()
    for _ in range(20):
        writer.append(PdfReader(io.BytesIO(SAMPLE.read_bytes())))
    path = tmp_path_factory.mktemp("long") / "forty.pdf"
    writer.write(path)
    return path


def test_of_forty_pages_only_those_near_the_window_are_drawn(page: Page, forty_pages: Path) -> None:
    open_paper(page, forty_pages)
    show_pages(page)
    expect(page.locator(".sheet")).to_have_count(40)
    pictures = page.locator(".sheet img")
    expect(page.get_by_role("img", name="Page 2 of 40")).to_be_visible()
    page.wait_for_timeout(1000)  # time for more to come
    assert 1 <= pictures.count() <= 4
    height = page.locator(".column").evaluate("(column) => column.offsetHeight")

    field = page.get_by_label("Go to page")
    field.fill("30")
    field.press("Enter")
    expect(page.get_by_role("img", name="Page 30 of 40")).to_be_visible()
    expect(sheet(page, 1).locator("img")).to_have_count(0)
    assert page.locator(".column").evaluate("(column) => column.offsetHeight") == height  # nothing has moved

    for number in range(40, 0, -3):  # faster than pages can be drawn
        sheet(page, number).evaluate("(sheet) => sheet.scrollIntoView()")
        page.wait_for_timeout(60)
        assert pictures.count() <= 6
    sheet(page, 2).evaluate("(sheet) => sheet.scrollIntoView()")
    expect(page.get_by_role("img", name="Page 2 of 40")).to_be_visible()


def test_the_pdf_is_downloaded_with_highlights_and_decisions(page: Page) -> None:
    open_pages(page)
    count = entries(page).count()
    entries(page).nth(0).locator(".decide.accepted").click()
    entries(page).nth(1).locator(".decide.rejected").click()
    with page.expect_download() as started:
        page.get_by_role("button", name="PDF with highlights").click()
    assert started.value.suggested_filename == "sleep-app-highlighted.pdf"
    reader = PdfReader(started.value.path())
    assert len(reader.pages) == 2
    marks = [mark.get_object() for sheet in reader.pages for mark in sheet.get("/Annots", [])]
    highlights = [mark for mark in marks if mark["/Subtype"] == "/Highlight"]
    notes = [str(mark["/Contents"]) for mark in highlights]
    assert len(notes) >= count - 1  # a sentence on two pages has a highlight on each
    assert all(HYPOTHESIS in note for note in notes)
    assert sum("Decision: accepted by the reviewer" in note for note in notes) == 1


def test_other_formats_have_no_pages(page: Page) -> None:
    open_pages(page)
    page.get_by_test_id("stSidebar").get_by_role("button", name="Open another").click()
    open_paper(page, text_file(PAPER))
    expect(page.locator(".paper h1")).to_contain_text("Tea for headache")
    expect(page.locator(".reading-head")).to_be_hidden()
    page.keyboard.press("v")
    expect(page.locator(".paper section").first).to_be_visible()


def test_a_telephone_shows_pages_and_no_shortcuts(touch_page: Page, screenshot: Callable[[Page, str], Path]) -> None:
    open_paper(touch_page, SAMPLE)
    find(touch_page, HYPOTHESIS)
    expect(touch_page.locator("kbd", has_text="Ctrl + Enter")).to_be_hidden()
    touch_page.locator(".narrow-only [data-show=paper]").click()
    show_pages(touch_page)
    touch_page.locator(".narrow-only [data-show=evidence]").click()
    entries(touch_page).nth(2).locator(".jump").click()
    stands_in_view(touch_page.locator(".box.current").first)
    assert touch_page.evaluate("document.documentElement.scrollWidth") <= 390
    screenshot(touch_page, "pages-small")


def test_larger_pages_are_moved_sideways_by_a_bar_that_is_in_view_and_by_jumps(page: Page) -> None:
    open_pages(page)
    for _ in range(4):
        page.keyboard.press("+")
    expect(page.locator(".zoom")).to_have_text("300%")
    bar, pane = page.locator(".sideways"), page.locator(".pages")
    stands_in_view(bar)
    bar.evaluate("(bar) => { bar.scrollLeft = bar.scrollWidth }")
    page.wait_for_function(
        """(pane) => pane.scrollLeft > 500 && Math.abs(pane.scrollLeft - (pane.scrollWidth - pane.clientWidth)) < 2""",
        arg=pane.element_handle(),
    )
    entries(page).first.locator(".jump").click()
    stands_in_view(page.locator(".box.current").first)
    box, around = page.locator(".box.current").first.bounding_box(), pane.bounding_box()
    assert box is not None
    assert around is not None
    assert around["x"] <= box["x"] < around["x"] + around["width"] - 50


def test_signs_stand_beside_the_lines_and_cover_no_word(page: Page) -> None:
    open_pages(page)
    expect(page.locator(".sheet .badge").nth(2)).to_be_attached()
    expect(page.locator(".boxes")).to_have_count(2)
    covered = page.locator(".sheet").evaluate_all(
        """(sheets) => sheets.flatMap((sheet) => [...sheet.querySelectorAll('.badge')].filter((badge) => {
            const { left, right, top, bottom } = badge.getBoundingClientRect();
            return [...sheet.querySelectorAll('.box')].some((box) => {
                const other = box.getBoundingClientRect();
                return Math.min(right, other.right) - Math.max(left, other.left) > 3
                    && Math.min(bottom, other.bottom) - Math.max(top, other.top) > 3;
            });
        })).length"""
    )
    assert covered == 0


# ---- the PDF with highlights, in Chromium's own viewer ----

ACCEPTED = (255, 209, 77)  # on white
NEAR = 6  # of 255
SECONDS = 60  # for the viewer to start


def coloured(picture: Image.Image) -> int:
    """The number of pixels with the colour of accepted evidence."""
    colours = picture.convert("RGB").getcolors(picture.width * picture.height)
    return sum(
        count for count, colour in colours if max(abs(a - b) for a, b in zip(colour, ACCEPTED, strict=True)) <= NEAR
    )


def test_chromium_shows_the_highlights(chromium: Browser, tmp_path: Path) -> None:
    data = (ROOT / "sample_data" / "sleep-app.pdf").read_bytes()
    paper = read_paper(data, name="sleep-app.pdf")
    chosen = [s.index for s in paper.sentences if s.kind is Kind.ABSTRACT][:3]
    evidence = Evidence("offline", EvidenceQuery("The app helps."), tuple(EvidenceSentence(n, 1) for n in chosen), 0.1)
    review = EvidenceReview(paper.id, evidence, dict.fromkeys(chosen, Decision.ACCEPTED))
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
        while True:  # the viewer is not a page, so it cannot be asked whether it is ready
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
    """Whether a printed page is shown: much white, and some black."""
    histogram = picture.convert("L").histogram()
    return sum(histogram[250:]) > 0.2 * picture.width * picture.height and sum(histogram[:60]) > 1000
