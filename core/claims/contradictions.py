"""Statements held against a library on this machine: which way each paper's result goes, beside which way is claimed."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.answering.model import CANDIDATES, Told
from core.answering.reading import (
    AnswerModel,
    OwnSentences,
    ReadPassages,
    ReadSentence,
    of_paper,
    of_passages,
    read_passages,
)
from core.answering.reading import shipped as shipped_answers
from core.claims.differences import differences
from core.claims.model import Contested, ContradictionEngine, Place, Side, Statement, Way
from core.claims.naming import names
from core.claims.scale import shipped
from core.claims.statements import Claimed, aligned, claimed_by, comparison_in, same_parts
from core.engines import Opening
from core.entailment import Reader, installed_reader
from core.library.index import Library
from core.library.model import LibraryPaper, SearchMethod
from core.progress import Progress, silent

_COMPARED = 8  # sentences of a paper that are taken apart, those most about the question
_ABOUT = 0.3  # how much they must be
LEAST = 0.3  # the least probability that a paper reports before it is looked at which way
_CLAIM_SURE = 0.6  # how likely a statement's own direction must be before anything contradicts it


@dataclass(frozen=True, slots=True)
class PaperOnStatement:
    """What the reader makes of one paper beside a statement."""

    paper: str
    reports: float  # probability that it reports on it
    shares: tuple[float, float, float]  # how likely its result is more, less, no difference, if it reports; together 1
    aligned: Told | None  # which way a sentence that makes the same comparison goes; None: there is none
    claimed: tuple[float, float, float]  # likewise, of what the statement claims
    quoted: tuple[int, int, int]  # likewise, the index in the paper of the sentence that speaks for it most

    def stand(self, shift: float) -> Stand | None:
        """Where it stands; `shift`: what, in log-odds, a sentence that makes the same comparison adds to its direction.

        It contradicts where its likeliest direction is another than the one claimed, if that is sure itself. A paper of
        which the direction is unsure contradicts nothing by that alone. None: it stands nowhere.
        """
        odds = np.array(self.shares, dtype=np.float64)
        if self.aligned is not None:
            odds[list(Told).index(self.aligned)] *= np.exp(shift)
        shares = odds / odds.sum()
        ours, theirs = int(np.argmax(self.claimed)), int(np.argmax(shares))
        told = tuple(Told)[theirs]
        if ours == theirs:
            return Stand(Way.AGREES, float(shares[ours]) * self.claimed[ours], told)
        if self.claimed[ours] < _CLAIM_SURE:
            return None
        return Stand(Way.CONTRADICTS, float(1 - shares[ours]) * self.claimed[ours], told)


@dataclass(frozen=True, slots=True)
class Stand:
    """On which side of a statement a paper stands, if it reports on it."""

    way: Way
    sure: float  # probability of this way
    told: Told  # the likeliest direction of its result


def papers_on(
    claimed: Claimed, reading: ReadPassages, papers: Mapping[str, LibraryPaper], model: AnswerModel, reader: Reader
) -> list[PaperOnStatement]:
    """Every paper that may report on it, the likeliest first: one that names what is claimed of, and seems to report."""
    scores = [round(model.passage.probability(row), 6) for row in of_passages(reading)]
    found = []
    for id in reading.by_paper:
        read = reading.sentences_of(id)
        if id not in papers or not read or not names(claimed.comparison, _words_of(reading, papers[id])):
            continue
        same, surely, compares = _aligned(claimed, read)
        # The regression was fitted to libraries in which one paper reports; where two do, it thinks less of the second.
        reports = max(surely, model.reports.probability(of_paper(reading, papers[id], scores)))
        if reports < LEAST:
            continue
        own = OwnSentences.of(claimed.question, read, reader)
        shares = model.shares(own)
        told = (shares[Told.INCREASED], shares[Told.DECREASED], shares[Told.NO_DIFFERENCE])
        up, down, equal = (compares if way is same else read[model.speaks_for(way, own)].index for way in Told)
        found.append(PaperOnStatement(id, round(reports, 4), told, same, claimed.shares, (up, down, equal)))
    return sorted(found, key=lambda one: -one.reports)


def _words_of(reading: ReadPassages, paper: LibraryPaper) -> str:
    """A paper's title and all of its passages that were found."""
    passages = (reading.found[place].passage.text for place in reading.by_paper[paper.id])
    return " ".join((paper.title or "", *passages))


