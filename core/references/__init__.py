"""References: what databases and reference managers say of papers, read from their files."""

from core.references.identifiers import bare_doi
from core.references.likeness import Likeness, Strength, likenesses
from core.references.matching import Entry, Match, MatchedBy, entry_of_paper, entry_of_reference, match
from core.references.model import BrokenReference, Reference, ReferenceFile
from core.references.papers import as_file, as_paper, of_paper
from core.references.reading import read_references

__all__ = [
    "BrokenReference",
    "Entry",
    "Likeness",
    "Match",
    "MatchedBy",
    "Reference",
    "ReferenceFile",
    "Strength",
    "as_file",
    "as_paper",
    "bare_doi",
    "entry_of_paper",
    "entry_of_reference",
    "likenesses",
    "match",
    "of_paper",
    "read_references",
]
