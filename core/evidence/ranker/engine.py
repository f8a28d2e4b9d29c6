"""`offline`: a tree ensemble over sentence features, a cross-encoder that reads the best, and reasons in words."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.evidence.model import Evidence, EvidenceQuery
from core.evidence.ranker.features import clauses_of, features, vectors_of
from core.evidence.ranker.model import (
    CombinedScores,
    Training,
    Trees,
    choose_apart,
    model_for,
    most_promising,
    with_reading,
)
from core.evidence.ranker.sentence_features import Vector, telling_numbers
from core.evidence.results_first import behind, results_before, sets_the_scene, share_of_results
from core.evidence.selection import RankedChoice, local_evidence, notes_on
from core.paper import Paper, SectionKind, Sentence
from core.progress import Progress, silent
from core.text.words import as_written, content_words

if TYPE_CHECKING:  # needs libraries that may be missing
    from core.evidence.ranker.cross_encoder import CrossEncoder
    from core.text.similarity import Embedder


# ---- rationale ----
# Why a sentence was chosen, in words: what raised its score, and what it adds to those chosen before it.

_YEAR = re.compile(r"(?:19|20)\d\d")
_NO_FIGURE = re.compile(r"0\d|\d{7}")  # trial, grant and telephone numbers
# The feature "interval" also counts a mean with its spread, which describes a group and is not a result.
_INTERVAL = re.compile(r"\bCIs?\b|confidence interval|\d\s*(?:[–-]|to|;|,)\s*[–−-]?\d+[.·]\d+\s*[\])]")
_ABSTRACT = "says what the abstract says too"
_REST = "said again in the body of the paper"
READING = "reading"  # the column of the cross-encoder's log-odds
_READ = "bears on the hypothesis when the two are read together"
_LIKE, _WORDS = "similar to the hypothesis", "shares the hypothesis' rarer words"
# Phrase -> (measure, minimum). Features are relative to the paper: in a paper on something else, even the most similar
# sentence is not similar to the hypothesis.
_LEAST = {
    _LIKE: ("cosine", 0.35),
    _WORDS: ("coverage", 0.01),
    _ABSTRACT: ("abstract_cosine", 0.5),
    _READ: (READING, 0.0),
}

# Reason -> the group of features behind it. A pattern, which a reader can see in the sentence, is named only if it occurs.
# A measure is named if it raised the score.
_MEASURES = {
    _LIKE: (
        "cosine", "cosine_rank", "cosine_standard", "feedback_cosine", "against_section",
        "clause_cosine_least", "clause_cosine_mean", "clause_cosine_last", "clause_cosine_first",
    ),
    _WORDS: (
        "bm25", "bm25_rank", "coverage", "rare_coverage",
        "clause_words_least", "clause_words_mean", "clause_words_last", "clause_words_first",
    ),
    "stands among sentences on the same topic": (
        "cosine_before", "cosine_after", "cosine_around", "section_cosine", "heading_cosine", "heading_words",
    ),
    "close to the paper's main theme": ("centrality", "title_cosine", "title_words"),
    _ABSTRACT: (
        "abstract_cosine", "abstract_match", "abstract_relevance", "conclusion_cosine", "abstract_numbers",
    ),
    _READ: (READING,),
}  # fmt: skip
_PATTERNS = {
    "compares groups": ("comparison", "direction"),
    "names an association": ("association",),
    "states the authors' own finding": ("own_result", "conclusion"),
    "says who or how many were studied": ("participants", "design"),
    "states the aim": ("aim",),
    "tells how it was done": ("method",),
}
# The gains of all kinds of figures are added, and named after the most informative kind that occurs.
_WITH_INTERVAL = "reports a result with an interval"
_FIGURES = {
    _WITH_INTERVAL: ("interval", "ratio"),
    "reports a statistical test": ("p_value", "significant"),
    "gives figures": ("numbers", "percentage", "telling_numbers", "dose"),
}
_PLACE = ("position", "in_part", "part_from_end", "from_end", "in_section", "section_start", "section_end")
_ABOUT_THE_HYPOTHESIS = (_READ, _LIKE, _WORDS)  # named first
_MOST_REASONS = 3
_LEAST_SHARE = 0.05  # minimum share of the sentence's total gain for a reason to be named


@dataclass(frozen=True, slots=True)
class RankedFeatures:
    """The features of the chosen candidates and their contributions, both (chosen, features), in the order chosen."""

    names: tuple[str, ...]
    features: Vector
    contributions: Vector


def rationales(paper: Paper, chosen: Sequence[Sentence], hypothesis: str, explained: RankedFeatures) -> list[str]:
    """One line per chosen sentence, in the order chosen."""
    asked = _words_asked_for(hypothesis)
    roles = paper.section_roles
    named: set[str] = set()
    figures: set[str] = set()
    seen_parts: set[SectionKind] = set()
    lines = []
    for number, sentence in enumerate(chosen):
        part = roles[sentence.section]
        reasons = _reasons(explained, number, part, sentence.text)
        words = set(content_words(sentence.text))
        new_words = [written for word, written in asked.items() if word in words and word not in named]
        new_figures = {n for n in telling_numbers(sentence.text) if _is_figure(n)} - figures
        addition = _addition(number, new_words, new_figures, part, seen_parts)
        lines.append(_sentence([*reasons, *([addition] if addition else [])]))
        named |= words
        figures |= new_figures
        seen_parts.add(part)
    return lines


def _words_asked_for(hypothesis: str) -> dict[str, str]:
    """The hypothesis' content words, normalised -> as written. Numbers are left out: alone, they name nothing."""
    written = as_written(hypothesis)
    asked = dict.fromkeys(word for clause in clauses_of(hypothesis) for word in content_words(clause))
    return {word: written.get(word, word) for word in asked if len(word) > 2 and not word.isdigit()}


