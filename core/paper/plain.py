"""Read plain text and Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.paper.draft import Block, PaperDraft, join_cells
from core.paper.metadata import names_in
from core.paper.model import Account, Kind, LeftOut, SectionKind
from core.paper.sections import is_about, is_left_out, main_kind
from core.paper.xml import squeeze

# ---- Plain text, and how the parts of any text file become blocks ----

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+[^\s\"<>.,;)\]]")
# A date of publication before the text: "Published: 3 May 2020", "Year: 2020".
_PUBLISHED = re.compile(
    r"^\W*(?:published(?: online)?|publication date|year)\W{1,6}(?:[\w ]{1,15}[ ,])?((?:19|20)\d\d)\b\W*$",
    re.IGNORECASE | re.MULTILINE,
)
_CAPTION = re.compile(
    r"^(?:supplementary )?(?:figure|fig\.?|table|box|scheme)\s+[A-Z]?\d+[a-z]?\s*[.:|–—-]", re.IGNORECASE
)
# Labels in text exports of PubMed Central: "TITLE:", "ABSTRACT.METHODS:", "BODY.RESULTS:".
_LABEL = re.compile(r"^(TITLE|ABSTRACT|BODY)((?:\.[^:\n]{1,200})?):\s*$")


def read_text(text: str) -> PaperDraft:
    """Read paragraphs between blank lines. Short lines that read like section titles are headings."""
    lines = text.replace("\f", "\n\n").splitlines()
    return TextPartReader(_text_parts(lines)).read(text)


class TextPartKind(StrEnum):
    """What a part of a text file is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class TextPart:
    """One part of a text file; `level` is for headings."""

    kind: TextPartKind
    text: str
    level: int = 0


class TextPartReader:
    """Turns the parts of a text file into a draft: abstract, body, and what is left out."""

    def __init__(self, parts: Iterable[TextPart]) -> None:
        self.parts = parts
        self.draft = PaperDraft()
        self.kind = Kind.BODY
        self.abstract_level = 0
        self.skip_level = 0  # inside a left-out section of this level
        self.about_level = 0  # inside an account of the paper, under a heading of this level

    def read(self, text: str) -> PaperDraft:
        if found := _DOI.search(text[:5000]):
            self.draft.doi = found.group()
        if found := _PUBLISHED.search(text[:5000]):
            self.draft.year = int(found[1])
        for part in self.parts:
            if part.kind is TextPartKind.HEADING:
                self._read_heading(part.level, part.text)
            elif self.about_level:
                self.draft.about.append(Block(Kind.BODY, part.text))
            elif not self.skip_level:
                if len(self.draft.blocks) == 1 and self.draft.title is not None:
                    names = names_in([part.text])  # the line under the title, if it holds only names
                    self.draft.authors = names if len(names) > 1 else ()
                row, caption = part.kind is TextPartKind.ROW, _CAPTION.match(part.text)
                self.draft.add(Kind.TABLE if row else Kind.CAPTION if caption else self.kind, part.text)
            else:
                self.draft.left_out.append(LeftOut(Account.STATEMENT, part.text))
        return self.draft

    def _read_heading(self, level: int, title: str) -> None:
        if self.draft.title is None and not self.draft.blocks and main_kind(title) is None:
            self.draft.title = title
            self.draft.blocks.append(Block(Kind.TITLE, title))
            return
        if self.skip_level and level > self.skip_level:
            self.draft.left_out.append(LeftOut(Account.STATEMENT, title))
            return
        self.skip_level = 0
        if self.about_level and level > self.about_level:
            self.draft.about.append(Block(Kind.HEADING, title, 2))
            return
        self.about_level = 0
        if is_about(title):
            self.draft.about.append(Block(Kind.HEADING, title, 1, SectionKind.ABOUT))
            self.about_level = level
        elif is_left_out(title):
            self.draft.leave_out(title)
            self.skip_level = level
            self.draft.left_out.append(LeftOut(Account.STATEMENT, title))
        elif main_kind(title) is SectionKind.ABSTRACT:
            self.kind, self.abstract_level = Kind.ABSTRACT, level
            self.draft.blocks.append(Block(Kind.HEADING, title, 1, SectionKind.ABSTRACT))
        elif self.kind is Kind.ABSTRACT and level > self.abstract_level:
            self.draft.blocks.append(Block(Kind.HEADING, title, 0, SectionKind.ABSTRACT))
        else:
            self.kind = Kind.BODY
            self.draft.blocks.append(Block(Kind.HEADING, title, max(level - self._top(), 1)))

    def _top(self) -> int:
        """How many levels to subtract from headings, because the title takes the first one."""
        return 1 if self.draft.title is not None else 0


