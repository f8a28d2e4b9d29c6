"""What a paper is once it has been read, whatever its format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial
from typing import NamedTuple


class Kind(StrEnum):
    """What a sentence is part of."""

    TITLE = "title"
    HEADING = "heading"
    ABSTRACT = "abstract"
    BODY = "body"
    CAPTION = "caption"
    TABLE = "table"  # one row of a table, or a note below it


class SectionKind(StrEnum):
    """The part that a section plays in a paper. Subsections inherit it."""

    ABSTRACT = "abstract"
    INTRODUCTION = "introduction"
    METHODS = "methods"
    RESULTS = "results"
    DISCUSSION = "discussion"
    OTHER = "other"
    ABOUT = "about"  # by the journal or the authors, about the paper; comes last, outside the candidate pool


PARTS_IN_ORDER = (SectionKind.INTRODUCTION, SectionKind.METHODS, SectionKind.RESULTS, SectionKind.DISCUSSION)


class Format(StrEnum):
    """The file formats that can be read."""

    JATS = "jats"
    TEI = "tei"
    BIOC_XML = "bioc-xml"
    BIOC_JSON = "bioc-json"
    PDF = "pdf"
    MARKDOWN = "markdown"
    TEXT = "text"
    EVIDENCEBENCH = "evidencebench"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a paper. `paper.text[start:end] == text`, always."""

    index: int
    text: str
    start: int
    end: int
    kind: Kind
    section: int  # index into `Paper.sections`
    page: int | None  # counted from 1; None where the format has no pages


@dataclass(frozen=True, slots=True)
class Section:
    """A run of sentences under one heading. `first` and `last` are sentence indices, both inclusive."""

    index: int
    title: str
    kind: SectionKind
    level: int  # 1 for a top-level section, 2 for its subsections, ...
    first: int
    last: int


RETRACTED = "retracted"  # the kind of a warning


@dataclass(frozen=True, slots=True)
class PaperWarning:
    """Something a reviewer should know about how the file was read."""

    kind: str  # a stable word for programs, such as "page-unreadable"
    message: str  # one sentence for people
    page: int | None = None


class Reason(StrEnum):
    """Why a text was set aside: readers cannot see it, or it is addressed to a machine."""

    SAME_COLOUR = "same-colour"
    INVISIBLE = "invisible"
    COVERED = "covered"
    TINY = "tiny"
    OFF_PAGE = "off-page"
    CHARACTERS = "characters"
    ADDRESSED = "addressed-to-machine"

    @property
    def in_words(self) -> str:
        """The reason in words, to follow "it"."""
        return _REASONS[self]


_REASONS = {
    Reason.SAME_COLOUR: "has the colour of what lies beneath it",
    Reason.INVISIBLE: "is drawn, or marked, so that it does not show",
    Reason.COVERED: "lies under a shape or a picture",
    Reason.TINY: "is too small to be read",
    Reason.OFF_PAGE: "stands outside the page",
    Reason.CHARACTERS: "is written in characters that do not show, or not in this order",
    Reason.ADDRESSED: "speaks to a language model, not to a reader",
}


@dataclass(frozen=True, slots=True)
class SetAside:
    """A text kept out of the candidate pool because it may be meant for machines."""

    text: str
    reason: Reason
    page: int | None = None


class Account(StrEnum):
    """The kind of a text that is left out of the candidate pool although readers can see it."""

    REFERENCES = "references"
    STATEMENT = "statement"
    FRONT = "front"
    FURNITURE = "furniture"
    FOOTNOTE = "footnote"
    FIGURE = "figure-text"
    EQUATION = "equation"
    NUMBER = "number"
    SIDEWAYS = "sideways"
    UNSEEN = "unseen"
    UNPLACED = "unplaced"

    @property
    def in_words(self) -> str:
        """A heading for such texts, for people."""
        return _ACCOUNTS[self]

    @property
    def may_be_read(self) -> bool:
        """Whether a reviewer may want such a text in the candidate pool after all."""
        return self not in {Account.REFERENCES, Account.FURNITURE, Account.NUMBER, Account.UNSEEN}


