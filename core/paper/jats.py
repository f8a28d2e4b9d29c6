"""Read JATS and its NLM forerunners, the XML of PubMed Central."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace

from lxml import etree

from core.paper.draft import PaperDraft, table_rows
from core.paper.jats_references import cited_works
from core.paper.model import RETRACTED, Kind, PaperWarning, SectionKind
from core.paper.sections import is_about, is_left_out, main_kind, normalise_title
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
    spaced_text,
    squeeze,
)

# ---- Authors, journal, year and notes ----

# The issue's year is how a paper is cited, so it comes before that of the first appearance online.
# Dates of other events (a preprint, a deposit, a release in an archive) are no dates of publication.
_YEAR_OF_ISSUE = frozenset({"ppub", "collection", "epub-ppub", "print"})
_YEAR_ONLINE = frozenset({"epub", "pub", "electronic", ""})
_NOTES = (
    "article-id",
    "author-notes",
    "custom-meta-group",
    "custom-meta-wrap",
    "funding-group",
    "kwd-group",
    "related-object",
)
_BRACKET = re.compile(r"\s*\([^()]*\)$")


# The `abstract-type` of accounts of the paper, and the title of each where the file gives none.
_ABOUT_TYPES = {
    "editor": "Editors' summary",
    "editor-summary": "Editors' summary",
    "editorial": "Editors' summary",
    "plain-language-summary": "Plain language summary",
    "plain-language": "Plain language summary",
    "plain-english-summary": "Plain English summary",
    "lay-summary": "Lay summary",
    "lay": "Lay summary",
    "author-summary": "Author summary",
    "author-highlights": "Highlights",
    "highlights": "Highlights",
    "key-points": "Key points",
    "keypoints": "Key points",
    "key-messages": "Key messages",
    "teaser": "Teaser",
    "toc": "In the table of contents",
    "graphical": "Graphical abstract",
    "graphical-abstract": "Graphical abstract",
    "video": "Video abstract",
    "precis": "Précis",
    "web-summary": "Web summary",
    "significance": "Significance",
}
# Beside an abstract, these are accounts of the paper. Without one, they are the abstract.
_TITLED_BESIDE_ANOTHER = frozenset({"significance", "clinical perspective", "clinical relevance", "what is new"})
_ABOUT_BESIDE_ANOTHER = {"summary": "Summary", "executive-summary": "Executive summary"}


def account_titled(abstract: Element, title: str, *, alone: bool) -> str | None:
    """The title of an abstract that is an account of the paper by its journal or authors; None for a real abstract.

    `alone`: whether the paper has no other abstract.
    """
    kind = (abstract.get("abstract-type") or "").lower().replace("_", "-").replace(" ", "-")
    usual = _ABOUT_TYPES.get(kind) or (None if alone else _ABOUT_BESIDE_ANOTHER.get(kind))
    if usual is None:
        return title if is_about(title) or (not alone and normalise_title(title) in _TITLED_BESIDE_ANOTHER) else None
    return title or usual


def authors_of(meta: Element) -> tuple[str, ...]:
    """The authors, including groups that sign as one, but without editors and the members of groups."""
    contributors = [c for group in children(meta, "contrib-group") for c in children(group, "contrib")]
    contributors = [c for c in contributors if (c.get("contrib-type") or "author").lower() == "author"]
    return tuple(dict.fromkeys(name for contributor in contributors if (name := _name(contributor))))


def year_of(meta: Element) -> int | None:
    """The year of the issue, or else of publication online."""
    dates = [(_type_of(date), text) for date in children(meta, "pub-date") if (text := _year_in(date))]
    for types in (_YEAR_OF_ISSUE, _YEAR_ONLINE):
        for kind, text in dates:
            if kind in types:
                return int(text)
    return None


def pmid_of(meta: Element) -> str | None:
    """The article's number in PubMed, as digits."""
    for identifier in children(meta, "article-id"):
        text = all_text(identifier)
        if identifier.get("pub-id-type") == "pmid" and re.fullmatch(r"[1-9][0-9]{0,8}", text):
            return text
    return None