def _is_figure(number: str) -> bool:
    return not (_YEAR.fullmatch(number) or _NO_FIGURE.match(number))


def _reasons(explained: RankedFeatures, row: int, part: SectionKind, text: str) -> list[str]:
    """The reasons whose features raised the score most, those about the hypothesis first."""
    position = {name: column for column, name in enumerate(explained.names)}
    moved, values = explained.contributions[row], explained.features[row]
    gains: dict[str, float] = {}
    for phrase, names in _MEASURES.items():
        measure, least = _LEAST.get(phrase, (names[0], -np.inf))
        if values[position[measure]] >= least:
            gains[phrase] = sum(float(moved[position[name]]) for name in names)
    for phrase, names in _PATTERNS.items():
        present = [position[name] for name in names if values[position[name]] > 0]
        gains[phrase] = float(moved[present].sum())
    figures = [position[name] for names in _FIGURES.values() for name in names if values[position[name]] > 0]
    for phrase, names in _FIGURES.items():
        if phrase == _WITH_INTERVAL and not _INTERVAL.search(text):
            continue
        if any(position[name] in figures for name in names):
            gains[phrase] = float(moved[figures].sum())
            break
    place = _place_phrase(part)
    if place:
        columns = [position[name] for name in (*_PLACE, *(n for n in explained.names if n.startswith("in_")))]
        gains[place] = float(moved[sorted(set(columns))].sum())
    whole = sum(gain for gain in gains.values() if gain > 0)
    best = sorted(gains, key=lambda phrase: -gains[phrase])[:_MOST_REASONS]
    told = [phrase for phrase in best if gains[phrase] > max(0.0, _LEAST_SHARE * whole)]
    told.sort(key=lambda phrase: phrase not in _ABOUT_THE_HYPOTHESIS)
    if part is SectionKind.ABSTRACT:
        return [_REST if phrase == _ABSTRACT else phrase for phrase in told]
    return told


def _place_phrase(part: SectionKind) -> str | None:
    return None if part is SectionKind.OTHER else f"stands in the {part.value}"


def _addition(
    number: int, words: Sequence[str], figures: Set[str], part: SectionKind, seen_parts: Set[SectionKind]
) -> str | None:
    """What the sentence adds to those before it; None for the first one."""
    if number == 0:
        return None
    if words:
        return f"first to name {_listed([f'“{word}”' for word in words[:3]])}"
    if figures:
        return (
            f"adds {'a figure' if len(figures) == 1 else 'figures'} not given before ({', '.join(sorted(figures)[:3])})"
        )
    if part not in seen_parts and part is not SectionKind.OTHER:
        return f"first from the {part.value}"
    return "says it in another way"


def _sentence(reasons: Sequence[str]) -> str:
    text = "; ".join(reasons) or "ranked next by all measures together"
    return text[0].upper() + text[1:] + "."


