"""What a reviewer should know about how a paper was read, in as few lines as it takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.paper import PaperWarning

# Kinds that come once a page, in the words for several pages. What has no text stands first, what a glance at the
# page makes good stands last.
_ON_PAGES = {
    "page-without-text": "Pages {} have no text layer: what is printed there could not be read.",
    "table-columns": "The columns of tables on pages {} could not be told apart; check their rows on the pages.",
    "figure-text": "Text inside figures was left out on pages {}; look at the figures for what they say.",
    "equation": "Equations were left out on pages {}; look at them on the pages.",
}
_FIRST, *_LAST = _ON_PAGES


def in_lines(warnings: Sequence[PaperWarning]) -> list[str]:
    """One line a warning, and one for all those of a kind that comes once a page."""
    kinds = sorted(dict.fromkeys(warning.kind for warning in warnings), key=_place)
    return [line for kind in kinds for line in _lines(kind, [warning for warning in warnings if warning.kind == kind])]


def _place(kind: str) -> int:
    if kind == _FIRST:
        return -1
    return _LAST.index(kind) + 1 if kind in _LAST else 0


def _lines(kind: str, warnings: Sequence[PaperWarning]) -> Iterator[str]:
    pages = sorted({warning.page for warning in warnings if warning.page is not None})
    if kind in _ON_PAGES and len(pages) > 1:
        yield _ON_PAGES[kind].format(", ".join(map(str, pages)))
    else:
        yield from map(with_page, warnings)


def with_page(warning: PaperWarning) -> str:
    """The warning's words, with its page where they do not name it."""
    if warning.page is None or re.search(rf"\bpages? {warning.page}\b", warning.message, re.IGNORECASE):
        return warning.message
    return f"{warning.message} (page {warning.page})"
