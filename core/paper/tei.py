"""Read TEI as GROBID writes it from a PDF."""

from __future__ import annotations

import re
from dataclasses import replace

from core.paper.draft import Block, PaperDraft, table_rows
from core.paper.identifiers import bare_doi, bare_pmid, doi_stated, year_in
from core.paper.metadata import is_name
from core.paper.model import CitedWork, Kind, SectionKind
from core.paper.sections import is_about, is_left_out, main_kind
from core.paper.symbols import restore_symbols
from core.paper.xml import (
    Element,
    InlineRules,
    all_text,
    children,
    descendants,
    first_child,
    inline_text,
    join_parts,
    local_name,
)

_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_RULES = InlineRules(
    skipped=frozenset({"graphic", "note"}),
    raised=lambda element: element.get("rend") in {"superscript", "sup"},
    citation=lambda element: local_name(element) == "ref" and element.get("type") == "bibr",
    broken=frozenset({"lb", "pb", "cb", "p", "item", "cell"}),
)
_YEAR = re.compile(r"(?:19|20)\d\d\b")
_BACK_TITLES = {
    "acknowledgement": "Acknowledgements",
    "references": "References",
    "funding": "Funding",
    "availability": "Data availability",
    "conflict": "Conflict of interest",
    "contribution": "Author contributions",
}
# GROBID writes a range of citations, "2-4", as single ones: [2][3][4], or (2)(3)(4).
_CITATION_RUN = re.compile(r"\[\d{1,4}\](?:\[\d{1,4}\])+|\(\d{1,4}\)(?:\(\d{1,4}\))+")
_CAPTION_IN_SENTENCE = re.compile(r"(?<=[a-z,;-]) (?:Figure|Fig\.|Table) (?:\d+|[IVX]+)\.? (?=[A-Z])")
# GROBID often leaves a space after a ligature: "effi cacy".
_SPLIT_LIGATURE = re.compile(r"\b(\w*(?:ffi|ffl|fi|fl)) (?=[a-z]{2,})")


def read_tei(root: Element) -> PaperDraft:
    """A draft of the first paper under `root`, in reading order."""
    tei = root if local_name(root) == "TEI" else next(descendants(root, "TEI"), root)
    return _TeiReader(tei).read()


