"""Measure the reading of PDFs: typeset papers of known text like journals, find what is lost or added, and time it."""

from __future__ import annotations

import os
import re
import shutil
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from html import escape
from itertools import pairwise
from pathlib import Path

import pypdfium2
from playwright.sync_api import Browser, sync_playwright

from core.paper import Kind, Paper, Sentence, read_paper
from core.paper.model import Section, SectionKind
from core.paper.xml import Element, all_text, descendants, local_name, parse_xml, squeeze
from core.training import data, parser_of
from core.training.data import data_folder

# Texts that journals print around a paper's text. All of them are invented.

JOURNAL = "Annals of Invented Trials"
RUNNING_TITLE = "Alder et al. A trial set in type"
SITE = "www.annals-of-invented-trials.example"
KIND = "Original research"
AUTHORS = ("Maria Alder", "Jonas T Birch", "Wei Cedar", "Amina Elm-Hazel", "Piotr Larch")
AFFILIATIONS = (
    "Department of Typography, University of Leading, Leading, Ruritania",
    "Institute for Columns and Gutters, School of Public Printing, Kerning, Ruritania",
)
CORRESPONDENCE = "Correspondence to: Maria Alder, 12 Galley Row, Leading LD1 2ER, Ruritania; m.alder@leading.example"
DATES = "Received 3 March 2014; revised 12 May 2014; accepted 19 June 2014; published 1 August 2014"
LICENCE = (
    "© The authors 2014. This is an open access article distributed under the terms of a licence that permits use and "
    "distribution in any medium, provided that the original work is properly cited."
)
CITE_AS = f"Citation: Alder M, Birch JT, Cedar W, et al. {JOURNAL} 2014;12:345-356."
EDITOR = "Academic editor: Ottoline Proof, University of Kerning"
KEYWORDS = "Keywords: randomised trial; printing; columns; measurement"
MARGIN_NOTE = f"Downloaded from {SITE} by guest on 4 August 2014"
BOX = (
    (
        "What is already known on this topic",
        (
            "Earlier work on the question was small and came from a single centre.",
            "Nobody had yet asked whether the effect would outlast the treatment.",
        ),
    ),
    (
        "What this study adds",
        (
            "The answer holds in a larger group of people who were followed for longer.",
            "Those who plan services can now weigh the benefit against what it costs.",
        ),
    ),
)
STATEMENTS = (
    ("Acknowledgements", "We thank the printers of Leading for their patience and for the loan of a composing stick."),
    ("Funding", "The work was paid for by the Ruritanian Council for Printing (grant RCP-1440)."),
    ("Competing interests", "The authors declare that they own more books than they have read."),
    ("Author contributions", "MA and JTB set the type. WC, AE-H and PL read the proofs and approved them."),
)


# Turn a paper of known text into HTML, which a style sheet can typeset like a journal.

_CITATION = re.compile(r"(?P<gap> ?)\[(?P<numbers>\d+(?:[,;–-] ?\d+)*)\]")
_NUMBER = re.compile(r"^\d{1,2}(?:\.\d{1,2})*\.?\s+(?=\D)")
_CELLS = re.compile(r"(?:^| )\|(?: |$)")  # the separator that `core.paper.draft` puts between cells, even empty ones
_POWER = re.compile(r"\^(\d+)")
_STATISTIC = re.compile(r"(?<![\w&;])([pP]|n)(?= ?(?:[=<>&]|values?\b))")
_LONG_WORD = re.compile(r"[A-Za-z]{7,}")
# A syllable ends before a consonant with a vowel, or between two consonants that cannot begin a word.
_SYLLABLE = re.compile(
    r"(?<=[aeiouy])(?=(?:[bcdfgjklmnpqrstvwz]|ch|sh|th|ph|tr|pr|pl|cl|gr)[aeiouy]"
    r"|tion)|(?<=[lmnrsc])(?=[bcdfmnpstv][aeiou])|(?<=([bdfgmnprt]))(?=\1)"
)
_SOFT_HYPHEN = "\u00ad"
_MANY_COLUMNS = 7
_NOTE_WORDS = 12  # a row of one cell with more words is a note below its table


@dataclass(frozen=True, slots=True)
class TypesetArticle:
    """A paper from its publisher's file, with the entries of its bibliography."""

    paper: Paper
    references: tuple[str, ...]


