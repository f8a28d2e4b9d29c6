"""Where an abstract begins, what it is divided by, and where it ends."""

from __future__ import annotations

from collections.abc import Sequence

from core.paper.model import PARTS_IN_ORDER, Kind, SectionKind
from core.paper.pdf.front import abstract_labels, is_abstract_part, is_clutter
from core.paper.pdf.headings import heading_title, rank
from core.paper.pdf.paragraphs import Paragraph
from core.paper.pdf.printed import PrintedText
from core.paper.pdf.typography import Typography
from core.paper.pdf.writing import DraftWriter
from core.paper.sections import is_left_out, main_kind, normalise_title

_NEAR_RANK = 0.05


class AbstractReader:
    """Reads the paragraphs of an abstract, and writes them until it finds that the abstract has ended."""

    def __init__(self, writer: DraftWriter, typography: Typography) -> None:
        self._writer = writer
        self._typography = typography
        self._style: tuple[str, float] | None = None
        self._skips_part = False  # inside a part that is left out

    def is_small_print(self, paragraph: Paragraph) -> bool:
        """Whether a paragraph is a note at the foot of the page that the abstract stands on."""
        if paragraph.heading or self._style is None:
            return False
        return paragraph.style[1] < self._style[1] - 0.6 and not self._typography.is_body(paragraph.lines[0])

    def is_other_text(self, paragraph: Paragraph) -> bool:
        """Whether a paragraph is set in another size than the abstract, or like the body as it is not: it has ended."""
        if self._style is None:
            return False
        body = self._typography.styles
        return abs(paragraph.style[1] - self._style[1]) > 0.6 or (paragraph.style in body and self._style not in body)

    def read(self, paragraph: Paragraph) -> None:
        text = paragraph.text
        lead = paragraph.lines[0].lead
        part = lead.strip(" :.")
        if part and is_abstract_part(part):
            if self._leaves_out(part):
                return
            shown = lead if lead.endswith((":", ".")) else text[: len(lead) + text[len(lead) :].startswith((":", "."))]
            if text.startswith(shown):
                self._writer.heading(paragraph.printed.cut(0, len(shown)), kind=SectionKind.ABSTRACT)
                paragraph = paragraph.after(len(shown))
        elif self._skips_part or is_clutter(text):
            return
        if paragraph.lines:
            self.write(paragraph)

    def write(self, paragraph: Paragraph) -> None:
        """Open a paragraph that is surely the abstract's; the first one shows what it is set in."""
        self._writer.begin(paragraph, Kind.ABSTRACT)
        self._style = self._style or paragraph.style

    def read_heading(self, title: PrintedText) -> None:
        """A heading of its own for a part of the abstract."""
        if not self._leaves_out(title.text):
            self._writer.heading(title, kind=SectionKind.ABSTRACT)

    def _leaves_out(self, part: str) -> bool:
        self._skips_part = is_left_out(part)
        if self._skips_part:
            self._writer.draft.leave_out(part)
        return self._skips_part


def begins_abstract_part(paragraph: Paragraph) -> bool:
    """Whether a paragraph begins with the name of a part, told by its type or by a colon."""
    labels = abstract_labels(paragraph.text)
    return is_abstract_part(paragraph.lines[0].lead.strip(" :.")) or bool(labels and labels[0][0] == 0)


class HeadingsToCome:
    """The headings that still follow in a paper, which tell the abstract's “Methods” from the paper's own."""

    def __init__(self, paragraphs: Sequence[Paragraph]) -> None:
        self._headings = [(heading_title(p.text), rank(p)) for p in paragraphs if p.heading]
        self._at = 0

    def next(self) -> None:
        self._at += 1

    @property
    def has_abstract(self) -> bool:
        """Whether an abstract is still to come, so called, before any other part."""
        for title, _ in self._headings[self._at :]:
            kind = main_kind(title)
            if kind is not None:
                return kind is SectionKind.ABSTRACT
        return False

    def leave_to_abstract(self, kind: SectionKind | None, heading: Paragraph) -> bool:
        """Whether a heading with the usual name of a part is the abstract's: the paper has yet to come to its own.

        A part of the paper is no less of a heading than the abstract's: “Objectives” below “Methods” is none.
        """
        if kind is None:
            return True
        if kind not in PARTS_IN_ORDER:
            return False
        later = [title for title, other in self._headings[self._at :] if other > rank(heading) - _NEAR_RANK]
        upto = PARTS_IN_ORDER[: PARTS_IN_ORDER.index(kind) + 1]
        again = any(main_kind(title) in upto for title in later)
        if kind is SectionKind.INTRODUCTION and not again:
            methods = [normalise_title(title) for title in later if main_kind(title) is SectionKind.METHODS]
            return len(methods) > len(set(methods))
        return again
