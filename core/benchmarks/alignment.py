"""Carry gold from a candidate pool over to the same paper as it was read from an ordinary file."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from core.benchmarks.gold import Gold, Instance
from core.errors import DatasetError
from core.paper import Paper


@dataclass(frozen=True, slots=True)
class AlignedGold:
    """Gold whose indices point into another reading of the paper.

    `unmatched` are the gold sentences, as indices into the pool they come from, that this reading does not have.
    An aspect that loses all its sentences stays, uncovered: a metric's denominator is every aspect.
    """

    gold: Gold
    unmatched: tuple[int, ...]


def gold_for(paper: Paper, instance: Instance) -> AlignedGold:
    """The instance's gold, with indices into `paper.sentences`.

    Sentences match where their letters are the same, in the same order; white space, capitals and ligatures do
    not count. The paper may hold more sentences than the pool, such as table rows. Nothing is guessed. Raises
    `DatasetError` if no gold sentence matches: then the gold belongs to another paper.
    """
    pool = [_folded(sentence.text) for sentence in instance.paper.sentences]
    own = [_folded(sentence.text) for sentence in paper.sentences]
    matcher = SequenceMatcher(a=pool, b=own, autojunk=False)
    index_of = {
        block.a + offset: block.b + offset for block in matcher.get_matching_blocks() for offset in range(block.size)
    }
    sources = instance.gold.by_sentence.keys()
    unmatched = tuple(index for index in sources if index not in index_of)
    if len(unmatched) == len(sources):
        raise DatasetError(f"The gold of {instance.id} does not belong to “{paper.name}”: they share no gold sentence.")
    aspects = {
        aspect: frozenset(index_of[index] for index in covering if index in index_of)
        for aspect, covering in instance.gold.aspects.items()
    }
    return AlignedGold(replace(instance.gold, aspects=aspects), unmatched)


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())
