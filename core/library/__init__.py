"""The library: many papers in one index of passages, which is searched to answer questions."""

from core.library.encoding import DESIGNS
from core.library.folder import FolderLibrary, library_of_folder
from core.library.index import Library, open_library
from core.library.model import Found, LibraryPaper, Passage, SearchMethod, Years
from core.library.passages import passages_of
from core.library.spread import spread_order, spread_over_papers

__all__ = [
    "DESIGNS",
    "FolderLibrary",
    "Found",
    "Library",
    "LibraryPaper",
    "Passage",
    "SearchMethod",
    "Years",
    "library_of_folder",
    "open_library",
    "passages_of",
    "spread_order",
    "spread_over_papers",
]
