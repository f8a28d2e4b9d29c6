"""The library: many papers as one index of passages, to which a question is put."""

from core.library.index import Library, open_library
from core.library.model import Found, LibraryPaper, Passage, SearchMethod, Years
from core.library.passages import passages_of

__all__ = ["Found", "Library", "LibraryPaper", "Passage", "SearchMethod", "Years", "open_library", "passages_of"]
