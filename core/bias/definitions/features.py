"""Features of a sentence for a definition: the similarity to it of the sentence and its headings, its place and form."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.bias.definitions.contrast import TrialSentences
from core.bias.definitions.words import TrialWords, Vectors, of_length_1
from core.bias.ranker.features import heading_paths
from core.evidence.model import candidates
from core.evidence.ranker.sentence_features import Columns, place_features, standardised, wording_features
from core.paper import Paper, SectionKind, Sentence
from core.text.bm25 import Bm25Index

Matrix = NDArray[np.float64]

_PLACE = (
    "in_introduction",
    "in_methods",
    "in_results",
    "in_discussion",
    "caption",
    "table",
    "position",
    "section_size",
)
_FORM = ("numbers", "words", "participants", "citation", "p_value", "percentage", "figure")
_COUNTED = {"section_size": 60.0, "numbers": 12.0, "words": 100.0}
_BESIDE_VECTORS = 0.3
_WIDENED, _TOLD_APART = "widened, whole, among its paper's", "told apart"
# A definition that asks "how many" is answered with figures, often among the results.
_ASKS_HOW_MANY = re.compile(r"\bhow many\b|\bnumbers?\b|\brates?\b|\bproportions?\b|\bsize\b", re.IGNORECASE)
_ANSWERS_HOW_MANY = ("participants", "numbers", "in_results", "in_methods", "caption")


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition in a reviewer's words."""

    name: str
    text: str

    @property
    def whole(self) -> str:
        return f"{self.name}. {self.text}"


@dataclass(frozen=True, slots=True)
class AskedVectors:
    """The encoder's vectors of a definition's name and of the whole, (384,) each."""

    name: Vectors
    whole: Vectors


@dataclass(frozen=True, slots=True)
class DescribedPaper:
    """The features of a paper that need no definition: one row per candidate, or per section where noted."""

    sentences: tuple[Sentence, ...]
    words: Vectors  # by `TrialWords`
    meaning: Vectors  # by the encoder
    terms: tuple[frozenset[int], ...]  # indices of its words in `TrialWords`
    heading_terms: tuple[frozenset[int], ...]  # per section: those of its heading and the enclosing headings
    heading_words: Vectors  # (sections, d)
    heading_meaning: Vectors  # (sections, 384), only of the nearest heading
    section: NDArray[np.intp]
    index: Bm25Index
    fixed: Columns  # place and form
    rows: Matrix  # the input of the topic regressions: both vectors, place and form, and a constant
    said_again: Matrix  # for a sentence of the abstract, its cosine with the most similar one of the body; else 0


def describe(paper: Paper, vectors: Vectors, words: TrialWords) -> DescribedPaper:
    """Compute the features of a paper. `vectors` are the encoder's, one for each sentence of the pool."""
    pool = candidates(paper)
    texts = [sentence.text for sentence in pool]
    own = vectors[[sentence.index for sentence in pool]]
    paths = heading_paths(paper)
    form = wording_features(texts)
    place = place_features(paper, pool)
    abstract = np.array([paper.section_roles[one.section] is SectionKind.ABSTRACT for one in pool], dtype=bool)
    own_words = words.vectors_of(texts)
    fixed = {name: place[name] for name in _PLACE} | {name: form[name] for name in _FORM}
    return DescribedPaper(
        sentences=pool,
        words=own_words,
        meaning=own,
        terms=tuple(frozenset(words.known(text)) for text in texts),
        heading_terms=tuple(frozenset(words.known(path)) for path in paths),
        heading_words=words.vectors_of(paths),
        heading_meaning=vectors[[min(section.first, len(vectors) - 1) for section in paper.sections]],
        section=np.array([sentence.section for sentence in pool], dtype=np.intp),
        index=Bm25Index(texts),
        fixed=fixed,
        rows=np.hstack([own, own_words, _of_one_size(fixed), np.ones((len(pool), 1))]).astype(np.float64),
        said_again=_said_again(own, abstract),
    )


def _of_one_size(fixed: Columns) -> Matrix:
    """Place and form, scaled to fit beside vectors of length 1: counts are divided by their maximum."""
    return np.stack([column / _COUNTED.get(name, 1.0) for name, column in fixed.items()], axis=1) * _BESIDE_VECTORS


def _said_again(own: Vectors, abstract: NDArray[np.bool_]) -> Matrix:
    likeness = np.zeros(len(own))
    if abstract.any() and not abstract.all():
        likeness[abstract] = (own[abstract] @ own[~abstract].T).max(axis=1)
    return likeness


# ---- topics: what was learned from other definitions ----

_NEAR = 8.0  # the greater, the more the topics most similar to the definition count


