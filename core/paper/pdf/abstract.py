"""Where an abstract begins and ends, and its parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice, takewhile

from core.paper.model import PARTS_IN_ORDER, Kind, SectionKind
from core.paper.pdf.blocks import DraftWriter
from core.paper.pdf.headings import heading_title, rank
from core.paper.pdf.lines import PrintedText
from core.paper.pdf.paragraphs import Paragraph
from core.paper.pdf.typography import Typography, abstract_labels, is_abstract_part, is_clutter, is_keywords
from core.paper.sections import is_left_out, main_kind, normalise_title

_NEAR_RANK = 0.05
_SIGN_AFTER = re.compile(r"[—–]| - ")  # a label may be joined to the first word: “Background—The”
_LAST_PARTS = ("conclusion", "interpretation", "authors' conclusion")
_PARTS = 10  # paragraphs after the first in which an abstract may name further parts
_SUPPLEMENT = re.compile(r"supplement(?:ary|al) ", re.IGNORECASE)  # a part that says where to find more
_LONGEST = 400  # words: the most that an abstract has after its first paragraph
_PARAGRAPH = 25  # words: a paragraph this long that names no part may be text after the abstract


class AbstractReader:
    """Reads and writes the paragraphs of an abstract until it ends."""

    def __init__(self, writer: DraftWriter, typography: Typography) -> None:
        self._writer = writer
        self._typography = typography
        self._style: tuple[str, float] | None = None
        self._skips_part = False  # inside a part that is left out
        self._in_last_part = False
        self._has_concluded = False  # a paragraph of its last part has been read

    def is_small_print(self, paragraph: Paragraph) -> bool:
        """Whether a paragraph is a note at the foot of the abstract's page."""
        if paragraph.heading or self._style is None:
            return False
        return paragraph.style[1] < self._style[1] - 0.6 and not self._typography.is_body(paragraph.lines[0])

    def is_other_text(self, paragraph: Paragraph) -> bool:
        """Whether the abstract has ended before this paragraph.

        It has if the paragraph is in another size, or if it is set like the body and the abstract is not. It also has
        if a long paragraph like the body's, which names no part, follows the conclusions or an abstract in another
        style.
        """
        if self._style is None:
            return False
        body, usual = self._typography.styles, (self._typography.font, self._typography.size)
        unnamed = len(paragraph.text.split()) >= _PARAGRAPH and label_of(paragraph) is None
        if unnamed and ((self._has_concluded and paragraph.style in body) or self._style != paragraph.style == usual):
            return True
        return abs(paragraph.style[1] - self._style[1]) > 0.6 or (paragraph.style in body and self._style not in body)

    def read(self, paragraph: Paragraph) -> None:
        label = label_of(paragraph)
        if label is not None:
            if self._leaves_out(label[0]):
                return
            if 0 < label[1] <= len(paragraph.lines[0].text):
                self._writer.heading(paragraph.printed.cut(0, label[1]), kind=SectionKind.ABSTRACT)
                paragraph = paragraph.after(label[1])
        elif self._skips_part or is_clutter(paragraph.text):
            return
        if paragraph.lines:
            self.write(paragraph)

    def write(self, paragraph: Paragraph) -> None:
        """Begin a paragraph that certainly belongs to the abstract. The first one gives the abstract's style."""
        self._writer.begin(paragraph, Kind.ABSTRACT)
        self._style = self._style or paragraph.style
        self._has_concluded = self._in_last_part

    def read_heading(self, title: PrintedText) -> None:
        """Read a separate heading of a part of the abstract."""
        if not self._leaves_out(title.text):
            self._writer.heading(title, kind=SectionKind.ABSTRACT)

    def _leaves_out(self, part: str) -> bool:
        self._skips_part = is_left_out(part) and not _SUPPLEMENT.search(part)
        self._in_last_part |= part.casefold().startswith(_LAST_PARTS)
        if self._skips_part:
            self._writer.draft.leave_out(part)
        return self._skips_part


def label_of(paragraph: Paragraph) -> tuple[str, int] | None:
    """The part of an abstract that a paragraph's first words name, by type or a sign, and the name's printed length."""
    text, lead = paragraph.text, paragraph.lines[0].lead
    labels = abstract_labels(text)
    if labels and labels[0][0] == 0:
        return _unsigned(text[: labels[0][1]]), labels[0][1]
    part = _unsigned(lead)
    if not part or not is_abstract_part(part):
        return None
    shown = lead if lead.endswith((":", ".")) else text[: len(lead) + text[len(lead) :].startswith((":", "."))]
    return part, len(shown) if text.startswith(shown) else 0


def begins_abstract_part(paragraph: Paragraph) -> bool:
    """Whether a paragraph begins with the name of a part, told by its type or by a sign."""
    return label_of(paragraph) is not None


def labels_follow(following: Iterable[Paragraph]) -> bool:
    """Whether several of the next paragraphs, before a main heading, name parts of an abstract."""
    until = takewhile(lambda paragraph: not paragraph.heading or main_kind(paragraph.text) is None, following)
    return sum(label_of(paragraph) is not None for paragraph in islice(until, _PARTS)) > 1


def stands_before_the_text(following: Iterable[Paragraph]) -> bool:
    """Whether text at the front that looks like the body is the abstract after all, judging by what follows it.

    It is if, after a few paragraphs at most, there are keywords, a large initial, or the heading of the introduction.
    """
    words = 0
    for paragraph in following:
        if paragraph.heading and (kind := main_kind(heading_title(paragraph.text))) is not None:
            return kind is SectionKind.INTRODUCTION
        if is_keywords(paragraph.text) or paragraph.lines[0].initial:
            return True
        words += 0 if paragraph.heading or is_clutter(paragraph.text) else len(paragraph.text.split())
        if words > _LONGEST:
            return False
    return False


def _unsigned(label: str) -> str:
    return _SIGN_AFTER.split(label, maxsplit=1)[0].strip(" :.|")


class HeadingsToCome:
    """The headings that still follow in a paper. They tell the abstract's “Methods” from the paper's own."""

    def __init__(self, paragraphs: Sequence[Paragraph]) -> None:
        self._headings = [(heading_title(p.text), rank(p)) for p in paragraphs if p.heading]
        self._at = 0

    def next(self) -> None:
        self._at += 1

    @property
    def has_abstract(self) -> bool:
        """Whether a heading “Abstract” is still to come, before any other part."""
        for title, _ in self._headings[self._at :]:
            kind = main_kind(title)
            if kind is not None:
                return kind is SectionKind.ABSTRACT
        return False

    def leave_to_abstract(self, kind: SectionKind | None, heading: Paragraph) -> bool:
        """Whether a heading with a usual name belongs to the abstract, because the paper's own is still to come.

        The paper's own heading ranks no lower than the abstract's, so that “Objectives” below “Methods” does not count.
        """
        if kind is None:
            return True
        if kind not in PARTS_IN_ORDER:
            return False
        later = [title for title, other in self._headings[self._at :] if other > rank(heading) - _NEAR_RANK]
        upto = PARTS_IN_ORDER[: PARTS_IN_ORDER.index(kind) + 1]
        again = any(main_kind(title) in upto for title in later)
        if kind is SectionKind.INTRODUCTION and not again:
            kinds = [main_kind(title) for title in later]
            methods = [normalise_title(title) for title in later if main_kind(title) is SectionKind.METHODS]
            twice = all(kinds.count(kind) > 1 for kind in (SectionKind.METHODS, SectionKind.RESULTS))
            return twice or len(methods) > len(set(methods))
        return again
