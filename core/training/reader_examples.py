"""The reader's training examples: questions and claims beside sentences, with the labels that each may have.

Sources: Evidence Inference's spans (annotations MIT); the cells, plain sentences and judgements in the data folder that are
meant for training; and the readings that ship with this code (`core.training.data`).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.entailment import Direction, Entailment, InContext
from core.text.encoder import Matrix
from core.text.similarity import Embedder
from core.training.changed import arms_by_trial, copied_from
from core.training.data import READINGS, REVIEWS, SPANS, TOLD, WAYS, WRITTEN, Trial, places_of, readings, rows

_ANY = frozenset({Direction.UP, Direction.DOWN, Direction.SAME})
_UNTESTED = 0.4  # weight of a direction that follows from figures without a test
_ANOTHER = 0.75  # cosine of two outcomes below which they count as different; two interventions and comparators alike
_COPIED = 20  # sentences of each trial that are copied
_ALIKE = 40  # the names most like a question's own, one of which takes its place to make another question


@dataclass(frozen=True, slots=True)
class AskedParts:
    """The parts of a question."""

    intervention: str
    comparator: str
    outcome: str
    told: Direction | None = None  # the direction to claim, if the parts are to be made into a plain claim


@dataclass(frozen=True, slots=True)
class ReaderExample:
    """A question or claim (`asked`) with sentences; `labels` are all labels that are right for it."""

    head: str  # "D" direction, "S" support by one sentence, "M" support by several, "C" the direction that is claimed
    asked: str | AskedParts
    sentences: tuple[InContext, ...]
    labels: frozenset[int]
    weight: float = 1.0
    of_summary: bool = False  # whether it asks about a plain sentence of a summary, not about a hypothesis


class ReaderExamples:
    """Gathers the reader's training examples from trials."""

    def __init__(
        self, data: Path, trials: Mapping[str, Trial], apart: frozenset[str], embedder: Embedder, seed: int
    ) -> None:
        """`apart` are the papers that are held out for measuring, from which no example is made."""
        self._data, self._apart, self._embedder = data, apart, embedder
        self._trials = {name: trial for name, trial in trials.items() if name not in apart}
        self._draw = random.Random(seed)  # noqa: S311 - no secret
        self.found: list[ReaderExample] = []

    def gather(self, *, invented: bool = True, reviews: int = 1) -> list[ReaderExample]:
        """All examples, in the same order for the same seed; with `invented`, also those from invented trials.

        Examples of reviews' hypotheses are made `reviews` times, with other sentences beside them each time.
        """
        self._of_spans()
        self._of_matrix()
        self._of_summaries()
        for file in (READINGS, *[REVIEWS] * reviews):
            self._of_readings(file)
        self._of_told()
        self._of_copies()
        self._of_other_questions()
        if invented:
            self._of_written()
        return self.found

    def _add(
        self,
        head: str,
        asked: str | AskedParts,
        sentences: Sequence[InContext],
        labels: int | Iterable[int],
        weight: float = 1.0,
    ) -> None:
        allowed = frozenset([labels] if isinstance(labels, int) else labels)
        self.found.append(ReaderExample(head, asked, tuple(sentences), allowed, weight))

    def _add_sentence(
        self, head: str, text: str, sentences: Sequence[InContext], label: Entailment, weight: float = 1.0
    ) -> None:
        self.found.append(ReaderExample(head, text, tuple(sentences), frozenset([label]), weight, of_summary=True))

    def _of_spans(self) -> None:
        by_article: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows(self._data / "evidence_inference" / "annotations.jsonl"):
            if row["label"] in SPANS and row["pmcid"] not in self._apart:
                by_article[row["pmcid"]].append(row)
        outcomes = sorted({row["outcome"] for own in by_article.values() for row in own})
        vectors = dict(zip(outcomes, self._embedder.encode(outcomes), strict=True))
        spans = [row for own in by_article.values() for row in own]
        for own in by_article.values():
            for row in own:
                self._of_span(row, own, spans, vectors)

    def _of_span(
        self,
        row: dict[str, Any],
        own: Sequence[dict[str, Any]],
        spans: Sequence[dict[str, Any]],
        vectors: Mapping[str, Matrix],
    ) -> None:
        told, draw = SPANS[row["label"]], self._draw
        parts = AskedParts(row["intervention"], row["comparator"], row["outcome"])
        claim = AskedParts(parts.intervention, parts.comparator, parts.outcome, told)
        places = self._places(row)
        for sentence in self._shown(row)[:2]:
            self._add("D", parts, [sentence], told)
            self._add("S", claim, [sentence], Entailment.SUPPORTED)
        others = [
            other
            for other in own
            if float(vectors[row["outcome"]] @ vectors[other["outcome"]]) < _ANOTHER
            and other["evidence"] != row["evidence"]
            and not set(self._places(other)) & set(places)
            and not _names(row["outcome"], other["evidence"])
        ]
        draw.shuffle(others)
        for other in others[:2]:
            sentence = self._shown(other)[0]
            self._add("D", parts, [sentence], Direction.NOT_ON_THIS)
            self._add("S", claim, [sentence], Entailment.NOT_THERE)
        stranger = draw.choice(spans)
        if stranger["pmcid"] != row["pmcid"]:
            self._add("D", parts, self._shown(stranger)[:1], Direction.NOT_ON_THIS, 0.5)
        if trial := self._trials.get(row["pmcid"]):
            near = trial.near(f"{row['outcome']} {row['intervention']}", vectors[row["outcome"]])
            cold = [number for number in near[:25] if trial.is_cold(number)]
            for number in cold[:3]:
                self._add("D", parts, [trial.at(number)], Direction.NOT_ON_THIS)
            for number in cold[:1]:
                self._add("S", claim, [trial.at(number)], Entailment.NOT_THERE)

    def _places(self, row: dict[str, Any]) -> list[int]:
        trial = self._trials.get(row["pmcid"])
        return trial.find(row["evidence"]) if trial else []

    def _shown(self, row: dict[str, Any]) -> list[InContext]:
        """The sentences of a span; or the span itself, if its paper is not available or it overlaps many sentences."""
        trial, places = self._trials.get(row["pmcid"]), self._places(row)
        if trial and 0 < len(places) <= 2:
            return [trial.at(place) for place in places]
        return [InContext(row["evidence"][:700])]

    def _of_matrix(self) -> None:
        cells = [row for row in rows(self._data / "review_matrix" / "train.jsonl") if row["paper"] in self._trials]
        vectors = self._vectors(row["hypothesis"] for row in cells)
        for row in cells:
            trial, hypothesis = self._trials[row["paper"]], row["hypothesis"]
            near = trial.near(hypothesis, vectors[hypothesis])
            if row["label"] == "not reported":
                for number in near[:8] + self._some(near[8:30], 5):
                    self._add("D", hypothesis, [trial.at(number)], Direction.NOT_ON_THIS)
                for number in self._some(near[:10], 2):
                    self._add("S", hypothesis, [trial.at(number)], Entailment.NOT_THERE)
                continue
            places = [number for text in row["evidence"] for number in trial.find(text)]
            for number in places:  # the direction is unknown, but it is a result on the question
                self._add("D", hypothesis, [trial.at(number)], _ANY, 1.5)
                if (said := _SAID.get(row["label"])) is not None:
                    self._add("S", hypothesis, [trial.at(number)], said, 1.5)
            self._beside(trial, hypothesis, [number for number in near if number not in places], far=40)

    def _beside(self, trial: Trial, asked: str | AskedParts, near: Sequence[int], *, far: int) -> None:
        """Negative examples from a paper that reports: sentences in parts without results, or far from the question."""
        for number in [number for number in near[:30] if trial.is_cold(number)][:3]:
            self._add("D", asked, [trial.at(number)], Direction.NOT_ON_THIS)
        for number in self._some(near[far:] or near, 2):
            self._add("D", asked, [trial.at(number)], Direction.NOT_ON_THIS, 0.7)

    def _of_summaries(self) -> None:
        found = [row for row in rows(self._data / "plain_summaries" / "train.jsonl") if row["paper"] in self._trials]
        vectors = self._vectors(row["sentence"] for row in found)
        for row in found:
            trial = self._trials[row["paper"]]
            places = sorted({number for text in row["support"] for number in trial.find(text)})
            label = Entailment.SUPPORTED if row["label"] == "supported" else _KIND[row["kind"]]
            self._of_sentence(trial, row["sentence"], vectors[row["sentence"]], places, label)

    def _of_sentence(self, trial: Trial, text: str, vector: Matrix, places: Sequence[int], label: Entailment) -> None:
        near = trial.near(text, vector)
        rest = [number for number in near if number not in places]
        if label is Entailment.NOT_THERE:
            for number in (*places, *near[:3]):
                self._add_sentence("S", text, [trial.at(number)], label)
            for some in (near[:4], sorted({*places[:2], *near[:2]})):
                self._add_sentence("M", text, [trial.at(number) for number in some], label)
            return
        for number in places:
            self._add_sentence("S", text, [trial.at(number)], label)
        for number in self._some(rest[3:25], 2):
            self._add_sentence("S", text, [trial.at(number)], Entailment.NOT_THERE, 0.5)
        if set(places) & set(near[:4]):
            self._add_sentence("M", text, [trial.at(number) for number in near[:4]], label)
        if places:
            self._add_sentence("M", text, [trial.at(number) for number in sorted({*places[:3], *rest[:1]})], label)

    def _of_readings(self, file: Path) -> None:
        for trial, row, places in readings(self._trials, file):
            asked = [cell["hypothesis"] for cell in row["hypotheses"]]
            texts = [one[side] for one in row["sentences"] for side in ("right", "wrong")]
            vectors = self._vectors([*asked, *texts])
            for cell in row["hypotheses"]:
                self._of_cell(trial, cell, vectors[cell["hypothesis"]], places)
            for one in row["sentences"]:
                support = places(one["support"])
                self._of_sentence(trial, one["right"], vectors[one["right"]], support, Entailment.SUPPORTED)
                self._of_sentence(trial, one["wrong"], vectors[one["wrong"]], support, _KIND[one["kind"]])

    def _of_cell(
        self, trial: Trial, cell: dict[str, Any], vector: Matrix, places: Callable[[Iterable[int]], list[int]]
    ) -> None:
        hypothesis, claim = cell["hypothesis"], WAYS[cell["claim"]]
        self._add("C", hypothesis, [InContext("")], claim)
        forms: list[str | AskedParts] = [hypothesis]
        if cell["intervention"] and cell["outcome"]:
            forms.append(AskedParts(cell["intervention"], cell["comparator"], cell["outcome"]))
        decide = places(cell["decide"])
        own_way = {place: WAYS[way] for number, way in cell["way"].items() for place in places([int(number)])}
        for number in decide:
            told = own_way.get(number, WAYS.get(cell["found"] or ""))
            for form in forms:
                self._add("D", form, [trial.at(number)], _ANY if told is None else told, 1.5)
            if told is not None:
                said = Entailment.SUPPORTED if told == claim else Entailment.CONTRADICTED
                self._add("S", hypothesis, [trial.at(number)], said, 1.5)
        beside = [number for number in places(cell["near"]) if number not in decide]
        for number in beside:
            for form in forms:
                self._add("D", form, [trial.at(number)], Direction.NOT_ON_THIS)
            self._add("S", hypothesis, [trial.at(number)], Entailment.NOT_THERE, 0.7)
        rest = [number for number in trial.near(hypothesis, vector) if number not in decide and number not in beside]
        if cell["label"] == "not reported":
            for form, count in ((forms[0], 7), (forms[-1], 3)):
                for number in rest[:count]:
                    self._add("D", form, [trial.at(number)], Direction.NOT_ON_THIS)
        else:
            self._beside(trial, self._draw.choice(forms), rest, far=30)

    def _of_told(self) -> None:
        """Examples from trials of which every sentence was read: results that a sentence tells or does not tell."""
        for row in rows(TOLD):
            if trial := self._trials.get(row["paper"]):
                places = {
                    number: found[0] for number in row["marks"] if (found := places_of(row, trial.paper)([number]))
                }
                told = [
                    (places[str(number)], AskedParts(intervention, comparator, outcome), way)
                    for number, intervention, comparator, outcome, way in row["results"]
                    if str(number) in places
                ]
                silent = [places[number] for number in row["silent"] if number in places]
                self._of_results(trial, told, silent)

    def _of_results(self, trial: Trial, told: Sequence[tuple[int, AskedParts, str]], silent: Sequence[int]) -> None:
        """`told`: (sentence, parts, direction), with "up?" for a direction that follows from figures without a test."""
        vectors = self._vectors(parts.outcome for _, parts, _ in told)
        own: dict[int, list[Matrix]] = defaultdict(list)
        for number, parts, _ in told:
            own[number].append(vectors[parts.outcome])
        for number, parts, way in told:
            direction, weight = WAYS[way.rstrip("?")], _UNTESTED if way.endswith("?") else 1.0
            claim = replace(parts, told=direction)
            self._add("D", parts, [trial.at(number)], direction, weight)
            self._add("S", claim, [trial.at(number)], Entailment.SUPPORTED, weight)
            others = [
                other
                for other, outcomes in own.items()
                if other != number
                and max(float(vectors[parts.outcome] @ outcome) for outcome in outcomes) < _ANOTHER
                and not _names(parts.outcome, trial.paper.sentences[other].text)
            ]
            for other in self._some(others, 1):
                self._add("D", parts, [trial.at(other)], Direction.NOT_ON_THIS)
                self._add("S", claim, [trial.at(other)], Entailment.NOT_THERE, 0.5)
            for other in self._some(silent, 1):
                self._add("D", parts, [trial.at(other)], Direction.NOT_ON_THIS, 0.5)

    def _of_copies(self) -> None:
        """Sentences of each trial, copied into a summary as they are, shortened, or with one thing changed."""
        arms = arms_by_trial(self._data)
        for name, trial in self._trials.items():
            for number, copies in copied_from(trial, arms.get(name, ()), self._draw, most=_COPIED):
                text = trial.paper.sentences[number].text
                near = trial.near(text, trial.vectors[number])
                beside = sorted({number, *near[:3]}) if self._draw.random() < 0.5 else near[:4]
                for copy, label in copies:
                    self._add_sentence("S", copy, [trial.at(number)], label)
                    if number in beside:
                        self._add_sentence("M", copy, [trial.at(other) for other in beside], label)
                for other in self._some([one for one in near[3:25] if one != number], 1):
                    self._add_sentence("S", text, [trial.at(other)], Entailment.NOT_THERE, 0.5)

    def _of_other_questions(self) -> None:
        """Results beside a question with another intervention, comparator or outcome in the place of their own."""
        told = [
            (one.asked, one.sentences[0])
            for one in self.found
            if one.head == "D" and isinstance(one.asked, AskedParts) and Direction.NOT_ON_THIS not in one.labels
        ]
        for part in ("intervention", "comparator", "outcome"):
            own: dict[str, set[str]] = defaultdict(set)  # the names that each sentence tells a result of
            for parts, sentence in told:
                own[sentence.text].add(getattr(parts, part))
            names = sorted({name for some in own.values() for name in some if name})
            vectors: Matrix = self._embedder.encode(names)
            at = {name: place for place, name in enumerate(names)}
            for parts, sentence in told:
                name, text = getattr(parts, part), f"{sentence.title} {sentence.before} {sentence.text}"
                if not name or not _names(name, text):
                    continue
                same = (vectors @ vectors[[at[one] for one in own[sentence.text] if one]].T).max(axis=1) >= _ANOTHER
                alike = np.argsort(-np.where(same, -1.0, vectors @ vectors[at[name]]), kind="stable")[:_ALIKE]
                other = names[self._draw.choice(alike.tolist())]
                if not _names(other, text):
                    asked = replace(parts, **{part: other})
                    self._add("D", asked, [sentence], Direction.NOT_ON_THIS, 0.7)

    def _of_written(self) -> None:
        for row in rows(WRITTEN):
            for result in row["results"]:
                sentence = InContext(result["text"], title=row["title"], part="results", before=result["before"])
                for intervention, comparator, outcome, way in result["q"]:
                    told = WAYS.get(way)
                    self._add(
                        "D",
                        AskedParts(intervention, comparator, outcome),
                        [sentence],
                        told or Direction.NOT_ON_THIS,
                        0.5,
                    )
                    claim = AskedParts(
                        intervention, comparator, outcome, told or self._draw.choice(list(WAYS.values()))
                    )
                    self._add("S", claim, [sentence], Entailment.SUPPORTED if told else Entailment.NOT_THERE, 0.5)
                for hypothesis, way, claim_way in result["h"]:
                    told, claims = WAYS.get(way), WAYS[claim_way]
                    self._add("C", hypothesis, [InContext("")], claims)
                    self._add("D", hypothesis, [sentence], told or Direction.NOT_ON_THIS, 0.75)
                    said = Entailment.SUPPORTED if told == claims else Entailment.CONTRADICTED
                    self._add("S", hypothesis, [sentence], said if told else Entailment.NOT_THERE, 0.75)

    def _vectors(self, texts: Iterable[str]) -> dict[str, Matrix]:
        unique = list(dict.fromkeys(texts))
        return dict(zip(unique, self._embedder.encode(unique), strict=True))

    def _some(self, numbers: Sequence[int], count: int) -> list[int]:
        return self._draw.sample(list(numbers), min(count, len(numbers)))


_SAID = {"supports": Entailment.SUPPORTED, "refutes": Entailment.CONTRADICTED}
_KIND = {"contradicts": Entailment.CONTRADICTED, "not in the paper": Entailment.NOT_THERE}


def _names(outcome: str, text: str) -> bool:
    """Whether a text contains most words of an outcome, so that it may be a result on it after all."""
    words = [word for word in outcome.lower().split() if len(word) > 3]
    return sum(word in text.lower() for word in words) >= max(1, 0.6 * len(words))
