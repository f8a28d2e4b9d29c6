"""What the desk shows, as the plain data that its scripts expect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.evidence import Evidence
from core.evidence.model import Decision
from core.paper import Paper
from core.paper.tables import CELL_SEPARATOR

_STUB = 0.2  # the shortest score bar


def whole(paper: Paper, page_sizes: Sequence[tuple[float, float]] = ()) -> dict[str, object]:
    """The paper: sentences in order, and the blocks (paragraphs, headings, table rows) they stand in.

    `page_sizes`: width and height of every page, in points; none where there are no pages to show.
    """
    return {
        "sections": [
            {"title": s.title, "kind": s.kind.value, "level": s.level, "first": s.first, "last": s.last}
            for s in paper.sections
        ],
        "sentences": [sentence.text for sentence in paper.sentences],
        "blocks": list(_blocks(paper)),  # [kind, first, last, section]
        "pages": list(_page_starts(paper)),  # [sentence, page]
        "pageSizes": page_sizes,
        "cellSeparator": CELL_SEPARATOR,
    }


def _blocks(paper: Paper) -> Iterator[tuple[str, int, int, int]]:
    for section in paper.sections:
        for paragraph in paper.paragraphs_of(section):
            yield paragraph[0].kind.value, paragraph[0].index, paragraph[-1].index, section.index


def _page_starts(paper: Paper) -> Iterator[tuple[int, int]]:
    page = None
    for sentence in paper.sentences:
        if sentence.page is not None and sentence.page != page:
            page = sentence.page
            yield sentence.index, page


def ranked(evidence: Evidence | None) -> list[dict[str, object]]:
    """The engine's sentences, best first, each with the length of its score bar, 0 to 1; a model gives ranks alone."""
    if evidence is None:
        return []
    by_model = evidence.run is not None
    lengths = bars([sentence.score for sentence in evidence.sentences])
    return [
        {
            "index": sentence.index,
            "rank": rank,
            "bar": None if by_model else bar,
            "scoreNote": f"Score {sentence.score:.3g}, to compare within this search only",
            "rationale": sentence.rationale,
            "stance": sentence.stance,
            "match": sentence.match,
        }
        for rank, (sentence, bar) in enumerate(zip(evidence.sentences, lengths, strict=True), start=1)
    ]


def bars(scores: Sequence[float]) -> list[float]:
    """The lengths of score bars, 0 to 1.

    Engines score on scales of their own, so bars run from a stub for the lowest score shown to full for the highest.
    """
    lowest, span = min(scores, default=0), max(scores, default=0) - min(scores, default=0)
    return [_STUB + (1 - _STUB) * (score - lowest) / span if span else 1.0 for score in scores]


def decided(decisions: Mapping[int, Decision]) -> list[tuple[int, str]]:
    """The decisions as the browser keeps them."""
    return [(index, decision.value) for index, decision in decisions.items()]


def decisions_from(words: object, *, sentences: int) -> dict[int, Decision] | None:
    """The decisions in what the browser sent, or None if it is not a list of them."""
    if not isinstance(words, Sequence):
        return None
    known = {decision.value for decision in Decision}
    decisions: dict[int, Decision] = {}
    for pair in words:
        if not (isinstance(pair, Sequence) and len(pair) == 2):
            return None
        index, word = pair
        if not (isinstance(index, int) and 0 <= index < sentences and word in known):
            return None
        decisions[index] = Decision(word)
    return decisions