def journal_of(article: Element) -> str | None:
    """The journal's title, without the place in brackets that catalogues add to tell namesakes apart."""
    meta = first_child(article, "front", "journal-meta")
    title = next(descendants(meta, "journal-title"), None) if meta is not None else None
    return (title is not None and _BRACKET.sub("", all_text(title))) or None


def notes_of(meta: Element) -> Iterator[str]:
    """Texts of the front matter, outside title and abstract, that may state a registration."""
    for element in children(meta, *_NOTES):
        yield spaced_text(element)


def _name(contributor: Element) -> str:
    names = first_child(contributor, "name-alternatives")
    for child in children(contributor if names is None else names):
        kind = local_name(child)
        if kind == "name":
            parts = {local_name(part): all_text(part) for part in children(child)}
            return squeeze(" ".join(parts.get(part, "") for part in ("given-names", "surname", "suffix")))
        if kind == "string-name":
            return _without(child, "degrees", "xref")
        if kind == "collab":
            return _without(child, "contrib-group", "xref", "fn")
    return ""


def _without(element: Element, *names: str) -> str:
    """The text of an element without that of some inner elements."""
    copy = deepcopy(element)
    copy.tail = None
    for inner in list(descendants(copy, *names)):
        parent = inner.getparent()
        if parent is not None:
            before = inner.getprevious()
            if before is not None:
                before.tail = (before.tail or "") + (inner.tail or "")
            else:
                parent.text = (parent.text or "") + (inner.tail or "")
            parent.remove(inner)
    return all_text(copy).rstrip(" ,;*")


def _type_of(date: Element) -> str:
    """The event a date belongs to. JATS 1.1 and later give it in two attributes, the forerunners in one."""
    kind = date.get("pub-type") or date.get("date-type") or ""
    return "print" if kind == "pub" and date.get("publication-format") == "print" else kind


def _year_in(date: Element) -> str | None:
    element = first_child(date, "year")
    text = all_text(element) if element is not None else (date.get("iso-8601-date") or "")[:4]
    return text if re.fullmatch(r"(?:19|20)\d\d", text) else None


# ---- The body ----

RULES = InlineRules(
    skipped=frozenset({"tex-math", "fn", "label-alternatives", "graphic", "inline-graphic", "object-id", "alt-text"}),
    raised=lambda element: local_name(element) == "sup",
    citation=lambda element: local_name(element) == "xref" and element.get("ref-type") == "bibr",
    broken=frozenset({"break", "td", "th", "p", "list-item", "title", "def", "term", "disp-formula", "tr"}),
)
_FLOATS = frozenset({"fig", "table-wrap", "fig-group", "table-wrap-group", "boxed-text"})
_BLOCKS_INSIDE_PARAGRAPHS = _FLOATS | {"list", "def-list", "disp-quote", "supplementary-material"}
_SECTION_TYPES = {
    "intro": SectionKind.INTRODUCTION,
    "introduction": SectionKind.INTRODUCTION,
    "background": SectionKind.INTRODUCTION,
    "methods": SectionKind.METHODS,
    "method": SectionKind.METHODS,
    "materials": SectionKind.METHODS,
    "subjects": SectionKind.METHODS,
    "results": SectionKind.RESULTS,
    "discussion": SectionKind.DISCUSSION,
    "conclusions": SectionKind.DISCUSSION,
    "conclusion": SectionKind.DISCUSSION,
}
_LEFT_OUT_TYPES = frozenset({"supplementary-material", "COI-statement", "conflict", "ref-list", "data-availability"})


def read_jats(root: Element) -> PaperDraft:
    """A draft of the article under `root`, in reading order."""
    article = root if local_name(root) == "article" else next(descendants(root, "article"), root)
    return _JatsReader(article).read()


