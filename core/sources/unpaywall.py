"""Unpaywall's API (v2): where an open copy of a DOI is. It requires the mail address of the person who asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.errors import SourceRefused
from core.sources.client import SourceClient, quoted
from core.sources.reading import at, first, many, words
from core.sources.services import UNPAYWALL

service = UNPAYWALL


@dataclass(frozen=True, slots=True)
class OpenCopies:
    """Where a work is open to everybody. Nothing in it: it is not open."""

    pdfs: tuple[str, ...] = ()  # addresses of PDFs, the best first
    page: str = ""  # the address of a page for people


def open_copies(client: SourceClient, doi: str) -> OpenCopies:
    """The open copies of a work. Raises `SourceRefused` without a mail address."""
    if not client.mail:
        raise SourceRefused("Unpaywall wants the mail address of whoever asks. Give yours beside the search.")

    def read(document: Any) -> OpenCopies:
        is_open = at(document, "is_oa")
        if not isinstance(is_open, bool):
            raise TypeError("no word on whether it is open")
        if not is_open:
            return OpenCopies()
        places = [at(document, "best_oa_location"), *many(document, "oa_locations")]
        pages = (words(one, name) for one in places for name in ("url_for_landing_page", "url"))
        pdfs = dict.fromkeys(filter(None, (words(one, "url_for_pdf") for one in places)))
        return OpenCopies(tuple(pdfs), first((*pages, f"https://doi.org/{doi}")))

    return client.json(service, quoted(doi), read=read, missing=OpenCopies())