def references_of(data: bytes, *, name: str) -> tuple[str, ...]:
    """The entries of the bibliography in a JATS file, as text for printing."""
    entries = descendants(parse_xml(data, name=name), "ref")
    return tuple(text for entry in entries if (text := _reference(entry)))


def _reference(entry: Element) -> str:
    """An entry as it is in the file, or else composed from its parts in Vancouver order."""
    for mixed in descendants(entry, "mixed-citation"):
        if (text := all_text(mixed)).count(" ") > 3 and re.search(r"[.,] ", text):
            return text
    names = ", ".join(squeeze(" ".join(map(str, name.itertext()))) for name in descendants(entry, "name"))
    parts = {local_name(part): all_text(part) for part in entry.iterdescendants() if local_name(part)}
    sentences = (names, parts.get("article-title", ""), parts.get("source", ""))
    pages = "-".join(filter(None, (parts.get("fpage"), parts.get("lpage"))))
    place = ":".join(filter(None, (parts.get("volume"), pages)))
    return squeeze(". ".join([*filter(None, sentences), ";".join(filter(None, (parts.get("year"), place)))]))


def without_number(heading: str) -> str:
    """A heading without its publisher's number, because each layout decides whether headings have numbers."""
    return _NUMBER.sub("", heading)


def page_source(article: TypesetArticle, *, styles: str, script: str) -> str:
    """The HTML document, which `script` lays out in pages by the rules of `styles`."""
    paper = article.paper
    doi = f"https://doi.org/{paper.doi}" if paper.doi else ""
    running = {
        "journal": JOURNAL,
        "title": RUNNING_TITLE,
        "doi": doi,
        "site": SITE,
        "date": "1 August 2014",
    }
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><style>{styles}</style><body>'
        f'<div id="running">{"".join(_span(name, text) for name, text in running.items())}</div>'
        f'<div id="margin">{MARGIN_NOTE}</div>'
        f'<section id="front">{"".join(_front(paper, doi))}</section>'
        f'<div id="notes"><p>{CORRESPONDENCE}</p><p>{LICENCE}</p></div>'
        f"<main>{''.join(_body(article))}</main>"
        f"<script>{script}</script>"
    )


def _span(name: str, text: str) -> str:
    return f'<span class="{name}">{escape(text)}</span>'


def _front(paper: Paper, doi: str) -> Iterator[str]:
    yield f'<div class="label">{KIND}</div><h1>{_inline(paper.title or "")}</h1>'
    marked = (f"{name}<sup>{1 + at % 2}{',*' if at == 0 else ''}</sup>" for at, name in enumerate(AUTHORS))
    yield f'<div class="authors">{", ".join(marked)}</div>'
    places = (f"<sup>{number}</sup>{place}" for number, place in enumerate(AFFILIATIONS, 1))
    yield f'<div class="places">{"".join(f"<p>{place}</p>" for place in places)}</div>'
    info = (EDITOR, CITE_AS, DATES, doi, LICENCE, CORRESPONDENCE)
    yield f'<div id="panels"><div id="info"><h5>Article info</h5>{"".join(f"<p>{line}</p>" for line in info)}</div>'
    yield f'<div id="abstract"><h5>Abstract</h5>{"".join(_abstract(paper))}</div>'
    boxes = (f"<h5>{title}</h5>{''.join(f'<p>{text}</p>' for text in texts)}" for title, texts in BOX)
    yield f'<div id="box">{"".join(boxes)}</div></div><div class="keywords">{KEYWORDS}</div>'


def _abstract(paper: Paper) -> Iterator[str]:
    for section in paper.sections:
        if section.kind is SectionKind.ABSTRACT:
            yield from _paragraphs(list(paper.paragraphs_of(section)), skip=paper.sentences[section.first])


def _paragraphs(paragraphs: Sequence[Sequence[Sentence]], *, skip: Sentence) -> Iterator[str]:
    """Paragraphs as HTML.

    A heading that opens no section is run in with the next paragraph, except the heading `skip`.
    """
    lead = ""
    for paragraph in paragraphs:
        text = _inline(" ".join(sentence.text for sentence in paragraph))
        if paragraph[0].kind is Kind.HEADING:
            lead = "" if paragraph[0] is skip else f'<b class="lead">{text.rstrip(".: ")}</b> '
        else:
            yield f"<p>{lead}{text}</p>\n"
            lead = ""