class _JatsReader:
    def __init__(self, article: Element) -> None:
        self.article = article
        self.draft = PaperDraft()
        self.level = 0  # of the section that is being read
        self.floats: dict[str, Element] = {}
        for group in children(article, "floats-group", "floats-wrap"):
            for number, element in enumerate(children(group)):
                self.floats[element.get("id") or f"float-{number}"] = element

    def read(self) -> PaperDraft:
        meta = first_child(self.article, "front", "article-meta")
        if meta is None:
            meta = first_child(self.article, "front-stub")
        if meta is not None:
            self._read_front(meta)
        body = first_child(self.article, "body")
        if body is not None:
            self._read_container(body, level=0)
        back = first_child(self.article, "back")
        if back is not None:
            self._read_back(back)
        self._read_remaining_floats()
        self.draft.references = cited_works(self.article)
        return self.draft

    def _read_front(self, meta: Element) -> None:
        titles = first_child(meta, "title-group")
        title = first_child(titles, "article-title")
        if titles is not None and title is not None:
            text = inline_text(title, RULES)
            subtitle = first_child(titles, "subtitle")
            if subtitle is not None:
                text = f"{text.rstrip(':')}: {inline_text(subtitle, RULES)}"
            if text:
                self.draft.title = text
                self.draft.add(Kind.TITLE, text)
        for identifier in children(meta, "article-id"):
            if identifier.get("pub-id-type") == "doi" and identifier.text:
                self.draft.doi = identifier.text.strip()
        self.draft.pmid = pmid_of(meta)
        self.draft.authors, self.draft.year = authors_of(meta), year_of(meta)
        self.draft.journal = journal_of(self.article)
        if any(one.get("related-article-type") == "retraction-forward" for one in children(meta, "related-article")):
            self.draft.warnings.append(PaperWarning(RETRACTED, "This paper was retracted, as its own file says."))
        self.draft.aside += notes_of(meta)
        abstracts = list(children(meta, "abstract"))
        for abstract in abstracts:
            account = account_titled(abstract, _title(abstract), alone=len(abstracts) == 1)
            if account is None:
                self._read_abstract(abstract)
            else:
                self._read_account(abstract, account)

    def _read_account(self, account: Element, title: str) -> None:
        """Read what the journal or the authors wrote about the paper: an abstract, a box or a section."""
        (level, self.level), (floats, self.floats) = (self.level, 1), (self.floats, {})  # figures stay in the body
        with self.draft.beside(title):
            self._read_parts_of_account(account, title)
        self.level, self.floats = level, floats

    def _read_parts_of_account(self, account: Element, title: str) -> None:
        for number, child in enumerate(children(account)):
            name = local_name(child)
            if name in {"title", "label", "object-id", "sec-meta"} or (name == "caption" and number == 0):
                continue
            if name == "sec":
                if (heading := _title(child)) and heading != title:
                    self.draft.add(Kind.HEADING, heading, level=2)
                self._read_parts_of_account(child, title)
            else:
                self._read_flow(child, Kind.BODY)

    def _read_abstract(self, abstract: Element) -> None:
        for child in children(abstract):
            name = local_name(child)
            if name == "sec" and is_about(title := _title(child), of_abstract=True):
                self._read_account(child, title)
                continue
            if name == "title":
                text = inline_text(child, RULES)
                first = not any(block.section_kind is SectionKind.ABSTRACT for block in self.draft.blocks)
                if text and first and main_kind(text) is SectionKind.ABSTRACT:
                    self.draft.add(Kind.HEADING, text, level=1, section_kind=SectionKind.ABSTRACT)
                elif text:
                    self.draft.add(Kind.HEADING, text, section_kind=SectionKind.ABSTRACT)
            elif name == "sec":
                self._read_abstract(child)
            elif name not in {"label", "object-id"}:
                self._read_flow(child, Kind.ABSTRACT)

    def _read_container(self, container: Element, level: int) -> None:
        """Read a body or section: its paragraphs, floats and subsections in order."""
        for child in children(container):
            name = local_name(child)
            if name == "sec":
                self._read_section(child, level + 1)
            elif name not in {"title", "label", "sec-meta", "object-id"}:
                self._read_flow(child, Kind.BODY)

    def _read_section(self, section: Element, level: int) -> None:
        title_element = first_child(section, "title")
        title = inline_text(title_element, RULES) if title_element is not None else ""
        section_type = section.get("sec-type") or ""
        if section_type in _LEFT_OUT_TYPES or is_left_out(title, inside=level > 1):
            self.draft.leave_out(title or section_type, "" if section_type == "ref-list" else spaced_text(section))
            return
        if is_about(title):
            self._read_account(section, title)
            return
        if title:
            kind = _SECTION_TYPES.get(section_type.lower().split("|")[0]) if level == 1 else None
            self.draft.add(Kind.HEADING, title, level=level, section_kind=kind)
        outer, self.level = self.level, level
        self._read_container(section, level)
        self.level = outer

    def _read_back(self, back: Element) -> None:
        for child in children(back):
            name = local_name(child)
            if name == "sec":
                self._read_section(child, level=1)
            elif name == "app-group":
                for appendix in children(child, "app"):
                    self._read_section(appendix, level=1)
            elif name in {"notes", "bio", "glossary", "ack", "fn-group", "ref-list"}:
                title = first_child(child, "title")
                text = inline_text(title, RULES) if title is not None else ""
                if name == "notes" and text and not is_left_out(text):
                    self._read_section(child, level=1)
                else:
                    usual = {"ack": "Acknowledgements", "ref-list": "References"}.get(name, "")
                    self.draft.leave_out(text or usual, "" if name == "ref-list" else spaced_text(child))

    def _read_flow(self, element: Element, kind: Kind) -> None:
        """Read one child of a section: a paragraph, list, quotation, box, figure or table."""
        name = local_name(element)
        if name in {"fig", "table-wrap"}:
            self._read_float(element)
        elif name in {"fig-group", "table-wrap-group"}:
            self._read_caption(element)
            for child in children(element, "fig", "table-wrap"):
                self._read_float(child)
        elif name in {"list", "def-list"}:
            for item in children(element, "list-item", "def-item"):
                self._read_item(item, kind)
        elif name == "boxed-text" and is_about(title := _title(element, deep=True), boxed=True):
            self._read_account(element, title)
        elif name in {"boxed-text", "disp-quote", "list-item", "statement", "disp-formula-group"}:
            for child in children(element):
                if local_name(child) == "sec":
                    self._read_section(child, level=2)
                elif local_name(child) == "title":
                    self.draft.add(Kind.HEADING, inline_text(child, RULES), level=0)
                else:
                    self._read_flow(child, kind)
        elif name == "caption":
            self.draft.add(Kind.CAPTION, inline_text(element, RULES))
        elif name in {"supplementary-material", "label", "title", "ref-list", "fn-group", "media", "graphic"}:
            return
        else:
            self._read_paragraph(element, kind)

    def _read_item(self, item: Element, kind: Kind) -> None:
        label = first_child(item, "label")
        blocks = [child for child in children(item) if local_name(child) != "label"]
        if local_name(item) == "def-item":
            self.draft.add(kind, ": ".join(filter(None, (inline_text(child, RULES) for child in blocks))))
            return
        for index, child in enumerate(blocks):
            before = len(self.draft.blocks)
            self._read_flow(child, kind)
            if index == 0 and label is not None and len(self.draft.blocks) > before:
                block = self.draft.blocks[before]
                text = f"{inline_text(label, RULES)} {block.text}".strip()
                self.draft.blocks[before] = replace(block, text=text)

    def _read_paragraph(self, element: Element, kind: Kind) -> None:
        """Read a paragraph, with the lists, figures and tables inside it, then the floats that it mentions."""
        for piece in _pieces(element):
            if local_name(piece) in _BLOCKS_INSIDE_PARAGRAPHS:
                self._read_flow(piece, kind)
            else:
                self._read_text(piece, kind)
        for reference in descendants(element, "xref"):
            for float_id in (reference.get("rid") or "").split():
                if (detached := self.floats.pop(float_id, None)) is not None:
                    self._read_flow(detached, kind)

    def _read_text(self, piece: Element, kind: Kind) -> None:
        """Read a run of text. A paragraph in bold, or its first words in bold, may be a heading."""
        text = inline_text(piece, RULES)
        heading = _heading_in(piece, text)
        if heading:
            if kind is Kind.ABSTRACT:
                self.draft.add(Kind.HEADING, heading, section_kind=SectionKind.ABSTRACT)
            elif heading == text:
                self.draft.add(Kind.HEADING, heading, level=self.level + 1)
            else:
                self.draft.add(Kind.HEADING, heading)
        self.draft.add(kind, text[len(heading) :].strip())

    def _read_float(self, element: Element) -> None:
        self._read_caption(element)
        for table in descendants(element, "table"):
            for row in table_rows(table, _cell_text):
                self.draft.add(Kind.TABLE, row)
        for foot in children(element, "table-wrap-foot"):
            notes = [e for e in descendants(foot, "p", "attrib") if not any(True for _ in descendants(e, "p"))]
            for note in notes or [foot]:
                self.draft.add(Kind.TABLE, inline_text(note, RULES))

    def _read_caption(self, element: Element) -> None:
        label = first_child(element, "label")
        caption = first_child(element, "caption")
        parts = [inline_text(label, RULES)] if label is not None else []
        if caption is not None:
            parts += [inline_text(child, RULES) for child in children(caption)] or [squeeze(caption.text or "")]
        self.draft.add(Kind.CAPTION, join_parts(parts))

    def _read_remaining_floats(self) -> None:
        """Read the figures and tables that no paragraph mentions."""
        for element in self.floats.values():
            self._read_flow(element, Kind.BODY)


