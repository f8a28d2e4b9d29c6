"""Nothing is lost between the page and the paper: each word that PDFium gives is in the text or in an account."""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest

from core.paper import Account, Kind, Paper, SectionKind, read_paper
from core.paper.draft import PaperDraft
from core.paper.pdf.accounts import settle
from core.paper.pdf.lines import Line, PageLines
from core.paper.pdf.paragraphs import joined
from core.paper.pdf.pdfium import PDFIUM_LOCK, Font
from tests.core.paper.pdf.pages import Operators, Text, column, pdf, prose

MOST = 0.001  # of a file's words that may be in no account
_WORD = re.compile(r"[^\W_]+")
_SIGNS = re.compile("[\ufffe\x02]\\s*|\xad")  # hyphens at line ends


def words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(unicodedata.normalize("NFKC", _SIGNS.sub("", text))))


def letters(counted: Counter[str]) -> Counter[str]:
    """Letters and digits; words that were split or joined have the same."""
    return Counter(sign for word in counted.elements() for sign in word if sign.isalpha() or sign.isdecimal())


def accounted(paper: Paper) -> dict[int | None, str]:
    """All that a paper has of each page: in its text, left out or set aside."""
    pages: dict[int | None, list[str]] = defaultdict(list)
    for line in paper.lines:
        pages[line.page].append(paper.text[line.start : line.end])
    for item in (*paper.left_out, *paper.set_aside):
        pages[item.page].append(item.text)
    return {page: "\n".join(texts) for page, texts in pages.items()}


def differences(data: bytes, paper: Paper) -> list[tuple[int, int, int]]:
    """For each page: its letters and digits, those that the paper has not, and those that the page has not."""
    own = accounted(paper)
    found = []
    with PDFIUM_LOCK:
        document = pypdfium2.PdfDocument(data)
        for number, page in enumerate(document, 1):
            on_page, in_paper = words(page.get_textpage().get_text_range()), words(own.get(number, ""))
            missing, strange = letters(on_page - in_paper), letters(in_paper - on_page)
            found.append(
                (letters(on_page).total(), (missing - strange).total(), (strange - missing).total()),
            )
        document.close()
    return found


def holds(data: bytes, paper: Paper) -> bool:
    """Whether the accounts add up: nothing is missing from any page, and nothing has been made up."""
    return all(max(missing, strange) <= MOST * letters for letters, missing, strange in differences(data, paper))


@pytest.fixture(
    params=["38914124pmid", "PMC12113407", "PMC4655321", "PMC7068068", "PMC7594536", "PMC7864599", "PMC9669535"]
)
def published(request: pytest.FixtureRequest, shared_data: Path) -> Path:
    return shared_data / "pdf" / f"{request.param}.pdf"


def test_published_pdfs_add_up(published: Path, read_once: Callable[[Path], Paper]) -> None:
    paper = read_once(published)
    assert holds(published.read_bytes(), paper)
    unplaced = sum(len(item.text.split()) for item in paper.left_out if item.kind is Account.UNPLACED)
    assert unplaced <= MOST * len(paper.text.split())


def test_every_published_pdf_is_looked_at(shared_data: Path) -> None:
    assert len(list((shared_data / "pdf").glob("*.pdf"))) == 7


def test_a_line_taken_out_of_a_published_pdf_is_missed(shared_data: Path, read_once: Callable[[Path], Paper]) -> None:
    file = shared_data / "pdf" / "PMC7068068.pdf"
    data, paper = file.read_bytes(), read_once(file)
    line = next(line for line in paper.lines[100:] if line.end - line.start > 40)
    assert holds(data, paper)
    assert not holds(data, replace(paper, lines=tuple(other for other in paper.lines if other is not line)))
    item = max(paper.left_out, key=lambda item: len(item.text))
    assert not holds(data, replace(paper, left_out=tuple(other for other in paper.left_out if other is not item)))


def rectangle(x: float, y: float, width: float, height: float) -> Operators:
    return Operators(f"0.9 0.93 1 rg {x} {y} {width} {height} re f")


PARTS = (
    ["Context: Nurses on night duty sleep less than others, and few trials", "have asked if a nap helps them to sleep in the weeks after it."],
    ["Objective: To learn whether a daily nap lengthens the sleep of nurses,", "and whether this hangs on their years of duty in the hospital."],
    ["Design: A randomised trial with two arms of equal size."],
    ["Participants: 300 nurses of twelve wards in one city."],
    ["Intervention: A nap of twenty minutes each afternoon."],
    ["Results: Those who napped slept 41 minutes longer than others did", "(95% CI 30 to 52). Naps significantly reduced lost sleep in all"],
    ["groups of age and duty."],
    ["Conclusions: Lost sleep of nurses can be reduced by a short nap", "in the afternoon, whatever their age is and their years of duty."],
)  # fmt: skip