def _text_parts(lines: list[str]) -> Iterator[TextPart]:
    paragraph: list[str] = []
    labelled = any(_LABEL.match(line) for line in lines[:50])
    title_seen = False
    first = True

    def flush() -> Iterator[TextPart]:
        if content := squeeze(_joined(paragraph)):
            yield TextPart(TextPartKind.PARAGRAPH, content)
        paragraph.clear()

    for index, line in enumerate(lines):
        stripped = line.strip()
        label = _LABEL.match(line)
        if labelled and label:
            yield from flush()
            part, rest = label[1], label[2].lstrip(".")
            title_seen = part == "TITLE"
            if part == "ABSTRACT":
                yield TextPart(TextPartKind.HEADING, "Abstract", 2)
                if rest:
                    yield TextPart(TextPartKind.HEADING, rest.title(), 3)
            elif part == "BODY" and rest:
                yield TextPart(TextPartKind.HEADING, rest.rpartition(".")[2], 2 + rest.count("."))
        elif not stripped:
            yield from flush()
        elif "\t" in stripped and len(stripped.split("\t")) > 2:
            yield from flush()
            yield TextPart(TextPartKind.ROW, join_cells(squeeze(cell) for cell in line.split("\t")))
        elif (labelled and title_seen) or _is_text_heading(lines, index, first=first and not labelled):
            yield from flush()
            title_seen = False
            yield TextPart(TextPartKind.HEADING, squeeze(stripped.rstrip(":")), 1 if first or labelled else 2)
        else:
            paragraph.append(line)
        first = first and not stripped
    yield from flush()


def _is_text_heading(lines: list[str], index: int, *, first: bool) -> bool:
    """Whether a line is the title, or a short line on its own that reads like the name of a section."""
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
    """The lines of a paragraph as one, with words divided at line ends joined."""
    return re.sub(r"(?<=[a-z])-\s*\n\s*(?=[a-z])", "", "\n".join(lines))


# ---- Markdown: CommonMark with pipe tables ----

# Front matter (metadata) between two lines of hyphens.
_METADATA = re.compile(r"\A---\s*\n.{0,4000}?\n---\s*\n", re.DOTALL)


def read_markdown(text: str) -> PaperDraft:
    """Read headings, paragraphs, lists and tables. Emphasis marks are removed; links and HTML stay as written."""
    tokens = MarkdownIt("commonmark", {"html": False}).enable("table").parse(_METADATA.sub("", text))
    return TextPartReader(_parts(tokens)).read(text)


def _parts(tokens: list[Token]) -> Iterator[TextPart]:
    level = 0  # of the heading that is open
    row: list[str] | None = None
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1])
        elif token.type == "heading_close":
            level = 0
        elif token.type == "tr_open":
            row = []
        elif token.type == "tr_close" and row is not None:
            yield TextPart(TextPartKind.ROW, join_cells(row))
            row = None
        elif token.type in {"fence", "code_block"}:
            yield TextPart(TextPartKind.PARAGRAPH, squeeze(token.content))
        elif token.type == "inline":
            content = squeeze(_as_written(token.children or []))
            if row is not None:
                row.append(content)
            elif content:
                yield TextPart(TextPartKind.HEADING if level else TextPartKind.PARAGRAPH, content, level)


def _as_written(tokens: list[Token]) -> str:
    """The text of a line. A link keeps its address, so that a reviewer can see it before following it."""
    pieces: list[str] = []
    target = ""
    for token in tokens:
        if token.type in {"softbreak", "hardbreak"}:
            pieces.append(" ")
        elif token.type == "link_open":
            target = str(token.attrGet("href") or "")
            pieces.append("[")
        elif token.type == "link_close":
            pieces.append(f"]({target})")
        else:
            pieces.append(token.content)
    return "".join(pieces)
