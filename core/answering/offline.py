"""Answers made on this machine: no prose is invented, papers are quoted."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.answering.model import CANDIDATES, Answer, AnswerEngine, Gathered, PaperAnswer, Question, Told
from core.answering.reading import (
    ReadPassages,
    of_directions,
    of_paper,
    of_passages,
    read_passages,
    shipped,
)
from core.engines import Opening
from core.entailment import Reader, installed_reader
from core.library.index import Library
from core.library.model import LibraryPaper, SearchMethod
from core.progress import Progress, silent


@dataclass(frozen=True, slots=True)
class OfflineAnswers:
    """Searches, reads what is nearest, and quotes what each paper reports."""

    name: str
    method: SearchMethod
    reader: Reader
    reranks: bool  # whether the reader orders passages, or they stay as found

    def answer(self, question: Question, library: Library, *, progress: Progress = silent) -> Answer:
        """What the papers report, or that they cannot answer. Raises `LibraryError` where the index fails."""
        started = time.perf_counter()
        progress(0.05, "Searching the library")
        papers = {paper.id: paper for paper in library.papers()}
        found = library.search(
            question.text,
            depth=CANDIDATES,
            method=self.method,
            only=question.only,
            without=question.without,
            years=question.years,
        )
        progress(0.3, f"Reading the nearest passages of {len({one.passage.paper for one in found}):,} papers")
        reading = read_passages(question.text, found, papers, self.reader)
        scores = _scores(reading)
        answers = _by_paper(reading, scores, papers)
        likely = [one for one in answers if one.reports >= shipped().answers]
        order = sorted(range(len(scores)), key=lambda place: -scores[place]) if self.reranks else range(len(scores))
        gathered = [_gathered(reading, scores, place) for place in order][: question.k]
        progress(1.0, "Done")
        return Answer(
            self.name,
            question,
            tuple(likely or answers[:3]),
            not likely,
            tuple(gathered),
            tuple(papers[id] for id in dict.fromkeys(one.passage.paper for one in gathered) if id in papers),
            _searched(question, papers),
            time.perf_counter() - started,
        )


def _scores(reading: ReadPassages) -> list[float]:
    """How likely each passage holds the answer."""
    model = shipped().passage
    return [round(model.probability(row), 6) for row in of_passages(reading)]


def _by_paper(
    reading: ReadPassages, passages: Sequence[float], papers: Mapping[str, LibraryPaper]
) -> list[PaperAnswer]:
    """What each paper of which a passage was found says, the likeliest to report first."""
    model, answers = shipped(), []
    for id, places in reading.by_paper.items():
        if id not in papers:  # taken out meanwhile
            continue
        reports = model.reports.probability(of_paper(reading, papers[id], passages))
        read = reading.sentences_of(id)
        told: Told | None = None
        probability = None
        if read:
            likeliest, share = model.direction(of_directions(read))
            probability = round(share, 4)
            told = likeliest if reports * share >= model.tells else None
        best = max(places, key=lambda place: (_first_about(reading, place), passages[place]))
        strongest = _gathered(reading, passages, best)
        answers.append(PaperAnswer(papers[id], round(reports, 4), told, probability, strongest))
    return sorted(answers, key=lambda one: -one.reports)


def _gathered(reading: ReadPassages, passages: Sequence[float], place: int) -> Gathered:
    passage = reading.found[place].passage
    read = reading.read.get(passage.id, ())
    strongest = read[0].index if read else passage.first + int(np.argmax(passage.findings))
    return Gathered(passage, passages[place], strongest)


def _first_about(reading: ReadPassages, place: int) -> float:
    """How much the sentence of a passage that is most about the question is about it; below 0 where none was read."""
    return max((one.about for one in reading.read.get(reading.found[place].passage.id, ())), default=-1.0)


def _searched(question: Question, papers: Mapping[str, LibraryPaper]) -> int:
    """How many papers the question was put to."""
    first, last = question.years.first, question.years.last

    def asked(paper: LibraryPaper) -> bool:
        dated = first is None and last is None
        if not dated and paper.year is not None:
            dated = (first is None or paper.year >= first) and (last is None or paper.year <= last)
        return dated and paper.id not in question.without and (question.only is None or paper.id in question.only)

    return sum(map(asked, papers.values()))


def open_offline(opening: Opening) -> AnswerEngine:
    """Searches by words and meaning; the reader orders what is found, but `@unranked`."""
    ranked = opening.strategy != "unranked"
    name = "offline" if ranked else "offline@unranked"
    return OfflineAnswers(name, SearchMethod.HYBRID, installed_reader(), reranks=ranked)


def open_bm25(opening: Opening) -> AnswerEngine:
    """Passages as BM25 finds them."""
    return OfflineAnswers("bm25", SearchMethod.WORDS, installed_reader(), reranks=False)


def open_embedding(opening: Opening) -> AnswerEngine:
    """Passages as the encoder finds them."""
    return OfflineAnswers("embedding", SearchMethod.MEANING, installed_reader(), reranks=False)
