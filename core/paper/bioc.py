"""Read BioC, the passage format of PubMed Central's text-mining services, as XML and as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any

from pydantic import BaseModel

from core.errors import DamagedFile
from core.paper.draft import Block, PaperDraft, join_cells
from core.paper.model import Account, Kind, LeftOut, SectionKind
from core.paper.sections import is_about, is_left_out, main_kind
from core.paper.xml import Element, children, descendants, first_child, squeeze

_LEVEL = re.compile(r"_([1-9])$")  # "title_2"
_DEEPEST = 7  # one more than HTML's levels of headings
_YEAR = re.compile(r"(?:19|20)\d\d")
_SECTION_KINDS = {
    "ABSTRACT": SectionKind.ABSTRACT,
    "INTRO": SectionKind.INTRODUCTION,
    "METHODS": SectionKind.METHODS,
    "RESULTS": SectionKind.RESULTS,
    "DISCUSS": SectionKind.DISCUSSION,
    "CONCL": SectionKind.DISCUSSION,
}
# Auto-CORPus names the parts of a paper by the terms of the Information Artifact Ontology.
_SECTIONS_OF_IAO = {
    "document title": "TITLE",
    "textual abstract section": "ABSTRACT",
    "introduction section": "INTRO",
    "materials section": "METHODS",
    "methods section": "METHODS",
    "results section": "RESULTS",
    "discussion section": "DISCUSS",
    "conclusion section": "CONCL",
    "references section": "REF",
    "acknowledgements section": "ACK_FUND",
    "funding source declaration section": "ACK_FUND",
    "conflict of interest section": "COMP_INT",
    "author contributions section": "AUTH_CONT",
    "supplementary material section": "SUPPL",
    "abbreviations section": "ABBR",
    "keywords section": "KEYWORD",
}
_LEFT_OUT = {
    "REF": "References",
    "ACK_FUND": "Acknowledgements and funding",
    "COMP_INT": "Competing interests",
    "AUTH_CONT": "Author contributions",
    "SUPPL": "Supplementary material",
    "ABBR": "Abbreviations",
    "KEYWORD": "Keywords",
    "REVIEW_INFO": "Review information",
}


class _Passage(BaseModel):
    infons: dict[str, Any] = {}
    text: str | None = None
    sentences: list[dict[str, Any]] = []


class _Document(BaseModel):
    passages: list[_Passage]


class _Collection(BaseModel):
    documents: list[_Document]


def read_bioc_json(text: str, *, name: str) -> PaperDraft:
    """A draft of the first document.

    Raises `DamagedFile` if the JSON is cut off or does not have BioC's layout.
    """
    try:
        content = json.loads(text)
        if isinstance(content, list):  # as PubMed Central's service delivers it
            content = content[0] if content else {}
        if isinstance(content, Mapping) and "passages" in content:
            content = {"documents": [content]}
        documents = _Collection.model_validate(content).documents
    except (ValueError, RecursionError) as error:
        raise DamagedFile(f"“{name}” is damaged BioC JSON: it may be cut off. Download the file again.") from error
    passages = documents[0].passages if documents else []
    return _read_passages(
        (
            {str(key): str(value) for key, value in passage.infons.items()},
            passage.text or " ".join(str(sentence.get("text", "")) for sentence in passage.sentences),
        )
        for passage in passages
    )


def read_bioc_xml(root: Element) -> PaperDraft:
    """A draft of the first document under `root`."""
    document = next(descendants(root, "document"), root)
    return _read_passages(
        (
            {infon.get("key", ""): infon.text or "" for infon in children(passage, "infon")},
            _passage_text(passage),
        )
        for passage in children(document, "passage")
    )


def _passage_text(passage: Element) -> str:
    text = first_child(passage, "text")
    if text is not None and text.text:
        return text.text
    return " ".join(
        part.text
        for sentence in children(passage, "sentence")
        if (part := first_child(sentence, "text")) is not None and part.text
    )


def _headed(passages: Iterable[tuple[Mapping[str, str], str]]) -> Iterator[tuple[Mapping[str, str], str]]:
    """Passages in PubMed Central's form. Auto-CORPus has no passages for headings; each text names those above it."""
    above: list[str] = []
    for infons, text in passages:
        names = {infons.get(f"iao_name_{number}", "").casefold() for number in range(1, _DEEPEST)}
        titles = list(takewhile(bool, (squeeze(infons.get(f"section_title_{n}", "")) for n in range(1, _DEEPEST))))
        if not (titles or any(names)) or "section_type" in infons:
            yield infons, text
            continue
        section = next((section for name, section in _SECTIONS_OF_IAO.items() if name in names), "")
        if titles and main_kind(titles[0]) is SectionKind.ABSTRACT:
            section = "ABSTRACT"
        if section == "TITLE":
            yield {**infons, "section_type": section, "type": "front"}, text
            continue
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(above, titles, strict=False)))
        heading, paragraph = ("abstract_title", "abstract") if section == "ABSTRACT" else ("title", "paragraph")
        for number, title in enumerate(titles[kept:], kept + 1):
            yield {"section_type": section, "type": f"{heading}_{number}"}, title
        above = titles
        yield {**infons, "section_type": section, "type": paragraph}, text