def _aligned(claimed: Claimed, read: Sequence[ReadSentence]) -> tuple[Told | None, float, int]:
    """Which way the first sentence on the question that makes the claim's comparison goes, None: there is none.

    Beside it how likely the paper reports by this sentence alone, where it names both arms and the outcome as the claim does,
    and the sentence's index.
    """
    for one in read[:_COMPARED] if claimed.comparison is not None else ():
        comparison = comparison_in(one.text) if one.about >= _ABOUT else None
        told = aligned(claimed.comparison, comparison) if claimed.comparison and comparison else None
        if claimed.comparison and comparison and told is not None:
            return told, one.about if same_parts(claimed.comparison, comparison) else 0.0, one.index
    return None, 0.0, -1


@dataclass(frozen=True, slots=True)
class OfflineContradictions:
    """Searches, reads what is nearest, and sets what each paper reports beside what is claimed."""

    name: str
    method: SearchMethod
    reader: Reader

    def hold(self, statement: Statement, library: Library, *, progress: Progress = silent) -> Contested:
        """What the library says of it. Raises `LibraryError` where the index fails."""
        started = time.perf_counter()
        progress(0.05, "Searching the library")
        papers = {paper.id: paper for paper in library.papers()}
        claimed = claimed_by(statement.text, self.reader)
        found = library.search(
            claimed.question, depth=CANDIDATES, method=self.method, only=statement.only, without=statement.without
        )
        progress(0.3, "Reading the nearest passages")
        reading = read_passages(claimed.question, found, papers, self.reader)
        scale = shipped()
        on_it = papers_on(claimed, reading, papers, shipped_answers(), self.reader)
        sides = [
            _side(one, stand, statement, reading, papers)
            for one in on_it
            if one.reports >= scale.reports and (stand := one.stand(scale.aligned)) is not None
        ]
        sides.sort(key=lambda one: -(one.sure or 0.0))
        against = max((one.sure or 0.0 for one in sides if one.way is Way.CONTRADICTS), default=0.0)
        agreeing = max((one.sure or 0.0 for one in sides if one.way is Way.AGREES), default=0.0)
        place = scale.place(against, agreeing)
        progress(1.0, "Done")
        return Contested(
            self.name,
            statement,
            place,
            _reason(place, sides),
            tuple(sides) if place is not Place.LACK_OF_EVIDENCE else (),
            searched=sum(
                (statement.only is None or id in statement.only) and id not in statement.without for id in papers
            ),
            likely=round(0.5 + (against - agreeing) / 2, 4),
            claims=claimed.told,
            seconds=time.perf_counter() - started,
        )


def _side(
    one: PaperOnStatement, stand: Stand, statement: Statement, reading: ReadPassages, papers: Mapping[str, LibraryPaper]
) -> Side:
    quoted = one.quoted[list(Told).index(stand.told)]
    passage = reading.found[reading.place_of(one.paper, quoted)].passage
    paper = papers[one.paper]
    return Side(
        paper,
        stand.way,
        sure=round(one.reports * stand.sure, 4),
        passage=passage,
        strongest=quoted,
        told=stand.told,
        differences=differences(
            " ".join((statement.context, statement.text)), " ".join((paper.title or "", passage.text))
        ),
    )


def _reason(place: Place, sides: Sequence[Side]) -> str:
    """In a sentence of ours: how many papers stand on which side, and what may explain the difference."""
    if place is Place.LACK_OF_EVIDENCE:
        return "No paper of the library seems to report on it surely enough."
    against = [one for one in sides if one.way is Way.CONTRADICTS]
    agreeing = len(sides) - len(against)
    counts = [
        f"{_papers(len(against))} the other way" if against else "",
        f"{_papers(agreeing)} the same way" if agreeing else "",
    ]
    explained = against[0].differences if against else ()
    why = f" What may explain it: {'; '.join(explained)}." if explained else ""
    return f"{' and '.join(filter(None, counts))}, as far as the reader can tell.{why}"


def _papers(count: int) -> str:
    return "1 paper reports" if count == 1 else f"{count:,} papers report"


def open_offline(opening: Opening) -> ContradictionEngine:
    """Searches by words and meaning."""
    return OfflineContradictions("offline", SearchMethod.HYBRID, installed_reader())


def open_bm25(opening: Opening) -> ContradictionEngine:
    """Reads what BM25 finds."""
    return OfflineContradictions("bm25", SearchMethod.WORDS, installed_reader())


def open_embedding(opening: Opening) -> ContradictionEngine:
    """Reads what the encoder finds."""
    return OfflineContradictions("embedding", SearchMethod.MEANING, installed_reader())
