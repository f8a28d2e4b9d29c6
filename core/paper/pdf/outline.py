"""The outline of a file (its bookmarks): one more sign of which lines are headings, never a sign by itself.

Files name figures in it, cut titles short, or have none.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import islice

import pypdfium2

from core.paper.pdf.lines import PageLines

_ENTRIES = 2_000  # more than any paper has
_WORDS = 20  # more than a line of a heading has


def outline_of(document: pypdfium2.PdfDocument) -> dict[int, list[str]]:
    """The titles of the outline by the page that they point to, counted from 1. Call under the lock."""
    titles: dict[int, list[str]] = defaultdict(list)
    for entry in islice(document.get_toc(), _ENTRIES):
        destination = entry.get_dest()
        index = destination.get_index() if destination else None
        if index is not None:
            titles[index + 1].append(_letters(entry.get_title()))
    return titles


def mark_outlined(pages: list[PageLines], titles: dict[int, list[str]]) -> None:
    """Mark the lines that say what the outline says about their page, or that begin a title of several lines."""
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
