"""How a paper is named in tables and plots."""

from __future__ import annotations

from core.paper import Paper


def study_name(paper: Paper) -> str:
    """Short, as plots name studies: the first author and the year, where both are known; else its title or file."""
    if not (paper.authors and paper.year):
        return paper.title or paper.name
    return f"{paper.authors[0]}{' et al.' if len(paper.authors) > 1 else ''} {paper.year}"