def _body(article: TypesetArticle) -> Iterator[str]:
    paper = article.paper
    numbers: list[int] = []
    for section in paper.sections:
        first = paper.sentences[section.first]
        if section.kind is SectionKind.ABSTRACT or first.kind is Kind.TITLE:
            continue
        if first.kind is Kind.HEADING:
            numbers = [*numbers, *([0] * section.level)][: section.level]
            numbers[-1] += 1
            path = ".".join(map(str, numbers))
            title = _inline(without_number(first.text))
            yield f'<h{section.level + 1} data-number="{path}">{title}</h{section.level + 1}>'
        yield from _flow(paper, section, first)
    for title, text in STATEMENTS:
        yield f'<h3 class="statement">{title}</h3><p class="small">{text}</p>'
    yield "<h2>References</h2>"
    for number, reference in enumerate(article.references, 1):
        yield f'<p class="reference"><span class="number">{number}</span> {_soft(escape(reference))}</p>'


def _flow(paper: Paper, section: Section, first: Sentence) -> Iterator[str]:
    """The paragraphs of a section, with its figures and tables in their places."""
    plain: list[Sequence[Sentence]] = []
    caption: Sequence[Sentence] = ()
    rows: list[str] = []

    def waiting() -> Iterator[str]:
        yield from _paragraphs(plain, skip=first)
        if caption:
            yield _float(" ".join(sentence.text for sentence in caption), rows)

    for paragraph in paper.paragraphs_of(section):
        kind = paragraph[0].kind
        if kind is Kind.TABLE:
            rows += (row.text for row in paragraph)
            continue
        if kind is Kind.CAPTION or caption:
            yield from waiting()
            plain, caption, rows = [], (), []
        if kind is Kind.CAPTION:
            caption = paragraph
        else:
            plain.append(paragraph)
    yield from waiting()


def _float(caption: str, rows: Sequence[str]) -> str:
    label, _, rest = caption.partition(". ")
    title = f"<figcaption><b>{_inline(label)}.</b> {_inline(rest)}</figcaption>"
    if not rows:
        return f'<figure class="picture">{_CHART}{title}</figure>'
    cells = [_CELLS.split(row) for row in rows]
    notes = 0
    while notes < len(cells) and len(cells[-1 - notes]) == 1 and len(cells[-1 - notes][0].split()) >= _NOTE_WORDS:
        notes += 1
    width = max(map(len, cells))
    shown = "".join(_row(row, width) for row in cells[: len(cells) - notes])
    below = "".join(f'<p class="note">{_inline(row[0])}</p>' for row in cells[len(cells) - notes :])
    size = "wide many" if width > _MANY_COLUMNS else "wide" if width > 3 else "narrow"
    return f'<figure class="table {size}">{title}<table>{shown}</table>{below}</figure>'


def _row(cells: Sequence[str], width: int) -> str:
    if len(cells) == 1:
        return f'<tr><td colspan="{width}">{_inline(cells[0])}</td></tr>'
    return f"<tr>{''.join(f'<td>{_inline(cell)}</td>' for cell in cells)}</tr>"


def _inline(text: str) -> str:
    """Text as HTML, with marked citations, superscript powers, italic statistics and soft hyphens."""
    marked = _POWER.sub(
        r"<sup>\1</sup>",
        _CITATION.sub(r'<span class="gap">\g<gap></span><cite>\g<numbers></cite>', _soft(escape(text, quote=False))),
    )
    return _STATISTIC.sub(r"<i>\1</i>", marked)


def _soft(text: str) -> str:
    return _LONG_WORD.sub(lambda word: _hyphenated(word.group()), text)


def _hyphenated(word: str) -> str:
    """A word with soft hyphens where it may be hyphenated, at least three letters from its ends."""
    inner = word[3:-3]
    cuts = [match.start() for match in _SYLLABLE.finditer(word) if 3 <= match.start() <= 3 + len(inner)]
    return _SOFT_HYPHEN.join(word[start:end] for start, end in pairwise([0, *cuts, len(word)]))


_CHART = (
    '<svg viewBox="0 0 300 170"><path d="M40 10V140H290M40 110 120 70 200 85 280 40M40 120 120 105 200 110 280 95" '
    'fill="none" stroke="currentColor"/><text x="90" y="165">Weeks since randomisation</text>'
    '<text x="10" y="115" transform="rotate(-90 14 115)">Mean change</text><text x="36" y="152">0</text>'
    '<text x="116" y="152">4</text><text x="196" y="152">8</text><text x="274" y="152">12</text>'
    '<text x="200" y="32">Intervention</text><text x="220" y="125">Control</text><text x="50" y="24">A</text></svg>'
)


