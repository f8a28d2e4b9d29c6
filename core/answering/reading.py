"""Read passages for a question: the reader's probabilities for their sentences, and the ranks of passages and papers.

Regressions use the reader's output to predict whether a passage holds the answer, whether a paper reports on the
question, and the direction of its result, from the sentences that most likely hold it. `python -m core.training
answers` fits them on trials that the reader was not trained on; docs/answers.md has figures.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.answering.model import ReportedChange
from core.entailment import Direction, InContext, Reader
from core.entailment.regression import Features, Regression, log_odds
from core.findings.alone import read_alone
from core.findings.question_parts import parts_of
from core.findings.verdict import worth_as_result
from core.findings.wording import PartStarts, shares_of
from core.library.model import Found, LibraryPaper, Passage
from core.text.words import share_of_words, word_starts

MODEL = Path(__file__).parent / "answers.json"
_READ = 80  # sentences that are read, in all passages together
# Weights of what makes a sentence worth reading, beside shared words: how it words a finding, and the passage's cosine.
_FINDING, _LIKENESS = 0.6, 0.3
_UNREAD = log_odds(0.0)
PARTS = ("abstract", "results", "methods", "introduction", "discussion", "table", "caption")
OF_PASSAGE = (
    "first", "second", "sum", "paper's first", "to paper's first", "reciprocal rank", "words of most", "words",
    "meaning", "to nearest meaning", "paper's words of most", "paper of most", "shared", "shared with title", "length",
    "read", *PARTS,
)  # fmt: skip
OF_PAPER = (
    "first", "second", "third", "five", "best passage", "words", "words of most", "meaning", "shared in title",
    "shared in passages", "shared in sentence", "passages", "to next",
)  # fmt: skip
OF_SENTENCE = (
    "about", "to the most about", "alone", "to the most alone", "shared outcome", "to the most shared", "shared arms", "shared",
    "certain", "certain words", "length", *PARTS,
)  # fmt: skip
ALONE = 14  # a paper's direction is predicted from so many sentences, those most about the question


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """One sentence of a passage, with the reader's probabilities."""

    index: int  # in its paper
    text: str
    about: float  # the probability that it is a result on the question, reduced in parts that seldom hold results
    directions: tuple[float, float, float]  # up, down, same: shares that add up to 1
    part: str  # the part of the paper, as in `Passage.part`


@dataclass(frozen=True, slots=True)
class ReadPassages:
    """The passages that a search found, and their sentences that were read."""

    question: str
    found: tuple[Found, ...]
    read: Mapping[str, tuple[ReadSentence, ...]]  # by passage id, those most about the question first

    @property
    def by_paper(self) -> dict[str, list[int]]:
        """The indices in `found` of each paper's passages."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, one in enumerate(self.found):
            places[one.passage.paper].append(place)
        return places

    def place_of(self, paper: str, sentence: int) -> int:
        """The index in `found` of the passage with this sentence, which was read. No sentence is in two passages."""
        passages = ((place, self.found[place].passage) for place in self.by_paper[paper])
        return next(place for place, passage in passages if passage.first <= sentence <= passage.last)

    def sentences_of(self, paper: str) -> list[ReadSentence]:
        """The paper's sentences that were read, those most about the question first."""
        found = [one for place in self.by_paper[paper] for one in self.read.get(self.found[place].passage.id, ())]
        return sorted(found, key=lambda one: -one.about)


def read_passages(
    question: str, found: Sequence[Found], papers: Mapping[str, LibraryPaper], reader: Reader
) -> ReadPassages:
    """Read the sentences that are most worth reading, out of those of all passages."""
    found = tuple(found)
    asked, most = word_starts(question), _most_words(found)
    greatest = max(most.values(), default=0.0) or 1.0
    worth = []
    for place, one in enumerate(found):
        near = one.meaning * _LIKENESS + most[one.passage.paper] / greatest
        for offset, (text, finding) in enumerate(zip(one.passage.sentences, one.passage.findings, strict=True)):
            worth.append((share_of_words(asked, word_starts(text)) + _FINDING * finding + near, place, offset))
    chosen = sorted(worth, key=lambda row: (-round(row[0], 6), row[1], row[2]))[:_READ]
    inputs = [_in_context(found[place].passage, offset, papers) for _, place, offset in chosen]
    read: dict[str, list[ReadSentence]] = defaultdict(list)
    if inputs:
        for (_, place, offset), directions in zip(chosen, reader.directions(question, inputs), strict=True):
            passage = found[place].passage
            read[passage.id].append(_sentence(passage, offset, directions))
    return ReadPassages(
        question, found, {id: tuple(sorted(some, key=lambda one: -one.about)) for id, some in read.items()}
    )


