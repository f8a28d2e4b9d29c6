"""Headings: their numbers, rank by type, levels, and the outline of the file."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import islice

import pypdfium2

from core.paper.model import PARTS_IN_ORDER, SectionKind
from core.paper.pdf.lines import Line, PageLines, PrintedText
from core.paper.pdf.paragraphs import Paragraph
from core.paper.sections import is_about, is_left_out, main_kind

# ---- Numbers, rank by type, names of boxes ----

NUMBERING = re.compile(r"^(?:(?P<number>\d{1,2}(?:\.\d{1,2})*)\.?\s*(?:\|\s*)?|(?P<roman>[IVX]{1,5})\.\s+)(?=[A-Z])")
LETTER = re.compile(r"^[A-Z]\.\s+(?=[A-Z])")  # “B. Participants” below “II. METHODS”
_SPACED = re.compile(r"(?:\b\w ){3,}\w\b")
_BOX = re.compile(
    r"(?:clinical perspectives?|research in context|key (?:points?|messages?)|highlights"
    r"|what (?:is|are|this|does|was|we|the)\b.*|significance of this study|article summary|plain[- ]language summary|author summary"
    r"|take[- ]home.*|novelty and (?:significance|relevance)|why was this study done|summary box|(?:box|panel) \d+.*|in a nutshell"
    r"|essentials|editor[’']?s?[’']? (?:note|summary)|relevance statement|(?:statement of )?significance(?: statement)?"
    r"|(?:the )?bottom line|lay summary|layman[’']?s? summary|capsule summary|at a glance|in brief|research in brief"
    r"|public health relevance|impact statement|practice points|learning points|messages? for practice|e?life digest|digest)\W*",
    re.IGNORECASE,
)
_NUMBERED_BOX = re.compile(r"(?:box|panel) \d", re.IGNORECASE)
# Names of boxes at the front of a paper, and of sections of its discussion.
_BOX_OR_SECTION = re.compile(
    r"(?:strengths and limitations of (?:this|the) study|implications? (?:for|of) .{3,40}(?:practice|research))\W*",
    re.IGNORECASE,
)


def names_box(title: str, *, in_discussion: bool = False) -> bool:
    """Whether a heading names a box beside the text, such as “What this study adds”."""
    return bool(_BOX.fullmatch(title) or (not in_discussion and _BOX_OR_SECTION.fullmatch(title)))


def names_account(title: str) -> bool:
    """Whether a box with this heading is an account of the paper. A numbered box is not: it is part of the text."""
    return bool(names_box(title) and not _NUMBERED_BOX.match(title)) or is_about(title, boxed=True)


def level_of(number: re.Match[str]) -> int:
    """The level that a heading's number shows: 2 for “2.1”, 1 for “II”."""
    return (number["number"] or "").count(".") + 1


def heading_title(text: str) -> str:
    """A heading without its number, with letter-spaced words closed up."""
    title = NUMBERING.sub("", text).strip()
    return _SPACED.sub(lambda match: match.group().replace(" ", ""), title)


def printed_title(paragraph: Paragraph) -> PrintedText:
    """`heading_title` of a heading, with the places where it is printed."""
    return paragraph.printed.closed_up(heading_title(paragraph.text))


def rank(paragraph: Paragraph) -> float:
    """How high a heading ranks by its type: size first, then weight and case."""
    line = paragraph.lines[0]
    return line.size + 0.4 * line.font.bold + 0.2 * line.text.isupper() - 0.2 * line.font.italic


def run_in_heading(paragraph: Paragraph) -> str:
    """The run-in heading of a paragraph: bold or italic, ending in a full stop or colon; empty if there is none.

    It may have a number like “2.1”. A single number belongs to a list.
    """
    first = paragraph.lines[0]
    lead = first.lead
    number = NUMBERING.match(lead)
    if number is not None and level_of(number) == 1:
        return ""
    if not lead[number.end() if number else 0 :][:1].isupper() or not first.text.startswith(lead):
        return ""
    if not lead.endswith((".", ":")):
        lead = first.text[: len(lead) + 1]
    return lead if lead.endswith((".", ":")) and len(lead.split()) <= 8 and len(lead) > 4 else ""


def left_out_lead(line: Line) -> str:
    """The name of a left-out section that begins a line and stands out: “Funding: none”; else empty."""
    title = " ".join(line.lead.split()).strip(" :.")
    return title if title[:1].isupper() and is_left_out(title) else ""


