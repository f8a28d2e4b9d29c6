"""The features of a sentence for a hypothesis: similarity, place and wording, one row per candidate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.evidence.ranker.sentence_features import (
    Columns,
    Vector,
    place_features,
    ranks,
    standardised,
    telling_numbers,
    wording_features,
)
from core.paper import Kind, Paper, SectionKind, Sentence
from core.progress import Progress, silent
from core.text.bm25 import bm25_scores
from core.text.words import content_words

if TYPE_CHECKING:  # needs libraries that may be missing
    from core.text.similarity import Embedder


# ---- likeness ----
# The similarity of a sentence to the hypothesis, to its surroundings and to the abstract.

# Words between the things that a hypothesis relates to each other.
_HINGES = re.compile(
    r"\b(?:compared (?:with|to)|versus|vs\.?|than|on|of|in|by|for|with|from|is|are|does|do|has|have|can|may|"
    r"(?:in|de)creas\w*|reduc\w*|improv\w*|caus\w*|lead\w*|associat\w*|induc\w*|inhibit\w*|effects?|affect\w*|"
    r"risk|develop\w*|prevent\w*|between|among|through|via)\b|[,;:()/]",
    re.IGNORECASE,
)
_MOST_CLAUSES = 6


def clauses_of(hypothesis: str) -> list[str]:
    """The pieces of a hypothesis that name things: the last six at most; the hypothesis itself if there are none."""
    pieces = [piece.strip() for piece in _HINGES.split(hypothesis)]
    pieces = list(dict.fromkeys(piece for piece in pieces if content_words(piece)))
    return pieces[-_MOST_CLAUSES:] or [hypothesis]


def words_in_common(paper: Paper, candidates: Sequence[Sentence], hypothesis: str) -> Columns:
    """Columns from words shared with the hypothesis, the title and the abstract."""
    words = [frozenset(content_words(sentence.text[:4000])) for sentence in candidates]
    title = frozenset(word for s in paper.sentences if s.kind is Kind.TITLE for word in content_words(s.text))
    headings = [frozenset(content_words(section.title[:400])) for section in paper.sections]
    query = list(dict.fromkeys(content_words(hypothesis)))
    count = {word: sum(word in sentence for sentence in words) for word in query}
    weight = {word: float(np.log(1 + len(words) / (0.5 + count[word]))) if count[word] else 0.0 for word in query}
    bm25 = bm25_scores([sentence.text[:4000] for sentence in candidates], hypothesis)
    columns: Columns = {
        "bm25": bm25 / max(1e-9, bm25.max(initial=0.0)),
        "bm25_rank": ranks(bm25),
        "coverage": _share(words, dict.fromkeys(query, 1.0)),
        "rare_coverage": _share(words, weight),
        "title_words": _share(words, dict.fromkeys(title, 1.0)),
        "heading_words": _share([headings[s.section] for s in candidates], dict.fromkeys(query, 1.0)),
    }
    by_clause, rarity = [], []
    for clause in clauses_of(hypothesis):
        weights = {word: weight[word] for word in content_words(clause) if word in weight}
        by_clause.append(_share(words, weights))
        rarity.append(sum(weights.values()) / len(weights) if weights else 0.0)
    columns |= _of_clauses("clause_words", np.array(by_clause), int(np.argmax(rarity)))
    numbers = [telling_numbers(sentence.text) for sentence in candidates]
    roles = paper.section_roles
    in_abstract = [roles[sentence.section] is SectionKind.ABSTRACT for sentence in candidates]
    abstract_numbers = frozenset(n for found, inside in zip(numbers, in_abstract, strict=True) if inside for n in found)
    columns["abstract_numbers"] = np.array(
        [
            0 if inside else min(4, len(found & abstract_numbers))
            for found, inside in zip(numbers, in_abstract, strict=True)
        ],
        dtype=np.float64,
    )
    columns["telling_numbers"] = np.array([min(8, len(found)) for found in numbers], dtype=np.float64)
    return columns


def meaning_in_common(
    paper: Paper, candidates: Sequence[Sentence], vectors: Vector, hypothesis: Vector, clauses: Vector
) -> Columns:
    """Columns from vectors of length 1.

    `vectors`: (sentences of the paper, d); `hypothesis`: (d,); `clauses`: (number of clauses, d).
    """
    index = np.array([sentence.index for sentence in candidates])
    own = vectors[index]
    to_all = vectors @ hypothesis
    near = np.pad(to_all, 3, mode="edge")
    cosine = to_all[index]
    columns: Columns = {
        "cosine": cosine,
        "cosine_rank": ranks(cosine),
        "cosine_standard": standardised(cosine),
        "cosine_before": near[index + 2],
        "cosine_after": near[index + 4],
        "cosine_around": (near[index] + near[index + 1] + near[index + 5] + near[index + 6]) / 4,
        "centrality": own @ _centre(own),
        "title_cosine": own @ _mean_of(paper, vectors, Kind.TITLE),
        "heading_cosine": to_all[[paper.sections[sentence.section].first for sentence in candidates]],
    }
    sections = [section for section in paper.sections if section.kind is not SectionKind.ABOUT]
    section_mean = np.array([to_all[section.first : section.last + 1].mean() for section in sections])
    columns["section_cosine"] = section_mean[[sentence.section for sentence in candidates]]
    columns["against_section"] = cosine - columns["section_cosine"]
    # The hypothesis in the paper's own words: its vector moved towards the five most similar sentences.
    closest = np.argsort(-cosine.round(6), kind="stable")[:5]
    columns["feedback_cosine"] = own @ _unit(hypothesis + own[closest].mean(axis=0))
    by_clause = clauses @ own.T
    # The clause least present in the paper distinguishes sentences best.
    columns |= _of_clauses("clause_cosine", by_clause, int(np.argmin(by_clause.mean(axis=1).round(6))))
    columns |= _to_abstract(paper, candidates, own, cosine)
    return columns


def _of_clauses(name: str, by_clause: Vector, rarest: int) -> Columns:
    """Columns that summarise a sentence's similarity to each clause. `by_clause`: (clauses, candidates)."""
    return {
        f"{name}_least": by_clause.min(axis=0),
        f"{name}_most": by_clause.max(axis=0),
        f"{name}_mean": by_clause.mean(axis=0),
        f"{name}_first": by_clause[0],
        f"{name}_last": by_clause[-1],
        f"{name}_rarest": by_clause[rarest],
    }


