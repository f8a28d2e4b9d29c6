"""What headings say: their number, their rank by type, and whether they name a box."""

from __future__ import annotations

import re

from core.paper.pdf.lines import Line
from core.paper.pdf.paragraphs import Paragraph
from core.paper.pdf.printed import PrintedText
from core.paper.sections import is_about, is_left_out

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
    """Whether what stands under a box's heading was written about the paper: all but numbered boxes, part of the text."""
    return bool(names_box(title) and not _NUMBERED_BOX.match(title)) or is_about(title, boxed=True)


def level_of(number: re.Match[str]) -> int:
    """The level that a heading's number speaks of: 2 for “2.1”, 1 for “II”."""
    return (number["number"] or "").count(".") + 1


def heading_title(text: str) -> str:
    """A heading without its number, and letter-spaced words closed up."""
    title = NUMBERING.sub("", text).strip()
    return _SPACED.sub(lambda match: match.group().replace(" ", ""), title)


def printed_title(paragraph: Paragraph) -> PrintedText:
    """What `heading_title` makes of a heading, and where it is printed."""
    return paragraph.printed.closed_up(heading_title(paragraph.text))


def rank(paragraph: Paragraph) -> float:
    """How high a heading ranks by its type: size first, then weight and case."""
    line = paragraph.lines[0]
    return line.size + 0.4 * line.font.bold + 0.2 * line.text.isupper() - 0.2 * line.font.italic


def run_in_heading(paragraph: Paragraph) -> str:
    """The heading that a paragraph begins with, bold or italic and ended by a full stop or colon; else an empty string.

    It may have a number like “2.1”; a single one is that of a list.
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
    """The name of a left-out section that a line begins with, set to stand out: “Funding: none”; else an empty string."""
    title = " ".join(line.lead.split()).strip(" :.")
    return title if title[:1].isupper() and is_left_out(title) else ""
