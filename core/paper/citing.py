"""How a paper is named in one line."""

from __future__ import annotations

from collections.abc import Sequence

from core.paper.model import Paper
from core.paper.names import family_name
from core.paper.registrations import with_register

_ALL = 2  # authors: of more, the first stands for all


def cite(paper: Paper) -> tuple[str, ...]:
    """Authors, journal and year, DOI, registrations: what is known of them, each in a text of its own.

    Example: ("Ada Rossi et al.", "Hive Notes 2020", "doi:10.1000/naps", "NCT01234567").
    """
    published = " ".join(filter(None, (paper.journal, str(paper.year or ""))))
    doi = f"doi:{paper.doi}" if paper.doi else ""
    return tuple(filter(None, (cite_authors(paper.authors), published, doi, *map(with_register, paper.registrations))))


def cite_authors(authors: Sequence[str]) -> str:
    """One or two authors as they are written; the first of more, and that there are others. Empty without any."""
    return " and ".join(authors) if len(authors) <= _ALL else f"{authors[0]} et al."


def study_name(authors: Sequence[str], year: int | None, *, otherwise: str) -> str:
    """Short, as systematic reviews name a study: the first author's family name and the year, such as "van der Berg 2021".

    `otherwise`: what it is called where either is unknown, such as its title.
    """
    first = family_name(authors[0]) if authors else ""
    return f"{first} {year}" if first and year else " ".join(otherwise.split())
