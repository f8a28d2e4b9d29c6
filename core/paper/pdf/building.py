"""Make a draft from paragraphs in reading order: tell abstract, body and boxes, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from core.paper.draft import Block, PaperDraft
from core.paper.model import Account, Kind, PaperWarning, SectionKind
from core.paper.pdf.abstract import (
    AbstractReader,
    HeadingsToCome,
    begins_abstract_part,
    label_of,
    labels_follow,
    stands_before_the_text,
)
from core.paper.pdf.blocks import DraftWriter
from core.paper.pdf.columns import in_columns
from core.paper.pdf.headings import (
    HeadingLevels,
    heading_title,
    left_out_lead,
    names_account,
    names_box,
    printed_title,
    rank,
)
from core.paper.pdf.lines import Line, PrintedText, leave_out
from core.paper.pdf.paragraphs import Paragraph, paragraphs_of
from core.paper.pdf.regions import PageParts
from core.paper.pdf.typography import (
    Typography,
    after_abstract_label,
    family,
    is_abstract_part,
    is_clutter,
    is_keywords,
)
from core.paper.sections import is_about, is_left_out, kind_of_title, main_kind, normalise_title

# ---- Boxes beside the text, apart from the paper's sections ----

_PARTS_OF_KEY_POINTS = frozenset({"question", "finding", "findings", "meaning", "significance", "implications"})
BOX_LEVEL = 2  # the level of a box's first heading; later headings inside the box are one deeper


def box_blocks(parts: PageParts, typography: Typography) -> tuple[list[Block], list[Block]]:
    """The blocks of a page's boxes, and those of its boxes that are an account of the paper."""
    boxed: list[Block] = []
    about: list[Block] = []
    level, of_account = BOX_LEVEL, False
    lines = [line for region in parts.boxes for line in region.lines]
    leave_out(lines, Account.STATEMENT)  # in case they are not read, like boxes after the references
    for paragraph in _continued(in_columns(lines), typography):
        if left_out_lead(paragraph.lines[0]):
            break  # statements at the end of a paper, in small print
        if paragraph.heading and names_account(heading_title(paragraph.text)):
            about.append(paragraph.printed.block(Kind.HEADING, 1 + of_account, SectionKind.ABOUT))
            of_account = True
        elif of_account and not (paragraph.heading and names_box(paragraph.text)):
            heading = paragraph.heading
            about.append(paragraph.printed.block(Kind.HEADING, 2) if heading else paragraph.printed.block(Kind.BODY))
        elif paragraph.heading:
            boxed.append(paragraph.printed.block(Kind.HEADING, level, SectionKind.OTHER))
            level, of_account = BOX_LEVEL + 1, False
        else:
            boxed.append(paragraph.printed.block(Kind.BODY))
    return boxed, about


def _continued(columns: list[list[Line]], typography: Typography) -> list[Paragraph]:
    """The paragraphs of a box, joined where one continues in the box's next column."""
    result: list[Paragraph] = []
    for column in columns:
        for index, paragraph in enumerate(paragraphs_of(column, typography)):
            if index == 0 and result and not (result[-1].heading or paragraph.heading or result[-1].ends()):
                result[-1].lines += paragraph.lines
            else:
                result.append(paragraph)
    return result


class BoxReader:
    """Reads a box that stands in the flow of the text, from its heading to where its style ends."""

    def __init__(self, writer: DraftWriter) -> None:
        self._writer = writer
        self._is_open = False
        self._of_account = False  # it is an account of the paper
        self._style: tuple[str, float] | None = None

    def begin(self, title: PrintedText) -> None:
        self._is_open, self._style = True, None
        self._of_account = names_account(title.text)
        level, kind = (1, SectionKind.ABOUT) if self._of_account else (BOX_LEVEL, SectionKind.OTHER)
        self._put(title.block(Kind.HEADING, level, kind))

    def read(self, paragraph: Paragraph, *, front: bool) -> bool:
        """Take a paragraph that belongs to the open box; False if no box is open, or if it has ended.

        `front`: the box is before the abstract, whose first part ends it.
        """
        if not self._is_open:
            return False
        title = heading_title(paragraph.text)
        label = label_of(paragraph) if front else None
        if label is not None and label[0].casefold() not in _PARTS_OF_KEY_POINTS:
            self._is_open = False
        elif paragraph.heading and main_kind(title) is None and not is_left_out(title):
            kind = None if self._of_account else SectionKind.OTHER
            self._put(paragraph.printed.block(Kind.HEADING, 2 if self._of_account else BOX_LEVEL + 1, kind))
        elif not paragraph.heading and self._style in {None, paragraph.style}:
            self._style = paragraph.style
            self._put(paragraph.printed.block(Kind.BODY))
        else:
            self._is_open = False
        return self._is_open

    def _put(self, block: Block) -> None:
        if self._of_account:
            self._writer.draft.about.append(block)
        else:
            self._writer.put_in_box([block])


