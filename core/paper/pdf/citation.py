"""The journal and the year of a paper, from the line by which its first pages ask to be cited.

The year in which a file was made is no year of publication: it is never used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.paper.pdf.lines import Line, PageLines
from core.paper.pdf.typography import Typography

_YEAR = r"(?P<year>(?:19|20)\d\d)"
_JOURNAL = r"(?P<journal>[A-Z][^\d|;:©]{2,100}?)"
_VOLUME = r"(?:vol(?:ume|\.)?\s)?[A-Z]?\d{1,4}(?:\s?\([^)]{1,12}\))?"
_PAGE = r"\s?[A-Za-z]{0,6}\d"
_MONTH = r"(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?)"
_CITED = tuple(
    re.compile(pattern, re.VERBOSE)
    for pattern in (
        # "Hive. 2020;12(3):45", "Hive 2020 May 3; 12: e45", "Hive 2020, 12, 45", "Hive (2020) 12:45"
        rf"{_JOURNAL}[.,]?\s\(?{_YEAR}(?:\s{_MONTH}(?:\s\d{{1,2}})?)?\)?\s?[;,:]?\s?{_VOLUME}\s?[:;,]{_PAGE}",
        # "Hive 12 (2020) 45–50", "Hive, Vol. 12, 45–50 (2020)"
        rf"{_JOURNAL},?\s{_VOLUME}(?:[,:]\s?[\d–-]+)?\s?\({_YEAR}\)",
        # "Hive | Volume 12 | May 2020 | 45–50", "Hive | www.hive.example May 2020 | Volume 12"
        rf"{_JOURNAL}\s\|(?=.*\b[Vv]olume\s\d).*\b{_MONTH}\s{_YEAR}\b",
        # "Hive | https://doi.org/10.1000/x May 3, 2020 1 / 12"
        rf"{_JOURNAL}\s\|\s.*\b{_MONTH}\s\d{{1,2}},\s{_YEAR}\b",
    )
)
_VOLUME_LINE = re.compile(rf"\b(?:vol(?:ume|\.)?\s?\d|{_MONTH}\s(?:\d{{1,2}},\s)?(?:19|20)\d\d)", re.IGNORECASE)
_SOME_YEAR = re.compile(r"(?:19|20)\d\d")  # what no citation goes without
_ANY_YEAR = re.compile(r"(?<![\d/.-])(?:19|20)\d\d(?![\d/-])")
_PUBLISHED = re.compile(rf"\bpublished\b[^.;]{{0,60}}?\b{_YEAR}\b", re.IGNORECASE)
_COPYRIGHT = re.compile(rf"(?:©|\(c\)|copyright)\s?(?:[^\d]{{0,60}}?){_YEAR}\b", re.IGNORECASE)
_OF_ANOTHER = re.compile(
    r"(?:see|editorial|comment|correction|erratum|this article|presented|adapted|from|downloaded|printed|accessed"
    r"|received|revised|accepted|\W*\d+\.\s)\b",
    re.IGNORECASE,
)
_EDGE = 0.1  # of a page's height: where running heads and feet stand
_GAP = 4  # times the size of type: the widest gap inside a running head
_SMALL = frozenset({"of", "the", "and", "in", "for", "on", "et", "de", "&", "-", "–", "a", "und", "der", "e"})


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a paper was published, and in which year."""

    journal: str | None = None
    year: int | None = None


def find_citation(pages: Sequence[PageLines], typography: Typography, stated: str) -> Citation:
    """What the first two pages, and `stated` by the file, say; a field is None where they do not say it.

    A line that cites the paper itself comes first, then a running head or foot with its date, then "Published ...",
    and then the copyright. Of several years the one that is printed most often counts.
    """
    texts = list(_texts(pages[0], typography))
    edges = [text for page in pages[:2] for text in _edges(page)]
    cited = [match for text in (*texts, *edges, stated) if (match := _cited(text))]
    dated = [text for text in edges if _VOLUME_LINE.search(text) and not _OF_ANOTHER.match(text)]
    years = (
        [match["year"] for match in cited],
        [found[0] for text in dated if len(found := _ANY_YEAR.findall(text)) == 1],
        [match["year"] for text in texts if (match := _PUBLISHED.search(text))],
        [match["year"] for text in texts if (match := _COPYRIGHT.search(text))],
    )
    journals = [name for match in cited if (name := _journal(match["journal"]))]
    year = next((_commonest(found) for found in years if found), None)
    return Citation(_commonest(journals) if journals else None, int(year) if year else None)


def _cited(text: str) -> re.Match[str] | None:
    if not _SOME_YEAR.search(text) or _OF_ANOTHER.match(text):
        return None
    return next((match for pattern in _CITED if (match := pattern.search(text))), None)


def _journal(text: str) -> str | None:
    """The journal's name at the end of what stands before the year; None if that is no name."""
    for candidate in (text, text.rpartition(". ")[2]):
        name = candidate.strip(" .,|")
        words = name.split()
        if len(words) <= 8 and all(word[0].isupper() or word in _SMALL for word in words):
            return name if len(name) > 2 else None
    return None


def _texts(page: PageLines, typography: Typography) -> Iterator[str]:
    """The lines around the text of the first page, and each with the next, where a citation may go on."""
    lines = list(_rows(line for line in page.lines if line.words < 6 or not typography.is_body(line)))
    for line, following in pairwise([*lines, None]):
        assert line is not None  # noqa: S101
        yield line.text
        if following is not None and abs(following.x0 - line.x0) < 3 and 0 < line.y - following.y < 2 * line.size:
            yield f"{line.text} {following.text}"


def _edges(page: PageLines) -> Iterator[str]:
    """The running heads and feet of a page."""
    for line in _rows(page.lines):
        if not _EDGE * page.height < line.y < (1 - _EDGE) * page.height:
            yield line.text


def _rows(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, those that stand close beside each other in one: a running head is often set in pieces."""
    before: Line | None = None
    for line in lines:
        if before is not None and abs(before.y - line.y) < 1 and 0 <= line.x0 - before.x1 < _GAP * line.size:
            before = replace(before, text=f"{before.text} {line.text}", x1=line.x1)
            continue
        if before is not None:
            yield before
        before = line
    if before is not None:
        yield before


def _commonest(values: Sequence[str]) -> str:
    """The value that comes most often; of equals, the first."""
    return Counter(values).most_common(1)[0][0]
