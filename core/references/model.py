"""A reference once it has been read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.paper.identifiers import bare_doi, bare_pmid, doi_stated, pmid_stated, year_in

__all__ = [
    "BrokenReference",
    "Reference",
    "ReferenceFile",
    "bare_doi",
    "bare_pmid",
    "doi_stated",
    "pmid_stated",
    "year_in",
]


@dataclass(frozen=True, slots=True)
class Reference:
    """One record of a RIS, NBIB or CSV file. What the file does not give is empty or None, never guessed."""

    title: str
    authors: tuple[str, ...] = ()  # as the file has them, family name first
    year: int | None = None
    journal: str = ""
    doi: str | None = None  # bare and in lower case: 10.1000/xyz
    pmid: str | None = None  # digits
    abstract: str = ""
    registrations: tuple[str, ...] = ()  # the trial's numbers, such as NCT01234567
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # all that the file says, so nothing is lost


@dataclass(frozen=True, slots=True)
class BrokenReference:
    """A record that cannot be read. `place` says for people where it is: "record 17, line 203"."""

    place: str
    reason: str  # one sentence, with what to do


@dataclass(frozen=True, slots=True)
class ReferenceFile:
    """A file of references: those that were read, each with its number in the file from 1, and those that were not."""

    name: str
    references: tuple[tuple[int, Reference], ...]
    broken: tuple[BrokenReference, ...] = ()
    doubts: tuple[BrokenReference, ...] = ()  # about records that were read, but without a part that is wrong