class _TeiReader:
    def __init__(self, tei: Element) -> None:
        self.tei = tei
        self.draft = PaperDraft()
        self.seen_main_heading = False
        body = first_child(tei, "text", "body")
        self.floats = {
            figure.get(_XML_ID) or f"float-{number}": figure
            for number, figure in enumerate(descendants(body, "figure") if body is not None else ())
        }

    def read(self) -> PaperDraft:
        self._read_header()
        body = first_child(self.tei, "text", "body")
        if body is not None:
            self._read_division(body)
        for figure in self._take_floats(list(self.floats)):
            self._read_figure(figure)
        back = first_child(self.tei, "text", "back")
        if back is not None:
            self._read_back(back)
        self.draft.blocks = _with_captions_apart(self.draft.blocks)
        return self.draft

    def _read_header(self) -> None:
        header = first_child(self.tei, "teiHeader")
        if header is None:
            return
        title = first_child(header, "fileDesc", "titleStmt", "title")
        if title is not None and (text := _text(title)):
            self.draft.title = text
            self.draft.add(Kind.TITLE, text)
        for identifier in descendants(header, "idno"):
            if (identifier.get("type") or "").upper() == "DOI" and identifier.text:
                self.draft.doi = identifier.text.strip()
        source = first_child(header, "fileDesc", "sourceDesc", "biblStruct")
        if source is not None:
            self._read_source(source)
        abstract = first_child(header, "profileDesc", "abstract")
        if abstract is not None:
            for element in children(abstract):
                self._read_abstract(element)

    def _read_abstract(self, element: Element) -> None:
        """Read a part of the abstract: a heading, a paragraph, or an account of the paper, which is kept apart."""
        head = first_child(element, "head")
        name = local_name(element)
        if name == "head":
            self.draft.add(Kind.HEADING, _text(element), section_kind=SectionKind.ABSTRACT)
        elif name in {"p", "ab"}:
            self.draft.add(Kind.ABSTRACT, _text(element))
        elif head is not None and is_about(title := _text(head), of_abstract=True):
            with self.draft.beside(title):
                for paragraph in descendants(element, "p", "ab"):
                    self.draft.add(Kind.BODY, _text(paragraph))
        else:
            for child in children(element):
                self._read_abstract(child)

    def _read_source(self, source: Element) -> None:
        """Read the authors, the journal, the year and notes."""
        analytic = first_child(source, "analytic")
        if analytic is not None:
            self.draft.authors = _authors(analytic)
        imprint = first_child(source, "monogr", "imprint")
        for date in children(imprint, "date") if imprint is not None else ():
            if date.get("type") == "published" and (year := _YEAR.match(date.get("when") or all_text(date))):
                self.draft.year = int(year[0])
        journal = first_child(source, "monogr", "title")
        if journal is not None and journal.get("level") == "j":
            self.draft.journal = all_text(journal) or None
        self.draft.aside += [all_text(note) for note in children(source, "note")]

    def _read_division(self, division: Element, *, headed: bool = True) -> None:
        """Read a division; `headed` says whether to read its heading too."""
        for child in children(division):
            name = local_name(child)
            if name == "div":
                head = first_child(child, "head")
                title = _text(head) if head is not None else ""
                if is_left_out(title):
                    self.draft.leave_out(title, all_text(child))
                elif head is not None and is_about(title):
                    with self.draft.beside(title):
                        self._read_division(child, headed=False)
                else:
                    self._read_division(child)
            elif name == "head":
                if headed:
                    self._read_head(child)
            elif name == "list":
                for item in children(child, "item"):
                    self.draft.add(Kind.BODY, _text(item))
            elif name in {"p", "formula", "quote", "ab"}:
                self.draft.add(Kind.BODY, _text(child))
                self._read_floats_of(child)

    def _read_floats_of(self, paragraph: Element) -> None:
        """Read figures and tables after the first paragraph that mentions them: GROBID does not keep their place."""
        targets = [(reference.get("target") or "").lstrip("#") for reference in descendants(paragraph, "ref")]
        for figure in self._take_floats(targets):
            self._read_figure(figure)

    def _take_floats(self, identifiers: list[str]) -> list[Element]:
        return [self.floats.pop(identifier) for identifier in identifiers if identifier in self.floats]

    def _read_head(self, head: Element) -> None:
        title = _text(head)
        if not title:
            return
        main = main_kind(title) is not None
        number = (head.get("n") or "").strip(". ")
        level = number.count(".") + 1 if number else 1 if main or not self.seen_main_heading else 2
        self.seen_main_heading |= main
        self.draft.add(Kind.HEADING, title, level=level)

    def _read_figure(self, figure: Element) -> None:
        head = first_child(figure, "head")
        description = first_child(figure, "figDesc")
        parts = [_text(part) for part in (head, description) if part is not None]
        if len(parts) == 2 and parts[1].startswith(parts[0]):
            parts = parts[1:]
        self.draft.add(Kind.CAPTION, join_parts(parts))
        for table in children(figure, "table"):
            # Where GROBID could not make out the rows, it gives the table's text in one piece.
            for row in list(table_rows(table, _text)) or [_text(table)]:
                self.draft.add(Kind.TABLE, row)
        for note in children(figure, "note"):
            self.draft.add(Kind.TABLE, restore_symbols(all_text(note)))

    def _read_back(self, back: Element) -> None:
        for division in children(back, "div"):
            kind = division.get("type") or ""
            for part in list(children(division, "div")) or [division]:
                head = first_child(part, "head")
                title = _text(head) if head is not None else ""
                if kind == "annex" and title and not is_left_out(title):
                    self.seen_main_heading = False  # what follows is not part of the last main section
                    self._read_division(part)
                else:
                    self.draft.leave_out(title or _BACK_TITLES.get(kind, ""))
        if any(True for _ in descendants(back, "listBibl")):
            self.draft.leave_out("References")
        works = (
            _cited_work(entry) for listed in descendants(back, "listBibl") for entry in children(listed, "biblStruct")
        )
        self.draft.references = tuple(dict.fromkeys(work for work in works if work != CitedWork()))