@dataclass(frozen=True, slots=True)
class Topics:
    """One ridge regression for each topic with labelled sentences, on a sentence's vectors, place and form."""

    ids: tuple[str, ...]
    definitions: Matrix  # the mean vector of each topic's wordings, (topics, d)
    weights: Matrix  # (columns of `DescribedPaper.rows`, topics)
    mean: Matrix  # of each regression's values over sentences, (topics,)
    scale: Matrix

    def without(self, left_out: Collection[str]) -> Topics:
        """A copy without these topics."""
        kept = [place for place, id in enumerate(self.ids) if id not in left_out]
        return Topics(
            tuple(self.ids[place] for place in kept),
            self.definitions[kept],
            self.weights[:, kept],
            self.mean[kept],
            self.scale[kept],
        )

    def on_topics(self, rows: Matrix) -> Matrix:
        """The score of each sentence on each topic, (sentences, topics), standardised over sentences of other papers."""
        return (rows @ self.weights - self.mean) / self.scale


def definition_vector(definition: Definition, asked: AskedVectors, words: TrialWords) -> Vectors:
    """A definition's widened word vector joined to its encoder vector, scaled to length 1."""
    wide = words.widened(words.vector(definition.whole))
    return of_length_1(np.concatenate([wide, asked.whole]))


def _known_topics(on_topics: Matrix, likeness: Matrix) -> Columns:
    """Features from topics similar to the definition, and from dissimilar ones, which count against a sentence.

    `likeness` has shape (topics,).
    """
    near = np.exp(_NEAR * (likeness - likeness.max()))
    far = 1 - (likeness - likeness.min()) / (np.ptp(likeness) + 1e-9)
    return {
        "on topics like it": on_topics @ (near / near.sum()),
        "on a topic unlike it": (np.maximum(on_topics, 0) * far).max(axis=1),
        "on topics as they are like it": on_topics @ standardised(likeness) / len(likeness),
        "on any topic": on_topics.max(axis=1),
    }


# ---- features ----


def features(
    paper: DescribedPaper,
    definition: Definition,
    asked: AskedVectors,
    words: TrialWords,
    sentences: TrialSentences,
    *,
    topics: Topics,
) -> Columns:
    """Every feature by name, (candidates,) each; needs at least one candidate.

    They are computed from the paper, the definition and `topics` only, never from labels of the paper.
    """
    columns: Columns = {}
    for part, text, meaning in (
        ("name", definition.name, asked.name),
        ("whole", definition.whole, asked.whole),
    ):
        vector = words.vector(text)
        wide = words.widened(vector)
        found: dict[str, NDArray[np.floating[Any]]] = {
            f"words, {part}": paper.words @ vector,
            f"widened, {part}": paper.words @ wide,
            f"meaning, {part}": paper.meaning @ meaning,
            f"shared, {part}": words.coverage(text, paper.terms),
            f"heading widened, {part}": (paper.heading_words @ wide)[paper.section],
            f"heading meaning, {part}": (paper.heading_meaning @ meaning)[paper.section],
            f"heading shared, {part}": words.coverage(text, paper.heading_terms)[paper.section],
        }
        columns |= {name: column.astype(np.float64) for name, column in found.items()}
    columns["bm25"] = paper.index.scores(definition.whole)
    columns |= {
        f"{name}, among its paper's": standardised(column)
        for name, column in columns.items()
        if not name.startswith("heading")
    }
    weights, near = sentences.told_apart(words.widened(words.vector(definition.whole)), asked.whole)
    apart = np.hstack([paper.words, paper.meaning]) @ weights
    columns[_TOLD_APART] = standardised(apart.astype(np.float64))
    columns["meaning, widened"] = standardised((paper.meaning @ near).astype(np.float64))
    how_many = float(_ASKS_HOW_MANY.search(definition.whole) is not None)
    columns |= {f"how many, {name}": how_many * paper.fixed[name] for name in _ANSWERS_HOW_MANY}
    likeness = topics.definitions @ definition_vector(definition, asked, words)
    columns |= _known_topics(topics.on_topics(paper.rows), np.asarray(likeness, dtype=np.float64))
    return columns | paper.fixed


def sureness(columns: Mapping[str, Matrix]) -> Matrix:
    """How far a sentence is above the others in two similarities: the mean square of what exceeds one deviation."""
    result: Matrix = np.mean([np.maximum(columns[name] - 1, 0) ** 2 for name in (_WIDENED, _TOLD_APART)], axis=0)
    return result


def together(columns: Mapping[str, Matrix], names: Sequence[str]) -> Matrix:
    """The named columns as a matrix. Shape: (candidates, names)."""
    return np.stack([columns[name] for name in names], axis=1)