def _in_context(passage: Passage, offset: int, papers: Mapping[str, LibraryPaper]) -> InContext:
    paper = papers.get(passage.paper)
    before = passage.sentences[offset - 1] if offset else passage.before
    return InContext(passage.sentences[offset], (paper.title if paper else None) or "", passage.part, before)


def _sentence(passage: Passage, offset: int, directions: NDArray[np.float64]) -> ReadSentence:
    told = directions[Direction.UP :] / directions[Direction.UP :].sum()
    about = float(1 - directions[Direction.NOT_ON_THIS]) * worth_as_result(passage.part, passage.sentences[offset])
    up, down, same = map(float, told)
    return ReadSentence(passage.first + offset, passage.sentences[offset], about, (up, down, same), passage.part)


def _most_words(found: Sequence[Found]) -> dict[str, float]:
    """The best BM25 score of each paper's passages."""
    most: dict[str, float] = defaultdict(float)
    for one in found:
        most[one.passage.paper] = max(most[one.passage.paper], one.words)
    return most


# ---- passages ----


def of_passages(reading: ReadPassages) -> Features:
    """Features that predict whether a passage holds the answer. Shape: (len(reading.found), len(OF_PASSAGE))."""
    found = reading.found
    asked, most = word_starts(reading.question), _most_words(found)
    words, meaning = (
        max((one.words for one in found), default=0.0) or 1.0,
        max((one.meaning for one in found), default=0.0),
    )
    best_paper = max(most.values(), default=0.0) or 1.0
    firsts = {paper: _about(reading.sentences_of(paper), 0) for paper in most}
    rows = []
    for place, one in enumerate(found):
        passage, read = one.passage, reading.read.get(one.passage.id, ())
        first, of_paper = _about(read, 0), most[passage.paper]
        shared = word_starts(passage.text)
        rows.append(
            [
                first, _about(read, 1), np.log(sum(sentence.about for sentence in read) + 0.01), firsts[passage.paper],
                first - firsts[passage.paper], 100 / (place + 10), one.words / words, one.words, one.meaning,
                one.meaning - meaning, of_paper / best_paper, of_paper == best_paper, share_of_words(asked, shared),
                share_of_words(asked, shared | word_starts(passage.section)), np.log1p(len(passage.text.split())),
                bool(read), *(passage.part == part for part in PARTS),
            ]
        )  # fmt: skip
    return np.array(rows, dtype=np.float64).reshape(len(found), len(OF_PASSAGE))


# ---- papers ----


def of_paper(reading: ReadPassages, paper: LibraryPaper, passages: Sequence[float]) -> Features:
    """Features that predict whether a paper reports on the question. Shape: (len(OF_PAPER),).

    `passages` holds the probability of each passage of `reading.found`.
    """
    read, own = reading.sentences_of(paper.id), reading.by_paper[paper.id]
    asked, most = word_starts(reading.question), _most_words(reading.found)
    title = word_starts(paper.title or "")
    texts = title.union(*(word_starts(reading.found[place].passage.text) for place in own))
    others = [score for score, one in zip(passages, reading.found, strict=True) if one.passage.paper != paper.id]
    best = max(passages[place] for place in own)
    return np.array(
        [
            *(_about(read, place) for place in range(3)),
            log_odds(float(np.mean([one.about for one in read[:5]]))) if read else _UNREAD,
            log_odds(best),
            most[paper.id],
            most[paper.id] / (max(most.values()) or 1.0),
            max(reading.found[place].meaning for place in own),
            share_of_words(asked, title),
            share_of_words(asked, texts),
            share_of_words(asked, word_starts(read[0].text)) if read else 0.0,
            np.log1p(len(own)),
            log_odds(best) - log_odds(max(others, default=0.0)),
        ]
    )


