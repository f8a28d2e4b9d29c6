"""How a paper is named in one line."""

from __future__ import annotations

from core.paper.model import Paper
from core.paper.registrations import with_register

_ALL = 2  # authors: of more, the first stands for all


def cite(paper: Paper) -> tuple[str, ...]:
    """Authors, journal and year, DOI, registrations: what is known of them, each in a text of its own.

    Example: ("Ada Rossi et al.", "Hive Notes 2020", "doi:10.1000/naps", "NCT01234567").
    """
    authors = " and ".join(paper.authors) if len(paper.authors) <= _ALL else f"{paper.authors[0]} et al."
    published = " ".join(filter(None, (paper.journal, str(paper.year or ""))))
    doi = f"doi:{paper.doi}" if paper.doi else ""
    return tuple(filter(None, (authors, published, doi, *map(with_register, paper.registrations))))


def study_name(paper: Paper) -> str:
    """Short, as plots name studies: the first author and the year, where both are known; else its title or file."""
    if not (paper.authors and paper.year):
        return paper.title or paper.name
    return f"{paper.authors[0]}{' et al.' if len(paper.authors) > 1 else ''} {paper.year}"
