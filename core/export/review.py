"""What a reviewer decided on an engine's answer, and the rows that this makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.evidence.model import Decision, Evidence, EvidenceSentence
from core.paper import Paper, Sentence


@dataclass(frozen=True, slots=True)
class Review:
    """An answer, and the decisions on its sentences and others: sentence index -> decision."""

    paper_id: str
    evidence: Evidence
    decisions: Mapping[int, Decision] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence that the engine chose or the reviewer decided on."""

    rank: int | None  # 1 is the engine's best; None: the engine did not choose it
    sentence: Sentence
    chosen: EvidenceSentence | None
    decision: Decision | None  # None: undecided
    aspects: tuple[str, ...] | None  # the study aspects that it covers; () for no gold sentence, None: no gold known


def rows_of(paper: Paper, review: Review, gold: Mapping[int, Sequence[str]] | None) -> tuple[Row, ...]:
    """The engine's sentences, best first, then the reviewer's own in reading order; no decision is left out.

    `gold` gives the aspects, in words or ids, of every gold sentence; None where no gold is known. Raises
    `ValueError` if the review is of another paper.
    """
    if review.paper_id != paper.id:
        raise ValueError(f"the review is of paper {review.paper_id}, not of {paper.id}")
    chosen = {sentence.index: sentence for sentence in review.evidence.sentences}
    ranks = {index: rank for rank, index in enumerate(chosen, 1)}
    indices = [*chosen, *sorted(review.decisions.keys() - chosen.keys())]
    return tuple(
        Row(
            rank=ranks.get(index),
            sentence=paper.sentences[index],
            chosen=chosen.get(index),
            decision=review.decisions.get(index),
            aspects=None if gold is None else tuple(gold.get(index, ())),
        )
        for index in indices
    )