def beside_a_box(apart: float) -> bytes:
    """An abstract in one column in a type of its own, its parts set apart, beside a coloured box."""
    y, abstract = 620.0, []
    for part in PARTS:
        abstract += [Text(220, y - 12 * index, line, 9, "sans") for index, line in enumerate(part)]
        y -= 12 * (len(part) - 1) + apart
    notes = [
        "ISSN 1234-5678",
        "Received: 4 May 2020",
        "Accepted: 2 June 2020",
        "Abbreviations: CI, confidence",
        "interval; SD, deviation",
    ]
    box = [
        rectangle(55, 560, 140, 75),
        *(Text(60, 620 - 12 * index, note, 7, "sans") for index, note in enumerate(notes)),
    ]
    front = [
        Text(60, 740, "Afternoon naps of nurses after night duty", 20, "bold"),
        Text(60, 710, "Ada J. Rossi, Bo van der Bie, Cy Ng", 11),
    ]
    body = [Text(60, y - 20, "Introduction", 12, "bold")]
    body += [*column(60, y - 40, prose("Nurses are", 6)), *column(320, y - 40, prose("They are", 6))]
    second = [
        piece
        for x, titles in ((60, ("Methods", "Results")), (320, ("Discussion", "Conclusion")))
        for at, title in zip((780, 560), titles, strict=True)
        for piece in (Text(x, at, title, 12, "bold"), *column(x, at - 20, prose(f"{title} that", 14)))
    ]
    return pdf([*box, *front, *abstract, *body], second)


@pytest.mark.parametrize("apart", [12, 18, 23, 30])
def test_an_abstract_beside_a_coloured_box_is_whole(apart: float) -> None:
    data = beside_a_box(apart)
    paper = read_paper(data, name="naps.pdf")
    abstract = [s.text for s in paper.sentences if paper.section_of(s).kind is SectionKind.ABSTRACT]
    assert " ".join(abstract) == " ".join(line for part in PARTS for line in part)
    assert "Naps significantly reduced lost sleep in all groups of age and duty." in abstract
    assert not any("Received" in sentence.text for sentence in paper.sentences)
    assert any("Received: 4 May 2020" in item.text for item in paper.left_out if item.kind is Account.FRONT)
    assert holds(data, paper)


FRONT = [
    Text(60, 760, "Afternoon naps of nurses after night duty", 20, "bold"),
    Text(60, 735, "Ada J. Rossi, Bo van der Bie, Cy Ng", 11),
    *column(60, 700, ["Abstract"], size=14, font="bold"),
    *column(60, 680, prose("Background: Nurses", 5)),
]
LIST = [
    "The trial was large and lasted a year.",
    "Assessors did not know who had naps.",
    "One hospital only took part in it.",
]
BODY = [
    *column(60, 520, ["Introduction"], size=14, font="bold"),
    *column(60, 500, prose("Nurses are", 8)),
    *column(60, 380, ["Methods"], size=14, font="bold"),
    *column(60, 360, prose("We asked", 12)),
]


@pytest.mark.parametrize("title", ["Strengths and limitations", "Strengths and limitations of this study"])
@pytest.mark.parametrize("rest", [BODY, []], ids=["before the text", "at the end"])
def test_what_stands_under_a_boxs_title_at_the_front_is_text(title: str, rest: Sequence[Text]) -> None:
    listed = [*column(60, 605, [title], size=14, font="bold"), *column(90, 585, LIST)]
    data = pdf([*FRONT, *listed, *rest])
    paper = read_paper(data, name="naps.pdf")
    assert [s.text for s in paper.sentences if s.text in {title, *LIST}] == [title, *LIST]
    assert {paper.section_of(s).title for s in paper.sentences if s.text in LIST} == {title}
    assert holds(data, paper)


def test_columns_that_begin_alike_are_no_running_heads() -> None:
    second = [*column(60, 790, prose("We asked", 20)), *column(320, 790, prose("We asked", 20))]
    paper = read_paper(pdf([*FRONT, *BODY], second), name="naps.pdf")
    assert not any(item.kind is Account.FURNITURE for item in paper.left_out)
    assert sum(line.page == 2 for line in paper.lines) == 40


def with_a_strange_line(size: float) -> bytes:
    lines = prose("We asked", 20)
    strange = Text(120, 780 - 12 * 8.5, "which many more of the nurses had been given by a colleague", size, "sans")
    return pdf([*FRONT, *BODY], [*column(60, 780, lines[:8]), strange, *column(60, 780 - 12 * 9.4, lines[8:])])


