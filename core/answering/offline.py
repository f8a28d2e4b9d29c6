"""Answers made on this machine, which consist of quotations from papers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.answering.model import (
    Action,
    Answer,
    AnswerEngine,
    Gathered,
    PaperAnswer,
    Question,
    ReportedChange,
    Tell,
    TrailStep,
    is_asked,
    untold,
)
from core.answering.reading import OwnSentences, ReadPassages, of_paper, of_passages, read_passages, shipped
from core.engines import Opening
from core.entailment import Reader, installed_reader
from core.library.index import Library
from core.library.model import Found, LibraryPaper, SearchMethod
from core.library.spread import spread_order
from core.progress import Progress, silent
from core.text.words import as_written, word_starts

_SENTENCES = 3  # the number of best passages whose strongest sentences are searched for an option


@dataclass(frozen=True, slots=True)
class OfflineAnswers:
    """Searches the library, reads the nearest passages, and quotes what each paper reports."""

    name: str
    method: SearchMethod
    reader: Reader
    reranks: bool  # whether passages are ranked by the reader; otherwise they keep the order of the search

    def answer(
        self, question: Question, library: Library, *, progress: Progress = silent, tell: Tell = untold
    ) -> Answer:
        """What the papers report, or that they cannot answer. Raises `LibraryError` if the index fails."""
        started = time.perf_counter()
        progress(0.05, "Searching the library")
        papers = {paper.id: paper for paper in library.papers()}
        found = self.search(question, library, progress)
        nearest = len({one.passage.paper for one in found})
        steps = [_told(tell, Action.SEARCH, question, f"{len(found):,} passages of {nearest:,} papers", started)]
        progress(0.3, f"Reading the nearest passages of {nearest:,} papers")
        reading = read_passages(question.text, found, papers, self.reader)
        scores = _scores(reading)
        answers = _by_paper(reading, scores, papers, self.reader)
        likely = [one for one in answers if one.reports >= shipped().answers]
        order = sorted(range(len(scores)), key=lambda place: -scores[place]) if self.reranks else range(len(scores))
        gathered = [_gathered(reading, scores, place) for place in _chosen(reading, list(order), question)]
        came = f"{sum(map(len, reading.read.values())):,} sentences read, {len(likely):,} papers seem to report on it"
        steps.append(_told(tell, Action.GATHER, question, came, started + steps[0].seconds))
        progress(1.0, "Done")
        searched = sum(is_asked(question, paper) for paper in papers.values())
        return Answer(
            self.name,
            question,
            tuple(likely or answers[:3]),
            not likely,
            tuple(gathered),
            tuple(papers[id] for id in dict.fromkeys(one.passage.paper for one in gathered) if id in papers),
            searched,
            time.perf_counter() - started,
            option=option_told(question, likely, gathered),
            steps=tuple(steps),
            notes=tuple(_not_found(reading, searched=searched, reporting=len(likely))),
        )

    def search(self, question: Question, library: Library, progress: Progress) -> list[Found]:
        """The passages to read, best first."""
        return library.search(
            question.text,
            depth=question.depth,
            method=self.method,
            only=question.only,
            without=question.without,
            years=question.years,
            design=question.design,
            passages=question.passages,
        )


def _not_found(reading: ReadPassages, *, searched: int, reporting: int) -> Iterator[str]:
    """Notes on papers that were searched and do not report, and on words of the question that were not found."""
    near = len(reading.by_paper)
    if silent_papers := near - reporting:
        papers = (
            "1 paper was read where it comes"
            if silent_papers == 1
            else f"{silent_papers:,} papers were read where they come"
        )
        yield f"{papers} near the question, and not found to report on it."
    if searched > near:
        yield f"{searched - near:,} of {searched:,} papers have no passage among the {len(reading.found):,} nearest."
    said = frozenset[str]().union(*(word_starts(one.passage.text) for one in reading.found))
    words = as_written(reading.question).values()
    if reading.found and (absent := [word for word in words if word_starts(word) - said]):
        yield f"In none of the nearest passages: {', '.join(f'“{word}”' for word in absent)}."


def option_told(question: Question, papers: Sequence[PaperAnswer], evidence: Sequence[Gathered]) -> int | None:
    """The index of the option that the papers support; None if there are no options, or not exactly one is supported.

    If the options are directions, the likeliest paper decides. Otherwise the first of the best sentences that contains
    all words of an option decides, unless it contains all words of several options.
    """
    if not question.options or not papers:
        return None
    if set(question.options) <= set(ReportedChange):
        told = papers[0].told
        return question.options.index(told) if told in question.options else None
    starts = [word_starts(option) for option in question.options]
    for one in evidence[:_SENTENCES]:
        said = word_starts(one.passage.sentences[one.strongest - one.passage.first])
        standing = [place for place, words in enumerate(starts) if words and words <= said]
        if standing:
            return standing[0] if len(standing) == 1 else None
    return None


def _told(tell: Tell, action: Action, question: Question, came: str, started: float) -> TrailStep:
    step = TrailStep(action, question.text, came, seconds=time.perf_counter() - started)
    tell(step)
    return step


def _scores(reading: ReadPassages) -> list[float]:
    """The probability of each passage that it holds the answer."""
    model = shipped().passage
    return [round(model.probability(row), 6) for row in of_passages(reading)]


def _chosen(reading: ReadPassages, order: Sequence[int], question: Question) -> list[int]:
    """The indices of the passages to gather, best first, spread over papers as the question requires."""
    spread = spread_order([reading.found[place].passage.paper for place in order], question.spread)
    return [order[rank] for rank in sorted(spread[: question.gathers])]


def _by_paper(
    reading: ReadPassages, passages: Sequence[float], papers: Mapping[str, LibraryPaper], reader: Reader
) -> list[PaperAnswer]:
    """What each paper with a passage in the search says, the likeliest to report first.

    A direction is determined only if the paper is likely enough to report. The sentence that supports it most is
    quoted; without a direction, the sentence that is most about the question.
    """
    model, answers = shipped(), []
    for id, places in reading.by_paper.items():
        if id not in papers:  # removed since the search
            continue
        reports = model.reports.probability(of_paper(reading, papers[id], passages))
        read = reading.sentences_of(id)
        told: ReportedChange | None = None
        probability = None
        quoted = read[0].index if read else None
        if read and reports >= model.tells:
            own = OwnSentences.of(reading.question, read, reader)
            shares = model.shares(own)
            likeliest = max(shares, key=shares.__getitem__)
            probability = round(shares[likeliest], 4)
            if reports * shares[likeliest] >= model.tells:
                told, quoted = likeliest, read[model.speaks_for(likeliest, own)].index
        best = reading.place_of(id, quoted) if quoted is not None else max(places, key=passages.__getitem__)
        strongest = _gathered(reading, passages, best, quoted)
        answers.append(PaperAnswer(papers[id], round(reports, 4), told, probability, strongest))
    return sorted(answers, key=lambda one: -one.reports)


def _gathered(reading: ReadPassages, passages: Sequence[float], place: int, quoted: int | None = None) -> Gathered:
    """A passage with the sentence to quote, by default the one that is most about the question."""
    passage = reading.found[place].passage
    if quoted is None:
        read = reading.read.get(passage.id, ())
        quoted = read[0].index if read else passage.first + int(np.argmax(passage.findings))
    return Gathered(passage, passages[place], quoted)


def open_offline(opening: Opening) -> AnswerEngine:
    """The engine that searches by words and meaning. The reader ranks the passages, except with `@unranked`."""
    ranked = opening.strategy != "unranked"
    name = "offline" if ranked else "offline@unranked"
    return OfflineAnswers(name, SearchMethod.HYBRID, installed_reader(), reranks=ranked)


def open_bm25(opening: Opening) -> AnswerEngine:
    """The engine that searches by BM25."""
    return OfflineAnswers("bm25", SearchMethod.WORDS, installed_reader(), reranks=False)


def open_embedding(opening: Opening) -> AnswerEngine:
    """The engine that searches by the encoder's vectors."""
    return OfflineAnswers("embedding", SearchMethod.MEANING, installed_reader(), reranks=False)
