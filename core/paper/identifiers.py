"""Bring DOIs, PMIDs, numbers of trials and years into one form, however a file writes them."""

from __future__ import annotations

import re
from urllib.parse import unquote

_DOI_PREFIX = re.compile(r"^(?:https?://(?:www\.)?(?:dx\.)?doi\.org/|doi\.org/|doi\s*[:=]?\s*)+", re.IGNORECASE)
_DOI_LINK = re.compile(r"^https?://(?:www\.)?(?:dx\.)?doi\.org/", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/\S*[^\s.,;]")
_DOI_NOTE = re.compile(r"\s*\[doi\]$", re.IGNORECASE)  # as PubMed marks DOIs: "10.1000/xyz [doi]"
_EBSCO_NOTE = re.compile(r"^Accession Number: .*?\bDOI: (10\.\S+)")  # where EBSCO puts fields that have no tag
_PMID = re.compile(r"(?:(?:PMID|PubMed(?: ID)?|MEDLINE)\s*:?\s*)*0*([1-9]\d{0,8})(?:\.0)?", re.IGNORECASE)
# What stands at the start of a note or link that gives the record's own PMID.
_PMID_STATED = re.compile(r"^(?:PMID|PubMed ID|PubMed)\s*:?\s*([1-9]\d{0,8})\b", re.IGNORECASE)
_PMID_LINK = re.compile(
    r"^https?://(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/(?:entrez/)?pubmed/(?:\?term=)?)([1-9]\d{0,8})\b",
    re.IGNORECASE,
)
_NCT = re.compile(r"NCT\d{8}")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


def bare_doi(text: str) -> str | None:
    """A bare DOI in lower case; None if the text is no DOI.

    >>> bare_doi("https://doi.org/10.1000/ABC.1"), bare_doi("doi: 10.1000/abc"), bare_doi("see the journal")
    ('10.1000/abc.1', '10.1000/abc', None)
    """
    text = _DOI_NOTE.sub("", text.strip())
    bare = _DOI_PREFIX.sub("", text)
    if _DOI_LINK.match(text):
        bare = unquote(bare)
    found = _DOI.match(bare.rstrip(" .,;"))
    if not found or found.end() < len(bare.rstrip(" .,;")):
        return None
    doi = found.group().lower()
    return doi[:-1] if doi.endswith(")") and doi.count(")") > doi.count("(") else doi


def doi_stated(text: str) -> str | None:
    """The DOI in a link to doi.org, a text that is only a DOI, or EBSCO's note on a record."""
    if note := _EBSCO_NOTE.match(text):
        return bare_doi(note[1])
    return bare_doi(text) if _DOI_LINK.match(text) or text.startswith("10.") else None


def bare_pmid(text: str) -> str | None:
    """A PMID as digits; None if the text is no PMID.

    >>> bare_pmid("PMID: 0123"), bare_pmid("PMC123")
    ('123', None)
    """
    found = _PMID.fullmatch(text.strip())
    return found[1] if found else None


def pmid_stated(text: str) -> str | None:
    """The PMID in a note ("PMID: 123") or a link to PubMed."""
    found = _PMID_STATED.match(text) or _PMID_LINK.match(text)
    return found[1] if found else None


def bare_nct(text: str) -> str | None:
    """A number of ClinicalTrials.gov; None if the text is none.

    >>> bare_nct(" nct01234567"), bare_nct("NCT0123")
    ('NCT01234567', None)
    """
    bare = text.strip().upper()
    return bare if _NCT.fullmatch(bare) else None


def year_in(text: str) -> int | None:
    """The first year in a date, from 1500.

    >>> year_in("2020/03/15/"), year_in("in press")
    (2020, None)
    """
    found = _YEAR.search(text)
    return int(found.group()) if found else None
