"""Find the sentences of a paper that are sources of a piece of information, in windows of 10 that overlap by 5.

Every sentence except the first and last five is in two windows, and is a source if either window says so
(EvidenceBench, appendix C; RoBBR, definition 1 and appendix D.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.grounding.checking import Part, Selection
from core.grounding.model import Step
from core.grounding.questions import Price, Stages, run_together
from core.llm import Request
from core.making.asking import answers_of, put_for_sources, request
from core.paper import Paper, Sentence

WINDOW, SHARED = 10, 5
TEMPLATE = "making-align"


def windows(sentences: Sequence[Sentence], size: int = WINDOW, shared: int = SHARED) -> Iterator[Sequence[Sentence]]:
    """The sentences in overlapping windows; a single one if they fit into it."""
    for start in range(0, max(1, len(sentences) - shared), size - shared):
        yield sentences[start : start + size]


def aligned(
    paper: Paper, aspects: Sequence[str], statement: str, steps: list[Step], price: Price
) -> Stages[list[frozenset[int]]]:
    """For each aspect, the indices of its source sentences. `statement` is what the aspects were cut from.

    Raises `Unusable` and `ModelError` as `answers_of` does, if any window has no answer, because a gap would look like
    a no.
    """
    parts = [_part(window) for window in windows(paper.pool)]
    exchanges = [
        put_for_sources(_question(part, aspect, statement), part.shown, price) for part in parts for aspect in aspects
    ]
    results = yield from run_together(exchanges)
    sources: list[set[int]] = [set() for _ in aspects]
    for place, answer in enumerate(answers_of(results, steps, strict=False)):
        sources[place % len(aspects)].update(answer.numbers)
    return [frozenset(found) for found in sources]


def alignment_requests(paper: Paper, aspects: Sequence[str], statement: str) -> Iterator[Request]:
    """The requests of `aligned` if no answer has faults, for estimates."""
    for window in windows(paper.pool):
        for aspect in aspects:
            yield _question(_part(window), aspect, statement)


def _part(window: Sequence[Sentence]) -> Part:
    shown = {sentence.index: sentence.text for sentence in window}
    listing = "\n".join(f"[{index}] {' '.join(text.split())}" for index, text in shown.items())
    return Part(f"Sentences {window[0].index} to {window[-1].index}", listing, shown)


def _question(part: Part, aspect: str, statement: str) -> Request:
    return request(
        TEMPLATE,
        Selection,
        part.listing,
        aspect=f"The piece: {' '.join(aspect.split())}",
        statement=f"The whole statement: {' '.join(statement.split())}",
        cache_context=True,
        label=part.title,
    )
