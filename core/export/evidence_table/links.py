"""Where a DOI leads."""

from __future__ import annotations

import re
from urllib.parse import quote

_DOI = re.compile(r"10\.\d{4,9}/[!-~]{1,300}")  # the form of every DOI; no spaces, no letters beyond ASCII


def doi_link(doi: str | None) -> str | None:
    """The address of a DOI; None for what is none, which is shown and never linked."""
    if doi is None or not _DOI.fullmatch(doi):
        return None
    return f"https://doi.org/{quote(doi, safe='/:;().-_')}"
