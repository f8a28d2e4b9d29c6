"""Which fields of RIS, NBIB and tables say what.

RIS as EndNote, Zotero, Mendeley, Ovid, Scopus and PubMed write it; the tags are those of rispy's list. NBIB: PubMed's
"MEDLINE/PubMed Data Element Descriptions". The columns of tables are those of exports by PubMed, Zotero, Rayyan,
Covidence, ASReview, EndNote, Scopus, Web of Science and Embase, in lower case with single spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.references.record import Layout

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
    """The authors of one cell, however they are set apart.

    >>> list(people_in("Rossi, A.; Ng, B.")), list(people_in("Rossi A, Ng B")), list(people_in("Rossi, Ada and Ng, Bo"))
    (['Rossi, A.', 'Ng, B.'], ['Rossi A', 'Ng B'], ['Rossi, Ada', 'Ng, Bo'])
    """
    for mark in (";", "//", "|", " and "):
        if mark in cell:
            return [name for part in cell.split(mark) if (name := part.strip(" ,"))]
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
    """A column's name without marks and case.

    >>> column_key("Author(s)"), column_key("pubmed_id")
    ('author s', 'pubmed id')
    """
    return " ".join(re.sub(r"[\W_]+", " ", name).split()).casefold()
