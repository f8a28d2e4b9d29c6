"""From paragraphs in reading order to a draft: which is abstract, which is body, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from core.paper.draft import Block, Draft
from core.paper.model import Kind, PaperWarning, SectionKind
from core.paper.pdf.front import after_abstract_label, is_abstract_part, is_clutter, is_keywords
from core.paper.pdf.headings import NUMBERING, heading_title, names_box, rank, run_in_heading
from core.paper.pdf.paragraphs import Paragraph
from core.paper.pdf.typography import Typography
from core.paper.sections import is_left_out, kind_of_title, main_kind, normalise_title

_ORDER = [SectionKind.INTRODUCTION, SectionKind.METHODS, SectionKind.RESULTS, SectionKind.DISCUSSION]
_FRONT_PAGES = 3
_NO_HEADINGS = "No section headings were recognised, so all text was kept as body: look out for names and addresses."


class _Place(Enum):
    FRONT = auto()  # title, authors, affiliations
    ABSTRACT = auto()
    BETWEEN = auto()  # keywords, licences, addresses
    BODY = auto()
    OUT = auto()  # references, funding and the like


@dataclass(frozen=True, slots=True)
class Item:
    """One thing of a page in reading order: a paragraph or heading, or blocks that stand beside the text."""

    paragraph: Paragraph | None = None
    beside: tuple[Block, ...] = ()
    boxed: tuple[Block, ...] = ()


def build(draft: Draft, items: Sequence[Item], typography: Typography) -> None:
    """Fill the draft's blocks and `left_out`.

    What stands before the first heading is the front of a paper, of which little is kept. A file without headings
    (a letter, notes, a manuscript) has no such front: it is read once more, as nothing but body.
    """
    built = _built(items, typography, _Place.FRONT)
    if not (_has_sections(built) and _has_text(built)):
        built = _built(items, typography, _Place.BODY)
        if _has_text(built):
            draft.warnings.append(PaperWarning("no-headings", _NO_HEADINGS))
    draft.blocks += built.blocks
    for title in built.left_out:
        draft.leave_out(title)


def _has_sections(draft: Draft) -> bool:
    return any(block.kind is Kind.HEADING and block.level == 1 for block in draft.blocks)


def _has_text(draft: Draft) -> bool:
    return any(block.kind in {Kind.ABSTRACT, Kind.BODY} for block in draft.blocks)


def _built(items: Sequence[Item], typography: Typography, place: _Place) -> Draft:
    """The blocks of a paper that begins in `place`, in a draft of their own."""
    draft = Draft()
    paragraphs = [item.paragraph for item in items if item.paragraph is not None]
    builder = _Builder(draft, typography, paragraphs, place)
    for item in items:
        builder.beside += item.beside
        if not builder.after_references:
            builder.boxed += item.boxed
        if item.paragraph is not None:
            builder.read(item.paragraph)
    builder.finish()
    return draft


class _Builder:
    def __init__(self, draft: Draft, typography: Typography, paragraphs: list[Paragraph], place: _Place) -> None:
        self.draft = draft
        self.typography = typography
        self.place = place
        self.open: Paragraph | None = None  # the paragraph that may go on
        self.open_kind = Kind.BODY
        self.beside: list[Block] = []  # captions and tables that wait for the end of a paragraph
        self.boxed: list[Block] = []  # boxes that wait for the end of a section
        self.box_style: tuple[str, float] | None = None  # inside a box that stands in the flow
        self.in_box = False
        self.abstract_style: tuple[str, float] | None = None
        self.skips_part = False  # inside a part of the abstract that is left out
        self.left_rank = 0.0
        self.after_references = False
        self.main: SectionKind | None = None  # of the section of the first level that we are in
        self.main_rank = 0.0
        self.ranks: list[float] = []  # of the headings that we are under, below the first level
        self.later = [main_kind(heading_title(p.text)) for p in paragraphs if p.heading]
        self.later_names = [normalise_title(heading_title(p.text)) for p in paragraphs if p.heading]

    def read(self, paragraph: Paragraph) -> None:
        if paragraph.heading:
            self.later, self.later_names = self.later[1:], self.later_names[1:]
        if self.in_box and self._read_in_box(paragraph):
            return
        if self._is_small_print(paragraph):
            return
        if self._continues(paragraph):
            assert self.open is not None  # noqa: S101
            self.open.lines += paragraph.lines
            return
        self._close()
        if paragraph.lines[0].initial and self.place is not _Place.OUT:
            self.place = _Place.BODY  # a large initial begins a paper's own text
        if paragraph.heading:
            self._read_heading(paragraph)
        else:
            self._read_text(paragraph)

    def finish(self) -> None:
        self._close()
        self._flush_boxes()
        self.draft.blocks += self.beside

    # --- paragraphs ---

    def _is_small_print(self, paragraph: Paragraph) -> bool:
        """Whether a paragraph is a note at the foot of the page that an abstract stands on."""
        if self.place is not _Place.ABSTRACT or paragraph.heading or self.abstract_style is None:
            return False
        return paragraph.style[1] < self.abstract_style[1] - 0.6 and not self.typography.is_body(paragraph.lines[0])

    def _continues(self, paragraph: Paragraph) -> bool:
        """Whether a paragraph is the rest of the one before: over a column or page break, or after an equation."""
        if self.open is None or paragraph.heading or paragraph.lines[0].initial or self.open.ends():
            return False
        last, first = self.open.lines[-1], paragraph.lines[0]
        if abs(last.size - first.size) > 0.6 and self.open_kind is not Kind.ABSTRACT:
            return False
        if last.hyphenated or first.text[:1].islower():
            return True
        below = last.page == first.page and last.y > first.y and first.x0 < last.x1
        return not below

    def _read_text(self, paragraph: Paragraph) -> None:
        text = paragraph.text
        if self.place in {_Place.FRONT, _Place.BETWEEN}:
            self._read_front(paragraph, text)
        elif self.place is _Place.ABSTRACT:
            self._read_abstract(paragraph, text)
        elif self.place is _Place.BODY and not is_clutter(text) and sum(map(str.isalpha, text)) > 2:
            self._open(paragraph, Kind.BODY)

    def _read_front(self, paragraph: Paragraph, text: str) -> None:
        rest = after_abstract_label(text) if self.place is _Place.FRONT else None
        if rest is not None and len(rest) > 20:
            self._begin_abstract(text[: len(text) - len(rest)].strip(" .:—–-"))
            self._read_abstract(paragraph.after(len(text) - len(rest)), rest)
            return
        if self.place is _Place.FRONT and is_abstract_part(paragraph.lines[0].lead.strip(" :.")):
            self._begin_abstract(None)
            self._read_abstract(paragraph, text)
            return
        words = len(text.split())
        if words < 40 or is_clutter(text) or is_keywords(text) or text.count(",") > words / 4:
            return
        like_body = abs(paragraph.style[1] - self.typography.size) < 0.5
        if self.place is _Place.FRONT and not like_body:
            self._begin_abstract(None)
            self._open(paragraph, Kind.ABSTRACT)
        elif self.typography.is_body(paragraph.lines[0]):
            self.place = _Place.BODY
            self._open(paragraph, Kind.BODY)

    def _begin_abstract(self, title: str | None) -> None:
        self.place = _Place.ABSTRACT
        if title:
            self.draft.blocks.append(Block(Kind.HEADING, title, 1, SectionKind.ABSTRACT))

    def _read_abstract(self, paragraph: Paragraph, text: str) -> None:
        if is_keywords(text):
            self.place = _Place.BETWEEN
            return
        style = paragraph.style
        if self.abstract_style is not None and abs(style[1] - self.abstract_style[1]) > 0.6:
            self.place = _Place.BETWEEN
            self._read_front(paragraph, text)
            return
        lead = paragraph.lines[0].lead
        part = lead.strip(" :.")
        if part and is_abstract_part(part):
            self.skips_part = is_left_out(part)
            if self.skips_part:
                self.draft.leave_out(part)
                return
            shown = (
                lead
                if lead.endswith((":", ".")) or text[len(lead) : len(lead) + 1] not in {":", "."}
                else text[: len(lead) + 1]
            )
            if text.startswith(shown):
                self.draft.blocks.append(Block(Kind.HEADING, shown, 0, SectionKind.ABSTRACT, page=paragraph.page))
                paragraph = paragraph.after(len(shown))
        elif self.skips_part or is_clutter(text):
            return
        if paragraph.lines:
            self._open(paragraph, Kind.ABSTRACT)

    def _open(self, paragraph: Paragraph, kind: Kind) -> None:
        self.open, self.open_kind = Paragraph([*paragraph.lines]), kind
        if kind is Kind.ABSTRACT and self.abstract_style is None:
            self.abstract_style = paragraph.style

    def _close(self) -> None:
        """Write the open paragraph, its run-in heading first, and what waited for its end."""
        paragraph, self.open = self.open, None
        if paragraph is None:
            return
        last = paragraph.lines[-1]
        if self.open_kind is Kind.BODY and (title := run_in_heading(paragraph)):
            self.draft.blocks.append(Block(Kind.HEADING, title, page=paragraph.page))
            paragraph = paragraph.after(len(title))
        if paragraph.lines:
            text, breaks = paragraph.joined()
            self.draft.blocks.append(Block(self.open_kind, text, page=paragraph.page, breaks=breaks))
        if self.open_kind is Kind.BODY:
            self._flush_beside(last.page)

    def _flush_beside(self, page: int) -> None:
        """Write the captions and tables of the pages up to this one."""
        self.draft.blocks += [block for block in self.beside if (block.page or 0) <= page]
        self.beside = [block for block in self.beside if (block.page or 0) > page]

    # --- headings ---

    def _read_heading(self, paragraph: Paragraph) -> None:
        title = heading_title(paragraph.text)
        if self.place is _Place.BODY:
            self._flush_beside(paragraph.page)
        kind = main_kind(title)
        if kind is not None and kind is self.main and rank(paragraph) < self.main_rank - 0.05:
            kind = None  # "Patients and design" below "Methods"
        if self.place is _Place.FRONT and paragraph.page > _FRONT_PAGES:
            self.place = _Place.BETWEEN
        if kind is SectionKind.ABSTRACT or after_abstract_label(title) == "":
            if self.place in {_Place.FRONT, _Place.BETWEEN}:
                self._begin_abstract(title)
        elif self.place is _Place.FRONT and is_abstract_part(title) and self._inside_abstract(kind):
            self._begin_abstract(None)
            self._read_abstract_part(title, paragraph)
        elif self.place is _Place.ABSTRACT and is_keywords(title):
            self.place = _Place.BETWEEN
        elif self.place is _Place.ABSTRACT and is_abstract_part(title) and self._inside_abstract(kind):
            self._read_abstract_part(title, paragraph)
        elif names_box(title) and self.place is not _Place.OUT:
            self.in_box, self.box_style = True, None
            self.boxed.append(Block(Kind.HEADING, title, 2, SectionKind.OTHER, page=paragraph.page))
        elif self.place in {_Place.FRONT, _Place.BETWEEN, _Place.ABSTRACT} and kind is None:
            if self.place is _Place.ABSTRACT:
                self.place = _Place.BETWEEN
        elif is_left_out(title, inside=bool(self.ranks) and not self.after_references and self._is_minor(paragraph)):
            self._leave_out(title, paragraph)
        elif (
            self.place is not _Place.OUT
            or kind is not None
            or (not self.after_references and rank(paragraph) >= self.left_rank)
        ):
            self._open_section(title, kind, paragraph)

    def _is_minor(self, paragraph: Paragraph) -> bool:
        return rank(paragraph) <= self.ranks[-1]

    def _inside_abstract(self, kind: SectionKind | None) -> bool:
        """Whether a part's heading belongs to the abstract: the paper has yet to come to its own parts."""
        if kind is None:
            return True
        if kind not in _ORDER:
            return False
        upto = _ORDER[: _ORDER.index(kind) + 1]
        again = [later for later in self.later if later in upto]
        if kind is SectionKind.INTRODUCTION and not again:
            methods = [name for name in self.later_names if main_kind(name) is SectionKind.METHODS]
            return len(methods) > len(set(methods))
        return bool(again)

    def _read_abstract_part(self, title: str, paragraph: Paragraph) -> None:
        self.skips_part = is_left_out(title)
        if self.skips_part:
            self.draft.leave_out(title)
        else:
            self.draft.blocks.append(Block(Kind.HEADING, title, 0, SectionKind.ABSTRACT, page=paragraph.page))

    def _leave_out(self, title: str, paragraph: Paragraph) -> None:
        self.draft.leave_out(title)
        if self.place not in {_Place.FRONT, _Place.BETWEEN}:
            self.place = _Place.OUT
        self.left_rank = rank(paragraph)
        self.after_references |= normalise_title(title).startswith(("reference", "bibliography", "literature"))

    def _open_section(self, title: str, kind: SectionKind | None, paragraph: Paragraph) -> None:
        self._flush_boxes()
        self.place = _Place.BODY
        number = NUMBERING.match(paragraph.text)
        if kind is not None:
            level, self.ranks = 1, []
            self.main, self.main_rank = kind, rank(paragraph)
        elif number is not None:
            level = number["number"].count(".") + 1
        else:
            while self.ranks and self.ranks[-1] <= rank(paragraph):
                self.ranks.pop()
            self.ranks.append(rank(paragraph))
            level = min(len(self.ranks) + 1, 4)
        section_kind = kind or (kind_of_title(title) if level == 1 else None)
        self.draft.blocks.append(Block(Kind.HEADING, title, level, section_kind, page=paragraph.page))

    # --- boxes ---

    def _read_in_box(self, paragraph: Paragraph) -> bool:
        """Put what belongs to the box aside; False where the box has ended."""
        if paragraph.heading:
            if main_kind(heading_title(paragraph.text)) is None:
                self.boxed.append(Block(Kind.HEADING, paragraph.text, 3, page=paragraph.page))
                return True
        elif self.box_style is None or paragraph.style == self.box_style:
            self.box_style = paragraph.style
            self.boxed.append(Block(Kind.BODY, paragraph.text, page=paragraph.page))
            return True
        self.in_box = False
        return False

    def _flush_boxes(self) -> None:
        if self.place in {_Place.BODY, _Place.OUT}:
            self.draft.blocks += self.boxed
            self.boxed = []