def _read_passages(passages: Iterable[tuple[Mapping[str, str], str]]) -> PaperDraft:
    draft = PaperDraft()
    left_out_level = 0
    about: str | None = None  # the section type of the account of the paper that is being read
    for infons, raw in _headed(passages):
        kind = infons.get("type", "").lower()
        section = infons.get("section_type", "").upper() or _section_from_type(kind)
        text = squeeze(raw)
        if infons.get("article-id_doi"):
            draft.doi = infons["article-id_doi"].strip()
        if re.fullmatch(r"[1-9][0-9]{0,8}", number := infons.get("article-id_pmid", "").strip()):
            draft.pmid = number
        if section == "TITLE" and not draft.blocks:
            _read_front(draft, infons)
        if not text:
            continue
        if section in _LEFT_OUT:
            draft.leave_out(_LEFT_OUT[section], "" if section == "REF" else text)
            draft.left_out.append(LeftOut(Account.REFERENCES if section == "REF" else Account.STATEMENT, text))
        elif (section == "TITLE" or (kind == "title" and not draft.blocks)) and draft.title is None:
            draft.title = text
            draft.blocks.append(Block(Kind.TITLE, text))
        elif about == section and kind.startswith("title") and kind not in {"title", "title_1"}:
            draft.about.append(Block(Kind.HEADING, text, 2))
        elif kind.startswith(("title", "abstract_title")) and is_about(text, of_abstract=section == "ABSTRACT"):
            draft.about.append(Block(Kind.HEADING, text, 1, SectionKind.ABOUT))
            about = section
        elif about == section == "ABSTRACT" and main_kind(text) is not SectionKind.ABSTRACT:
            headed = kind.startswith("abstract_title")  # the heading of one of its parts
            draft.about.append(Block(Kind.HEADING, text, 2) if headed else Block(Kind.BODY, text))
        elif kind.startswith(("title", "abstract_title")):
            about = None
            numbered = _LEVEL.search(kind)
            level = int(numbered[1]) if numbered else 1
            left_out_level = _read_heading(draft, text, section, level, left_out_level)
            if left_out_level:
                draft.left_out.append(LeftOut(Account.STATEMENT, text))
        elif about == section:
            draft.about.append(Block(Kind.BODY, text))
        elif left_out_level == 0:
            about = None
            draft.blocks.extend(_blocks(text, raw, section, kind))
        else:
            draft.left_out.append(LeftOut(Account.STATEMENT, text))
    return draft


def _read_front(draft: PaperDraft, infons: Mapping[str, str]) -> None:
    """Authors ("surname:Rossi;given-names:Ada", numbered from 0), year and journal from the front's own infons."""
    names: list[str] = []
    while (entry := infons.get(f"name_{len(names)}")) is not None:
        parts = dict(part.split(":", 1) for part in entry.split(";") if ":" in part)
        names.append(squeeze(f"{parts.get('given-names', '')} {parts.get('surname', '')} {parts.get('suffix', '')}"))
    draft.authors = tuple(filter(None, names))
    year = infons.get("year", "").strip()
    draft.year = int(year) if _YEAR.fullmatch(year) else None
    draft.journal = infons.get("journal", "").partition(";")[0].strip() or None
    draft.aside += [infons.get("kwd", ""), infons.get("notes", "")]


def _section_from_type(kind: str) -> str:
    """The section type in older files, which give it only within the passage's type."""
    if kind == "ref":
        return "REF"
    if kind in {"front", "article-title"}:
        return "TITLE"
    return "ABSTRACT" if kind.startswith("abstract") else ""


def _read_heading(draft: PaperDraft, text: str, section: str, level: int, left_out_level: int) -> int:
    """Add a heading. Returns the level of the left-out section that the reader is in now, or 0."""
    if left_out_level and level > left_out_level:
        return left_out_level
    if is_left_out(text):
        draft.leave_out(text)
        return level
    if section == "ABSTRACT":
        opens = main_kind(text) is SectionKind.ABSTRACT
        draft.blocks.append(Block(Kind.HEADING, text, 1 if opens else 0, SectionKind.ABSTRACT))
    else:
        draft.blocks.append(Block(Kind.HEADING, text, level, _SECTION_KINDS.get(section)))
    return 0


def _blocks(text: str, raw: str, section: str, kind: str) -> list[Block]:
    if kind in {"table", "table_footnote", "table_foot"}:
        return [Block(Kind.TABLE, row) for row in _rows(raw)]
    if section in {"FIG", "TABLE"} or "caption" in kind:
        return [Block(Kind.CAPTION, text)]
    if section == "ABSTRACT":
        return [Block(Kind.ABSTRACT, text)]
    return [Block(Kind.BODY, text)]


def _rows(raw: str) -> list[str]:
    """A table's rows: BioC separates cells by tabs, and rows by line breaks."""
    rows = (join_cells(squeeze(cell) for cell in line.split("\t")) for line in raw.splitlines())
    return [row for row in rows if row]