_ACCOUNTS = {
    Account.REFERENCES: "References",
    Account.STATEMENT: "Statements and sections without evidence: funding, contributions and the like",
    Account.FRONT: "Around title and abstract: names, addresses, dates, keywords, licences",
    Account.FURNITURE: "Running heads and feet, page and line numbers, notes of downloads",
    Account.FOOTNOTE: "Footnotes",
    Account.FIGURE: "Text inside figures",
    Account.EQUATION: "Equations",
    Account.NUMBER: "Numbers of headings and citations",
    Account.SIDEWAYS: "Written across the page",
    Account.UNSEEN: "Scraps that do not show on the page",
    Account.UNPLACED: "In no known part of the page",
}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A text left out of the candidate pool, and its kind."""

    kind: Account
    text: str
    page: int | None = None


class PrintedLine(NamedTuple):
    """Where a stretch of text is printed: on a line of a page, or on part of one. A tuple, as papers have thousands.

    `first` up to `stop` are the line's characters on the page, as PDFium counts them; the range is empty if the reader
    does not know it. The text may differ from them: raised numbers are in brackets, divided words are joined.
    """

    start: int
    end: int
    page: int  # counted from 1
    first: int
    stop: int
    skipped: int = 0  # letters and digits of the line before the stretch

    def between(self, start: int, end: int, text: str) -> PrintedLine | None:
        """The part of this line between two offsets of `text`; None if there is none."""
        first, last = max(self.start, start), min(self.end, end)
        if first >= last:
            return None
        before = sum(map(str.isalnum, text[self.start : first]))
        return PrintedLine(first, last, self.page, self.first, self.stop, self.skipped + before)

    def moved(self, by: int) -> PrintedLine:
        """The same line with its offsets moved by `by` characters."""
        if not by:
            return self
        start, end, page, first, stop, skipped = self
        return printed_line((start + by, end + by, page, first, stop, skipped))


# Makes a `PrintedLine` from a tuple of all its fields, twice as fast as the constructor.
printed_line = partial(tuple.__new__, PrintedLine)


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A work in a paper's list of references. What the list does not say is None or empty, never guessed."""

    title: str | None = None
    authors: tuple[str, ...] = ()  # given name first
    journal: str | None = None
    year: int | None = None
    doi: str | None = None  # bare and in lower case: 10.1000/xyz
    pmid: str | None = None  # digits

    def filled_from(self, other: CitedWork) -> CitedWork:
        """This work, with what it lacks taken from another record of it."""
        return CitedWork(
            self.title or other.title,
            self.authors or other.authors,
            self.journal or other.journal,
            self.year or other.year,
            self.doi or other.doi,
            self.pmid or other.pmid,
        )


@dataclass(frozen=True)  # no slots: cached properties need a place
class Paper:
    """A paper as text, and as the ordered sentences that make up its candidate pool.

    The pool holds headings, captions and table rows, each marked with its kind. It leaves out references, funding and
    the like, whose section titles are kept in `sections_left_out` (EvidenceBench, section 2.1: a candidate pool is the
    ordered list of a paper's sentences).

    Nothing is lost: every word of the file is in `text`, in `left_out` with its kind, or in `set_aside`.

    The sections of kind `ABOUT` come after the pool: plain summaries, key points and the like, which are no evidence
    because they only retell the paper. Since they come last, an index into the pool is also one into `sentences`.
    """

    id: str  # SHA-256 of the bytes, in hexadecimal; differs if texts set aside or left out were read too
    name: str  # the file's name, as it was given
    format: Format
    title: str | None
    doi: str | None
    text: str
    sections: tuple[Section, ...]
    sentences: tuple[Sentence, ...]
    sections_left_out: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()  # by page, in the order of the file
    warnings: tuple[PaperWarning, ...] = ()
    set_aside: tuple[SetAside, ...] = ()  # in no other field, and in the text only if the reviewer asks for it
    authors: tuple[str, ...] = ()  # as printed, given name first, without degrees
    journal: str | None = None
    year: int | None = None  # of publication: the where the paper has one
    registrations: tuple[str, ...] = ()  # the trial's own numbers, such as "NCT01234567", in order of first mention
    lines: tuple[PrintedLine, ...] = ()  # of a PDF, in the order of `text`
    pmid: str | None = None  # digits; where the file gives it
    references: tuple[CitedWork, ...] = ()  # of JATS and TEI, in order, without entries that say nothing

    @cached_property
    def pool(self) -> tuple[Sentence, ...]:
        """The candidate pool: every sentence but those about the paper."""
        end = next((section.first for section in self.sections if section.kind is SectionKind.ABOUT), None)
        return self.sentences[:end]

    @cached_property
    def section_roles(self) -> tuple[SectionKind, ...]:
        """The role of each section: its kind, or that of the section before it if its title does not tell."""
        role, roles = SectionKind.OTHER, []
        for section in self.sections:
            if section.kind not in (SectionKind.OTHER, SectionKind.ABOUT):
                role = section.kind
            roles.append(role)
        return tuple(roles)

    def section_of(self, sentence: Sentence) -> Section:
        """The section that a sentence stands in."""
        return self.sections[sentence.section]

    def sentences_of(self, section: Section) -> tuple[Sentence, ...]:
        """The sentences of a section, its heading first where it has one."""
        return self.sentences[section.first : section.last + 1]

    def paragraphs_of(self, section: Section) -> Iterator[tuple[Sentence, ...]]:
        """The sentences of a section, paragraph by paragraph. Paragraphs are separated by a line break."""
        paragraph: list[Sentence] = []
        for sentence in self.sentences_of(section):
            if paragraph and "\n" in self.text[paragraph[-1].end : sentence.start]:
                yield tuple(paragraph)
                paragraph = []
            paragraph.append(sentence)
        if paragraph:
            yield tuple(paragraph)
