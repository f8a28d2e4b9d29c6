"""Published trial reports, each compared with the images of its pages by eye and then pinned (`pinning.py`).

Where a test fails, look at the page beside the sentence it shows: either the reader broke, or it reads better than
when the pin was written, and the pin is written again.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from core.paper import Kind, Paper, read_paper
from core.paper.pdf.pdfium import PDFIUM_LOCK
from tests.core.paper.pdf.pinning import PINS, PROSE, digest, found, letters_digest, sections, warnings

NAMES = sorted(path.stem for path in PINS.glob("*.json"))
MARGIN = 0.08  # of a page's height, at head and foot, where running lines stand
CAPTIONS = ("TABLE", "FIG")  # these may well stand at the head of several pages
REPEATED = 3  # pages that a running line stands on, at least


@cache
def pinned(name: str) -> dict[str, Any]:
    return json.loads((PINS / f"{name}.json").read_text("utf-8"))


@cache
def content(folder: Path, name: str) -> bytes:
    return (folder / "pdf" / f"{name}.pdf").read_bytes()


@pytest.fixture
def paper(name: str, shared_data: Path, read_once: Callable[[Path], Paper]) -> Paper:
    return read_once(shared_data / "pdf" / f"{name}.pdf")


def test_every_paper_of_the_folder_is_pinned(shared_data: Path) -> None:
    assert sorted(path.stem for path in (shared_data / "pdf").glob("*.pdf")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_title_doi_and_what_is_said_about_the_reading(paper: Paper, name: str) -> None:
    pin = pinned(name)
    assert paper.doi == pin["doi"]
    assert digest(paper.title or "") == pin["title"], paper.title
    assert list(paper.sections_left_out) == pin["left_out"]
    assert warnings(paper) == pin["warnings"]


@pytest.mark.parametrize("name", NAMES)
def test_sections_in_order(paper: Paper, name: str) -> None:
    keys = ("title", "kind", "level")
    shown = [[section[key] for key in keys] for section in sections(paper)]
    assert shown == [[section[key] for key in keys] for section in pinned(name)["sections"]]


@pytest.mark.parametrize("name", NAMES)
def test_first_and_last_sentence_of_each_section(paper: Paper, name: str) -> None:
    wrong = []
    for section, pin in zip(paper.sections, pinned(name)["sections"], strict=True):
        prose = [sentence for sentence in paper.sentences_of(section) if sentence.kind in PROSE]
        for end, sentence in [("first", prose[0]), ("last", prose[-1])] if prose else []:
            if letters_digest(sentence.text) != pin.get(end):
                wrong.append(f"{section.title}, {end}, page {sentence.page}: {sentence.text}")
        if not prose and "first" in pin:
            wrong.append(f"{section.title}: no sentence")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", NAMES)
def test_number_of_sentences(paper: Paper, name: str) -> None:
    pin = pinned(name)
    count = Counter(str(sentence.kind) for sentence in paper.sentences)
    assert count == pytest.approx(pin["sentences"], rel=0.02)
    shown = [[section["title"], section["sentences"]] for section in sections(paper)]
    expected = [[section["title"], section["sentences"]] for section in pin["sections"]]
    assert sum(a != b for a, b in zip(shown, expected, strict=True)) <= 0.1 * len(expected), [shown, expected]


@pytest.mark.parametrize("name", NAMES)
def test_hard_sentences_and_table_rows(paper: Paper, name: str) -> None:
    pin = pinned(name)
    wrong = []
    for item, kinds in [(item, PROSE) for item in pin["hard"]] + [(item, {Kind.TABLE}) for item in pin["rows"]]:
        near = found(paper, item["words"], frozenset(kinds))
        if item["digest"] not in map(digest, near):
            wrong.append(f"{item.get('why', 'row')}, “{item['begins']}”: {near or 'not there'}")
    assert not wrong, "\n".join(wrong)
    assert len(pin["hard"]) >= 10


def running_lines(data: bytes) -> set[str]:
    """What stands at one height at the head or foot of several pages, any number in it as “#”, by PDFium's own text."""
    pages = defaultdict(set)
    with PDFIUM_LOCK:
        document = pypdfium2.PdfDocument(data)
        try:
            for number, page in enumerate(document, 1):
                text = page.get_textpage()
                for left, bottom, right, top in (text.get_rect(index) for index in range(text.count_rects())):
                    if not MARGIN < bottom / page.get_height() < 1 - MARGIN:
                        piece = without_numbers(text.get_text_bounded(left, bottom, right, top))
                        pages[piece, round(bottom / 3)].add(number)
        finally:
            document.close()
    return {
        piece
        for (piece, _), numbers in pages.items()
        if len(numbers) >= REPEATED and sum(map(str.isalpha, piece)) > 3 and not piece.upper().startswith(CAPTIONS)
    }


def without_numbers(text: str) -> str:
    return re.sub(r"\d+", "#", " ".join(text.split()))


@pytest.mark.parametrize("name", NAMES)
def test_no_running_line_stands_in_a_sentence(shared_data: Path, paper: Paper, name: str) -> None:
    lines = running_lines(content(shared_data, name))
    assert lines, "every one of these papers has a running head or foot"
    running = re.compile("|".join(rf"(?<!\w){re.escape(line)}(?!\w)" for line in lines))
    sentences = [s.text for s in paper.sentences if s.kind is not Kind.TABLE]
    assert [text for text in sentences if running.search(without_numbers(text))] == []


@pytest.mark.parametrize("name", NAMES)
def test_offsets_and_pages(paper: Paper) -> None:
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)
    assert None not in {s.page for s in paper.sentences}


def test_eight_threads_read_what_one_reads(shared_data: Path, read_once: Callable[[Path], Paper]) -> None:
    with ThreadPoolExecutor(8) as pool:
        papers = pool.map(lambda name: read_paper(content(shared_data, name), name=f"{name}.pdf"), NAMES * 2)
        assert list(papers) == [read_once(shared_data / "pdf" / f"{name}.pdf") for name in NAMES] * 2
