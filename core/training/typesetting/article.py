"""From a paper whose text is known to HTML that a style sheet can set as a journal would."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from core.paper import Kind, Paper, Sentence
from core.paper.model import Section, SectionKind
from core.paper.xml import Element, all_text, descendants, local_name, parse_xml, squeeze
from core.training.typesetting import matter

_CITATION = re.compile(r"(?P<gap> ?)\[(?P<numbers>\d+(?:[,;–-] ?\d+)*)\]")
_NUMBER = re.compile(r"^\d{1,2}(?:\.\d{1,2})*\.?\s+(?=\D)")
_CELLS = re.compile(r"(?:^| )\|(?: |$)")  # as `core.paper.tables` joins them, the empty ones too
_POWER = re.compile(r"\^(\d+)")
_STATISTIC = re.compile(r"(?<![\w&;])([pP]|n)(?= ?(?:[=<>&]|values?\b))")
_LONG_WORD = re.compile(r"[A-Za-z]{7,}")
# A syllable ends before a consonant and a vowel, or between two consonants that no word begins with.
_SYLLABLE = re.compile(
    r"(?<=[aeiouy])(?=(?:[bcdfgjklmnpqrstvwz]|ch|sh|th|ph|tr|pr|pl|cl|gr)[aeiouy]"
    r"|tion)|(?<=[lmnrsc])(?=[bcdfmnpstv][aeiou])|(?<=([bdfgmnprt]))(?=\1)"
)
_SOFT_HYPHEN = "\u00ad"
_MANY_COLUMNS = 7
_NOTE_WORDS = 12  # a row of one cell with more words is a note below its table


@dataclass(frozen=True, slots=True)
class Article:
    """A paper as its publisher gives it, and the entries of its bibliography."""

    paper: Paper
    references: tuple[str, ...]


def references_of(data: bytes, *, name: str) -> tuple[str, ...]:
    """The entries of the bibliography of a JATS file, as they are printed."""
    entries = descendants(parse_xml(data, name=name), "ref")
    return tuple(text for entry in entries if (text := _reference(entry)))


def _reference(entry: Element) -> str:
    """An entry as the file words it, or else put together from its parts in the order of Vancouver."""
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
    """A heading without the number that its publisher gave it: whether there is one is for the layout to say."""
    return _NUMBER.sub("", heading)


def page_source(article: Article, *, styles: str, script: str) -> str:
    """The HTML document that `script` lays out on pages by the rules of `styles`."""
    paper = article.paper
    doi = f"https://doi.org/{paper.doi}" if paper.doi else ""
    running = {
        "journal": matter.JOURNAL,
        "title": matter.RUNNING_TITLE,
        "doi": doi,
        "site": matter.SITE,
        "date": "1 August 2014",
    }
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><style>{styles}</style><body>'
        f'<div id="running">{"".join(_span(name, text) for name, text in running.items())}</div>'
        f'<div id="margin">{matter.MARGIN_NOTE}</div>'
        f'<section id="front">{"".join(_front(paper, doi))}</section>'
        f'<div id="notes"><p>{matter.CORRESPONDENCE}</p><p>{matter.LICENCE}</p></div>'
        f"<main>{''.join(_body(article))}</main>"
        f"<script>{script}</script>"
    )


def _span(name: str, text: str) -> str:
    return f'<span class="{name}">{escape(text)}</span>'


def _front(paper: Paper, doi: str) -> Iterator[str]:
    yield f'<div class="label">{matter.KIND}</div><h1>{_inline(paper.title or "")}</h1>'
    marked = (f"{name}<sup>{1 + at % 2}{',*' if at == 0 else ''}</sup>" for at, name in enumerate(matter.AUTHORS))
    yield f'<div class="authors">{", ".join(marked)}</div>'
    places = (f"<sup>{number}</sup>{place}" for number, place in enumerate(matter.AFFILIATIONS, 1))
    yield f'<div class="places">{"".join(f"<p>{place}</p>" for place in places)}</div>'
    info = (matter.EDITOR, matter.CITE_AS, matter.DATES, doi, matter.LICENCE, matter.CORRESPONDENCE)
    yield f'<div id="panels"><div id="info"><h5>Article info</h5>{"".join(f"<p>{line}</p>" for line in info)}</div>'
    yield f'<div id="abstract"><h5>Abstract</h5>{"".join(_abstract(paper))}</div>'
    boxes = (f"<h5>{title}</h5>{''.join(f'<p>{text}</p>' for text in texts)}" for title, texts in matter.BOX)
    yield f'<div id="box">{"".join(boxes)}</div></div><div class="keywords">{matter.KEYWORDS}</div>'


def _abstract(paper: Paper) -> Iterator[str]:
    for section in paper.sections:
        if section.kind is SectionKind.ABSTRACT:
            yield from _paragraphs(list(paper.paragraphs_of(section)), skip=paper.sentences[section.first])


def _paragraphs(paragraphs: Sequence[Sequence[Sentence]], *, skip: Sentence) -> Iterator[str]:
    """Paragraphs as HTML; a heading that opens no section runs in with what follows. `skip` is not set if a heading."""
    lead = ""
    for paragraph in paragraphs:
        text = _inline(" ".join(sentence.text for sentence in paragraph))
        if paragraph[0].kind is Kind.HEADING:
            lead = "" if paragraph[0] is skip else f'<b class="lead">{text.rstrip(".: ")}</b> '
        else:
            yield f"<p>{lead}{text}</p>\n"
            lead = ""


def _body(article: Article) -> Iterator[str]:
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
    for title, text in matter.STATEMENTS:
        yield f'<h3 class="statement">{title}</h3><p class="small">{text}</p>'
    yield "<h2>References</h2>"
    for number, reference in enumerate(article.references, 1):
        yield f'<p class="reference"><span class="number">{number}</span> {_soft(escape(reference))}</p>'


def _flow(paper: Paper, section: Section, first: Sentence) -> Iterator[str]:
    """The paragraphs of a section, and its figures and tables where they stand."""
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
    """A line of text as HTML: citations marked as such, powers raised, statistics sloped, words free to break."""
    marked = _POWER.sub(
        r"<sup>\1</sup>",
        _CITATION.sub(r'<span class="gap">\g<gap></span><cite>\g<numbers></cite>', _soft(escape(text, quote=False))),
    )
    return _STATISTIC.sub(r"<i>\1</i>", marked)


def _soft(text: str) -> str:
    return _LONG_WORD.sub(lambda word: _hyphenated(word.group()), text)


def _hyphenated(word: str) -> str:
    """A word with soft hyphens where it may break, three letters from its ends at the nearest."""
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
