"""From a reader's draft to a finished paper: text, sections and sentences with exact offsets."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from core.errors import NoText
from core.paper.draft import Block, Draft
from core.paper.model import Format, Kind, Paper, PrintedLine, Section, SectionKind, Sentence
from core.paper.registrations import own_registrations
from core.paper.screening import Span, only_hidden_text, screen, sentence_spans, warnings_of
from core.paper.sections import kind_of_title

_KEPT, _BACK = b"\0with what was set aside", b"\0with what was left out"
_BACK_TITLE = "Left out, and put back by a reviewer"


def assemble(
    draft: Draft, *, data: bytes, name: str, format: Format, keep_set_aside: bool = False, put_back: bool = False
) -> Paper:
    """Join the blocks into `Paper.text` and split them into sentences.

    What speaks to a machine is set aside first, unless `keep_set_aside` asks for it. `put_back`: what was left out,
    and may be read, stands in a section of its own behind the others.
    Raises `NoText` if no block holds any text.
    """
    writer = _Writer()
    back = list(_put_back(draft)) if put_back else []
    draft.blocks, draft.about = [*draft.blocks, *back, *draft.about], []
    if keep_set_aside:
        for block in draft.blocks:
            writer.add(block, sentence_spans(block, block.text))
    else:
        for block, spans in screen(draft):
            writer.add(block, spans)
    if not writer.sentences:
        if draft.set_aside:
            raise only_hidden_text(name)
        raise NoText(
            f"“{name}” holds no text that could be read. Check that it is the full paper, and try another copy."
        )
    sections = writer.finished_sections()
    return Paper(
        id=_identifier(data, keep_set_aside=keep_set_aside, put_back=put_back),
        name=name,
        format=format,
        title=draft.title and _encodable(draft.title),
        doi=draft.doi and _encodable(draft.doi),
        text="".join(writer.pieces),
        sections=sections,
        sentences=tuple(writer.sentences),
        sections_left_out=tuple(draft.sections_left_out),
        left_out=tuple(draft.left_out),
        warnings=(*draft.warnings, *warnings_of(draft.set_aside)),
        set_aside=tuple(draft.set_aside),
        authors=tuple(map(_encodable, draft.authors)),
        journal=draft.journal and _encodable(draft.journal),
        year=draft.year,
        registrations=own_registrations(sections, writer.sentences, draft.aside),
        lines=tuple(writer.lines),
        pmid=draft.pmid,
    )


def _identifier(data: bytes, *, keep_set_aside: bool, put_back: bool) -> str:
    digest = hashlib.sha256(data)
    if keep_set_aside:
        digest.update(_KEPT)
    if put_back:
        digest.update(_BACK)
    return digest.hexdigest()


def _put_back(draft: Draft) -> Iterator[Block]:
    """What was left out and may be read, as a section; it leaves the draft's account."""
    back = [item for item in draft.left_out if item.kind.may_be_read]
    draft.left_out = [item for item in draft.left_out if not item.kind.may_be_read]
    if back:
        yield Block(Kind.HEADING, _BACK_TITLE, 1, SectionKind.OTHER)
    for item in back:
        lines = (PrintedLine(0, len(item.text), item.page, 0, 0),) if item.page is not None else ()
        yield Block(Kind.BODY, item.text, lines=lines)


class _Writer:
    """Writes blocks one after another, and keeps count of where everything stands."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.sentences: list[Sentence] = []
        self.lines: list[PrintedLine] = []
        self.sections: list[Section] = []
        self.in_title = False  # the section open now is the paper's title
        self.headed = False  # a heading of the paper itself opened a section
        self.heading_path: list[tuple[int, SectionKind]] = []  # (level, kind) of the headings we are under

    def add(self, block: Block, spans: list[Span]) -> None:
        """Write a block, of which `spans` are the sentences."""
        text = _encodable(" ".join(block.sentences) if block.sentences else block.text)
        if not text.strip() and not block.sentences:  # a file's own sentences keep their number, blank ones too
            return
        self._open_section_for(block)
        self._write("\n" if self._continues_table(block) else "\n\n" if self.pieces else "")
        base = self.length
        self._write(text)
        self.lines += [line.moved(base) for line in block.lines]
        for start, end in spans:
            self.sentences.append(
                Sentence(
                    index=len(self.sentences),
                    text=text[start:end],
                    start=base + start,
                    end=base + end,
                    kind=block.kind,
                    section=len(self.sections) - 1,
                    page=block.page_at(start),
                )
            )

    def finished_sections(self) -> tuple[Section, ...]:
        """The sections, each closed where the next one begins.

        Text before the first heading is an introduction only where headings follow; in a text without any, it is
        just text.
        """
        if not self.headed:
            self.sections = [
                replace(s, title="Text", kind=SectionKind.OTHER) if s.kind is SectionKind.INTRODUCTION else s
                for s in self.sections
            ]
        firsts = [section.first for section in self.sections[1:]] + [len(self.sentences)]
        return tuple(
            Section(s.index, s.title, s.kind, s.level, s.first, next_first - 1)
            for s, next_first in zip(self.sections, firsts, strict=True)
        )

    def _write(self, piece: str) -> None:
        self.pieces.append(piece)
        self.length += len(piece)

    def _continues_table(self, block: Block) -> bool:
        return block.kind is Kind.TABLE and bool(self.sentences) and self.sentences[-1].kind is Kind.TABLE

    def _open_section_for(self, block: Block) -> None:
        """Open a section where a heading, or a block that cannot stand in the present section, asks for one."""
        current = self.sections[-1] if self.sections else None
        if block.kind is Kind.TITLE:
            if current is None:
                self._open("Title", SectionKind.OTHER, level=1)
                self.in_title = True
        elif block.kind is Kind.HEADING and block.level > 0:
            self._open(block.text, self._kind_of_heading(block), block.level)
        elif block.kind is Kind.ABSTRACT or (block.kind is Kind.HEADING and block.section_kind is SectionKind.ABSTRACT):
            if current is None or current.kind is not SectionKind.ABSTRACT:
                self._open("Abstract", SectionKind.ABSTRACT, level=1)
        elif current is None or self.in_title or current.kind is SectionKind.ABSTRACT:
            # Papers often begin without a heading: what stands there is the introduction.
            self._open("Introduction", SectionKind.INTRODUCTION, level=1)

    def _kind_of_heading(self, block: Block) -> SectionKind:
        while self.heading_path and self.heading_path[-1][0] >= block.level:
            self.heading_path.pop()
        parent = self.heading_path[-1][1] if self.heading_path else SectionKind.OTHER
        kind = block.section_kind or (parent if parent is not SectionKind.OTHER else kind_of_title(block.text))
        self.heading_path.append((block.level, kind))
        self.headed |= kind is not SectionKind.ABOUT
        return kind

    def _open(self, title: str, kind: SectionKind, level: int) -> None:
        self.in_title = False
        self.sections.append(
            Section(len(self.sections), _encodable(title), kind, level, len(self.sentences), len(self.sentences))
        )


def _encodable(text: str) -> str:
    """The text without lone surrogates, which JSON can carry and no file or screen can show."""
    return text.encode("utf-8", "replace").decode()