# Compare what was read from a PDF with the paper that was typeset in it.

_PROSE = frozenset({Kind.ABSTRACT, Kind.BODY})
_TELLING = 25  # letters and digits; shorter pieces of printed text may occur in a paper's own text
_STRANGERS = (RUNNING_TITLE, SITE, MARGIN_NOTE, LICENCE, CORRESPONDENCE)


@dataclass(frozen=True, slots=True)
class Share:
    """A count out of a total."""

    right: int
    of: int

    def __add__(self, other: Share) -> Share:
        return Share(self.right + other.right, self.of + other.of)


@dataclass(frozen=True, slots=True)
class ReadingScore:
    """How well a paper was read. Sentences are equal if their letters and digits are."""

    recall: Share  # of the paper's sentences (abstract and body), those that were read
    precision: Share  # of the sentences that were read, those that are the paper's, apart from side boxes
    order: Share  # of its pairs of neighbouring sentences that were read, those that are still neighbours
    words: Share  # of the words in sentences that were read, those that are neither joined nor split
    kinds: Share  # of its sentences that were read, those in a section of the right kind
    headings: Share  # of its headings, those that were read as headings
    real_headings: Share  # of the headings that were read, those that are the paper's
    levels: Share  # of its headings that were read and open a section, those at the right level
    captions: Share  # of the sentences in captions, those that were read as captions
    rows: Share  # of its table rows, those that were read with their cells separated
    references: Share  # of its references, those that were kept out of the text
    clean: Share  # of the sentences that were read, those without running heads, licences and the like
    title: Share
    doi: Share

    def __add__(self, other: ReadingScore) -> ReadingScore:
        names = (field.name for field in fields(self))
        return ReadingScore(*(getattr(self, name) + getattr(other, name) for name in names))


def key(text: str) -> str:
    """The letters and digits of a text, case-folded."""
    return "".join(filter(str.isalnum, text.casefold()))


def compare(article: TypesetArticle, read: Paper) -> ReadingScore:
    """Measure one reading."""
    truth = article.paper
    asides = {key(text) for _, texts in BOX for text in texts}
    true_prose = _prose(truth)
    read_prose = [sentence for sentence in _prose(read) if key(sentence.text) not in asides]
    places: dict[str, list[int]] = defaultdict(list)
    for place, sentence in enumerate(read_prose):
        places[key(sentence.text)].append(place)
    pairs = _matched(true_prose, places)
    found = [(true, read_prose[place]) for true, place in pairs if place is not None]
    expected = Counter(key(sentence.text) for sentence in true_prose)
    real = sum((Counter(key(sentence.text) for sentence in read_prose) & expected).values())
    neighbours = [(a, b) for (_, a), (_, b) in pairwise(pairs) if a is not None and b is not None]
    headings, read_headings = _headings(truth), _headings(read)
    boxes = {key(title) for title, _ in BOX}
    levels = [(level, read_headings[name]) for name, level in headings.items() if name in read_headings]
    known = [(wanted, got) for wanted, got in levels if wanted and got]
    pool = [key(sentence.text) for sentence in read.sentences]
    return ReadingScore(
        recall=Share(len(found), len(true_prose)),
        precision=Share(real, len(read_prose)),
        order=Share(sum(b == a + 1 for a, b in neighbours), len(neighbours)),
        words=_sum(_same_words(true.text, sentence.text) for true, sentence in found),
        kinds=Share(sum(_kind(truth, a) is _kind(read, b) for a, b in found), len(found)),
        headings=Share(len(levels), len(headings)),
        real_headings=Share(len(levels), len(read_headings.keys() - boxes)),
        levels=Share(sum(wanted == got for wanted, got in known), len(known)),
        captions=_kept(truth, read, Kind.CAPTION),
        rows=_kept(truth, read, Kind.TABLE),
        references=_kept_out(article.references, "".join(pool)),
        clean=Share(sum(not any(key(text) in sentence for text in _STRANGERS) for sentence in pool), len(pool)),
        title=Share(key(truth.title or "") == key(read.title or ""), 1),
        doi=Share(truth.doi == read.doi, 1),
    )


