"""Which sentences of a paper are sources of a piece of information: windows of 10 sentences with 5 shared.

Each sentence but the first and the last five is looked at twice, and is a source where either window says so
(EvidenceBench, appendix C; RoBBR, definition 1 and appendix D.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.grounding.checking import Part, Selection
from core.grounding.model import Step
from core.grounding.questions import Price, Stages, run_together
from core.llm import Request
from core.making.asking import answer_of, put_for_sources, request
from core.paper import Paper, Sentence

WINDOW, SHARED = 10, 5
TEMPLATE = "making-align"


def windows(sentences: Sequence[Sentence], size: int = WINDOW, shared: int = SHARED) -> Iterator[Sequence[Sentence]]:
    """The sentences by windows; one, where there are no more than a window's."""
    for start in range(0, max(1, len(sentences) - shared), size - shared):
        yield sentences[start : start + size]


def aligned(
    paper: Paper, aspects: Sequence[str], statement: str, steps: list[Step], price: Price
) -> Stages[list[frozenset[int]]]:
    """For each aspect the indices of the sentences that are sources of it. `statement`: what the aspects were cut from.

    Raises `Unusable` and `ModelError` as `answer_of` does, if any window has no answer: a gap would look like a no.
    """
    parts = [_part(window) for window in windows(paper.pool)]
    exchanges = [
        put_for_sources(_question(part, aspect, statement), part.shown, price) for part in parts for aspect in aspects
    ]
    results = yield from run_together(exchanges)
    sources: list[set[int]] = [set() for _ in aspects]
    for place, result in enumerate(results):
        sources[place % len(aspects)].update(answer_of(result, steps, strict=False).numbers)
    return [frozenset(found) for found in sources]


def alignment_requests(paper: Paper, aspects: Sequence[str], statement: str) -> Iterator[Request]:
    """What `aligned` asks if no answer has faults, to estimate it."""
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
