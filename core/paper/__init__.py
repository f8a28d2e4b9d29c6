"""Papers: one shape for every file format, with sentences that point back into the text."""

from core.paper.metadata import cite, cite_authors, study_name
from core.paper.model import (
    Account,
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
    "Account",
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
    "cite",
    "cite_authors",
    "read_paper",
    "study_name",
]