def _to_abstract(paper: Paper, candidates: Sequence[Sentence], own: Vector, cosine: Vector) -> Columns:
    """Columns of how similar a sentence of the body is to the abstract, and one of the abstract to the body."""
    roles = paper.section_roles
    inside = np.array([roles[sentence.section] is SectionKind.ABSTRACT for sentence in candidates], dtype=bool)
    best, closest, weighted = np.zeros(len(own)), np.zeros(len(own)), np.zeros(len(own))
    if inside.any() and not inside.all():
        likeness = own[~inside] @ own[inside].T
        best[~inside], best[inside] = likeness.max(axis=1), likeness.max(axis=0)
        closest[~inside] = (likeness == likeness.max(axis=0)).any(axis=1)
        weighted[~inside] = (likeness * np.maximum(0, cosine[inside])).max(axis=1)
        conclusion = own[~inside] @ own[inside][-1]
    else:
        conclusion = np.zeros(int((~inside).sum()))
    to_conclusion = np.zeros(len(own))
    to_conclusion[~inside] = conclusion
    return {
        "abstract_cosine": best,
        "abstract_match": closest,
        "abstract_relevance": weighted,
        "conclusion_cosine": to_conclusion,
    }


def _share(sentences: Sequence[frozenset[str]], weights: dict[str, float]) -> Vector:
    """The weight of the words that each sentence contains, as a share of the total weight."""
    whole = sum(weights.values()) or 1.0
    return np.array([sum(weights[w] for w in weights if w in s) / whole for s in sentences], dtype=np.float64)


def _mean_of(paper: Paper, vectors: Vector, kind: Kind) -> Vector:
    rows = [sentence.index for sentence in paper.pool if sentence.kind is kind]
    return _unit(vectors[rows].mean(axis=0)) if rows else np.zeros(vectors.shape[1], dtype=vectors.dtype)


def _centre(own: Vector) -> Vector:
    return _unit(own.mean(axis=0)) if len(own) else np.zeros(own.shape[1], dtype=own.dtype)


def _unit(vector: Vector) -> Vector:
    length = float(np.linalg.norm(vector))
    result: Vector = vector / length if length > 0 else vector
    return result


# ---- features ----
# The features of a sentence in its paper: one row per candidate, one named column per feature.
#
# They are computed from the paper and the hypothesis only: no gold label, no aspect, no direction of an effect.


@dataclass(frozen=True, slots=True)
class SentenceVectors:
    """Vectors of length 1: of the paper's sentences (n, d), the hypothesis (d,) and its clauses (c, d)."""

    vectors: Vector
    hypothesis: Vector
    clauses: Vector


def vectors_of(embedder: Embedder, paper: Paper, hypothesis: str, *, progress: Progress = silent) -> SentenceVectors:
    """The vectors of a paper and a hypothesis; the paper's are cached."""
    similarity = embedder.compare(paper, hypothesis, progress=progress)
    clauses = embedder.encode(clauses_of(hypothesis))
    return SentenceVectors(*(part.astype(np.float64) for part in (similarity.vectors, similarity.hypothesis, clauses)))


@dataclass(frozen=True, slots=True)
class Features:
    """Named features; `values` has shape (candidates, len(names))."""

    names: tuple[str, ...]
    values: Vector


def features(paper: Paper, candidates: Sequence[Sentence], hypothesis: str, meaning: SentenceVectors) -> Features:
    """Every feature of every candidate; needs at least one candidate."""
    columns = wording_features([sentence.text for sentence in candidates])
    columns |= _of_neighbours(columns, ("p_value", "own_result", "numbers", "citation"))
    columns |= place_features(paper, candidates)
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