def _listed(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


# ---- engine ----
# `offline`: a tree ensemble over features of a sentence in its paper, and a cross-encoder that reads the best ones.
#
# Embedding models fail at this task because a sentence alone does not show that it is a result (EvidenceBench, section 6);
# its place, its wording and its neighbours do. docs/ranker.md says how the models were trained.


class RankerEngine:
    """Scores each candidate by a model trained on experts' evidence, then chooses sentences that cover more together."""

    name = "offline"

    def __init__(self, embedder: Embedder, training: Training, cross_encoder: CrossEncoder | None) -> None:
        """If `cross_encoder` is None, the trees rank alone."""
        self._embedder = embedder
        self._training = training
        self._cross_encoder = cross_encoder

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        started = time.perf_counter()
        candidates = query.candidates(paper)
        if not candidates:
            return local_evidence(self.name, query, candidates, (), started=started)
        meaning = vectors_of(self._embedder, paper, query.hypothesis, progress=progress)
        progress(0.95, "Ranking sentences")
        found = features(paper, candidates, query.hypothesis, meaning)
        progress(0.97, "Reading the most promising sentences")
        vectors = meaning.vectors[[sentence.index for sentence in candidates]]
        read = self._reader(paper, candidates, query.hypothesis)
        if query.results_first and not query.results_only:
            last = sets_the_scene(paper, candidates)
            results, rest = (
                self._ranked(read, query, found.values, vectors, results_only=mode, last=last) for mode in (True, False)
            )
            chosen = results_before(results.chosen, rest.chosen, query.k)
            ahead = share_of_results(query.k)
        else:
            results = rest = self._ranked(read, query, found.values, vectors, results_only=query.results_only)
            chosen, ahead = results.chosen, query.k
        places = [choice.place for choice in chosen]
        known = [ranked.known(found.values, own) for ranked, own in ((results, places[:ahead]), (rest, places[ahead:]))]
        explained = RankedFeatures(
            (*found.names, READING),
            np.concatenate([values for values, _ in known]),
            np.concatenate([contributions for _, contributions in known]),
        )
        progress(1.0, "Done")
        return local_evidence(
            self.name,
            query,
            candidates,
            [(choice.place, _probability(choice.score)) for choice in chosen],
            rationales=rationales(paper, [candidates[place] for place in places], query.hypothesis, explained),
            started=started,
            notes=notes_on(meaning.vectors @ meaning.hypothesis),
        )

    def _reader(
        self, paper: Paper, candidates: Sequence[Sentence], hypothesis: str
    ) -> Callable[[Sequence[int]], Vector]:
        """A function that returns the cross-encoder's log-odds of candidates, (n, 2): evidence, results; each read once."""
        known: dict[int, Vector] = {}

        def read(places: Sequence[int]) -> Vector:
            missing = [place for place in places if place not in known]
            if self._cross_encoder is None:
                return np.zeros((len(places), 2))
            if missing:
                sentences = [candidates[place] for place in missing]
                known.update(zip(missing, self._cross_encoder.log_odds(paper, sentences, hypothesis), strict=True))
            return np.array([known[place] for place in places]).reshape(len(places), 2)

        return read

    def _ranked(
        self,
        read: Callable[[Sequence[int]], Vector],
        query: EvidenceQuery,
        values: Vector,
        vectors: Vector,
        *,
        results_only: bool,
        last: NDArray[np.bool_] | None = None,
    ) -> _Ranked:
        """Rank by one of the models. For `read`, see `_reader`; `last` marks the candidates to rank below all others."""
        model = model_for(self._training, results_only=results_only)
        trees = model.scores(values)
        if last is not None:
            trees = behind(trees, last)
        promising = most_promising(trees)
        reading = read(promising)[:, int(results_only)]
        both = with_reading(trees, promising, reading, results_only=results_only)
        return _Ranked(model, both, choose_apart(both.scores, vectors, query.k, results_only=results_only))


@dataclass(frozen=True, slots=True)
class _Ranked:
    """The ranking by one of the models."""

    model: Trees
    both: CombinedScores
    chosen: list[RankedChoice]

    def known(self, values: Vector, places: Sequence[int]) -> tuple[Vector, Vector]:
        """The features of some candidates and their contributions to the score: (len(places), features + 1) each."""
        own = values[list(places)]
        return (
            np.column_stack([own, self.both.reading[list(places)]]),
            np.column_stack([self.model.contributions(own), self.both.contributions[list(places)]]),
        )


def _probability(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))
