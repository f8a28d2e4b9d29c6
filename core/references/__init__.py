"""References: what databases and reference managers say about papers, read from their files."""

from core.references.duplicates import PossibleDuplicate, Strength, possible_duplicates
from core.references.matching import Entry, MatchedBy, ReferenceMatch, entry_of_paper, entry_of_reference, match
from core.references.model import BrokenReference, Reference, ReferenceFile, bare_doi
from core.references.papers import as_file, as_paper, of_paper
from core.references.read import read_references

__all__ = [
    "BrokenReference",
    "Entry",
    "MatchedBy",
    "PossibleDuplicate",
    "Reference",
    "ReferenceFile",
    "ReferenceMatch",
    "Strength",
    "as_file",
    "as_paper",
    "bare_doi",
    "entry_of_paper",
    "entry_of_reference",
    "match",
    "of_paper",
    "possible_duplicates",
    "read_references",
]
