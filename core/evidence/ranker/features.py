"""The features of a sentence in its paper: one row a candidate, one named column a feature.

Nothing but the paper and the hypothesis comes in: no gold, no aspect, no direction of an effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.evidence.ranker.columns import Columns, Vector
from core.evidence.ranker.form import form
from core.evidence.ranker.likeness import clauses_of, meaning_in_common, words_in_common
from core.evidence.ranker.place import place
from core.paper import Paper, Sentence
from core.progress import Progress, silent

if TYPE_CHECKING:  # it needs libraries that may be missing
    from core.evidence.embedding import Embedder


@dataclass(frozen=True, slots=True)
class Meaning:
    """Vectors of length 1: of the paper's sentences (n, d), the hypothesis (d,) and its clauses (c, d)."""

    vectors: Vector
    hypothesis: Vector
    clauses: Vector


def meaning_of(embedder: Embedder, paper: Paper, hypothesis: str, *, progress: Progress = silent) -> Meaning:
    """The vectors of a paper and a hypothesis; the paper's are computed once and kept."""
    similarity = embedder.compare(paper, hypothesis, progress=progress)
    clauses = embedder.encode(clauses_of(hypothesis))
    return Meaning(*(part.astype(np.float64) for part in (similarity.vectors, similarity.hypothesis, clauses)))


@dataclass(frozen=True, slots=True)
class Features:
    """`values`: (candidates, len(names))."""

    names: tuple[str, ...]
    values: Vector


def features(paper: Paper, candidates: Sequence[Sentence], hypothesis: str, meaning: Meaning) -> Features:
    """Every feature of every candidate; at least one candidate is needed."""
    columns = form([sentence.text for sentence in candidates])
    columns |= _of_neighbours(columns, ("p_value", "own_result", "numbers", "citation"))
    columns |= place(paper, candidates)
    columns |= words_in_common(paper, candidates, hypothesis)
    columns["query_words"] = np.full(len(candidates), min(60, len(hypothesis.split())), dtype=np.float64)
    columns["query_clauses"] = np.full(len(candidates), len(meaning.clauses), dtype=np.float64)
    columns |= meaning_in_common(paper, candidates, meaning.vectors, meaning.hypothesis, meaning.clauses)
    return Features(tuple(columns), np.stack(list(columns.values()), axis=1))


def _of_neighbours(columns: Columns, names: Sequence[str]) -> Columns:
    """The sum of a column over the sentence before and the one after."""
    found: Columns = {}
    for name in names:
        padded = np.pad(columns[name], 1)
        found[f"{name}_nearby"] = padded[:-2] + padded[2:]
    return found
