"""Check whether a passage supports a written sentence that cites it: by its text for a quotation, else by the reader.

The label is computed as `offline` does for plain summaries (`core.summary.score`): from numbers that agree or differ,
and from the reader's probabilities for each sentence of the passage and for the best sentences together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.answering.model import Citation, CitationStatus
from core.entailment import Entailment, InContext, Reader
from core.library.index import Library
from core.library.model import LibraryPaper, Passage
from core.summary.model import Label
from core.summary.numbers import NumberAgreement, pair_numbers
from core.summary.score import SourcesRead, decide, shipped
from core.text.words import letters_and_digits

_TOGETHER = 4  # sentences that are read together
_LIKENESS = 0.5  # the weight of the cosine, beside the reader's probabilities
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
        alone = self._reader.support(text, seen)
        bearing = alone[:, : Entailment.NOT_THERE].sum(axis=1) + _LIKENESS * cosines
        best, near = (_order(values) for values in (bearing, cosines))
        together = self._reader.support_of_all(
            text, [[seen[place] for place in order[:_TOGETHER]] for order in (best, near)]
        )
        read = SourcesRead(alone, best=together[0], near=together[1], cosines=cosines)
        numbers = pair_numbers(text, list(enumerate(passage.sentences)))
        status = _STATUS.get(decide(text, read, numbers, shipped()).label, CitationStatus.CANNOT_TELL)
        if status is CitationStatus.SUPPORTED and any(one.agreement is not NumberAgreement.AGREES for one in numbers):
            status = CitationStatus.CANNOT_TELL  # the passage lacks one of the sentence's figures
        return Citation(passage.id, tuple(passage.first + place for place in best[:_SHOWN]), status)


def _quoted(text: str, passage: Passage) -> tuple[int, ...]:
    """The whole sentences of the passage that a text repeats word for word; none if it contains anything else.

    A part of a sentence is not a quotation, because it may say the opposite of the whole.
    """
    said = letters_and_digits(text)
    own = [letters_and_digits(one) for one in passage.sentences]
    for first in range(len(own)):
        for end in range(first + 1, len(own) + 1):
            if said and "".join(own[first:end]) == said:
                return tuple(range(passage.first + first, passage.first + end))
    return ()


def _order(values: Sequence[float] | np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[int]:
    return [int(place) for place in np.argsort(-np.asarray(values).round(6), kind="stable")]
