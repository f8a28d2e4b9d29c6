"""What a reader of a format returns: blocks of text in reading order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from core.paper.model import CitedWork, Kind, LeftOut, PaperWarning, PrintedLine, SectionKind, SetAside
from core.paper.sections import normalise_title
from core.paper.xml import Element, children, local_name

# ---- Table rows as lines of text, with their cells separated ----

CELL_SEPARATOR = " | "


def join_cells(cells: Iterable[str]) -> str:
    """A row of cells as one line; an empty cell keeps its place. A row without any text is an empty line."""
    texts = list(cells)
    return CELL_SEPARATOR.join(texts).strip() if any(texts) else ""


def table_rows(table: Element, cell_text: Callable[[Element], str]) -> Iterator[str]:
    """Each row of `table` that holds any text, without the rows of nested tables."""
    for child in children(table):
        name = local_name(child)
        if name in {"tr", "row"}:
            if row := join_cells(cell_text(cell) for cell in children(child, "td", "th", "cell")):
                yield row
        elif name != "table":
            yield from table_rows(child, cell_text)


# ---- Blocks and drafts ----


@dataclass(frozen=True, slots=True)
class Block:
    """A title, heading, paragraph, caption or table row.

    A heading opens a section of the given level. A heading inside an abstract (level 0) opens none.
    `sentences` holds the sentences if the file gives them; if it is empty, the text is split later.
    `lines` says where the text is printed, in order, by offsets into `text`; formats without pages have none.
    """

    kind: Kind
    text: str
    level: int = 0
    section_kind: SectionKind | None = None  # for a heading whose format names its kind
    lines: tuple[PrintedLine, ...] = ()
    sentences: tuple[str, ...] = ()

    def without(self, spans: Sequence[tuple[int, int]]) -> Block:
        """The block without the given spans of its text, which must be in order and must not touch."""
        pieces: list[str] = []
        lines: list[PrintedLine] = []
        for start, end in zip(
            [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(self.text)], strict=True
        ):
            if self.lines:
                removed = start - sum(map(len, pieces))
                lines += [part.moved(-removed) for line in self.lines if (part := line.between(start, end, self.text))]
            pieces.append(self.text[start:end])
        return replace(self, text="".join(pieces), lines=tuple(lines))

    @property
    def page(self) -> int | None:
        """The page it begins on; None where the format has no pages."""
        return self.lines[0].page if self.lines else None

    def page_at(self, offset: int) -> int | None:
        """The page on which the character at `offset` is printed."""
        page = self.page
        for line in self.lines:
            if line.start > offset:
                break
            page = line.page
        return page


@dataclass(slots=True)
class PaperDraft:
    """A paper while it is being read: a reader fills it, then it is assembled."""

    title: str | None = None
    doi: str | None = None
    pmid: str | None = None
    authors: tuple[str, ...] = ()
    journal: str | None = None
    year: int | None = None
    references: tuple[CitedWork, ...] = ()
    aside: list[str] = field(default_factory=list)  # notes outside the candidate pool that may state a registration
    blocks: list[Block] = field(default_factory=list)
    about: list[Block] = field(default_factory=list)  # written about the paper by its journal or authors; comes last
    sections_left_out: list[str] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    warnings: list[PaperWarning] = field(default_factory=list)
    set_aside: list[SetAside] = field(default_factory=list)
    _names_left_out: set[str] = field(default_factory=set)

    def add(self, kind: Kind, text: str, *, level: int = 0, section_kind: SectionKind | None = None) -> None:
        """Append a block, unless it holds no text."""
        if text:
            self.blocks.append(Block(kind, text, level, section_kind))

    @contextmanager
    def beside(self, title: str) -> Iterator[None]:
        """What is added inside the `with` block becomes an account of the paper under this title, and comes last."""
        own, self.blocks = self.blocks, self.about
        self.add(Kind.HEADING, title, level=1, section_kind=SectionKind.ABOUT)
        try:
            yield
        finally:
            if self.about and self.about[-1].kind is Kind.HEADING:  # no text followed, for example only a picture
                self.about.pop()
            self.blocks = own

    def leave_out(self, title: str, text: str = "") -> None:
        """Record, once, that a section is left out of the candidate pool; `text` is its text (none for references)."""
        if text:
            self.aside.append(text)
        name = normalise_title(title)
        if name and name not in self._names_left_out:
            self._names_left_out.add(name)
            self.sections_left_out.append(title)
