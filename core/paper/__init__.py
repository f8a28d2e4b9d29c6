"""Papers: one shape for every file format, with sentences that point back into the text."""

from core.paper.identifiers import bare_doi
from core.paper.metadata import cite, cite_authors, family_name, study_name
from core.paper.model import (
    RETRACTED,
    Account,
    CitedWork,
    Format,
    Kind,
    LeftOut,
    Paper,
    PaperWarning,
    Reason,
    Section,
    SectionKind,
    Sentence,
    SetAside,
)
from core.paper.read import read_paper

__all__ = [
    "RETRACTED",
    "Account",
    "CitedWork",
    "Format",
    "Kind",
    "LeftOut",
    "Paper",
    "PaperWarning",
    "Reason",
    "Section",
    "SectionKind",
    "Sentence",
    "SetAside",
    "bare_doi",
    "cite",
    "cite_authors",
    "family_name",
    "read_paper",
    "study_name",
]
