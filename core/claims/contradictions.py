"""Compare statements with a library on this machine: the direction of each paper's result and the claimed direction."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.answering.model import CANDIDATES, ReportedChange
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

_COMPARED = 8  # sentences of a paper that are parsed for comparisons, those most about the question
_ABOUT = 0.3  # the least probability that such a sentence is about the question
LEAST = 0.3  # the least probability that a paper reports on the statement, at which its direction is determined
_CLAIM_SURE = 0.6  # the least probability of the claimed direction, at which a paper can contradict it


@dataclass(frozen=True, slots=True)
class PaperOnStatement:
    """The reader's probabilities for one paper and a statement."""

    paper: str
    reports: float  # probability that it reports on the statement
    shares: tuple[float, float, float]  # if it reports, the probabilities of more, less, no difference
    aligned: ReportedChange | None  # the direction in a sentence that makes the same comparison; None: there is none
    claimed: tuple[float, float, float]  # the probabilities that the statement claims more, less, no difference
    quoted: tuple[int, int, int]  # for each direction, the index in the paper of the sentence that supports it most

    def stand(self, shift: float) -> Stand | None:
        """The paper's side. `shift` is added, in log-odds, to the direction of a sentence with the same comparison.

        The paper contradicts if its likeliest direction differs from the claimed one, and the claimed one is likely
        enough. An uncertain direction alone is not a contradiction. None: it is on neither side.
        """
        odds = np.array(self.shares, dtype=np.float64)
        if self.aligned is not None:
            odds[list(ReportedChange).index(self.aligned)] *= np.exp(shift)
        shares = odds / odds.sum()
        ours, theirs = int(np.argmax(self.claimed)), int(np.argmax(shares))
        told = tuple(ReportedChange)[theirs]
        if ours == theirs:
            return Stand(Way.AGREES, float(shares[ours]) * self.claimed[ours], told)
        if self.claimed[ours] < _CLAIM_SURE:
            return None
        return Stand(Way.CONTRADICTS, float(1 - shares[ours]) * self.claimed[ours], told)


@dataclass(frozen=True, slots=True)
class Stand:
    """The side of a paper that reports on a statement."""

    way: Way
    sure: float  # probability of this way
    told: ReportedChange  # the likeliest direction of its result


def papers_on(
    claimed: Claimed, reading: ReadPassages, papers: Mapping[str, LibraryPaper], model: AnswerModel, reader: Reader
) -> list[PaperOnStatement]:
    """The papers that may report on the statement and name what it is about, the likeliest first."""
    scores = [round(model.passage.probability(row), 6) for row in of_passages(reading)]
    found = []
    for id in reading.by_paper:
        read = reading.sentences_of(id)
        if id not in papers or not read or not names(claimed.comparison, _words_of(reading, papers[id])):
            continue
        same, surely, compares = _aligned(claimed, read)
        # The regression was fitted to libraries in which one paper reports. If two do, it underestimates the second.
        reports = max(surely, model.reports.probability(of_paper(reading, papers[id], scores)))
        if reports < LEAST:
            continue
        own = OwnSentences.of(claimed.question, read, reader)
        shares = model.shares(own)
        told = (
            shares[ReportedChange.INCREASED],
            shares[ReportedChange.DECREASED],
            shares[ReportedChange.NO_DIFFERENCE],
        )
        up, down, equal = (
            compares if way is same else read[model.speaks_for(way, own)].index for way in ReportedChange
        )
        found.append(PaperOnStatement(id, round(reports, 4), told, same, claimed.shares, (up, down, equal)))
    return sorted(found, key=lambda one: -one.reports)


def _words_of(reading: ReadPassages, paper: LibraryPaper) -> str:
    """A paper's title and those of its passages that were found."""
    passages = (reading.found[place].passage.text for place in reading.by_paper[paper.id])
    return " ".join((paper.title or "", *passages))


def _aligned(claimed: Claimed, read: Sequence[ReadSentence]) -> tuple[ReportedChange | None, float, int]:
    """The direction in the first sentence that makes the claim's comparison; None if there is none.

    Also returns the probability that the paper reports by this sentence alone (0 unless it names both arms and the
    outcome as the claim does), and the sentence's index.
    """
    for one in read[:_COMPARED] if claimed.comparison is not None else ():
        comparison = comparison_in(one.text) if one.about >= _ABOUT else None
        told = aligned(claimed.comparison, comparison) if claimed.comparison and comparison else None
        if claimed.comparison and comparison and told is not None:
            return told, one.about if same_parts(claimed.comparison, comparison) else 0.0, one.index
    return None, 0.0, -1


@dataclass(frozen=True, slots=True)
class OfflineContradictions:
    """Searches, reads the nearest passages, and compares what each paper reports with what is claimed."""

    name: str
    method: SearchMethod
    reader: Reader

    def compare(self, statement: Statement, library: Library, *, progress: Progress = silent) -> Contested:
        """What the library says about the statement. Raises `LibraryError` if the index fails."""
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
    quoted = one.quoted[list(ReportedChange).index(stand.told)]
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
    """A sentence that says how many papers are on each side, and what may explain the difference."""
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
    """The engine that searches by words and meaning."""
    return OfflineContradictions("offline", SearchMethod.HYBRID, installed_reader())


def open_bm25(opening: Opening) -> ContradictionEngine:
    """The engine that searches by BM25."""
    return OfflineContradictions("bm25", SearchMethod.WORDS, installed_reader())


def open_embedding(opening: Opening) -> ContradictionEngine:
    """The engine that searches by the encoder's vectors."""
    return OfflineContradictions("embedding", SearchMethod.MEANING, installed_reader())