def _with_captions_apart(blocks: list[Block]) -> list[Block]:
    """Take out captions that GROBID left inside a sentence, and join the paragraph that they break in two.

    Such a paragraph stops in mid-sentence at "Figure 2. The ...", and the next goes on in lower case.
    """
    repaired: list[Block] = []
    for block in blocks:
        before = repaired[-1] if repaired else None
        caption = None
        if before and before.kind is block.kind is Kind.BODY and block.text[:1].islower():
            caption = _CAPTION_IN_SENTENCE.search(before.text)
        if before is None or caption is None:
            repaired.append(block)
            continue
        start = before.text[: caption.start()].rstrip()
        joined = start[:-1] + block.text if start.endswith("-") else f"{start} {block.text}"
        repaired[-1:] = [replace(before, text=joined), Block(Kind.CAPTION, before.text[caption.start() :].strip())]
    return repaired


def _text(element: Element) -> str:
    text = _SPLIT_LIGATURE.sub(r"\1", restore_symbols(inline_text(element, _RULES)))
    return _CITATION_RUN.sub(_as_ranges, text)


def _as_ranges(run: re.Match[str]) -> str:
    ranges: list[list[int]] = []
    for number in map(int, re.findall(r"\d+", run[0])):
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    numbers = ",".join(str(r[0]) if len(r) == 1 else f"{r[0]}–{r[-1]}" for r in ranges)
    return f"{run[0][0]}{numbers}{run[0][-1]}"


def _authors(analytic: Element) -> tuple[str, ...]:
    """The authors. GROBID splits some names: given names without a family name belong to the author after them."""
    names: list[str] = []
    given = ""
    for author in children(analytic, "author"):
        person = first_child(author, "persName")
        if person is None:
            continue
        parts = [given, *map(all_text, children(person, "forename"))]
        family = " ".join(map(all_text, children(person, "surname", "genName")))
        given = "" if family else " ".join(filter(None, parts))
        if family:
            names.append(" ".join(filter(None, [*parts, family])))
    return tuple(name for name in dict.fromkeys(names) if is_name(name))


def _cited_work(entry: Element) -> CitedWork:
    """Read one entry of the bibliography. If it has no article title, the cited work is the book."""
    analytic, monograph = first_child(entry, "analytic"), first_child(entry, "monogr")
    titles = [
        (title.get("level"), all_text(title).rstrip(" .,;:"))
        for part in (analytic, monograph)
        if part is not None
        for title in children(part, "title")
    ]
    journal = next((text for level, text in titles if level == "j" and text), None)
    article = next((text for level, text in titles if level == "a" and text), None)
    book = next((text for level, text in titles if level == "m" and text), None)
    people = [_authors(part) for part in (analytic, monograph) if part is not None]
    imprint = first_child(monograph, "imprint")
    dates = [date.get("when") or all_text(date) for date in children(imprint, "date")] if imprint is not None else []
    numbers = [((idno.get("type") or "").upper(), all_text(idno)) for idno in descendants(entry, "idno")]
    links = [link.get("target") or "" for link in descendants(entry, "ptr", "ref")]
    dois = [bare_doi(text) for kind, text in numbers if kind == "DOI"] + [doi_stated(link) for link in links]
    return CitedWork(
        title=article or book,
        authors=next(filter(None, people), ()),
        journal=journal,
        year=next(filter(None, map(year_in, dates)), None),
        doi=next(filter(None, dois), None),
        pmid=next(filter(None, (bare_pmid(text) for kind, text in numbers if kind == "PMID")), None),
    )
