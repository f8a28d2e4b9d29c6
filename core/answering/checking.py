"""Check whether a passage supports a written sentence that cites it: by its text for a quotation, else by the reader.

The label is computed as `offline` does for plain summaries (`core.summary.score`): from numbers that agree or differ,
and from the reader's probabilities for each sentence of the passage and for the best sentences together.
"""

from __future__ import annotations

import numpy as np

from core.answering.model import Citation, CitationStatus
from core.entailment import InContext, Reader
from core.library.index import Library
from core.library.model import LibraryPaper, Passage
from core.summary.model import Label
from core.summary.numbers import pair_numbers
from core.summary.score import decide, descending, read_sources, shipped
from core.text.words import as_copied

_SHOWN = 3
_STATUS = {
    Label.SUPPORTED: CitationStatus.SUPPORTED,
    Label.CONTRADICTS: CitationStatus.CONTRADICTED,
}


class CitationChecker:
    """Checks sentences against passages of one library."""

    def __init__(self, reader: Reader, library: Library) -> None:
        self._reader, self._library = reader, library

    def check(self, text: str, passage: Passage, paper: LibraryPaper | None) -> Citation:
        """Whether the passage supports the sentence, with the passage's sentences that bear most on it."""
        if own := _quoted(text, passage):
            return Citation(passage.id, own, CitationStatus.QUOTED)
        title = (paper.title if paper else None) or ""
        before = (passage.before, *passage.sentences)
        seen = [
            InContext(one, title, passage.part, earlier)
            for one, earlier in zip(passage.sentences, before, strict=False)
        ]
        claim, *vectors = self._library.encode([text, *passage.sentences])
        cosines = (np.array(vectors) @ claim).astype(np.float64)
        bearing = read_sources(self._reader, text, seen, cosines, descending(cosines))
        numbers = pair_numbers(text, list(enumerate(passage.sentences)))
        status = _STATUS.get(
            decide(text, passage.sentences, bearing.read, numbers, shipped()).label, CitationStatus.CANNOT_TELL
        )
        return Citation(passage.id, tuple(passage.first + place for place in bearing.best[:_SHOWN]), status)


def _quoted(text: str, passage: Passage) -> tuple[int, ...]:
    """The whole sentences of the passage that a text repeats word for word; none if it contains anything else.

    A part of a sentence is not a quotation, because it may say the opposite of the whole.
    """
    said, own = as_copied(text), passage.sentences
    for first in range(len(own)):
        for end in range(first + 1, len(own) + 1):
            if said and as_copied(" ".join(own[first:end])) == said:
                return tuple(range(passage.first + first, passage.first + end))
    return ()
