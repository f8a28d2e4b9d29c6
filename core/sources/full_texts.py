"""Open full texts: XML from Europe PMC if it has one, else a PDF from where Unpaywall says that there is one."""

from __future__ import annotations

import re

from core.errors import (
    CallsUsedUp,
    NoOpenCopy,
    NotThatService,
    SourceBusy,
    SourceError,
    SourceRefused,
    SourceUnreachable,
)
from core.references import Reference
from core.sources import europepmc, unpaywall
from core.sources.client import SourceClient
from core.sources.model import FoundText
from core.sources.services import EUROPE_PMC, UNPAYWALL, Service, address_of

ASKED: tuple[Service, ...] = (EUROPE_PMC, UNPAYWALL)
NOT_OPEN = "Not open access: ask your library, or add the file by hand."
NO_OTHER_EITHER = (CallsUsedUp, SourceBusy, SourceUnreachable)  # asking for the next text would fail too
_MOST_PLACES = 3
_NOT_IN_A_NAME = re.compile(r"[^\w.-]+")


def open_text(client: SourceClient, reference: Reference) -> FoundText:
    """The open full text of a reference. Raises `NoOpenCopy` if there is none, or another `SourceError`."""
    if not (reference.doi or reference.pmid) and reference.registrations:
        raise NoOpenCopy("It is a trial's registration, which has no full text: look for the trial's reports.")
    if not (reference.doi or reference.pmid):
        raise NoOpenCopy("It has neither a DOI nor a PMID to look for an open copy by: add the file by hand.")
    pmcid = _pmcid(client, reference)
    if pmcid is not None and (article := europepmc.full_text(client, pmcid)) is not None:
        location = f"{address_of(EUROPE_PMC, client.settings)}/{pmcid}/fullTextXML"
        return FoundText(EUROPE_PMC.name, location, f"{_NOT_IN_A_NAME.sub('-', pmcid)}.xml", article)
    return _copy(client, reference)


def _pmcid(client: SourceClient, reference: Reference) -> str | None:
    """The PMCID under which Europe PMC has the open full text; None if it has none."""
    string = f'DOI:"{reference.doi}"' if reference.doi else f"(EXT_ID:{reference.pmid} AND SRC:MED)"
    for record in europepmc.records(client, string, 2):
        same = record.reference.doi == reference.doi if reference.doi else record.reference.pmid == reference.pmid
        if same and record.pmcid is not None and record.is_open:
            return record.pmcid
    return None


def _copy(client: SourceClient, reference: Reference) -> FoundText:
    if reference.doi is None:
        raise NoOpenCopy(
            "Europe PMC has no open text of it, and without a DOI Unpaywall cannot be asked: add it by hand."
        )
    try:
        copies = unpaywall.open_copies(client, reference.doi)
    except SourceRefused as error:
        raise NoOpenCopy(f"Europe PMC has no open text of it. {error}") from None
    if not copies.pdfs:
        by_hand = f"Open access, but without an address of a PDF: fetch it by hand at {copies.page}"
        raise NoOpenCopy(by_hand if copies.page else NOT_OPEN)
    wrong: list[str] = []
    for place in copies.pdfs[:_MOST_PLACES]:
        try:
            data = client.file(place, _require_pdf)
        except CallsUsedUp:
            raise
        except SourceError as error:
            wrong.append(str(error))
            continue
        return FoundText(UNPAYWALL.name, place, f"{_NOT_IN_A_NAME.sub('-', reference.doi)}.pdf", data)
    reasons = list(dict.fromkeys(wrong))
    which = "The open copy" if len(reasons) == 1 else "The open copies"
    raise NoOpenCopy(f"{which} could not be fetched: {' '.join(reasons)}")


def _require_pdf(body: bytes, kind: str) -> None:
    if b"%PDF-" in body[:1024]:
        if b"%%EOF" not in body[-4096:]:  # readers look for it in the last 1024 bytes; some sites append to a file
            raise NotThatService("the site sent a PDF that breaks off. Try again later.")
        return
    if "html" in kind.lower() or body.lstrip()[:100].lower().startswith((b"<!doctype html", b"<html")):
        raise NotThatService("the site sent a web page, perhaps a login, in place of the file. Ask your library.")
    raise NotThatService("the site sent something other than a PDF. Ask your library.")
