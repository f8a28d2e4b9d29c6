"""Unpaywall's API (v2): where an open copy of a DOI is. It requires the mail address of the person who asks."""

from __future__ import annotations

from typing import Any

from core.errors import SourceRefused
from core.sources.client import SourceClient, quoted
from core.sources.reading import at, many, words
from core.sources.services import UNPAYWALL

service = UNPAYWALL


def locations(client: SourceClient, doi: str) -> tuple[str, ...]:
    """Addresses of PDFs that are open to everybody, the best first. Raises `SourceRefused` without a mail address."""
    if not client.mail:
        raise SourceRefused("Unpaywall wants the mail address of whoever asks. Give yours beside the search.")

    def read(document: Any) -> tuple[str, ...]:
        if not isinstance(at(document, "is_oa"), bool):
            raise TypeError("no word on whether it is open")
        places = [at(document, "best_oa_location"), *many(document, "oa_locations")]
        return tuple(dict.fromkeys(filter(None, (words(one, "url_for_pdf") for one in places))))

    return client.json(service, quoted(doi), read=read, missing=())
