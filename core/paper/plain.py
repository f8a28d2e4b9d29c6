"""Read plain text and Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from core.paper.draft import Block, Draft
from core.paper.model import Kind, SectionKind
from core.paper.sections import is_left_out, main_kind
from core.paper.tables import CELL_SEPARATOR
from core.paper.xml import squeeze

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+[^\s\"<>.,;)\]]")
_ATX = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_SETEXT = re.compile(r"^ {0,3}(=+|-+)\s*$")
_FENCE = re.compile(r"^ {0,3}(```|~~~)")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$")
_LIST_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?=\S)")
_CAPTION = re.compile(
    r"^(?:supplementary )?(?:figure|fig\.?|table|box|scheme)\s+[A-Z]?\d+[a-z]?\s*[.:|–—-]", re.IGNORECASE
)
# Inline marks that are set around words; what stands inside them is the text.
_MARKS = (
    (re.compile(r"!\[([^\]]*)\]\([^)\s]*(?:\s\"[^\"]*\")?\)"), r"\1"),
    (re.compile(r"(?<!\\)(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w\\*])\*(?=[^\s*])([^*]+?)(?<=[^\s*])\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<![\w\\_])_(?=[^\s_])([^_]+?)(?<=[^\s_])_(?![\w_])"), r"\1"),
    (re.compile(r"(?<!\\)`([^`]+)`"), r"\1"),
    (re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~])"), r"\1"),
)
# "TITLE:", "ABSTRACT.METHODS:", "BODY.RESULTS:" as text exports of PubMed Central label their parts.
_LABEL = re.compile(r"^(TITLE|ABSTRACT|BODY)((?:\.[^:\n]{1,200})?):\s*$")


def looks_like_markdown(text: str) -> bool:
    """Whether the text has Markdown headings, in either of their two forms."""
    lines = text.splitlines()
    if sum(bool(_ATX.match(line)) for line in lines) >= 1:
        return True
    return any(
        _SETEXT.match(below) and len(below.strip()) >= 3 and line.strip() and not line.lstrip().startswith(("|", "-"))
        for line, below in pairwise(lines)
    )


def read_markdown(text: str) -> Draft:
    """A draft from headings, paragraphs, lists and pipe tables."""
    return _LineReader(_markdown_parts(text.splitlines())).read(text)


def read_text(text: str) -> Draft:
    """A draft from paragraphs set apart by blank lines; short lines that read like section titles are headings."""
    lines = text.replace("\f", "\n\n").splitlines()
    return _LineReader(_text_parts(lines)).read(text)


# One part of the file: ("heading", level, text), ("row", 0, text), ("paragraph", 0, text).
_Part = tuple[str, int, str]


class _LineReader:
    """Turns the parts of a text file into blocks: what is abstract, what is body, what is left out."""

    def __init__(self, parts: Iterator[_Part]) -> None:
        self.parts = parts
        self.draft = Draft()
        self.kind = Kind.BODY
        self.abstract_level = 0
        self.skip_level = 0  # inside a left-out section of this level

    def read(self, text: str) -> Draft:
        if found := _DOI.search(text[:5000]):
            self.draft.doi = found.group()
        for what, level, content in self.parts:
            if what == "heading":
                self._read_heading(level, content)
            elif not self.skip_level:
                kind = Kind.TABLE if what == "row" else Kind.CAPTION if _CAPTION.match(content) else self.kind
                self.draft.blocks.append(Block(kind, content))
        return self.draft

    def _read_heading(self, level: int, title: str) -> None:
        if self.draft.title is None and not self.draft.blocks and main_kind(title) is None:
            self.draft.title = title
            self.draft.blocks.append(Block(Kind.TITLE, title))
            return
        if self.skip_level and level > self.skip_level:
            return
        self.skip_level = 0
        if is_left_out(title):
            self.draft.leave_out(title)
            self.skip_level = level
        elif main_kind(title) is SectionKind.ABSTRACT:
            self.kind, self.abstract_level = Kind.ABSTRACT, level
            self.draft.blocks.append(Block(Kind.HEADING, title, 1, SectionKind.ABSTRACT))
        elif self.kind is Kind.ABSTRACT and level > self.abstract_level:
            self.draft.blocks.append(Block(Kind.HEADING, title, 0, SectionKind.ABSTRACT))
        else:
            self.kind = Kind.BODY
            self.draft.blocks.append(Block(Kind.HEADING, title, max(level - self._top(), 1)))

    def _top(self) -> int:
        """How far headings stand below level 1: papers use the first level for the title alone."""
        return 1 if self.draft.title is not None else 0


def _markdown_parts(lines: list[str]) -> Iterator[_Part]:
    paragraph: list[str] = []
    fenced = False

    def flush() -> Iterator[_Part]:
        if content := squeeze(_unmarked(" ".join(paragraph))):
            yield "paragraph", 0, content
        paragraph.clear()

    if lines and lines[0].strip() == "---" and "---" in (line.strip() for line in lines[1:40]):
        closing = next(i for i, line in enumerate(lines[1:], 1) if line.strip() == "---")
        lines = lines[closing + 1 :]  # metadata of the writing program
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
            continue
        heading = None if fenced else _ATX.match(line)
        setext = None if fenced or not paragraph else _SETEXT.match(line)
        if heading:
            yield from flush()
            if content := squeeze(_unmarked(heading[2])):
                yield "heading", len(heading[1]), content
        elif setext and len(paragraph) == 1:
            content = squeeze(_unmarked(paragraph[0]))
            paragraph.clear()
            yield "heading", 1 if line.strip().startswith("=") else 2, content
        elif not line.strip():
            yield from flush()
        elif not fenced and line.lstrip().startswith("|"):
            yield from flush()
            if not _TABLE_RULE.match(line):
                yield "row", 0, _row(line)
        elif not fenced and _LIST_ITEM.match(line):
            yield from flush()
            paragraph.append(_LIST_ITEM.sub("", line))
        else:
            paragraph.append(re.sub(r"^ {0,3}> ?", "", line))
    yield from flush()


def _row(line: str) -> str:
    cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    return CELL_SEPARATOR.join(squeeze(_unmarked(cell)) for cell in cells).strip()


def _unmarked(text: str) -> str:
    for pattern, replacement in _MARKS:
        text = pattern.sub(replacement, text)
    return text


def _text_parts(lines: list[str]) -> Iterator[_Part]:
    paragraph: list[str] = []
    labelled = any(_LABEL.match(line) for line in lines[:50])
    title_seen = False
    first = True

    def flush() -> Iterator[_Part]:
        if content := squeeze(_joined(paragraph)):
            yield "paragraph", 0, content
        paragraph.clear()

    for index, line in enumerate(lines):
        stripped = line.strip()
        label = _LABEL.match(line)
        if labelled and label:
            yield from flush()
            part, rest = label[1], label[2].lstrip(".")
            title_seen = part == "TITLE"
            if part == "ABSTRACT":
                yield "heading", 2, "Abstract"
                if rest:
                    yield "heading", 3, rest.title()
            elif part == "BODY" and rest:
                yield "heading", 2 + rest.count("."), rest.rpartition(".")[2]
        elif not stripped:
            yield from flush()
        elif "\t" in stripped and len(stripped.split("\t")) > 2:
            yield from flush()
            yield "row", 0, CELL_SEPARATOR.join(squeeze(cell) for cell in line.split("\t")).strip()
        elif (labelled and title_seen) or _is_text_heading(lines, index, first=first and not labelled):
            yield from flush()
            title_seen = False
            yield "heading", 1 if first or labelled else 2, squeeze(stripped.rstrip(":"))
        else:
            paragraph.append(line)
        first = first and not stripped
    yield from flush()


def _is_text_heading(lines: list[str], index: int, *, first: bool) -> bool:
    """A short line on its own that is the title, or reads like the name of a section."""
    line = lines[index].strip()
    above = index == 0 or not lines[index - 1].strip()
    below = index + 1 == len(lines) or not lines[index + 1].strip()
    if line.endswith((".", ",", ";")) or len(line) > 300:
        return False
    usual = main_kind(line) is not None or is_left_out(line)
    if usual:
        return above or below
    if first:
        return above and below and len(line.split()) >= 3
    numbered = bool(re.match(r"^\d+(\.\d+)*\.?\s+[A-Z]", line))
    capitals = line.isupper() and len(line) > 3
    return above and below and len(line.split()) <= 12 and (numbered or capitals)


def _joined(lines: list[str]) -> str:
    """Lines of one paragraph as one, hyphenated line ends undone."""
    return re.sub(r"(?<=[a-z])-\s*\n\s*(?=[a-z])", "", "\n".join(lines))