def missing(article: TypesetArticle, read: Paper) -> list[str]:
    """The paper's sentences that were not read (-), and those that were read but are not the paper's (+)."""
    texts = {key(text) for _, lines in BOX for text in lines}
    true = {key(sentence.text): sentence.text for sentence in _prose(article.paper)}
    got = {key(sentence.text): sentence.text for sentence in _prose(read)}
    lost = [f"- {text}" for name, text in true.items() if name not in got]
    return lost + [f"+ {text}" for name, text in got.items() if name not in true and name not in texts]


def _prose(paper: Paper) -> list[Sentence]:
    return [sentence for sentence in paper.sentences if sentence.kind in _PROSE and key(sentence.text)]


def _matched(true: Sequence[Sentence], places: dict[str, list[int]]) -> list[tuple[Sentence, int | None]]:
    """Each true sentence with its index among those that were read. Equal sentences are matched in order."""
    queues = {name: iter(found) for name, found in places.items()}
    return [(sentence, next(queues.get(key(sentence.text), iter(())), None)) for sentence in true]


def _same_words(true: str, read: str) -> Share:
    """How many of the true words were also read as words, neither joined nor split."""
    wanted, got = _words(true), _words(read)
    return Share(sum((Counter(wanted) & Counter(got)).values()), len(wanted))


def _words(text: str) -> list[str]:
    apart = "".join(character if character.isalnum() else " " for character in text.casefold())
    return apart.split()


def _kind(paper: Paper, sentence: Sentence) -> SectionKind:
    return paper.section_of(sentence).kind


def _headings(paper: Paper) -> dict[str, int]:
    """Each heading after the abstract, and its level; 0 if it is run in with its paragraph."""
    found = {}
    for sentence in paper.sentences:
        section = paper.section_of(sentence)
        if sentence.kind is Kind.HEADING and section.kind is not SectionKind.ABSTRACT:
            level = section.level if sentence.index == section.first else 0
            found[key(without_number(sentence.text))] = level
    return found


def _kept(truth: Paper, read: Paper, kind: Kind) -> Share:
    """How many sentences of a kind were read as that kind. For table rows, the cells must be separated as well."""
    wanted, got = (
        Counter(
            _cells(sentence.text) if kind is Kind.TABLE else key(sentence.text)
            for sentence in paper.sentences
            if sentence.kind is kind
        )
        for paper in (truth, read)
    )
    return Share(sum((wanted & got).values()), sum(wanted.values()))


def _cells(row: str) -> str:
    return "|".join(filter(None, (key(cell) for cell in row.split("|"))))


def _kept_out(references: Sequence[str], pool: str) -> Share:
    telling = [start for reference in references if len(start := key(reference)[:60]) >= _TELLING]
    return Share(sum(start not in pool for start in telling), len(telling))


def _sum(shares: Iterable[Share]) -> Share:
    return sum(shares, start=Share(0, 0))


# Print HTML to PDF with a real browser. Needs Playwright, a development tool.

_FOLDER = Path(__file__).parent / "typesetting_layouts"
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]


def layout_names() -> list[str]:
    """The names of the layouts, which are those of their style sheets."""
    return sorted(path.stem for path in _FOLDER.glob("*.css") if path.stem != "base")


