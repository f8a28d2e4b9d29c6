"""Between a paper that was read and its record in a project."""

from __future__ import annotations

from itertools import product

from core.errors import PaperError
from core.paper import Kind, Paper, cite, read_paper, study_name
from core.references.identifiers import bare_doi
from core.store.model import StoredPaper


def record_of(paper: Paper, *, project: str) -> StoredPaper:
    """What to store of a paper, its file apart."""
    return StoredPaper(
        project,
        paper.id,
        paper.name,
        paper.title or "",
        " · ".join(cite(paper)),
        study_name(paper.authors, paper.year, otherwise=paper.title or paper.name),
        doi=bare_doi(paper.doi or ""),
        year=paper.year,
        authors=paper.authors,
        pmid=paper.pmid,
        registrations=paper.registrations,
        abstract=" ".join(one.text for one in paper.sentences if one.kind is Kind.ABSTRACT),
    )


def paper_of(record: StoredPaper, data: bytes) -> Paper | None:
    """The paper that judgements of this record point into, read from its file again; None if the file gives another."""
    for put_back, keep_set_aside in product((False, True), repeat=2):
        try:
            paper = read_paper(data, name=record.name, keep_set_aside=keep_set_aside, put_back=put_back)
        except PaperError:
            return None
        if paper.id == record.id:
            return paper
    return None
