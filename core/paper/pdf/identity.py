"""A paper's title and DOI, from its first page and from what the file says about itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

import pypdfium2

from core.paper.pdf.lines import Line, PageLines, from_top
from core.paper.pdf.paragraphs import joined
from core.paper.pdf.printed import PrintedText
from core.paper.pdf.typography import Typography

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+[^\s\"<>.,;:)\]]")
_DOI_CUT = re.compile(r"\b10\.\d{4,9}/?$")
# Deposits of data, and files that go with a paper.
_DOI_OF_FILES = re.compile(r"^10\.(?:5061|5281|6084|17605|17632)/|[./](?:s\d{3}|suppl\w*|-/dc\d)$", re.IGNORECASE)
_OF_ANOTHER = re.compile(
    r"\W*(?:correct(?:ion|s)|erratum|retract|comment|editorial|see|related|linked)\b", re.IGNORECASE
)
_XMP_TAGS = (b"<prism:doi>", b"<pdfx:doi>", b"<crossmark:DOI>", b"<dc:identifier>")
_XMP_DOI = re.compile(rb"(?:doi:|https?://(?:dx\.)?doi\.org/)?(10\.[^<\s]+)<")
_TEXT = 3  # lines: fewer are a note
STATED = ("doi", "DOI", "WPS-ARTICLEDOI", "Subject", "Title", "Author")
_NOT_LETTERS = re.compile(r"[\W_]+")
_LABELS = re.compile(
    r"(?:original|research|clinical|full[- ]length|special|open)?[\s-]*(?:articles?|research|investigations?|papers?|reports?|access|study|trial)",
    re.IGNORECASE,
)


def stated_by(document: pypdfium2.PdfDocument) -> dict[str, str]:
    """What the file says about itself, "" where it says nothing. Call under the lock."""
    return {key: document.get_metadata_value(key) for key in STATED}


def find_doi(data: bytes, stated: Mapping[str, str], pages: list[PageLines]) -> str | None:
    """The DOI that the file's metadata gives, or else the first that is printed on the first two pages.

    Where a line broke it off, it is printed in full elsewhere.
    """
    for tag in _XMP_TAGS:
        at = data.find(tag)
        if at >= 0 and (found := _XMP_DOI.match(data, at + len(tag))):
            return found[1].decode("ascii", "replace")
    for text in stated.values():
        if named := _DOI.search(text):
            return named.group()
    printed: list[str] = []
    for page in pages[:2]:
        texts = [line.text for line in page.lines]
        for text, following in pairwise([*texts, ""]):
            named = _DOI.search(f"{text}{following}" if _DOI_CUT.search(text) else text)
            if named and not _OF_ANOTHER.match(text) and not _DOI_OF_FILES.search(named.group()):
                printed.append(named.group())
    return max((doi for doi in printed if doi.startswith(printed[0])), key=len, default=None)


def title_text(lines: list[Line]) -> PrintedText:
    """The title as one line, the subtitle after a colon."""
    title = [line for line in lines if abs(line.size - lines[0].size) < 0.6]
    subtitle = [line for line in lines if abs(line.size - lines[0].size) >= 0.6]
    text = joined(title)
    return text.cut(0, len(text.text.rstrip(":"))) + ": " + joined(subtitle) if subtitle else text


def find_title(page: PageLines, typography: Typography, stated: str) -> list[Line]:
    """The lines of the title: the largest type in the upper part of the first page, or what the metadata states."""
    body_size = typography.size
    groups = _large_groups(page, typography)
    wanted = _letters(stated)
    for group in groups:
        printed = _letters(joined(group).text)
        if len(printed) > 15 and (printed in wanted or (len(wanted) > 15 and wanted in printed)):
            return _with_subtitle(group, page, body_size)
    groups = [group for group in groups if not _has_text_above(group, page, body_size)]
    groups = [group for group in groups if sum(line.words for line in group) >= 4] or groups
    if not groups:
        return []
    return _with_subtitle(max(groups, key=lambda group: (group[0].size, len(group))), page, body_size)


def _large_groups(page: PageLines, typography: Typography) -> list[list[Line]]:
    """Runs of lines in one size, larger than body text, that stand below each other."""
    large = [line for line in page.lines if line.size > 1.15 * typography.size and line.y > 0.3 * page.height]
    groups: list[list[Line]] = []
    for line in sorted(large, key=lambda line: (-line.y, line.x0)):
        for group in groups:
            last = group[-1]
            if (
                abs(last.size - line.size) < 0.6
                and last.y - line.y < max(1.8, 1.3 * typography.leading / typography.size) * line.size
                and line.x0 < last.x1 + 2 * line.size
            ):
                group.append(line)
                break
        else:
            groups.append([line])
    return [
        group
        for group in groups
        if sum(line.words for line in group) >= 3
        and not _LABELS.fullmatch(" ".join(line.text for line in group).strip())
    ]


def _has_text_above(group: list[Line], page: PageLines, body_size: float) -> bool:
    """Whether running text stands above large type, which is then the heading of a part and not the title."""
    above = (line for line in page.lines if line.y > group[0].y and line.words > 5)
    return sum(abs(line.size - body_size) < 0.35 for line in above) >= _TEXT


def _with_subtitle(group: list[Line], page: PageLines, body_size: float) -> list[Line]:
    """The title, and below it a line in the same family that can be no list of authors."""
    last = group[-1]
    family = last.font.name.partition("-")[0]
    for line in from_top(page.lines):
        if (
            0.5 * last.size < last.y - line.y < 1.9 * last.size
            and line.size > 1.2 * body_size
            and line.size < last.size
            and line.font.name.partition("-")[0] == family
            and line.font.bold == last.font.bold
            and abs(line.x0 - last.x0) < 5
            and not re.search(r"[,;|\d*†]", line.text)
            and 3 <= line.words <= 15
        ):
            return [*group, line]
    return group


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text).casefold()