@contextmanager
def open_browser(program: str | None) -> Iterator[Browser]:
    """A headless browser: `program`, or else Playwright's own. Raises Playwright's error if it cannot start."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def print_pdf(browser: Browser, article: TypesetArticle, layout: str) -> bytes:
    """The article as a PDF in one of the layouts."""
    styles = "".join(_source(f"{name}.css") for name in ("base", layout))
    page = browser.new_page()
    try:
        page.set_content(page_source(article, styles=styles, script=_source("paginate.js")))
        return page.pdf(prefer_css_page_size=True, print_background=True, outline=False, tagged=False)
    finally:
        page.close()


def _source(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def measure_typeset_papers() -> None:
    """Measure reading on papers of known text, in the layouts of many publishers: `python -m core.training reading`.

    Papers of Evidence Inference (JATS) are set in each layout by a real browser, read back and compared. `--keep
    FOLDER` writes the PDFs, and beside each one the sentences that were lost or added.
    """
    arguments = parser_of(measure_typeset_papers)
    arguments.add_argument("--papers", type=int, default=8, help="how many, evenly spread over the data set")
    arguments.add_argument("--layout", action="append", choices=layout_names(), help="only this one; may be repeated")
    arguments.add_argument("--keep", type=Path, metavar="FOLDER", help="where to write the PDFs and what went wrong")
    options = arguments.parse_args()
    articles = _articles(options.papers)
    print(f"{len(articles)} papers, per cent\n")
    names = [field.name for field in fields(ReadingScore)]
    print("| layout | " + " | ".join(name.replace("_", " ") for name in names) + " |")
    print("|---|" + "--:|" * len(names))
    totals = []
    with open_browser(_browser()) as browser:
        for layout in options.layout or layout_names():
            readings = []
            for article in articles:
                data = print_pdf(browser, article, layout)
                read = read_paper(data, name=f"{layout}.pdf")
                readings.append(compare(article, read))
                if options.keep:
                    file = options.keep / layout / f"{Path(article.paper.name).stem}.pdf"
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(data)
                    file.with_suffix(".txt").write_text("\n".join(missing(article, read)), encoding="utf-8")
            totals.append(_total(readings))
            print(_layout_row(layout.replace("_", " "), totals[-1]), flush=True)
    if len(totals) > 1:
        print(_layout_row("all", _total(totals)))


def _articles(count: int) -> list[TypesetArticle]:
    files = sorted((data_folder() / "evidence_inference" / "xml").glob("*.nxml"))
    articles = []
    for file in files[:: max(len(files) // count, 1)][:count]:
        data = file.read_bytes()
        articles.append(TypesetArticle(read_paper(data, name=file.name), references_of(data, name=file.name)))
    return articles


def _browser() -> str | None:
    """The browser in VOUCH_BROWSER, or one on the PATH; None for Playwright's own."""
    return os.environ.get("VOUCH_BROWSER") or next(filter(None, map(shutil.which, _BROWSERS)), None)


def _total(readings: list[ReadingScore]) -> ReadingScore:
    total = readings[0]
    for reading in readings[1:]:
        total += reading
    return total


def _layout_row(name: str, reading: ReadingScore) -> str:
    shares: list[Share] = [getattr(reading, field.name) for field in fields(reading)]
    cells = (f"{100 * share.right / share.of:.1f}" if share.of else "" for share in shares)
    return f"| {name} | {' | '.join(cells)} |"


def measure_reading_time() -> None:
    """Measure the time to read a PDF, and only to extract its text (pypdfium2): `python -m core.training reading-time`.

    Both run alternately in one process, and the medians of their processor time are compared, so that other work on the
    machine does not affect them.
    """
    arguments = parser_of(measure_reading_time)
    arguments.add_argument("--runs", type=int, default=11)
    arguments.add_argument("files", nargs="*", type=Path, help="default: the PDFs of the data folder")
    options = arguments.parse_args()
    print(f"{'file':24} {'pages':>5} {'bare':>8} {'read':>8} {'times':>5}")
    total_bare = total_read = 0.0
    for file in options.files or sorted((data.data_folder() / "pdf").glob("*.pdf")):
        content = file.read_bytes()
        bare, read = seconds_taken(content, runs=options.runs)
        total_bare, total_read = total_bare + bare, total_read + read
        print(_time_row(file.name, str(len(pypdfium2.PdfDocument(content))), bare, read), flush=True)
    print(_time_row("all", "", total_bare, total_read))


def seconds_taken(content: bytes, *, runs: int) -> tuple[float, float]:
    """The median processor time of bare extraction, and of reading, after a warm-up run."""
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs + 1):
        for task, taken in zip((_extract, _read), seconds, strict=True):
            started = time.process_time()
            task(content)
            taken.append(time.process_time() - started)
    bare, read = (statistics.median(taken[1:]) for taken in seconds)
    return bare, read


def _time_row(name: str, pages: str, bare: float, read: float) -> str:
    return f"{name:24} {pages:>5} {bare * 1000:5.0f} ms {read * 1000:5.0f} ms {read / bare:5.1f}"


def _read(content: bytes) -> None:
    read_paper(content, name="paper.pdf")


def _extract(content: bytes) -> None:
    document = pypdfium2.PdfDocument(content)
    for page in document:
        textpage = page.get_textpage()
        textpage.get_text_range()
        textpage.close()
        page.close()
    document.close()