def test_a_sentence_ends_where_a_line_is_missing() -> None:
    data = with_a_strange_line(6)
    paper = read_paper(data, name="naps.pdf")
    assert [item.text for item in paper.left_out if item.kind is Account.UNPLACED] == [
        "which many more of the nurses had been given by a colleague"
    ]
    above, below = prose("We asked", 20)[7:9]
    texts = [s.text for s in paper.sentences]
    assert any(text.endswith(above) for text in texts)
    assert any(text.startswith(below) for text in texts)
    assert [(w.kind, w.page) for w in paper.warnings] == [("unplaced", 2), ("text-missing", 2)]
    assert "had been given by a colleague" in paper.warnings[0].message
    assert above[-20:] in paper.warnings[1].message
    assert holds(data, paper)


def text_line(page: int, y: float, text: str, at: int) -> Line:
    stop = at + len(text)
    return Line(
        text,
        page,
        60,
        60 + 5 * len(text),
        y,
        10,
        Font("Times", False, False),
        False,
        len(text.split()),
        at=at,
        stop=stop,
    )


@pytest.mark.parametrize(("size", "cut"), [(10, True), (6, False)])
def test_a_short_line_set_like_the_text_that_is_missing_ends_the_sentence(size: float, cut: bool) -> None:
    above = text_line(1, 60, "while the team on the second ward had the lowest rate of all", 0)
    missing = replace(text_line(2, 780, "(10%, 3/29).", 0), size=size)
    below = text_line(2, 768, "Nurses who did not report any sleep were left out of the count", 20)
    draft = PaperDraft(blocks=[joined([above, below]).block(Kind.BODY)])
    settle(draft, [PageLines(1, 600, 800, [above]), PageLines(2, 600, 800, [missing, below])])
    assert [block.text for block in draft.blocks] == (
        [above.text, below.text] if cut else [f"{above.text} {below.text}"]
    )
    assert [warning.kind for warning in draft.warnings] == (["unplaced", "text-missing"] if cut else ["unplaced"])


def random_pages(seed: int) -> bytes:
    """Pages of columns, notes, boxes, captions, tables, heads and feet, at random."""
    chance = random.Random(seed)
    fonts = ["regular", "bold", "italic", "sans"]
    pages: list[list[Text | Operators]] = []
    for number in range(chance.randint(2, 4)):
        columns = chance.choice([(60,), (60, 320), (60, 220, 390)])
        page: list[Text | Operators] = [
            Text(60, 815, f"Naps and nurses {number}", 8),
            Text(290, 25, str(number + 1), 8),
        ]
        if number == 0:
            page.append(Text(60, 770, "Afternoon naps of nurses after night duty", 20, "bold"))
        for x in columns:
            y = 740.0
            while y > 120:
                size = chance.choice([6.0, 8.0, 9.0, 10.0, 10.0, 10.0, 12.0, 14.0])
                lines = prose(chance.choice(["We asked", "Table 1", "Figure 2", "References", "1. Rossi A.", "2.1 Methods", "Funding: none"]),
                              chance.randint(1, 9), width=chance.choice([2, 5, 9]))  # fmt: skip
                page += column(
                    x + chance.choice([0, 0, 0, 12]), y, lines, size=size, font=chance.choice(["regular", *fonts])
                )
                y -= 12 * len(lines) + chance.choice([0, 6, 14, 30])
        chance.shuffle(page)
        pages.append(page)
    return pdf(*pages)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_random_pages_add_up(seed: int) -> None:
    data = random_pages(seed)
    paper = read_paper(data, name="naps.pdf")
    assert holds(data, paper), [item for item in differences(data, paper) if any(item[1:])]
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)


def test_what_is_left_out_has_a_name() -> None:
    note = Text(60, 60, "Correspondence to: Ada Rossi, Oslo, Norway", 7)
    last = [
        *column(60, 780, ["References"], size=14, font="bold"),
        *column(60, 760, ["1. Bie B. Sleep. Naps 2001; 3: 4-5."]),
    ]
    heads = [Text(60, 815, "Naps and nurses", 8)]
    data = pdf([*FRONT, *BODY, note, *heads], [*column(60, 780, prose("We saw", 20)), *heads], [*last, *heads])
    paper = read_paper(data, name="naps.pdf")
    named = {item.text: item.kind for item in paper.left_out}
    assert named["Correspondence to: Ada Rossi, Oslo, Norway"] is Account.FRONT
    assert named["Naps and nurses"] is Account.FURNITURE
    assert named["References 1. Bie B. Sleep. Naps 2001; 3: 4-5."] is Account.REFERENCES
    assert paper.sections_left_out == ("References",)
    assert not any(s.kind is Kind.BODY and "Bie" in s.text for s in paper.sentences)


def test_each_account_is_in_words() -> None:
    assert all(account.in_words[0].isupper() for account in Account)