def _title(element: Element, *, deep: bool = False) -> str:
    """The title of an abstract or section; with `deep`, the first title at any depth in a box."""
    title = next(descendants(element, "title"), None) if deep else first_child(element, "title")
    return "" if title is None else inline_text(title, RULES)


def _pieces(paragraph: Element) -> Iterator[Element]:
    """Cut a paragraph at the lists, figures and tables inside it: runs of text, and those blocks, in order."""
    if not any(local_name(child) in _BLOCKS_INSIDE_PARAGRAPHS for child in paragraph):
        yield paragraph
        return
    run = etree.Element("p")
    run.text = paragraph.text
    for child in paragraph:
        if local_name(child) in _BLOCKS_INSIDE_PARAGRAPHS:
            yield run
            yield child
            run = etree.Element("p")
            run.text = child.tail
        else:
            run.append(deepcopy(child))
    yield run


def _heading_in(paragraph: Element, text: str) -> str:
    """The heading that a paragraph consists of or begins with; empty if there is none.

    Journals print minor headings as "<bold>Blinding.</bold> Assessors were ...", or as whole paragraphs.
    """
    if main_kind(text) is not None:
        return text
    first = next(children(paragraph), None)
    if first is None or local_name(first) not in {"bold", "italic", "underline"} or (paragraph.text or "").strip():
        return ""
    lead = inline_text(first, RULES)
    if not text.startswith(lead) or not lead[:1].isupper():
        return ""
    if lead == text:
        return text if len(text.split()) <= 12 else ""
    if not lead.endswith((".", ":")):
        lead += text[len(lead) : len(lead) + 1]
    return lead if lead.endswith((".", ":")) and 0 < len(lead.split()) <= 8 else ""


def _cell_text(cell: Element) -> str:
    return inline_text(cell, RULES, without=list(descendants(cell, "table")))