# ---- Levels ----

_DEEPEST = 4
_LESSER = 0.05  # the least difference in rank between a heading and a lesser one


class HeadingLevels:
    """Keeps track of the headings above the text being read."""

    def __init__(self) -> None:
        self._reached = 0  # how many of the paper's main parts have begun
        self._main_rank = 0.0  # of the last heading of the first level
        self._ranks: list[float] = []  # of the headings below the first level
        self._has_romans = False  # “II. METHODS” stands above “B. Participants”, and that above “1. Exclusions”

    @property
    def is_in_last_part(self) -> bool:
        """Whether the discussion has begun."""
        return self._reached == len(PARTS_IN_ORDER)

    @property
    def _is_in_the_middle(self) -> bool:
        """Whether the text is in the methods or the results."""
        return PARTS_IN_ORDER.index(SectionKind.METHODS) < self._reached < len(PARTS_IN_ORDER)

    def kind_of(self, heading: Paragraph) -> SectionKind | None:
        """The kind that a heading names; None for a lesser heading like “Objectives” below “Methods”."""
        kind = main_kind(heading_title(heading.text))
        if self._number_level(heading.text) > 1:
            return None
        lesser = rank(heading) < self._main_rank - _LESSER
        return None if lesser and kind in PARTS_IN_ORDER[: self._reached] else kind

    def is_inside(self, heading: Paragraph) -> bool:
        """Whether a heading belongs below the first level, judging by the headings before it.

        The first one below “Methods” or “Results” is recognised by its lower rank.
        """
        if self._ranks:
            return rank(heading) <= self._ranks[-1]
        return self._is_in_the_middle and rank(heading) < self._main_rank - _LESSER

    def climb(self, heading: Paragraph, kind: SectionKind | None) -> int:
        """The level of a heading that opens a section. Records the heading as the one above the text after it."""
        number = NUMBERING.match(heading.text)
        self._has_romans |= number is not None and number["roman"] is not None
        if kind is not None:
            self._reached = PARTS_IN_ORDER.index(kind) + 1 if kind in PARTS_IN_ORDER else 0
            self._main_rank, self._ranks = rank(heading), []
            return 1
        if level := self._number_level(heading.text):
            return level
        while self._ranks and self._ranks[-1] <= rank(heading):
            self._ranks.pop()
        self._ranks.append(rank(heading))
        return min(len(self._ranks) + 1, _DEEPEST)

    def without_letter(self, title: PrintedText) -> PrintedText:
        """A title without the letter that numbers it, in a paper whose parts have Roman numbers."""
        letter = LETTER.match(title.text) if self._has_romans else None
        return title.cut(letter.end()) if letter else title

    def _number_level(self, text: str) -> int:
        """The level by a heading's number or letter; 0 without one."""
        if number := NUMBERING.match(text):
            return 3 if self._has_romans and number["number"] else level_of(number)
        return 2 if self._has_romans and LETTER.match(text) else 0


# ---- The file's own outline (its bookmarks) ----
# It is one more sign of which lines are headings, but no proof: files name figures in it, cut titles short, or have no
# outline.

_ENTRIES = 2_000  # more than any paper has
_WORDS = 20  # more than a line of a heading has


def outline_of(document: pypdfium2.PdfDocument) -> dict[int, list[str]]:
    """The titles of the outline by page, counted from 1. Call under the lock."""
    titles: dict[int, list[str]] = defaultdict(list)
    for entry in islice(document.get_toc(), _ENTRIES):
        destination = entry.get_dest()
        index = destination.get_index() if destination else None
        if index is not None:
            titles[index + 1].append(_letters(entry.get_title()))
    return titles


def mark_outlined(pages: list[PageLines], titles: dict[int, list[str]]) -> None:
    """Mark the lines that are, or begin, a title that the outline gives for their page."""
    for page in pages:
        wanted = [title for title in titles.get(page.number, ()) if title]
        initials = {title[0] for title in wanted}
        for line in page.lines if wanted else ():
            initial = line.text[:1].casefold()[:1]
            if line.words > _WORDS or (initial.isalnum() and initial not in initials):
                continue
            if letters := _letters(line.text):
                line.outlined = any(
                    letters == title or (2 * len(letters) >= len(title) and title.startswith(letters))
                    for title in wanted
                )


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
