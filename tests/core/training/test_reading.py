"""An invented paper, set as journals would and printed by a real browser, is read back as it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error

from core.paper import read_paper
from core.training.reading import (
    ReadingScore,
    Share,
    TypesetArticle,
    compare,
    layout_names,
    missing,
    open_browser,
    print_pdf,
    references_of,
    seconds_taken,
)
from run import NO_BROWSER, ROOT, find_browser

PAPER = ROOT / "sample_data" / "leg-cramps.xml"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    opening = open_browser(find_browser())
    try:
        browser = opening.__enter__()
    except Error as error:
        if find_browser() is None:
            pytest.skip(NO_BROWSER)
        raise error
    yield browser
    opening.__exit__(None, None, None)


@pytest.fixture(scope="module")
def article() -> TypesetArticle:
    data = PAPER.read_bytes()
    return TypesetArticle(read_paper(data, name=PAPER.name), references_of(data, name=PAPER.name))


@pytest.mark.parametrize("layout", ["tinted", "manuscript", "run_in"])
def test_an_invented_paper_is_read_as_it_was_set(browser: Browser, article: TypesetArticle, layout: str) -> None:
    read = read_paper(print_pdf(browser, article, layout), name=f"{layout}.pdf")
    reading = compare(article, read)
    shares = {field.name: getattr(reading, field.name) for field in fields(ReadingScore)}
    rows = shares.pop("rows")
    assert {name: share for name, share in shares.items() if share.right < share.of} == {}, missing(article, read)
    assert rows.right >= rows.of - 1  # its head, whose cells stand close
    assert reading.recall.of == 59


def test_a_paper_measured_against_itself_is_whole(article: TypesetArticle) -> None:
    reading = compare(article, article.paper)
    assert all(share.right == share.of for share in (getattr(reading, field.name) for field in fields(ReadingScore)))


def test_what_is_lost_out_of_order_and_glued_counts(article: TypesetArticle) -> None:
    paper = article.paper
    body = [sentence for sentence in paper.sentences if sentence.kind.value == "body"]
    first, second, third = body[:3]
    glued = replace(first, text=first.text.replace(" ", "", 1))
    others = [sentence for sentence in paper.sentences if sentence not in (first, second, third)]
    read = replace(
        paper, sentences=tuple(sorted([*others, glued, replace(third, index=second.index)], key=lambda s: s.index))
    )
    reading = compare(article, read)
    assert reading.recall == Share(reading.recall.of - 1, reading.recall.of)
    assert reading.words.of - reading.words.right == 2
    assert missing(article, read) == [f"- {second.text}"]


def test_layouts_are_found() -> None:
    assert {"tinted", "manuscript", "info_panel"} <= set(layout_names())
    assert "base" not in layout_names()


# How long reading a PDF takes beside bare text extraction (docs/reading.md): bounds that no slow day breaks.

MOST, MOST_OF_ALL = 8.0, 4.5  # times bare extraction: of one file, and of all together


@pytest.mark.alone
def test_reading_is_a_small_multiple_of_bare_extraction(shared_data: Path) -> None:
    taken = {file: seconds_taken(file.read_bytes(), runs=1) for file in (shared_data / "pdf").glob("*.pdf")}
    for file in [file for file, (bare, read) in taken.items() if read > MOST * bare]:
        taken[file] = seconds_taken(file.read_bytes(), runs=5)  # a single run may have been interrupted
    slow = {file.name: f"{read / bare:.1f} times" for file, (bare, read) in taken.items() if read > MOST * bare}
    assert not slow
    bare, read = map(sum, zip(*taken.values(), strict=True))
    assert read < MOST_OF_ALL * bare
