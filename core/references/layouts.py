"""Make a `Reference` from the fields of RIS, NBIB and tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from core.paper.metadata import registrations_in
from core.references.model import Reference, bare_doi, bare_pmid, doi_stated, pmid_stated, year_in

Fields = Mapping[str, tuple[str, ...]]
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Layout:
    """The fields for each part of a reference, best first. `people` splits a field with several authors."""

    title: tuple[str, ...]
    authors: tuple[str, ...]
    year: tuple[str, ...]
    journal: tuple[str, ...]
    doi: tuple[str, ...]
    pmid: tuple[str, ...]
    abstract: tuple[str, ...]
    people: Callable[[str], Iterable[str]] = field(default=lambda text: (text,))

    def all_names(self) -> frozenset[str]:
        """Every field that a `Reference` is made from."""
        return frozenset((*self.title, *self.authors, *self.year, *self.journal, *self.doi, *self.pmid, *self.abstract))


@dataclass(frozen=True, slots=True)
class BuiltReference:
    """A reference, or None if there is none; `doubts` tell which parts were wrong and left out."""

    reference: Reference | None
    doubts: tuple[str, ...] = ()


def build(fields: Fields, layout: Layout, *, kept: Fields) -> BuiltReference:
    """Make a reference from fields, which must hold a title. `kept`: the file's own fields under their own names."""
    title = _first(fields, layout.title)
    if not title:
        return BuiltReference(None)
    doubts: list[str] = []
    doi, wrong = _first_valid(fields, layout.doi, bare_doi)
    if wrong:
        doubts.append(
            f"“{_short(wrong)}” is no DOI. The record was read without one; a DOI begins with 10., then four digits or more."
        )
    pmid, wrong = _first_valid(fields, layout.pmid, bare_pmid)
    if wrong:
        doubts.append(f"“{_short(wrong)}” is no PMID. The record was read without one; PMIDs are numbers.")
    year, wrong = _first_valid(fields, layout.year, year_in)
    if wrong:
        doubts.append(f"“{_short(wrong)}” is no year. The record was read without one.")
    values = [value for several in fields.values() for value in several]
    return BuiltReference(
        Reference(
            title=title,
            authors=tuple(
                dict.fromkeys(
                    person
                    for name in layout.authors
                    for value in fields.get(name, ())
                    for person in layout.people(value)
                    if person
                )
            ),
            year=year,
            journal=_first(fields, layout.journal),
            doi=doi or next(filter(None, map(doi_stated, values)), None),
            pmid=pmid or next(filter(None, map(pmid_stated, values)), None),
            abstract=_first(fields, layout.abstract),
            registrations=tuple(dict.fromkeys(number for value in values for number in registrations_in(value))),
            fields=kept,
        ),
        tuple(doubts),
    )


def _first(fields: Fields, names: tuple[str, ...]) -> str:
    return next((value for name in names for value in fields.get(name, ()) if value), "")


def _first_valid(
    fields: Fields, names: tuple[str, ...], read: Callable[[str], _Value | None]
) -> tuple[_Value | None, str | None]:
    """The value of the first field that can be read, or else the first one that cannot."""
    wrong = None
    for name in names:
        for value in fields.get(name, ()):
            if value and (found := read(value)) is not None:
                return found, None
            wrong = wrong or value
    return None, wrong or None


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"


# ---- Which fields say what ----
# RIS as EndNote, Zotero, Mendeley, Ovid, Scopus and PubMed write it; the tags are those of rispy's list. NBIB: PubMed's
# "MEDLINE/PubMed Data Element Descriptions". The columns of tables are those of exports by PubMed, Zotero, Rayyan,
# Covidence, ASReview, EndNote, Scopus, Web of Science and Embase, in lower case with single spaces.

RIS = Layout(
    title=("TI", "T1", "BT", "CT", "ST"),
    authors=("AU", "A1"),
    year=("PY", "Y1", "DA"),
    journal=("JF", "T2", "JO", "JA", "J2"),
    doi=("DO", "DI"),
    pmid=("PM",),
    abstract=("AB", "N2"),
)
NBIB = Layout(
    title=("TI", "BTI", "CTI", "TT"),
    authors=("FAU",),
    year=("DP", "DEP"),
    journal=("JT", "TA"),
    doi=("DOI",),
    pmid=("PMID",),
    abstract=("AB", "OAB"),
)
_INITIALS = re.compile(r"(?:[^\W\d_a-z]\.?[\s-]?){1,4}")


def people_in(cell: str) -> Iterable[str]:
    """The authors in one cell, whatever separates them.

    >>> list(people_in("Rossi, A.; Ng, B.")), list(people_in("Rossi A, Ng B")), list(people_in("Rossi, Ada and Ng, Bo"))
    (['Rossi, A.', 'Ng, B.'], ['Rossi A', 'Ng B'], ['Rossi, Ada', 'Ng, Bo'])
    >>> list(people_in("Rossi A, Ng B and Li C")), list(people_in("Rossi, A., Ng, B., and Li, C."))
    (['Rossi A', 'Ng B', 'Li C'], ['Rossi, A.', 'Ng, B.', 'Li, C.'])
    >>> list(people_in("de Rossi, Ada Maria and Ng, Bo"))
    ['de Rossi, Ada Maria', 'Ng, Bo']
    """
    for mark in (";", "//", "|"):
        if mark in cell:
            return [name for part in cell.split(mark) if (name := part.strip(" ,"))]
    names = [name for part in cell.split(" and ") if (name := part.strip(" ,"))]
    family_first = len(names) > 1 and "," in names[-1]  # then one comma does not part two people

    def people(part: str) -> list[str]:
        return [part] if family_first and part.count(",") == 1 else _between_commas(part)

    return [name for part in names for name in people(part)]


def _between_commas(cell: str) -> list[str]:
    parts = [part for piece in cell.split(",") if (part := piece.strip())]
    if len(parts) > 1 and all(_INITIALS.fullmatch(part) for part in parts[1::2]) and len(parts) % 2 == 0:
        return [f"{family}, {initials}" for family, initials in zip(parts[::2], parts[1::2], strict=True)]
    if len(parts) > 1 and all(" " in part for part in parts):
        return parts
    return [cell]


TABLE = Layout(
    title=("title", "article title", "document title", "primary title", "titles", "ti"),
    authors=("authors", "author", "author s", "author names", "author full names", "first authors", "au"),
    year=("year", "publication year", "published year", "pub year", "py", "date", "publication date", "date published"),
    journal=(
        "journal",
        "journal book",
        "publication title",
        "source title",
        "journal name",
        "secondary title",
        "publication name",
        "journal title",
        "source",
    ),
    doi=("doi", "doi link", "do"),
    pmid=("pmid", "pubmed id", "pubmedid", "medline pmid"),
    abstract=("abstract", "abstract note", "notes abstract", "ab"),
    people=people_in,
)


def column_key(name: str) -> str:
    """A column's name in lower case, without punctuation.

    >>> column_key("Author(s)"), column_key("pubmed_id")
    ('author s', 'pubmed id')
    """
    return " ".join(re.sub(r"[\W_]+", " ", name).split()).casefold()