# ---- directions ----


@dataclass(frozen=True, slots=True)
class OwnSentences:
    """A paper's sentences that are most about the question, read alone, to predict the direction of its result."""

    features: Features  # of each sentence, as in OF_SENTENCE
    told: NDArray[np.float64]  # (n, 3): up, down, same, from the reader and the words together

    @classmethod
    def of(cls, question: str, sentences: Sequence[ReadSentence], reader: Reader) -> OwnSentences:
        """From at least one sentence, sorted with those most about the question first."""
        sentences = sentences[:ALONE]
        asked = parts_of(question)
        parts, texts = PartStarts.of(asked), [one.text for one in sentences]
        alone = read_alone(asked, texts, reader)
        words = [word_starts(text) for text in texts]
        arms = (parts.intervention | parts.comparator) - parts.outcome
        about = np.array([log_odds(one.about) for one in sentences])
        by_itself = np.array([log_odds(float(one)) for one in alone.about])
        outcome = np.array([share_of_words(parts.outcome, one) for one in words])
        columns = [
            about, about - about.max(), by_itself, by_itself - by_itself.max(), outcome, outcome - outcome.max(),
            [share_of_words(arms, one) for one in words], [share_of_words(arms | parts.outcome, one) for one in words],
            [max(one.directions) for one in sentences], shares_of(parts, texts).max(axis=1),
            [np.log1p(len(text)) for text in texts], *([one.part == part for one in sentences] for part in PARTS),
        ]  # fmt: skip
        return cls(np.array(columns, dtype=np.float64).T, alone.told)

    def parts(self, holds: Regression) -> NDArray[np.float64]:
        """The contribution of each sentence to up, down and same, weighted by its probability to hold the answer.

        Shape: (n, 3). All values together add up to 1.
        """
        weight = np.array([holds.probability(row) for row in self.features]) ** 2 + 1e-9
        parts: NDArray[np.float64] = (weight / weight.sum())[:, None] * self.told
        return parts


def _about(read: Sequence[ReadSentence], place: int) -> float:
    return log_odds(read[place].about) if place < len(read) else _UNREAD


# ---- model ----


@dataclass(frozen=True, slots=True)
class AnswerModel:
    """The model that ships: regressions and thresholds."""

    passage: Regression
    reports: Regression
    sentence: Regression  # whether a sentence of the paper holds the answer
    answers: float  # the least probability of reporting at which a paper counts as an answer
    tells: float  # the least probability of reporting, and of a direction, at which the direction is shown

    def shares(self, own: OwnSentences) -> dict[ReportedChange, float]:
        """The probability of each direction by a paper's sentences; they add up to 1."""
        return dict(zip(ReportedChange, own.parts(self.sentence).sum(axis=0).tolist(), strict=True))

    def speaks_for(self, told: ReportedChange, own: OwnSentences) -> int:
        """The index of the sentence that supports this direction most."""
        return int(own.parts(self.sentence)[:, list(ReportedChange).index(told)].argmax())

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> AnswerModel:
        """The model from the output of `to_json`."""
        return cls(
            Regression.from_json(found["passage"]),
            Regression.from_json(found["reports"]),
            Regression.from_json(found["sentence"]),
            answers=found["answers"],
            tells=found["tells"],
        )

    def to_json(self) -> dict[str, Any]:
        """The model as JSON."""
        return {
            "passage": self.passage.to_json(),
            "reports": self.reports.to_json(),
            "sentence": self.sentence.to_json(),
            "answers": self.answers,
            "tells": self.tells,
        }


@cache
def shipped() -> AnswerModel:
    """The model that comes with the product, loaded once per process."""
    return AnswerModel.from_json(json.loads(MODEL.read_text(encoding="utf-8")))