# ---- Abstract, body, and what is left out ----

_FRONT_PAGES = 3
_SENTENCE, _LONG = 8, 40  # words
_NO_HEADINGS = "No section headings were recognised, so all text was kept as body: look out for names and addresses."


class _Place(Enum):
    FRONT = auto()  # title, authors, affiliations
    ABSTRACT = auto()
    BETWEEN = auto()  # keywords, licences, addresses
    BODY = auto()
    OUT = auto()  # references, funding and the like


@dataclass(frozen=True, slots=True)
class PageItem:
    """One item of a page in reading order: a paragraph or heading, or blocks beside the text."""

    paragraph: Paragraph | None = None
    beside: tuple[Block, ...] = ()
    boxed: tuple[Block, ...] = ()
    about: tuple[Block, ...] = ()  # boxes that are an account of the paper
    left_out: tuple[str, ...] = ()  # titles of sections that are left out


def build(draft: PaperDraft, items: Sequence[PageItem], typography: Typography) -> None:
    """Fill the draft from the items.

    What comes before the first heading is front matter, of which little is kept. A file without headings (a letter,
    notes, a manuscript) is read a second time, all of it as body.
    """
    built = _built(items, typography, _Place.FRONT)
    if not (_has_sections(built) and _has_text(built)):
        built = _built(items, typography, _Place.BODY)
        if _has_text(built):
            draft.warnings.append(PaperWarning("no-headings", _NO_HEADINGS))
    draft.blocks += built.blocks
    while built.about and built.about[-1].kind is Kind.HEADING:
        built.about.pop()  # an account without text, such as a picture alone
    draft.about += built.about
    for title in built.sections_left_out:
        draft.leave_out(title)


def _has_sections(draft: PaperDraft) -> bool:
    return any(block.kind is Kind.HEADING and block.level == 1 for block in draft.blocks)


def _has_text(draft: PaperDraft) -> bool:
    return any(block.kind in {Kind.ABSTRACT, Kind.BODY} for block in draft.blocks)


def _built(items: Sequence[PageItem], typography: Typography, place: _Place) -> PaperDraft:
    """Build a new draft of a paper whose text begins in `place`."""
    draft = PaperDraft()
    paragraphs = [item.paragraph for item in items if item.paragraph is not None]
    builder = _Builder(draft, typography, paragraphs, place)
    for item in items:
        builder.add(item)
    builder.finish()
    return draft


