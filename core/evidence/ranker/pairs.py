"""What the cross-encoder reads: a hypothesis, and one sentence with where it stands in its paper.

Nothing but the paper and the hypothesis comes in: no gold, no aspect, no direction of an effect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.evidence.ranker.place import parts_of
from core.paper import Kind, Paper, Sentence

LONGEST = 96  # word pieces of a pair, its three marks included
_HYPOTHESIS = 40  # of them at most for the hypothesis
_TITLE = 40  # characters of a section's title
_SENTENCE = 800  # characters: no more fit into the pieces

Pieces = Callable[[Sequence[str]], list[list[int]]]  # texts -> their word pieces, a mark at both ends of each


@dataclass(frozen=True, slots=True)
class Pair:
    """Word pieces of one pair; `second` is where the sentence begins."""

    pieces: tuple[int, ...]
    second: int


def pairs(paper: Paper, sentences: Sequence[Sentence], hypothesis: str, pieces: Pieces) -> list[Pair]:
    """One pair a sentence, in their order."""
    first = pieces([hypothesis])[0]
    start, stop = first[0], first[-1]
    left = (start, *first[1:-1][:_HYPOTHESIS], stop)
    return [
        Pair((*left, *right[1:-1][: LONGEST - len(left) - 1], stop), len(left))
        for right in pieces(in_context(paper, sentences))
    ]


def in_context(paper: Paper, sentences: Sequence[Sentence]) -> list[str]:
    """Each sentence after its kind, its section and how far into the paper it stands, in tenths."""
    parts = parts_of(paper)
    last = max(1, len(paper.pool) - 1)
    texts = []
    for sentence in sentences:
        kind = sentence.kind if sentence.kind in (Kind.TABLE, Kind.CAPTION) else parts[sentence.section]
        title = paper.sections[sentence.section].title[:_TITLE]
        texts.append(f"{kind.value}, {title}, {10 * sentence.index // last}: {sentence.text[:_SENTENCE]}")
    return texts