class _Builder:
    """Keeps track of the part of the paper being read, which decides what the next paragraph is."""

    def __init__(self, draft: PaperDraft, typography: Typography, paragraphs: list[Paragraph], place: _Place) -> None:
        self.draft = draft
        self.typography = typography
        self.place = place
        self.writer = DraftWriter(draft)
        self.abstract = AbstractReader(self.writer, typography)
        self.paragraphs, self.at = paragraphs, 0  # how many of them have been read
        self.to_come = HeadingsToCome(paragraphs)
        self.ladder = HeadingLevels()
        self.unnamed: Paragraph | None = None  # the last short paragraph at the front
        self.box = BoxReader(self.writer)
        self.left_rank = 0.0  # of the heading of the section being left out
        self.after_references = False

    def add(self, item: PageItem) -> None:
        self.writer.put_beside(item.beside)
        if not self.after_references:
            self.writer.put_in_box(item.boxed)
        self.draft.about += item.about
        for title in item.left_out:
            self.draft.leave_out(title)
        if item.paragraph is not None:
            self._read(item.paragraph)
            self._leave_out_unless_read(item.paragraph)

    def finish(self) -> None:
        self.writer.close()
        if self.place is not _Place.FRONT:
            self.writer.write_boxes()
        self.writer.finish()

    def _read(self, paragraph: Paragraph) -> None:
        self.at += 1
        if paragraph.heading:
            self.to_come.next()
        if self.box.read(paragraph, front=self.place is _Place.FRONT):
            return
        if self.place is _Place.ABSTRACT and self.abstract.is_small_print(paragraph):
            return
        if self.writer.continue_with(paragraph):
            return
        if paragraph.heading and self._names_box(paragraph):
            self.box.begin(printed_title(paragraph))  # the open paragraph continues after the box
            return
        if self.writer.is_interrupted_by(paragraph):
            if not is_clutter(paragraph.text):
                self.writer.put_beside([paragraph.printed.block(Kind.BODY)])
            return
        self.writer.close()
        if paragraph.lines[0].initial and self.place is not _Place.OUT:
            self.place = _Place.BODY  # a drop cap begins the paper's own text
        if paragraph.heading:
            self._read_heading(paragraph)
        elif self.place in {_Place.FRONT, _Place.BETWEEN}:
            self._read_front(paragraph)
        elif self.place is _Place.ABSTRACT:
            self._read_abstract(paragraph)
        elif self._is_statement(paragraph):
            self.place, self.left_rank = _Place.OUT, float("inf")
        elif self.place is _Place.BODY and not is_clutter(paragraph.text) and _has_words(paragraph.text):
            self.writer.begin(paragraph, Kind.BODY)

    def _leave_out_unless_read(self, paragraph: Paragraph) -> None:
        """Record why a paragraph is left out, in case it was not read."""
        if self.place is _Place.OUT:
            leave_out(paragraph.lines, Account.REFERENCES if self.after_references else Account.STATEMENT)
        elif self.abstract.is_small_print(paragraph):
            leave_out(paragraph.lines, Account.FOOTNOTE)
        elif (self.place is not _Place.BODY and not _is_prose(paragraph.text)) or is_clutter(paragraph.text):
            leave_out(paragraph.lines, Account.FRONT)

    def _names_box(self, heading: Paragraph) -> bool:
        in_body, title = self.place is _Place.BODY, heading_title(heading.text)
        if self.place is _Place.OUT:
            return names_account(title) and is_about(title, boxed=True)
        if names_box(title, in_discussion=in_body and self.ladder.is_in_last_part):
            return True
        return not in_body and is_about(title, boxed=True) and not is_abstract_part(title)

    def _is_statement(self, paragraph: Paragraph) -> bool:
        """Whether a paragraph at the end begins like a statement on funding and the like."""
        title = left_out_lead(paragraph.lines[0]) if self.ladder.is_in_last_part else ""
        if title:
            self.draft.leave_out(title)
        return bool(title)

    # --- paragraphs at the front ---

    def _read_front(self, paragraph: Paragraph) -> None:
        text = paragraph.text
        rest = after_abstract_label(text) if self.place is _Place.FRONT else None
        if rest is not None and len(rest) > 20:
            self._begin_abstract(paragraph.printed.cut(0, len(text[: len(text) - len(rest)].rstrip(" .:—–-"))))
            self._read_abstract(paragraph.after(len(text) - len(rest)))
            return
        if self.place is _Place.FRONT and begins_abstract_part(paragraph):
            self._begin_abstract(None)
            self._read_unnamed(paragraph)
            self._read_abstract(paragraph)
            return
        words = len(text.split())
        if is_clutter(text) or is_keywords(text) or text.count(",") > words / 4:
            return
        if words < _LONG:
            self.unnamed = paragraph
            return
        guessed = self.place is _Place.FRONT and not self.to_come.has_abstract
        following = self.paragraphs[self.at :]
        if guessed and labels_follow(following):
            self.unnamed = paragraph  # a note, or the first words of the abstract whose parts are named
        elif guessed and (not self._is_like_body(paragraph) or stands_before_the_text(following)):
            self._begin_abstract(None)
            self.abstract.write(paragraph)
        elif self.typography.is_body(paragraph.lines[0]) and not self.to_come.has_abstract:
            self.place = _Place.BODY
            self.writer.begin(paragraph, Kind.BODY)

    def _is_like_body(self, paragraph: Paragraph) -> bool:
        """Whether a paragraph at the front is set like the body."""
        name, size = paragraph.style
        font = paragraph.lines[0].font
        usual = abs(size - self.typography.size) < 0.5 and not font.bold and not font.italic
        return usual and family(name) == family(self.typography.font)

    def _read_unnamed(self, part: Paragraph) -> None:
        """Read the unnamed first part of an abstract: a few sentences right above the first named part."""
        above, self.unnamed = self.unnamed, None
        if above is not None and above.ends() and above.style == part.style and len(above.text.split()) >= _SENTENCE:
            self._read_abstract(above)
            self.writer.close()

    def _begin_abstract(self, title: PrintedText | None) -> None:
        self.place = _Place.ABSTRACT
        if title:
            self.writer.heading(title, level=1, kind=SectionKind.ABSTRACT)

    def _read_abstract(self, paragraph: Paragraph) -> None:
        if is_keywords(paragraph.text):
            self.place = _Place.BETWEEN
        elif self.abstract.is_other_text(paragraph):
            self.place = _Place.BETWEEN
            self._read_front(paragraph)
        else:
            self.abstract.read(paragraph)

    # --- headings ---

    def _read_heading(self, paragraph: Paragraph) -> None:
        printed, page = self.ladder.without_letter(printed_title(paragraph)), paragraph.page
        title = printed.text
        if self.place is _Place.BODY:
            self.writer.write_beside(page)
        kind = self.ladder.kind_of(paragraph)
        if self.place is _Place.FRONT and page > _FRONT_PAGES:
            self.place = _Place.BETWEEN
        if kind is SectionKind.ABSTRACT or after_abstract_label(title) == "":
            if self.place in {_Place.FRONT, _Place.BETWEEN}:
                self._begin_abstract(printed)
        elif self._is_part_of_abstract(title, kind, paragraph):
            if self.place is _Place.FRONT:
                self._begin_abstract(None)
                self._read_unnamed(paragraph)
            self.abstract.read_heading(printed)
        elif self.place in {_Place.FRONT, _Place.BETWEEN, _Place.ABSTRACT} and kind is None:
            if self.place is _Place.ABSTRACT:
                self.place = _Place.BETWEEN
        elif is_left_out(title, inside=not self.after_references and self.ladder.is_inside(paragraph)):
            self._leave_out(title, paragraph)
        elif (
            self.place is not _Place.OUT
            or kind is not None
            or (not self.after_references and rank(paragraph) >= self.left_rank)
        ):
            self._open_section(printed, kind, paragraph)

    def _is_part_of_abstract(self, title: str, kind: SectionKind | None, paragraph: Paragraph) -> bool:
        return (
            self.place in {_Place.FRONT, _Place.ABSTRACT}
            and is_abstract_part(title)
            and (self.to_come.leave_to_abstract(kind, paragraph) or self._opens_abstract(kind))
        )

    def _opens_abstract(self, kind: SectionKind | None) -> bool:
        """Whether a heading like “Objective” is the abstract's first: the next paragraphs then name its other parts."""
        first = self.place is _Place.FRONT and kind is SectionKind.INTRODUCTION
        return first and labels_follow(self.paragraphs[self.at :])

    def _leave_out(self, title: str, paragraph: Paragraph) -> None:
        self.draft.leave_out(title)
        if self.place not in {_Place.FRONT, _Place.BETWEEN}:
            self.place = _Place.OUT
        self.left_rank = rank(paragraph)
        self.after_references |= normalise_title(title).startswith(("reference", "bibliography", "literature"))

    def _open_section(self, title: PrintedText, kind: SectionKind | None, paragraph: Paragraph) -> None:
        if self.place in {_Place.BODY, _Place.OUT}:
            self.writer.write_boxes()
        self.place = _Place.BODY
        level = self.ladder.climb(paragraph, kind)
        section_kind = kind or (kind_of_title(title.text) if level == 1 else None)
        self.writer.heading(title, level=level, kind=section_kind)


def _is_prose(text: str) -> bool:
    """Whether a paragraph at the front is prose: long, and no address, licence or list."""
    words = len(text.split())
    return words >= _LONG and text.count(",") <= words / 4 and not (is_clutter(text) or is_keywords(text))


def _has_words(text: str) -> bool:
    return sum(map(str.isalpha, text)) > 2
